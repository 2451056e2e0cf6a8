/** The language of the page: its texts, and how to change it while a game goes on. */
import type { CompiledMessage } from "icu-minify/format";
import { untrack } from "svelte";
import type { Group, Language } from "virtual:languages";
import { matchLanguage } from "./preferredLanguage";
import { startCode, startLanguage, languages } from "./boot";
import { saveSettings, KEY, settings } from "./settings.svelte";
import { mapMessage } from "./messages";

export type Texts = Record<string, CompiledMessage>;
export interface CurrentLanguage {
  /** The name of the language, or of one that is made up. */
  code: string;
  language: Language;
  dir: "ltr" | "rtl";
  texts: Texts;
}

export { languages };

let current = $state.raw<CurrentLanguage>({
  code: startCode,
  language: startLanguage,
  dir: startCode === "xx-rtl" ? "rtl" : startLanguage.dir,
  texts: {},
});
const groups = new Set<Group>();

let isCardGame = $state(false);
/** Whether the game that is shown is played with cards: texts then say card, hand and stack. */
export const usesCards = (): boolean => isCardGame;

/** Show a game with tiles or cards; to be called as a component is made. */
export function usePieceWords(piece: () => string | undefined): void {
  $effect.pre(() => {
    isCardGame = piece() === "card";
    return () => (isCardGame = false);
  });
}

/** What is spoken now; whatever was worked out from it is worked out anew when that changes. */
export const currentLanguage = (): CurrentLanguage => current;

async function load(
  { code, load }: Language,
  shown: string,
  wanted: readonly Group[],
): Promise<Texts> {
  const parts = await Promise.all(wanted.map((group) => load[group]()));
  const texts = Object.assign({}, ...parts.map((part) => part.default)) as Texts;
  if (shown === code) return texts;
  const { pseudo } = await import("./pseudo");
  return Object.fromEntries(
    Object.entries(texts).map(([key, message]) => [
      key,
      mapMessage(message, (text) => pseudo(text, shown)),
    ]),
  );
}

/** Wait for a part of the page, and for the texts that it needs. */
export async function withWords<T>(part: Promise<T>, ...wanted: Group[]): Promise<T> {
  const missing = wanted.filter((group) => !groups.has(group));
  const before = untrack(() => current);
  const [value, texts] = await Promise.all([part, load(before.language, before.code, missing)]);
  for (const group of missing) groups.add(group);
  // In the meantime another part may have come, or another language.
  if (before.code !== current.code) await switchTo(current.language);
  else if (missing.length) current = { ...current, texts: { ...current.texts, ...texts } };
  return value;
}

let worker: string | null = null;

/** Keep the page, in the language that is spoken, for when there is no line. */
export function registerWorker(path: string | null = worker): void {
  worker = path;
  if (path === null) return;
  const script = `${path}?language=${current.language.code}`;
  navigator.serviceWorker.register(script).catch(() => undefined);
}

/** Change the language; nothing else on the page changes. */
async function switchTo(language: Language): Promise<void> {
  const texts = await load(language, language.code, [...groups]);
  current = { code: language.code, language, dir: language.dir, texts };
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
}

/** Read the page in another language from now on, on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  await switchTo(language);
  settings.language = language.code;
  saveSettings();
  registerWorker();
  try {
    sessionStorage.removeItem("language");
  } catch {
    // A window that keeps nothing.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has("language")) return;
  address.searchParams.delete("language");
  history.replaceState(history.state, "", address);
}

/** Follow what was chosen in another window of this device. */
export function followOtherWindow({ key, newValue }: StorageEvent): void {
  if (key !== KEY || newValue === null) return;
  const { language } = JSON.parse(newValue) as { language?: string | null };
  const wanted = languages.find(({ code }) => code === language);
  if (!wanted || wanted.code === current.code) return;
  settings.language = wanted.code;
  void switchTo(wanted).catch(() => undefined);
}

/** How numbers and dates are written: as the browser wants it, where it wants this language. */
export function locale(): string {
  const { language } = current;
  const own = navigator.languages.find(
    (name) => matchLanguage(name, [language.code]) !== undefined,
  );
  return own ?? language.locale;
}
