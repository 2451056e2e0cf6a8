import { beforeAll, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import {
  withChange,
  FIELDS,
  choicesOf,
  SECTIONS,
  valueText,
  HIDDEN_FIELDS,
  editionValue,
} from "./fields";

beforeAll(() => withWords(Promise.resolve(), "main", "house"));

it("keeps only what differs from the edition", () => {
  const one = withChange({}, "classic", "draw_cost", 7);
  expect(one).toEqual({ draw_cost: 7 });
  expect(withChange(one, "classic", "draw_cost", 5)).toEqual({});
  expect(withChange(one, "classic", "hexagon_bonuses", [50, 60, 70])).toEqual({ draw_cost: 7 });
  expect(withChange({}, "classic", "racks", { "2": 9 })).toEqual({ racks: { "2": 9 } });
});
const ASKED = SECTIONS.flatMap(([, names]) => names);
it("has words for every value that can be chosen", () => {
  for (const name of ASKED) {
    expect(valueText(name, editionValue("card", name))).not.toBe("");
    for (const value of choicesOf(name)) expect(valueText(name, value)).not.toBe(value);
  }
});
it("shows every field once, but for those that nobody is asked for", () => {
  expect([...ASKED, ...HIDDEN_FIELDS].sort()).toEqual(Object.keys(FIELDS).sort());
});
it("offers no set of tiles that is for study", () => {
  expect(choicesOf("tile_set")).toEqual(["56", "76"]);
});
