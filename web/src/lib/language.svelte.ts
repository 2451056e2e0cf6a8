/** The language of the page: its texts, and switching while a game is open. */
import type { CompiledMessage } from "icu-minify/format";
import { untrack } from "svelte";
import type { Group, Language } from "virtual:languages";
import { matchLanguage } from "./preferredLanguage";
import { startCode, startLanguage, languages } from "./boot";
import { saveSettings, KEY, settings } from "./settings.svelte";
import { mapMessage } from "./messages";

export type Texts = Record<string, CompiledMessage>;
export interface CurrentLanguage {
  /** The code of the language, or of a pseudo-language. */
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
/** Whether the game shown is played with cards: its texts then say card, hand and stack. */
export const usesCards = (): boolean => isCardGame;

/** Choose the words for tiles or cards while a component is mounted; call it during its setup. */
export function usePieceWords(piece: () => string | undefined): void {
  $effect.pre(() => {
    isCardGame = piece() === "card";
    return () => (isCardGame = false);
  });
}

/** The language in use; reactive. */
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

/** Load a part of the page together with the texts it needs. */
export async function withWords<T>(part: Promise<T>, ...wanted: Group[]): Promise<T> {
  const missing = wanted.filter((group) => !groups.has(group));
  const before = untrack(() => current);
  const [value, texts] = await Promise.all([part, load(before.language, before.code, missing)]);
  for (const group of missing) groups.add(group);
  // Meanwhile the language may have changed, or another part may have loaded texts.
  if (before.code !== current.code) await switchTo(current.language);
  else if (missing.length) current = { ...current, texts: { ...current.texts, ...texts } };
  return value;
}

let worker: string | null = null;

/** Register the service worker, which caches the page and the texts of this language. */
export function registerWorker(path: string | null = worker): void {
  worker = path;
  if (path === null) return;
  const script = `${path}?language=${current.language.code}`;
  navigator.serviceWorker.register(script).catch(() => undefined);
}

/** Load the texts of a language and switch to it. */
async function switchTo(language: Language): Promise<void> {
  const texts = await load(language, language.code, [...groups]);
  current = { code: language.code, language, dir: language.dir, texts };
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
}

/** Switch to a language and remember it on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  await switchTo(language);
  settings.language = language.code;
  saveSettings();
  registerWorker();
  try {
    sessionStorage.removeItem("language");
  } catch {
    // A private window has no storage.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has("language")) return;
  address.searchParams.delete("language");
  history.replaceState(history.state, "", address);
}

/** Follow a change of language in another window. */
export function followOtherWindow({ key, newValue }: StorageEvent): void {
  if (key !== KEY || newValue === null) return;
  const { language } = JSON.parse(newValue) as { language?: string | null };
  const wanted = languages.find(({ code }) => code === language);
  if (!wanted || wanted.code === current.code) return;
  settings.language = wanted.code;
  void switchTo(wanted).catch(() => undefined);
}

/** The locale for numbers and dates: the browser's own variant of the language, if it has one. */
export function locale(): string {
  const { language } = current;
  const own = navigator.languages.find(
    (name) => matchLanguage(name, [language.code]) !== undefined,
  );
  return own ?? language.locale;
}
