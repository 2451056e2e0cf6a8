import { expect, it } from "vitest";
import { pseudo } from "./pseudo";
import { ago, format, maybe, signed, t } from "./words";

it("puts values in", () => {
  expect(format("{a} and {b}", { a: "x", b: 3 })).toBe("x and 3");
});
it("chooses a plural", () => {
  const message = "{n, plural, =0 {none} one {one tile} other {# tiles}} left";
  expect([0, 1, 4].map((n) => format(message, { n }))).toEqual([
    "none left",
    "one tile left",
    "4 tiles left",
  ]);
});
it("writes a true minus", () => {
  expect([signed(5), signed(-5), signed(0)]).toEqual(["+5", "−5", "0"]);
});
it("falls back where the catalogue has nothing", () => {
  expect(maybe("no.such.key", "x")).toBe("x");
  expect(t("home.to", { target: 400 })).toBe("To 400");
});
it("keeps a name from right to left in one piece", () => {
  expect(format("{name} has {n}", { name: "דנה", n: 3 })).toBe("\u2068דנה\u2069 has 3");
});
it("has languages that nobody speaks, for what does not fit", () => {
  expect(pseudo("Set up a table", "xx-long")).toBe("Sétøø üpø åø tåbléøøø");
  expect(pseudo("Play", "xx-rtl")).toMatch(/^[\u05d0-\u05ea]{4}$/);
});
it("says how long ago something was", () => {
  const now = 1_700_000_000_000;
  expect([0, 90, 7300, 90_000].map((seconds) => ago(now - 1000 * seconds, now))).toEqual([
    "this minute", "1 minute ago", "2 hours ago", "yesterday",
  ]);
});
