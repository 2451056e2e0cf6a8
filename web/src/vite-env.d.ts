/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "virtual:languages" {
  import type { CompiledMessage } from "icu-minify/format";

  /** Texts that come together: of all pages, the house rules, the score pad, the rulebook. */
  export type Group = "main" | "house" | "pad" | "rules";
  export interface Language {
    code: string;
    /** What its readers call it. */
    name: string;
    /** Whose plurals and numbers it has. */
    locale: string;
    dir: "ltr" | "rtl";
    load: Record<Group, () => Promise<{ default: Record<string, CompiledMessage> }>>;
  }
  const languages: readonly Language[];
  export default languages;
}
