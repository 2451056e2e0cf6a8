import { expect, it } from "vitest";
import { nameParts } from "./nameParts";

it("keeps the end of names that begin alike", () => {
  const clubs = ["Club night 1", "Club night 2", "Maximiliane", "Anna"];
  expect(nameParts("Club night 1", clubs)).toEqual(["Club night ", "1"]);
  expect(nameParts("Maximiliane", clubs)).toEqual(["Maximiliane", ""]);
  expect(nameParts("Anna", clubs)).toEqual(["Anna", ""]);
  for (const name of clubs) expect(nameParts(name, clubs).join("")).toBe(name);
});
