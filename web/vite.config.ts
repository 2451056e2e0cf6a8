import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { GetModuleInfo, ManualChunkMeta } from "rollup";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { words } from "./catalogues";

const server = process.env["TRIOMINO_SERVER"] ?? "http://127.0.0.1:8020";
const near = (path: string): URL => new URL(path, import.meta.url);

/** Emit the service worker with the names of all files of this build. */
const worker: Plugin = {
  name: "worker",
  apply: "build",
  generateBundle(_, bundle) {
    const all = Object.keys(bundle)
      .filter((name) => /^assets\/.*\.(js|css|wasm|bin)$/.test(name))
      .sort();
    const onDemand = (name: string): boolean => /^assets\/(words|kernel-scalar)-/.test(name);
    const files = all.filter((name) => !onDemand(name));
    const version = createHash("sha256").update(all.join()).digest("hex").slice(0, 12);
    const source = readFileSync(near("src/sw.js"), "utf8")
      .replace("__VERSION__", JSON.stringify(version))
      .replace("__FILES__", JSON.stringify(files))
      .replace("__WORDS__", JSON.stringify(all.filter(onDemand)));
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

/** All modules that a module imports, directly or not, but for those it imports when needed. */
function imported(id: string, info: GetModuleInfo, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of info(id)?.importedIds ?? []) imported(next, info, found);
  return found;
}

let graph: { first: Set<string>; table: Set<string> } | undefined;

/** What a table needs beyond the first load is one file: nobody waits for twenty small ones. */
function chunkOf(id: string, { getModuleInfo: info, getModuleIds: ids }: ManualChunkMeta) {
  const named = (name: string): string => [...ids()].find((one) => one.endsWith(name)) ?? "";
  graph ??= {
    first: imported(named("/src/main.ts"), info),
    table: imported(named("/pages/Table.svelte"), info),
  };
  return graph.table.has(id) && !graph.first.has(id) ? "table" : undefined;
}

/**
 * Emit `table.html`, the page for the address of a table: it requests the part with the table
 * together with all others, and not when the script that needs it has come.
 */
const table: Plugin = {
  name: "table",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
    const part = chunks.find(({ name }) => name === "table");
    const index = bundle["index.html"];
    if (!part || index?.type !== "asset") return;
    const html = String(index.source);
    const needed = [part.fileName, ...part.imports].flatMap((name) => {
      const chunk = bundle[name];
      return chunk?.type === "chunk" ? [name, ...(chunk.viteMetadata?.importedCss ?? [])] : [];
    });
    const links = [...new Set(needed)]
      .filter((name) => !html.includes(name))
      .map((name) => {
        const kind = name.endsWith(".css") ? "stylesheet" : "modulepreload";
        return `    <link rel="${kind}" crossorigin href="/${name}">\n`;
      });
    const source = html.replace("  </head>", `${links.join("")}  </head>`);
    this.emitFile({ type: "asset", fileName: "table.html", source });
  },
};

/** As the server's, for hosts that set none; what a page in a frame may do only a host can say. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; " +
  "base-uri 'none'; form-action 'self'";

/** Build everything that needs no server as static files for any folder of any host. */
const site: Plugin = {
  name: "site",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    handler: (html) => ({
      html: html.replace("/src/main.ts", "/src/site.ts"),
      tags: [
        {
          tag: "meta",
          attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
          injectTo: "head-prepend",
        },
      ],
    }),
  },
  writeBundle({ dir }) {
    const file = join(dir ?? "", "manifest.webmanifest");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"/', '"./'));
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), words, worker, table, ...(mode === "site" ? [site] : [])],
  base: mode === "site" ? "./" : "/",
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(mode === "site"
      ? {}
      : {
          rollupOptions: { output: { manualChunks: chunkOf, onlyExplicitManualChunks: true } },
        }),
  },
  server: {
    // The catalogues are part of the Python package.
    fs: { allow: [".."] },
    proxy: { "/api": server, "/health": server, "/ws": { target: server, ws: true } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/testWindow.ts", "src/testKernel.js"],
    // One process loads all modules once: less than half of the time.
    isolate: false,
    // Long runs compare thousands of cases, and a busy machine is slow: no test is about its speed.
    testTimeout: 60_000,
  },
}));
