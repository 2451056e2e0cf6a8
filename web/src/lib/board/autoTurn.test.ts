import { expect, it } from "vitest";
import { stepsToTurn, turnView } from "./autoTurn";
import { middle, parsePlace, turnCell, turnPoint, type Place } from "./geometry";

const scales =
  (now: number, left: number, right: number) =>
  (steps: number): number =>
    steps === 0 ? now : steps > 0 ? left : right;

it("turns only if tiles become a quarter larger, towards the larger ones", () => {
  expect(stepsToTurn(scales(1, 1.24, 1))).toBe(0);
  expect(stepsToTurn(scales(1, 1.25, 1.1))).toBe(1);
  expect(stepsToTurn(scales(1, 1.3, 1.5))).toBe(-1);
  expect(stepsToTurn(scales(1, 0.5, 0.5))).toBe(0);
});

it("does not turn to and fro", () => {
  // After a turn the way back is the one that was worse by a quarter.
  expect(stepsToTurn(scales(1.3, 1, 1.2))).toBe(0);
});

it("turns points like cells, so that the view stays where it was", () => {
  for (const text of ["U(0,0)=0-0-0", "D(3,-2)=0-0-0", "U(-4,5)=0-0-0"])
    for (let steps = -2; steps <= 3; steps++) {
      const { cell } = parsePlace(text) as Place;
      const [x, y] = turnPoint(middle(cell), steps);
      const [cx, cy] = middle(turnCell(cell, steps));
      expect(x).toBeCloseTo(cx, 6);
      expect(y).toBeCloseTo(cy, 6);
      const view = turnView({ x: middle(cell)[0], y: middle(cell)[1], scale: 2 }, steps);
      expect([view.x, view.y, view.scale]).toEqual([x, y, 2]);
    }
});
