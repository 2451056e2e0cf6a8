import { expect, it } from "vitest";
import { readSettings } from "./settings.svelte";

it("knows the levels of version 1 by their new names, once", () => {
  const levels = ["beginner", "greedy", "club", "expert", "master", "champion"];
  const now = levels.map((level) => readSettings(JSON.stringify({ level, streak: 1 })));
  expect(now.map(({ level }) => level)).toEqual([
    "beginner",
    "easy",
    "medium",
    "hard",
    "expert",
    "champion",
  ]);
  for (const kept of now) expect(readSettings(JSON.stringify(kept))).toEqual(kept);
});
it("begins with a beginner, and remembers who was chosen", () => {
  expect(readSettings(null)).toMatchObject({ version: 3, level: "beginner", streak: 0 });
  expect(readSettings("{}").level).toBe("beginner");
  expect(readSettings('{ "version": 3, "level": "easy" }').level).toBe("easy");
});
it("takes sounds that were on by default as not chosen", () => {
  const sound = (version: number, stored: boolean): boolean | null =>
    readSettings(JSON.stringify({ version, sound: stored })).sound;
  expect([sound(2, true), sound(2, false)]).toEqual([null, false]);
  expect([sound(3, true), sound(3, false)]).toEqual([true, false]);
});
