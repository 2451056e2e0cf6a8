/** What the host of this server offers; the page leaves out what is switched off. */
export type Part = "play" | "friend" | "new" | "pad" | "club" | "learn" | "rules" | "puzzle";

const without = (document.documentElement.dataset["without"] ?? "").split(" ");

export const isOffered = (part: Part): boolean => !without.includes(part);
