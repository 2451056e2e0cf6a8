/** Pointer and wheel events on the board, as taps, panning and zooming. */
import type { Viewport } from "./viewport.svelte";

/** A pointer that moves this many pixels drags instead of tapping. */
const TREMBLE = 7;

export interface Tap {
  x: number;
  y: number;
  touch: boolean;
}

export class Gestures {
  readonly #fingers = new Map<number, { x: number; y: number }>();
  #moved = false;
  #start = { x: 0, y: 0 };

  constructor(
    readonly viewport: Viewport,
    readonly ontap: (tap: Tap) => void,
    readonly onhover: (tap: Tap | null) => void,
  ) {}

  down = (event: PointerEvent): void => {
    if (event.button) return;
    const at = { x: event.clientX, y: event.clientY };
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size === 1) {
      this.#moved = false;
      this.#start = at;
    }
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  move = (event: PointerEvent): void => {
    const now = { x: event.clientX, y: event.clientY };
    const before = this.#fingers.get(event.pointerId);
    if (!before) {
      this.onhover(event.pointerType === "mouse" ? { ...now, touch: false } : null);
      return;
    }
    const far = Math.hypot(now.x - this.#start.x, now.y - this.#start.y) >= TREMBLE;
    if (!this.#moved && !far && this.#fingers.size === 1) return;
    this.#moved = true;
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(event.currentTarget as Element, before, now, other);
    else this.viewport.pan(now.x - before.x, now.y - before.y);
    this.#fingers.set(event.pointerId, now);
  };

  up = (event: PointerEvent): void => {
    if (!this.#fingers.delete(event.pointerId) || this.#moved || this.#fingers.size) return;
    this.ontap({ x: event.clientX, y: event.clientY, touch: event.pointerType !== "mouse" });
  };

  cancel = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
  };

  wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    this.viewport.zoom(Math.exp(-event.deltaY * speed), event.clientX - left, event.clientY - top);
  };

  #pinch(
    box: Element,
    before: { x: number; y: number },
    now: { x: number; y: number },
    other: { x: number; y: number },
  ): void {
    const { left, top } = box.getBoundingClientRect();
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / apart;
    if (apart > 0)
      this.viewport.zoom(factor, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top);
    this.viewport.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }
}
