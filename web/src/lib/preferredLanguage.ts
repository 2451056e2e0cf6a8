/** Which of the languages that there are somebody reads. */

/** Names that browsers use for languages that are called otherwise here. */
const ALIASES: Record<string, string> = { no: "nb", nn: "nb", iw: "he" };

/** The language that is meant by a name such as `de-CH`, if it is there. */
export function matchLanguage(name: string, available: readonly string[]): string | undefined {
  const whole = name.toLowerCase().replaceAll("_", "-");
  const base = whole.split("-")[0] ?? "";
  return [whole, base, ALIASES[base]]
    .map((one) => available.find((code) => code.toLowerCase() === one))
    .find((code) => code !== undefined);
}

/** The first of the wanted that is there; English if none is. */
export function preferredLanguage(available: readonly string[], names: readonly string[]): string {
  for (const name of names) {
    const found = matchLanguage(name, available);
    if (found !== undefined) return found;
  }
  return "en";
}

/** What is wanted here: by the address, in this window, on this device, by the browser. */
export function languagePreferences(): string[] {
  const names: unknown[] = [new URLSearchParams(location.search).get("language")];
  try {
    if (names[0] !== null) sessionStorage.setItem("language", String(names[0]));
    const kept = JSON.parse(localStorage.getItem("triomino") ?? "{}") as { language?: unknown };
    names.push(sessionStorage.getItem("language"), kept.language);
  } catch {
    // A window that keeps nothing.
  }
  return [...names, ...navigator.languages].filter((name) => typeof name === "string");
}
