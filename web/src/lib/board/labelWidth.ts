/** The width of a label on the board, estimated from its text. */

/** Characters that set the direction of a text and take no room. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The number of characters that a reader sees. */
export const visibleLength = (text: string): number => [...text.replace(INVISIBLE, "")].length;

/** The width of the pill round a text of that font size. */
export const pillWidth = (text: string, size: number): number =>
  size * (0.58 * visibleLength(text) + 0.7);
