import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { watch } from "./lib/fresh.svelte";
import { keep } from "./lib/settings.svelte";
import { announceLanguage } from "./lib/words";

announceLanguage();
keep();
const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(App, { target });
}
watch();
// Browsers give this to safe origins only; elsewhere the page does without.
if (import.meta.env.PROD && isSecureContext && "serviceWorker" in navigator)
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
