import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { watch } from "./lib/pageVersion.svelte";
import { follow, keepOffline, withWords } from "./lib/language.svelte";
import { keep } from "./lib/settings.svelte";

keep();
void withWords(Promise.resolve(), "main").then(() => {
  const target = document.getElementById("app");
  if (!target) return;
  target.replaceChildren();
  mount(App, { target });
  watch();
});
addEventListener("storage", follow);
// Browsers give this to safe origins only; elsewhere the page does without.
if (import.meta.env.PROD && isSecureContext && "serviceWorker" in navigator)
  addEventListener("load", () => keepOffline("/sw.js"));
