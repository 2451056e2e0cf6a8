import type { RatingInfo } from "../net/types";
import { t } from "../words";

/** A rating with how uncertain it is. */
export const ratingText = ({ points, uncertainty }: RatingInfo): string =>
  t("now.rating", { points: String(points), uncertainty: String(uncertainty) });
