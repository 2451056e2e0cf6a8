import { expect, it } from "vitest";
import { format, maybe, signed, t } from "./words";

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
