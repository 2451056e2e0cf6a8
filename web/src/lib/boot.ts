/**
 * The first script to run, in a chunk of its own: it chooses the language and requests its texts,
 * and connects to the table in the address and requests its page, while the rest is loading.
 */
import languages, { type Language } from "virtual:languages";
import { preferredLanguage, languagePreferences } from "./preferredLanguage";
import "./net/earlySocket";
import { preloadTable } from "./tablePage";

/** Pseudo-languages for tests: a long one and a right-to-left one. */
const PSEUDO = ["xx-long", "xx-rtl"];
const byCode = (name: string): Language | undefined => languages.find(({ code }) => code === name);

/** The code of the first language, which may be a pseudo-language. */
export const startCode = preferredLanguage(
  [...languages.map(({ code }) => code), ...PSEUDO],
  languagePreferences(),
);
export const startLanguage = byCode(startCode) ?? (byCode("en") as Language);
void startLanguage.load.main();
if (import.meta.env.MODE !== "site" && /^\/t\/[^/]+$/.test(location.pathname)) preloadTable();
export { languages };

document.documentElement.lang = startCode;
document.documentElement.dir = startCode === "xx-rtl" ? "rtl" : startLanguage.dir;
