import { beforeAll, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import { changed, FIELDS, SECTIONS, shown, usual } from "./rules";

beforeAll(() => withWords(Promise.resolve(), "main", "house"));

it("keeps only what differs from the edition", () => {
  const one = changed({}, "classic", "draw_cost", 7);
  expect(one).toEqual({ draw_cost: 7 });
  expect(changed(one, "classic", "draw_cost", 5)).toEqual({});
  expect(changed(one, "classic", "hexagon_bonuses", [50, 60, 70])).toEqual({ draw_cost: 7 });
  expect(changed({}, "classic", "racks", { "2": 9 })).toEqual({ racks: { "2": 9 } });
});
it("has words for every value of every field", () => {
  for (const [name, field] of Object.entries(FIELDS)) {
    expect(shown(name, usual("card", name))).not.toBe("");
    if (field.kind === "choice")
      for (const value of field.values) expect(shown(name, value)).not.toBe(value);
  }
});
it("shows every field once", () => {
  const all = SECTIONS.flatMap(([, names]) => names);
  expect([...all].sort()).toEqual(Object.keys(FIELDS).sort());
});
