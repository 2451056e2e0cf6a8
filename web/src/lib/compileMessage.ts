/** Messages of a catalogue as the page has them. Only the build and the tests need this. */
import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { change, isolateFigures, textOf } from "./messages";

export const compiled = (text: string, dir: "rtl" | "ltr" = "ltr"): CompiledMessage =>
  change(compile(text), dir === "rtl" ? isolateFigures : (same) => same, textOf);
