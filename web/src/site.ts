/** Entry point of the static site: the whole game without a server. */
import { mount } from "svelte";
import "./app.css";
import { followOtherWindow, registerWorker, withWords } from "./lib/language.svelte";
import { watchWorker } from "./lib/pageVersion.svelte";
import { saveSettings } from "./lib/settings.svelte";
import Site from "./Site.svelte";

saveSettings();
void withWords(Promise.resolve(), "main").then(() => {
  const target = document.getElementById("app");
  if (!target) return;
  target.replaceChildren();
  mount(Site, { target });
});
addEventListener("storage", followOtherWindow);
if (isSecureContext && "serviceWorker" in navigator) {
  watchWorker();
  addEventListener("load", () => registerWorker("./sw.js"));
}
