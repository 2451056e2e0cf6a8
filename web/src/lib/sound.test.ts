import { afterEach, expect, it } from "vitest";
import { settings } from "./settings.svelte";
import { isOn } from "./sound";

afterEach(() => {
  settings.sound = null;
});

it("is silent in company until somebody switches it on", () => {
  expect([isOn(false), isOn(true)]).toEqual([true, false]);
  settings.sound = true;
  expect([isOn(false), isOn(true)]).toEqual([true, true]);
  settings.sound = false;
  expect([isOn(false), isOn(true)]).toEqual([false, false]);
});
