/** The faces of the cast and their phrases, loaded after the page. */
import { withWords } from "../language.svelte";

type Face = (typeof import("./Face.svelte"))["default"];

let loaded = $state.raw<Face | null>(null);
let wanted = false;

/** The component, or `null` while it is being loaded; reactive. */
export function faceComponent(): Face | null {
  if (!wanted) {
    wanted = true;
    withWords(import("./Face.svelte"), "cast").then(
      (module) => (loaded = module.default),
      () => (wanted = false), // try again with the next face
    );
  }
  return loaded;
}
