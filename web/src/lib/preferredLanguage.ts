/** The choice of language by what the user prefers. */

/** Codes that browsers use for languages with another code here. */
const ALIASES: Record<string, string> = { no: "nb", nn: "nb", iw: "he" };

/** The available language that matches a tag such as `de-CH`, if any. */
export function matchLanguage(name: string, available: readonly string[]): string | undefined {
  const whole = name.toLowerCase().replaceAll("_", "-");
  const base = whole.split("-")[0] ?? "";
  return [whole, base, ALIASES[base]]
    .map((one) => available.find((code) => code.toLowerCase() === one))
    .find((code) => code !== undefined);
}

/** The first preferred language that is available, or English. */
export function preferredLanguage(available: readonly string[], names: readonly string[]): string {
  for (const name of names) {
    const found = matchLanguage(name, available);
    if (found !== undefined) return found;
  }
  return "en";
}

/** The preferences of the address, this window, this device and the browser, in this order. */
export function languagePreferences(): string[] {
  const names: unknown[] = [new URLSearchParams(location.search).get("language")];
  try {
    if (names[0] !== null) sessionStorage.setItem("language", String(names[0]));
    const kept = JSON.parse(localStorage.getItem("triomino") ?? "{}") as { language?: unknown };
    names.push(sessionStorage.getItem("language"), kept.language);
  } catch {
    // A private window has no storage.
  }
  return [...names, ...navigator.languages].filter((name) => typeof name === "string");
}
