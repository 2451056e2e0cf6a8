/** Compiled messages, as they are kept in files. */
import type { CompiledMessage } from "icu-minify/format";

type MapText = (text: string) => string;

/**
 * A message with every text in it changed, and the name of every value that stands there as it is;
 * a value that chooses between texts keeps its name.
 */
export function mapMessage(
  message: CompiledMessage,
  text: MapText,
  name: MapText = (same) => same,
): CompiledMessage {
  const whole = (part: unknown): unknown => (Array.isArray(part) ? part.map(node) : node(part));
  const node = (part: unknown): unknown => {
    if (typeof part === "string") return text(part);
    if (!Array.isArray(part)) return part;
    const [value, type, cases] = part as [string, number?, Record<string, unknown>?];
    if (cases === undefined) return [name(value)];
    const changed = Object.entries(cases).map(([key, inside]) => [key, whole(inside)]);
    return [value, type, Object.fromEntries(changed)];
  };
  return whole(message) as CompiledMessage;
}

/** The name under which a message finds the text of a value, beside the value itself. */
export const textKey = (name: string): string => `${name}=`;

const FIGURES = /[+−]\d+(?:[.,]\d+)*|\d+(?:\s?[:+−×=–]\s?\d+)+/g;

/** Signed numbers and sums from left to right, within a text that runs the other way. */
export const isolateFigures = (text: string): string => text.replace(FIGURES, "\u2066$&\u2069");
