/** The visible part of the board: fitted to its tiles until somebody moves it. */
import { turnView } from "./autoTurn";
import { DISC, extent, middle, SIDE, SMALL_SIDE, type Cell, type Point } from "./geometry";

export interface View {
  /** The point of the board at the centre of the screen. */
  x: number;
  y: number;
  /** Pixels in a board unit. */
  scale: number;
}

const MARGIN = 18;
const LEAST = 0.08;
const MOST = 2.4;
const ORIGIN: Cell = { x: 0, y: 0, down: false };
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class Viewport {
  width = $state(0);
  height = $state(0);
  view = $state.raw<View>({ x: 0, y: 0, scale: 0 });
  /** Somebody moved the view, so it no longer follows the board. */
  manual = $state(false);
  /** Degrees by which the picture is still turned back, while the board turns. */
  spin = $state(0);
  readonly #moving = new Motion();
  readonly #turning = new Motion();

  /** The view that shows some cells as large as they fit, with sides of at most *largest* pixels.
   *
   * The lower corner with the buttons stays free, because a place to play
   * must not be under a button.
   */
  fit(cells: readonly Cell[], largest: number, corner: { wide: number; high: number }): View {
    const whole = this.#fitted(cells, largest, 0, 0);
    const side = whole.scale * SIDE;
    const hidden = cells.some((cell) => {
      const [x, y] = this.onScreen(middle(cell), whole);
      return x + side / 2 > this.width - corner.wide && y + side / 2 > this.height - corner.high;
    });
    if (!hidden) return whole;
    const beside = this.#fitted(cells, largest, corner.wide, 0);
    const above = this.#fitted(cells, largest, 0, corner.high);
    return beside.scale > above.scale ? beside : above;
  }

  /** The view that fits some cells beside a free strip at the right and one at the bottom. */
  #fitted(cells: readonly Cell[], largest: number, right: number, bottom: number): View {
    const room = extent(cells.length ? cells : [ORIGIN]);
    const wide = Math.max(1, this.width - right - 2 * MARGIN);
    const high = Math.max(1, this.height - bottom - 2 * MARGIN);
    const scaled = (beyond: number): number =>
      Math.min(
        wide / (room.right - room.left + beyond),
        high / (room.bottom - room.top + beyond),
        largest / SIDE,
      );
    // The discs of a small board reach beyond its tiles.
    const scale = scaled(0) * SIDE < SMALL_SIDE ? scaled(2 * DISC) : scaled(0);
    return {
      x: (room.left + room.right) / 2 + right / 2 / scale,
      y: (room.top + room.bottom) / 2 + bottom / 2 / scale,
      scale,
    };
  }

  /** Move the view smoothly, or at once if reduced motion is preferred. */
  animateTo(goal: View, time = 280): void {
    this.#moving.stop();
    const from = this.view;
    if (reducedMotion.matches || from.scale === 0) {
      this.view = goal;
      return;
    }
    this.#moving.start(time, (share) => {
      this.view = {
        x: from.x + (goal.x - from.x) * share,
        y: from.y + (goal.y - from.y) * share,
        scale: from.scale * (goal.scale / from.scale) ** share,
      };
    });
  }

  /** Follow a board that was turned by steps of 60 degrees: the picture turns smoothly. */
  turn(steps: number, time = 480): void {
    this.#moving.stop();
    this.view = turnView(this.view, steps);
    if (reducedMotion.matches || this.view.scale === 0) return;
    const from = this.spin + 60 * steps;
    this.spin = from;
    this.#turning.start(time, (share) => (this.spin = from * (1 - share)));
  }

  /** Move the board by some pixels. */
  pan(dx: number, dy: number): void {
    this.#takeOver();
    const { x, y, scale } = this.view;
    this.view = { x: x - dx / scale, y: y - dy / scale, scale };
  }

  /** Zoom round a point of the screen. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    this.#takeOver();
    const scale = Math.min(MOST, Math.max(LEAST, this.view.scale * factor));
    const [dx, dy] = [px - this.width / 2, py - this.height / 2];
    this.view = {
      x: this.view.x + dx / this.view.scale - dx / scale,
      y: this.view.y + dy / this.view.scale - dy / scale,
      scale,
    };
  }

  /** The screen position of a point of the board. */
  onScreen([x, y]: Point, view: View = this.view): [number, number] {
    return [
      (x - view.x) * view.scale + this.width / 2,
      (y - view.y) * view.scale + this.height / 2,
    ];
  }

  #takeOver(): void {
    this.manual = true;
    this.#moving.stop();
  }
}

/** One movement at a time, fast at first and slow at its end. */
class Motion {
  #frame = 0;

  start(time: number, show: (share: number) => void): void {
    this.stop();
    const began = performance.now();
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - began) / time));
      show(1 - (1 - share) ** 3);
      if (share < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}
