import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { watchVersion } from "./lib/pageVersion.svelte";
import { followOtherWindow, registerWorker, withWords } from "./lib/language.svelte";
import { saveSettings, settings } from "./lib/settings.svelte";

const DAY = 24 * 3_600_000;

saveSettings();
void withWords(Promise.resolve(), "main").then(() => {
  const target = document.getElementById("app");
  if (!target) return;
  target.replaceChildren();
  mount(App, { target });
  watchVersion();
});
// A push service may change the address of this device, and its clock may have been set.
if (settings.push && Date.now() - settings.pushed > DAY)
  addEventListener("load", () => void import("./lib/push").then(({ subscribe }) => subscribe()));
addEventListener("storage", followOtherWindow);
// Browsers allow service workers in secure contexts only.
if (import.meta.env.PROD && isSecureContext && "serviceWorker" in navigator)
  addEventListener("load", () => registerWorker("/sw.js"));
