import languages from "virtual:languages";
import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["../../**/*.{ts,svelte}", "!../../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
/** What is loaded together with these texts only: see `App.svelte` and `Site.svelte`. */
const REPLAY =
  /pages\/(Replay|Puzzle|Practise)\.svelte|games\/Memory\.svelte|^\.\/|\/(replay|analysis)\//;

it("keeps the texts of replays to the page that loads them", async () => {
  const english = languages.find(({ code }) => code === "en");
  const keys = Object.keys((await english?.load.replay())?.default ?? {});
  expect(keys).toContain("replay.play");
  const uses = (text: string): string[] => keys.filter((key) => text.includes(`"${key}"`));
  const all = Object.entries(sources);
  expect(
    all.filter(([path, text]) => REPLAY.test(path) && uses(text).length).length,
  ).toBeGreaterThan(2);
  const outside = all.filter(([path]) => !REPLAY.test(path));
  expect(outside.length).toBeGreaterThan(50);
  expect(outside.flatMap(([path, text]) => uses(text).map((key) => `${path}: ${key}`))).toEqual([]);
});
