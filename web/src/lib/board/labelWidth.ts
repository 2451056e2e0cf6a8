/** The width of a label on the board. */

/** Characters that set the direction of a text and take no room. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The number of characters that a reader sees. */
export const visibleLength = (text: string): number => [...text.replace(INVISIBLE, "")].length;

/** The widths of texts in their font at a size of 1, measured once. */
const measured = new Map<string, number>();
let paper: CanvasRenderingContext2D | null | undefined;

/** The width of a text, or 0 where no text can be measured. */
function measure(text: string): number {
  if (typeof CanvasRenderingContext2D === "undefined") return 0;
  let width = measured.get(text);
  if (width === undefined) {
    paper ??= document.createElement("canvas").getContext("2d");
    if (paper) paper.font = `700 100px ${getComputedStyle(document.body).fontFamily}`;
    width = (paper?.measureText(text).width ?? 0) / 100;
    measured.set(text, width);
  }
  return width;
}

/** The width of the pill round a text of that font size: never narrower than the text. */
export const pillWidth = (text: string, size: number): number =>
  size * Math.max(0.58 * visibleLength(text) + 0.7, measure(text.replace(INVISIBLE, "")) + 0.45);
