/** A star round the origin, as an SVG path. */
export const STAR =
  "M0 -11L3.2 -3.7L11 -3.4L4.9 1.6L7 9.1L0 4.8L-7 9.1L-4.9 1.6L-11 -3.4L-3.2 -3.7Z";
