/** Ed25519 without `crypto.subtle`, which browsers offer in secure contexts only. */
import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

hashes.sha512 = sha512;

/** Whether *signature* is the one of *text* by the public key; both are hexadecimal. */
export function isSigned(text: string, signature: string, key: string): boolean {
  try {
    return verify(hexToBytes(signature), utf8ToBytes(text), hexToBytes(key), { zip215: false });
  } catch {
    return false; // not hexadecimal, or no point of the curve
  }
}

// The first test of RFC 8032, section 7.1.
const KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const SIGNATURE =
  "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";

let isWarm = false;

/** Check a signature for nothing, once: the first one takes much longer than those after it. */
export const warmUp = (): boolean => (isWarm ||= isSigned("", SIGNATURE, KEY));
