/** Compile a message of the catalogue; used by the build and by tests only. */
import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import { mapMessage, isolateFigures, textKey } from "./messages";

export const compileMessage = (text: string, dir: "rtl" | "ltr" = "ltr"): CompiledMessage =>
  mapMessage(compile(text), dir === "rtl" ? isolateFigures : (same) => same, textKey);
