import { REPLACEMENTS, type Laws } from "./law.js";
import { constantsIn, functionIn } from "./sources.js";

const CHANGE = constantsIn("Ladder.sol", /^_(K_FACTOR|ELO_SCALE)$/) + functionIn("Ladder.sol", "_ratingChange");

/** Laws of ratings. A stored rating has 32 bits. */
export const ratings: Laws = {
  subject: "ratings",
  targets: ["assert"],
  header: REPLACEMENTS,
  laws: [
    {
      title: "change by at most 40 in a match",
      code: `${CHANGE}
        function law(uint32 own, uint32 opponent) external pure {
          assert(_ratingChange(own, opponent) <= 40);
        }`,
      mistake: ["return Math.min(change, _K_FACTOR);", "return change;"],
    },
    {
      title: "divide 40 points by the lead: what a win adds for one player and for the other is 40, less rounding",
      code: `${CHANGE}
        function law(uint32 one, uint32 two) external pure {
          uint256 sum = _ratingChange(one, two) + _ratingChange(two, one);
          assert(sum == 40 || sum == 39);
          if (one == two) assert(_ratingChange(one, two) == 20);
        }`,
      mistake: ["_ELO_SCALE + opponent", "_ELO_SCALE / 2 + opponent"],
    },
    {
      title: "change less for a win against a weaker opponent",
      code: `${CHANGE}
        function law(uint32 own, uint32 weaker, uint32 stronger) external pure {
          require(weaker <= stronger);
          assert(_ratingChange(own, weaker) <= _ratingChange(own, stronger));
        }`,
      mistake: ["_ELO_SCALE + opponent, own", "_ELO_SCALE + own, opponent"],
    },
  ],
};
