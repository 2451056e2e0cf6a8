import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
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
      .filter((name) => /^assets\/.*\.(js|css)$/.test(name))
      .sort();
    const files = all.filter((name) => !name.startsWith("assets/words-"));
    const version = createHash("sha256").update(all.join()).digest("hex").slice(0, 12);
    const source = readFileSync(near("src/sw.js"), "utf8")
      .replace("__VERSION__", JSON.stringify(version))
      .replace("__FILES__", JSON.stringify(files))
      .replace("__WORDS__", JSON.stringify(all.filter((name) => !files.includes(name))));
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

/** Build the pages that need no server as static files for any folder of any host. */
const site: Plugin = {
  name: "site",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    handler: (html) => html.replace("/src/main.ts", "/src/site.ts"),
  },
  writeBundle({ dir }) {
    const file = join(dir ?? "", "manifest.webmanifest");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"/', '"./'));
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), words, worker, ...(mode === "site" ? [site] : [])],
  base: mode === "site" ? "./" : "/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The catalogues are part of the Python package.
    fs: { allow: [".."] },
    proxy: { "/api": server, "/health": server, "/ws": { target: server, ws: true } },
  },
  test: { include: ["src/**/*.test.ts"], setupFiles: ["src/testWindow.ts"] },
}));
