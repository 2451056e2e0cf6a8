/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "virtual:languages" {
  import type { CompiledMessage } from "icu-minify/format";

  /** Groups of texts that are loaded together, named by the part of the page that needs them. */
  export type Group =
    | "main"
    | "cast"
    | "house"
    | "pad"
    | "club"
    | "now"
    | "rules"
    | "learn"
    | "fair"
    | "replay"
    | "puzzle"
    | "me"
    | "host";
  export interface Language {
    code: string;
    /** The name of the language in that language. */
    name: string;
    /** The locale for plurals and numbers. */
    locale: string;
    dir: "ltr" | "rtl";
    load: Record<Group, () => Promise<{ default: Record<string, CompiledMessage> }>>;
  }
  const languages: readonly Language[];
  export default languages;
}
