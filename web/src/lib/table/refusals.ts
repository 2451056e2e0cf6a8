/** Which refusals follow from the rules. */

/** The reasons that the rules give; each has a paragraph in the rule book. */
export const RULE_REASONS = [
  "not_in_set",
  "already_laid",
  "occupied",
  "no_shared_edge",
  "corner_mismatch",
  "not_held",
  "not_the_opening_tile",
  "not_the_start_cell",
  "not_the_drawn_tile",
  "must_open",
  "must_place",
  "must_draw",
  "must_pass",
  "must_end",
  "must_place_or_keep",
  "pool_empty",
  "no_more_draws",
  "nothing_to_keep",
  "round_over",
];

/** The reason whose paragraph explains a refusal, or `null` if the rules do not. */
export function paragraphOf(code: string): string | null {
  // A text of its own, but the same rule.
  const reason = code === "drawn_must_place" ? "must_place" : code;
  return RULE_REASONS.includes(reason) ? reason : null;
}
