import { expect, it } from "vitest";
import { pillWidth, visibleLength } from "./labelWidth";

it("does not count marks of direction", () => {
  for (const marked of ["\u200e+13", "\u2066+13\u2069", "\u202a+13\u202c\u200f"])
    expect(pillWidth(marked, 20)).toBe(pillWidth("+13", 20));
  expect(visibleLength("\u2066+13\u2069 גשר")).toBe(7);
  expect(pillWidth("+113", 20)).toBeGreaterThan(pillWidth("+13", 20));
});
