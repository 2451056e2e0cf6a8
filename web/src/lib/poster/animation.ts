/** A round as an animated picture: a frame for every tile, the last one held. */
import { GifEncoder } from "./gif";
import { indexer, PALETTE } from "./palette";
import { HIGH, posterSvg, SIZE, type Poster } from "./poster";
import { svgImage } from "./svg";

export const WIDE = 600;
const HEIGHT = (WIDE * HIGH) / SIZE;
/** In hundredths of a second. */
const DELAY = 60;
const LAST_DELAY = 400;

/**
 * Draw the posters one after another. Tells *onprogress* the number of frames done, and stops with
 * an `AbortError` when the signal says so.
 */
export async function animate(
  posters: readonly Poster[],
  onprogress: (done: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  const toIndices = indexer();
  const gif = new GifEncoder(WIDE, HEIGHT, PALETTE);
  for (const [index, poster] of posters.entries()) {
    signal.throwIfAborted();
    const image = await svgImage(posterSvg(poster));
    context.drawImage(image, 0, 0, WIDE, HEIGHT);
    const pixels = toIndices(context.getImageData(0, 0, WIDE, HEIGHT).data);
    gif.add({ pixels, delay: index === posters.length - 1 ? LAST_DELAY : DELAY });
    onprogress(index + 1);
    // Let the page draw its progress and answer.
    await new Promise((resolve) => setTimeout(resolve));
  }
  signal.throwIfAborted();
  return new Blob([gif.finish()], { type: "image/gif" });
}
