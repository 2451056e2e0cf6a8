/** The protocol this page speaks; the server refuses another. */
export const PROTOCOL = 2;
