/** Vite plugin: the catalogues as modules, compiled, one for each language and group. */
import { readdirSync, readFileSync } from "node:fs";
import type { CompiledMessage } from "icu-minify/format";
import type { Plugin } from "vite";
import { compileMessage } from "./src/lib/compileMessage";

const FOLDER = new URL("../src/triomino/words/", import.meta.url);
const SECTIONS = new URL("src/rules.json", import.meta.url);
/** The module with the list of languages; `words:de/main` and so on hold their texts. */
const LIST = "virtual:languages";
const TEXTS = /^words:([\w-]+)\/(\w+)$/;
const GROUPS = [
  "main",
  "cast",
  "house",
  "pad",
  "club",
  "now",
  "rules",
  "learn",
  "fair",
  "replay",
  "puzzle",
  "me",
  "host",
] as const;
/** Texts about replays that other pages show too. */
const OUTSIDE_REPLAY = new Set([
  "analysis.start",
  "replay.fair",
  "replay.noPicture",
  "replay.save",
  "replay.share",
]);
/** Texts about where a game lives that many pages show. */
const ABOUT_PLACE = new Set([
  ...["here.about", "here.champion", "here.chip", "here.invite", "here.link", "here.server"],
]);
const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Syrc", "Thaa"]);
/** The locale of a language code without a country. */
const LOCALES: Record<string, string> = { pt: "pt-PT" };

const BOOT = '<script type="module" async $1 src="$2"></script>';

type Catalogue = Record<string, string>;

const read = (url: URL): unknown => JSON.parse(readFileSync(url, "utf8"));
const catalogue = (code: string): Catalogue => read(new URL(`${code}.json`, FOLDER)) as Catalogue;

/** All languages, English first, the others sorted by their own names. */
function codes(): string[] {
  const found = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json") && name !== "same.json")
    .map((name) => name.slice(0, -".json".length));
  const rank = (code: string): string => (code === "en" ? "" : ownName(code));
  return found.sort((a, b) => rank(a).localeCompare(rank(b), "en"));
}

function ownName(code: string): string {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.slice(0, 1).toLocaleUpperCase(code) + name.slice(1);
}

const direction = (code: string): "rtl" | "ltr" =>
  RIGHT_TO_LEFT.has(new Intl.Locale(code).maximize().script ?? "") ? "rtl" : "ltr";

/** The group of a text; `null` for texts of the terminal and of previews, which Python writes. */
function groupOf(key: string, sections: readonly string[]): (typeof GROUPS)[number] | null {
  const first = key.split(".")[0];
  if (first === "cli" || first === "preview") return null;
  if (first === "rule" || sections.includes(key)) return "house";
  if (first === "here" && !ABOUT_PLACE.has(key)) return "fair";
  if (
    ["rules", "fair", "cast", "learn", "club", "now", "puzzle", "me", "host"].includes(first ?? "")
  )
    return first as (typeof GROUPS)[number];
  if ((first === "replay" || first === "analysis" || first === "mark") && !OUTSIDE_REPLAY.has(key))
    return "replay";
  return first === "pad" || first === "referee" ? "pad" : "main";
}

/** The texts of one group; missing ones are English. */
function texts(code: string, group: string): Record<string, CompiledMessage> {
  const sections = Object.keys((read(SECTIONS) as { sections: object }).sections).map(
    (name) => `rules.${name}`,
  );
  const own = catalogue(code);
  const out: Record<string, CompiledMessage> = {};
  for (const [key, english] of Object.entries(catalogue("en"))) {
    if (groupOf(key, sections) !== group) continue;
    try {
      out[key] = compileMessage(own[key] ?? english, direction(code));
    } catch (error) {
      throw new Error(`${code}.json, ${key}: ${String(error)}`, { cause: error });
    }
  }
  return out;
}

function list(): string {
  const all = codes().map((code) => {
    const load = GROUPS.map((group) => `${group}: () => import("words:${code}/${group}")`);
    const about = {
      code,
      name: ownName(code),
      locale: LOCALES[code] ?? code,
      dir: direction(code),
    };
    return `{ ...${JSON.stringify(about)}, load: { ${load.join(", ")} } }`;
  });
  return `export default [${all.join(",\n")}];`;
}

/** Name the files of texts by language and group. */
function fileName(module: string | null): string {
  const [, code, group] = TEXTS.exec(module?.slice(1) ?? "") ?? [];
  return code === undefined ? "assets/[name]-[hash].js" : `assets/words-${code}-${group}-[hash].js`;
}

export const words: Plugin = {
  name: "words",
  config: () => ({
    build: {
      rollupOptions: {
        output: { chunkFileNames: ({ facadeModuleId }) => fileName(facadeModuleId) },
      },
    },
  }),
  buildStart() {
    // A chunk of its own, so that it requests the texts while the page is loading.
    if (this.environment.mode === "build")
      this.emitFile({ type: "chunk", id: "src/lib/boot.ts", name: "boot" });
  },
  resolveId: (id) => (id === LIST || TEXTS.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith("\0")) return;
    const [, code, group] = TEXTS.exec(id.slice(1)) ?? [];
    if (code !== undefined && group !== undefined) {
      for (const name of new Set([code, "en"]))
        this.addWatchFile(new URL(`${name}.json`, FOLDER).pathname);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(texts(code, group)))});`;
    }
    return id === `\0${LIST}` ? list() : undefined;
  },
  transformIndexHtml: {
    order: "post",
    handler(html) {
      const english = catalogue("en");
      return (
        html
          .replace("%title%", english["app"] ?? "")
          .replace("%description%", english["home.lead"] ?? "")
          .replace("%noscript%", english["page.noscript"] ?? "")
          // The boot chunk runs as soon as it is there.
          .replace(/<link rel="modulepreload" (crossorigin) href="([^"]*\/boot-[^"]*)">/, BOOT)
      );
    },
  },
};
