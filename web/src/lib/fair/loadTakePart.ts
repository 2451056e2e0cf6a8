/** What takes part in deals; not in the first load, because it holds the hashes and signatures. */
type TakePart = typeof import("./takePart");

let loaded: TakePart | null = null;

export const loadTakePart = async (): Promise<TakePart> => (loaded ??= await import("./takePart"));

/** It, or `null` if it has not been loaded before. */
export const loadedTakePart = (): TakePart | null => loaded;
