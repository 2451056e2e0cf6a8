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
it("begins with an easy bot", () => {
  expect(readSettings(null)).toMatchObject({ version: 2, level: "easy", streak: 0 });
  expect(readSettings("{}").level).toBe("easy");
});
