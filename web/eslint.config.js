import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";

export default defineConfig(
  globalIgnores(["dist/", ".svelte-check/", "src/protocol.d.ts"]),
  js.configs.recommended,
  ts.configs.strict,
  ts.configs.stylistic,
  svelte.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines-per-function": ["error", { max: 60 }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_$", varsIgnorePattern: "^_$" },
      ],
      // Sets and maps here are filled once and not changed while a component reads them.
      "svelte/prefer-svelte-reactivity": "off",
      // Svelte trims a space at the end of a block unless it is written as {" "}.
      "svelte/no-useless-mustaches": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    files: ["**/*.test.ts"],
    rules: {
      "max-lines-per-function": "off",
      // Test vectors are JSON of many shapes.
      "@typescript-eslint/no-explicit-any": "off",
    },
  },
  { files: ["src/testKernel.js"], languageOptions: { globals: globals.node } },
  {
    // The build replaces these by the names of its files.
    files: ["src/sw.js"],
    languageOptions: {
      globals: { __VERSION__: "readonly", __FILES__: "readonly", __WORDS__: "readonly" },
    },
  },
);
