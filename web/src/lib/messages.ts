/** Operations on compiled messages. */
import type { CompiledMessage } from "icu-minify/format";

type MapText = (text: string) => string;

/**
 * Map every literal text of a message and, with *name*, the name of every value inserted as it is;
 * a value that selects between texts keeps its name.
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

/** The key of a value's formatted text, beside the key of the value itself. */
export const textKey = (name: string): string => `${name}=`;

const FIGURES = /[+−]\d+(?:[.,]\d+)*|\d+(?:\s?[:+−×=–]\s?\d+)+/g;

/** Isolate signed numbers and sums from a right-to-left text round them. */
export const isolateFigures = (text: string): string => text.replace(FIGURES, "\u2066$&\u2069");
