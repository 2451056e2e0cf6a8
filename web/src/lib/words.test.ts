import { beforeAll, expect, it, vi } from "vitest";
import { preferredLanguage } from "./preferredLanguage";
import { compileMessage } from "./compileMessage";
import { pseudo } from "./pseudo";
import { mapMessage } from "./messages";

type Words = typeof import("./words");
const speaking = async (language: string): Promise<Words> => {
  vi.resetModules();
  vi.stubGlobal("location", { search: `?language=${language}`, href: "http://x/" });
  const { withWords } = await import("./language.svelte");
  await withWords(Promise.resolve(), "main");
  return import("./words");
};
let { ago, format, textOr, signed, t } = {} as Words;
beforeAll(async () => {
  ({ ago, format, textOr, signed, t } = await speaking("en"));
});

it("puts values in", () => {
  expect(format(compileMessage("{a} and {b}"), { a: "x", b: 3 })).toBe("x and 3");
});
it("chooses a plural, and writes its number as people do", () => {
  const message = compileMessage("{n, plural, =0 {none} one {one tile} other {# tiles}} of {n}");
  expect([0, 1, 4, 1200].map((n) => format(message, { n }))).toEqual([
    "none of 0",
    "one tile of 1",
    "4 tiles of 4",
    "1,200 tiles of 1,200",
  ]);
});
it("writes a true minus", () => {
  expect([signed(5), signed(-5), signed(0)]).toEqual(["+5", "−5", "0"]);
});
it("falls back where the catalogue has nothing", () => {
  expect(textOr("no.such.key", "x")).toBe("x");
  expect(t("home.to", { target: 400 })).toBe("To 400");
});
it("keeps a name from right to left in one piece", () => {
  expect(format(compileMessage("{name} has {n}"), { name: "דנה", n: 3 })).toBe(
    "\u2068דנה\u2069 has 3",
  );
});
it("has languages that nobody speaks, for what does not fit", () => {
  expect(pseudo("Set up a table", "xx-long")).toBe("Sétøø üpø åø tåbléøøø");
  expect(pseudo("Play", "xx-rtl")).toMatch(/^[\u05d0-\u05ea]{4}$/);
  const message = compileMessage("{n, plural, one {one} other {# of {name}}} left");
  expect(
    format(
      mapMessage(message, (text) => text.toUpperCase()),
      { n: 2, name: "Ann" },
    ),
  ).toBe("2 OF Ann LEFT");
});
it("says how long ago something was", () => {
  const now = 1_700_000_000_000;
  expect([0, 90, 7300, 90_000].map((seconds) => ago(now - 1000 * seconds, now))).toEqual([
    "this minute",
    "1 minute ago",
    "2 hours ago",
    "yesterday",
  ]);
});
it("finds the language that somebody reads", () => {
  const there = ["en", "de", "nb", "he", "pt", "fr"];
  const found = (...names: string[]): string => preferredLanguage(there, names);
  expect(
    ["no", "nn-NO", "nb", "iw-IL", "he", "pt-BR", "pt_PT", "DE-ch"].map((name) => found(name)),
  ).toEqual(["nb", "nb", "nb", "he", "he", "pt", "pt", "de"]);
  expect(found("xx", "ja-JP", "fr-CA", "de")).toBe("fr");
  expect(found("ja")).toBe("en");
  expect(found()).toBe("en");
  expect(preferredLanguage([...there, "pt-BR"], ["pt-br"])).toBe("pt-BR");
});
it("writes figures from left to right in a text from right to left", async () => {
  const { signed, format } = await speaking("xx-rtl");
  expect(signed(-5)).toBe("\u2066−5\u2069");
  expect(format(compileMessage("{percent}%", "rtl"), { percent: 50 })).toBe("50%");
  expect(format(compileMessage("א −5 ב 105 : 190 ג 0-0-0", "rtl"), {})).toBe(
    "א \u2066−5\u2069 ב \u2066105 : 190\u2069 ג 0-0-0",
  );
  expect(format(compileMessage("{tile}, {name}", "rtl"), { tile: "1-2-3", name: "Ann" })).toBe(
    "\u20661-2-3\u2069, \u2068Ann\u2069",
  );
});
