import { expect, it, vi } from "vitest";
import type { SeatSummary } from "./net/types";

type Names = typeof import("./seatNames");
const reading = async (language: string): Promise<Names> => {
  vi.resetModules();
  vi.stubGlobal("location", { search: `?language=${language}`, href: "http://x/" });
  const { withWords } = await import("./language.svelte");
  await withWords(Promise.resolve(), "main");
  return import("./seatNames");
};
const seat = (name: string, changes: Partial<SeatSummary> = {}): SeatSummary => ({
  kind: "bot",
  name,
  bot: "easy",
  substitute: null,
  is_free: false,
  is_made_up: true,
  help: null,
  head_start: 0,
  ...changes,
});

it("writes the cast in the letters of the language", async () => {
  const english = await reading("en");
  expect(english.seatName(seat("Milo"), 1)).toBe("Milo");
  expect(english.playerName({ name: "Milo", bot: "easy" }, 1)).toBe("Milo");
  const hebrew = await reading("he");
  expect(hebrew.seatName(seat("Milo"), 1)).toBe("מילו");
  expect(hebrew.playerName({ name: "Milo", bot: "easy" }, 1)).toBe("מילו");
  expect(hebrew.CAST.map(hebrew.castName).join("")).toMatch(/^[\u05d0-\u05f3]+$/);
});
it("leaves the names of people as they wrote them", async () => {
  const { playerName, seatName } = await reading("he");
  const person = seat("Milo", { kind: "person", bot: null, is_made_up: false });
  expect(seatName(person, 0)).toBe("Milo");
  expect(playerName({ name: "Milo" }, 0)).toBe("Milo");
});
it("calls the bots of older tables by their level", async () => {
  const { playerName, seatName } = await reading("de");
  expect(seatName(seat("Easy 2"), 2)).toBe("Leicht 2");
  expect(playerName({ name: "Easy", bot: "easy" }, 1)).toBe("Leicht");
});
