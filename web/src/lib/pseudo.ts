/**
 * Pseudo-languages for tests: a long one and a right-to-left one. Text they leave in plain English
 * is missing from the catalogue, and a layout they break would break in a real language.
 */
// prettier-ignore
const ACCENTS: Record<string, string> = {
  a: "å", e: "é", i: "ï", o: "ö", u: "ü", A: "Å", E: "É", I: "Ï", O: "Ö", U: "Ü",
};
const HEBREW = "אבגדהוזחטיכלמנסעפצקרשתאבגד";

export function pseudo(text: string, language: string): string {
  if (language === "xx-rtl")
    return text.replace(
      /[a-z]/gi,
      (letter) => HEBREW[letter.toLowerCase().charCodeAt(0) - 97] ?? "",
    );
  // Short texts grow most in translation, long ones by about a third.
  return text.replace(/[a-z]+/gi, (word) => {
    const accented = word.replace(/[aeiou]/gi, (letter) => ACCENTS[letter] ?? letter);
    return accented + "ø".repeat(Math.ceil(word.length / (text.length < 16 ? 2 : 3)));
  });
}
