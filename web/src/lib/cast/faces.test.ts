import { describe, expect, it } from "vitest";
import { CAST, type CastName } from "../seatNames";
import { face, MOODS, placed, SIZE, type Shape } from "./faces";
import { contactSheet } from "./sheet";

const SMALL = 24;

/** Whether a point of the square is in a face. */
function inside(name: CastName, x: number, y: number): boolean {
  return placed(name).some(([, , ...corners]) => {
    const signs = corners.map(([ax, ay], index) => {
      const [bx, by] = corners[(index + 1) % 3] ?? [0, 0];
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    });
    return signs.every((sign) => sign >= 0) || signs.every((sign) => sign <= 0);
  });
}

/** The pixels of a silhouette at 24 px. */
function raster(name: CastName): boolean[] {
  const step = SIZE / SMALL;
  return Array.from({ length: SMALL * SMALL }, (_, index) =>
    inside(name, ((index % SMALL) + 0.5) * step, (Math.floor(index / SMALL) + 0.5) * step),
  );
}

/** The part of the pixels of two silhouettes that only one of them has. */
function difference(one: boolean[], other: boolean[]): number {
  const either = one.filter((set, index) => set || other[index]).length;
  return one.filter((set, index) => set !== other[index]).length / either;
}

describe("the cast", () => {
  it("can be told apart at 24 px by the silhouette alone", () => {
    const rasters = CAST.map(raster);
    for (const [index, one] of rasters.entries()) {
      expect(one.filter(Boolean).length, CAST[index]).toBeGreaterThan(100);
      for (const [before, other] of rasters.slice(0, index).entries())
        expect(difference(one, other), `${CAST[index]} and ${CAST[before]}`).toBeGreaterThan(0.2);
    }
  });

  it("shows its moods", () => {
    for (const name of CAST) {
      const drawn = MOODS.map((mood) => JSON.stringify(face(name, mood)));
      expect(new Set(drawn).size, name).toBe(MOODS.length);
    }
  });

  it("looks where it is told", () => {
    const pupils = (shapes: Shape[]): string[] =>
      shapes.filter(({ paint }) => paint === "ink").map(({ d }) => d);
    for (const name of CAST) {
      const left = pupils(face(name, "waiting", { x: -1, y: 0 }));
      const right = pupils(face(name, "waiting", { x: 1, y: 0 }));
      expect(left.length).toBeGreaterThan(0);
      expect(left).not.toEqual(right);
    }
  });

  it("keeps eyes and mouth inside", () => {
    for (const name of CAST)
      for (const mood of MOODS)
        for (const { d, paint } of face(name, mood)) {
          if (!["white", "stroke", "smile"].includes(paint)) continue;
          const [x = NaN, y = NaN] = (/^M([-\d.]+) ([-\d.]+)/.exec(d) ?? []).slice(1).map(Number);
          expect(inside(name, x, y), `${name}, ${mood}: ${d}`).toBe(true);
        }
  });

  it("is shown on the sheet in docs", async () => {
    await expect(contactSheet(CAST)).toMatchFileSnapshot("../../../../docs/pictures/cast.svg");
  });
});
