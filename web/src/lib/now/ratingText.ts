import type { RatingInfo } from "../net/types";
import { t } from "../words";

/** A rating with how uncertain it is, as figures are written: from left to right in any language. */
export const ratingText = ({ points, uncertainty }: RatingInfo): string =>
  `\u2066${t("now.rating", { points: String(points), uncertainty: String(uncertainty) })}\u2069`;
