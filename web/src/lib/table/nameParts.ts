/** Names in little room. */

/** Letters that fit where there is least room. */
const FEW = 6;
const TAIL = 2;

/** A name in two parts, of which only the first may be cut.
 *
 * Where another name begins alike, its last letters are what tells them apart.
 */
export function nameParts(name: string, all: readonly string[]): [string, string] {
  const letters = [...name];
  if (letters.length <= FEW + TAIL) return [name, ""];
  const start = letters.slice(0, FEW).join("");
  const alike = all.filter((other) => other.startsWith(start)).length > 1;
  if (!alike) return [name, ""];
  const tail = letters.slice(-TAIL).join("").trimStart();
  return [name.slice(0, name.length - tail.length), tail];
}
