/**
 * The language to begin with. This is a file of its own, which comes first and asks for the texts,
 * and for the table that is wanted, while the rest of the page is still on its way.
 */
import languages, { type Language } from "virtual:languages";
import { choose, wanted } from "./preferredLanguage";
import "./net/earlySocket";

/** Made up, for tests: one is long, one is from right to left. */
const PSEUDO = ["xx-long", "xx-rtl"];
const named = (name: string): Language | undefined => languages.find(({ code }) => code === name);

/** What the page begins with: the name of a language, or of one that is made up. */
export const asked = choose([...languages.map(({ code }) => code), ...PSEUDO], wanted());
export const begun = named(asked) ?? (named("en") as Language);
void begun.load.main();
export { languages };

document.documentElement.lang = asked;
document.documentElement.dir = asked === "xx-rtl" ? "rtl" : begun.dir;
