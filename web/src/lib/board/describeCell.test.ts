import { beforeAll, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import { placeName } from "./describeCell";
import { parsePlace, type Place } from "./geometry";

beforeAll(() => withWords(Promise.resolve(), "main"));

const places = (...texts: string[]): Place[] => texts.map((text) => parsePlace(text) as Place);
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, "");

it("names a place by its neighbour and the side they share", () => {
  const board = places("U(0,0)=1-3-4");
  const names = ["D(-1,0)=0-0-0", "D(0,0)=0-0-0", "D(0,-1)=0-0-0"].map((text) =>
    plain(placeName((parsePlace(text) as Place).cell, board)),
  );
  expect(names).toEqual([
    "beside 1-3-4, side 1-3",
    "beside 1-3-4, side 3-4",
    "beside 1-3-4, side 4-1",
  ]);
});

it("names every neighbour, and the middle of an empty board", () => {
  const cell = (parsePlace("D(0,0)=0-0-0") as Place).cell;
  expect(plain(placeName(cell, places("U(0,0)=1-3-4", "U(1,0)=4-3-5")))).toBe(
    "beside 1-3-4, side 3-4, beside 3-5-4, side 4-3",
  );
  expect(plain(placeName(cell, []))).toBe("in the middle");
});
