import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { keep } from "./lib/settings.svelte";

keep();
const target = document.getElementById("app");
if (target) mount(App, { target });
