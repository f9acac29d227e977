import type { Laws } from "./law.js";
import { between, bodyIn, replaced, withFields } from "./sources.js";

const CHANNELS = "Channels.sol";

/** Storage and parameters of laws about a channel, whose state is single variables. */
const STATE = "uint96 s_amount1, uint96 s_amount2, uint24 s_nonce, bool s_challenged, uint32 s_until";

/** `open` accepts only amounts whose sum fits, and the other laws keep their sum within it. */
const SUM_FITS = "uint256 sum = uint256(s_amount1) + s_amount2; require(sum <= type(uint96).max);";

function onState(code: string): string {
  return withFields(code, "s");
}

/** Statements of `_takeStakes`. */
const TAKE = onState(bodyIn(CHANNELS, "_takeStakes"));

/** Laws of the amounts of a channel. */
export const channels: Laws = {
  subject: "amounts of a channel",
  targets: ["assert"],
  header: 'import {Terms} from "contracts/interfaces/IArena.sol";',
  laws: [
    {
      title: "are at first what the arena locks, and their sum fits into either",
      code: `function law(uint96 amount1, uint96 amount2) external pure {
          ${between(bodyIn(CHANNELS, "open"), "uint256 sum", "require(false);")}
          assert(sum == uint256(amount1) + amount2 && sum <= type(uint96).max);
        }`,
      mistake: ["if (sum > type(uint96).max) require(false);", ""],
    },
    {
      title: "lose exactly the stakes of a match that goes to the arena, each player its own",
      code: `function law(${STATE}, Terms memory terms, bool swapped) external pure {
          (uint256 before1, uint256 before2) = (s_amount1, s_amount2);
          ${TAKE}
          assert(swapped
            ? before1 == uint256(s_amount1) + terms.stake2 && before2 == uint256(s_amount2) + terms.stake1
            : before1 == uint256(s_amount1) + terms.stake1 && before2 == uint256(s_amount2) + terms.stake2);
        }`,
      mistake: ["|| s_amount2 < stake2", ""],
    },
    {
      title: "get exactly these stakes back if the match returns",
      code: `function law(${STATE}, uint96 stake1_, uint96 stake2_, bool swapped) external pure {
          ${SUM_FITS}
          // The arena returns what \`challenge\` took, so the sum fits as before.
          require(sum + stake1_ + stake2_ <= type(uint96).max);
          (uint256 stake1, uint256 stake2) = (stake1_, stake2_);
          ${replaced(onState(between(bodyIn(CHANNELS, "_voidPosted"), "if (code & 1 == 1)", "uint96(stake2);")), [
            "code & 1 == 1",
            "swapped",
          ])}
          assert(uint256(s_amount1) + s_amount2 == sum + stake1_ + stake2_);
        }`,
      mistake: ["s_amount2 += uint96(stake2)", "s_amount2 += uint96(stake1)"],
    },
    {
      title: "change at a settlement by what it divides: their sum and the house fee are the sum before",
      code: `function law(${STATE}, Terms memory terms, bool t_swapped, uint256 paid1, uint256 paid2, uint256 house)
          external pure
        {
          ${SUM_FITS}
          // As the laws of the division of stakes prove.
          require(paid1 <= type(uint128).max && paid2 <= type(uint128).max && house <= type(uint128).max);
          require(paid1 + paid2 + house == uint256(terms.stake1) + terms.stake2);
          ${TAKE.replaceAll("swapped", "t_swapped")}
          ${onState(withFields(between(bodyIn(CHANNELS, "_settle"), "if (t.swapped)", "uint96(paid2);"), "t"))}
          assert(uint256(s_amount1) + s_amount2 + house == sum);
        }`,
      mistake: ["s_amount1 += uint96(paid1)", "s_amount1 += uint96(paid2)"],
    },
    {
      title: "never grow in total by a signed balance: the house gets what the players give up, and nothing is lost",
      code: `uint256 private _share;
        function law(${STATE}, uint96 amount1, uint96 amount2, uint24 nonce) external {
          ${SUM_FITS}
          uint256 share = _share;
          ${onState(between(bodyIn(CHANNELS, "checkpoint"), "uint256 held", "false);"))}
          ${replaced(
            onState(
              between(bodyIn(CHANNELS, "checkpoint"), "(s.amount1, s.amount2) = (amount1, amount2)", "+= held - sum;"),
            ),
            ["_states[id] = s;", ""],
            ["_shares[channel.token]", "_share"],
          )}
          unchecked {
            assert(uint256(s_amount1) + s_amount2 + _share == before + share);
          }
        }`.replace(
        "uint256 sum = uint256(s_amount1) + s_amount2; require(sum <=",
        "uint256 before = uint256(s_amount1) + s_amount2; require(before <=",
      ),
      mistake: ["if (held != sum) _share += held - sum;", "if (sum > held) _share += held - sum;"],
    },
    {
      title: "are all paid when a signed balance closes the channel, to the players and the house",
      code: `function law(${STATE}, uint96 amount1, uint96 amount2, uint24 nonce) external pure {
          uint256 before = uint256(s_amount1) + s_amount2;
          ${onState(between(bodyIn(CHANNELS, "checkpoint"), "uint256 held", "false);"))}
          (uint256 paid1, uint256 paid2, uint256 house) = (${between(
            bodyIn(CHANNELS, "checkpoint"),
            "_pay(",
            ");",
          ).slice("_pay(channel, id, s, ".length, -2)});
          ${onState(between(bodyIn(CHANNELS, "_pay"), "(s.amount1", ";"))}
          assert(paid1 + paid2 + house == before && s_amount1 == 0 && s_amount2 == 0 && s_until == 0);
        }`,
      mistake: ["held - sum)", "held - amount1)"],
    },
    {
      title: "are all paid to the players when the channel expires",
      code: `function law(${STATE}) external pure {
          uint256 before = uint256(s_amount1) + s_amount2;
          (uint256 paid1, uint256 paid2, uint256 house) = (${onState(
            between(bodyIn(CHANNELS, "expire"), "_pay(", ");").slice("_pay(channel, id, s, ".length, -2),
          )});
          ${onState(between(bodyIn(CHANNELS, "_pay"), "(s.amount1", ";"))}
          assert(paid1 + paid2 == before && house == 0 && s_amount1 == 0 && s_amount2 == 0 && s_until == 0);
        }`,
      mistake: ["(s_amount1, s_amount2, 0)", "(s_amount1, s_amount1, 0)"],
    },
  ],
};
