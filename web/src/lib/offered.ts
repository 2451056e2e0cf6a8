/** What the host of this server offers; the page leaves out what is switched off. */
export type Part =
  "play" | "friend" | "new" | "pad" | "club" | "learn" | "rules" | "puzzle" | "push";

const without = (document.documentElement.dataset["without"] ?? "").split(" ");

/** Whether people who do not know each other meet at this server. */
export const isOpen = "open" in document.documentElement.dataset;

export const isOffered = (part: Part): boolean => !without.includes(part);
