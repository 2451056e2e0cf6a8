import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { watchVersion } from "./lib/pageVersion.svelte";
import { followOtherWindow, registerWorker, withWords } from "./lib/language.svelte";
import { saveSettings, settings } from "./lib/settings.svelte";

saveSettings();
void withWords(Promise.resolve(), "main").then(() => {
  const target = document.getElementById("app");
  if (!target) return;
  target.replaceChildren();
  mount(App, { target });
  watchVersion();
});
if (settings.push)
  addEventListener("load", () => void import("./lib/push").then(({ renew }) => renew()));
addEventListener("storage", followOtherWindow);
// Browsers allow service workers in secure contexts only.
if (import.meta.env.PROD && isSecureContext && "serviceWorker" in navigator)
  addEventListener("load", () => registerWorker("/sw.js"));
