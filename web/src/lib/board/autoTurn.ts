/** When the board turns by itself, and how it moves. */
import { turnPoint, type Point } from "./geometry";
import type { View } from "./viewport.svelte";

/** Tiles have to become larger by this factor. */
const WORTHWHILE = 1.25;

/** The steps of 60 degrees to turn by: 1, -1, or 0 if that would not make tiles much larger. */
export function stepsToTurn(scaleAt: (steps: number) => number): number {
  const now = scaleAt(0);
  const [left, right] = [scaleAt(1), scaleAt(-1)];
  if (Math.max(left, right) < WORTHWHILE * now) return 0;
  return left >= right ? 1 : -1;
}

/** A view of the same part of the board after the board was turned. */
export function turnView(view: View, steps: number): View {
  const [x, y]: Point = turnPoint([view.x, view.y], steps);
  return { ...view, x, y };
}
