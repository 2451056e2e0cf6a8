/**
 * A record as text for an address: behind the #, where no server sees it. It is compressed where the
 * browser can, which does not depend on https.
 */
import { readRecords, type MatchRecord } from "./record";

/** What an address can safely hold; browsers and messengers cut longer ones. */
export const MOST_CHARACTERS = 32_000;
/** What may come out of a link, against one that was made to fill the memory. */
const MOST_BYTES = 4_000_000;

const [PACKED, PLAIN] = ["z", "j"];

function toText(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += String.fromCharCode(byte);
  return btoa(out).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const toBytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

async function through(
  bytes: Uint8Array,
  stream: ReadableWritablePair<Uint8Array, BufferSource>,
): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > MOST_BYTES) throw new Error("too large");
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The record as text. */
export async function packRecord(
  record: MatchRecord,
  canPack = "CompressionStream" in globalThis,
): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  if (!canPack) return PLAIN + toText(bytes);
  return PACKED + toText(await through(bytes, new CompressionStream("deflate-raw")));
}

/** The record of a text; `null` if there is none in it. */
export async function unpackRecord(text: string): Promise<MatchRecord | null> {
  try {
    const bytes = toBytes(text.slice(1));
    if (text[0] !== PACKED && text[0] !== PLAIN) return null;
    const plain =
      text[0] === PACKED ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes;
    return readRecords(new TextDecoder().decode(plain))[0] ?? null;
  } catch {
    return null;
  }
}
