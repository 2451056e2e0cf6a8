/** The score pad and the referee by themselves: nothing here asks a server. */
import { mount } from "svelte";
import "./app.css";
import { keep } from "./lib/settings.svelte";
import { announceLanguage } from "./lib/words";
import Site from "./Site.svelte";

announceLanguage();
keep();
const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(Site, { target });
}
if (isSecureContext && "serviceWorker" in navigator)
  addEventListener("load", () => void navigator.serviceWorker.register("./sw.js").catch(() => undefined));
