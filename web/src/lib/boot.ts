/**
 * The language to begin with. This is a file of its own, which comes first and asks for the texts,
 * and for the table that is wanted, while the rest of the page is still on its way.
 */
import languages, { type Language } from "virtual:languages";
import { preferredLanguage, languagePreferences } from "./preferredLanguage";
import "./net/earlySocket";

/** Made up, for tests: one is long, one is from right to left. */
const PSEUDO = ["xx-long", "xx-rtl"];
const byCode = (name: string): Language | undefined => languages.find(({ code }) => code === name);

/** What the page begins with: the name of a language, or of one that is made up. */
export const startCode = preferredLanguage(
  [...languages.map(({ code }) => code), ...PSEUDO],
  languagePreferences(),
);
export const startLanguage = byCode(startCode) ?? (byCode("en") as Language);
void startLanguage.load.main();
export { languages };

document.documentElement.lang = startCode;
document.documentElement.dir = startCode === "xx-rtl" ? "rtl" : startLanguage.dir;
