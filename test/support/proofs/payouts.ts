import { REPLACEMENTS, type Laws } from "./law.js";
import { asChecked, functionIn } from "./sources.js";

const SPLIT = functionIn("libraries/Payouts.sol", "split");

/** Laws of the division of stakes. */
export const payouts: Laws = {
  subject: "division of stakes",
  targets: ["assert"],
  header: `${REPLACEMENTS}
    import {Terms} from "contracts/interfaces/IArena.sol";
    import {Seat} from "contracts/interfaces/IGame.sol";
    import {BPS} from "contracts/libraries/BasisPoints.sol";`,
  laws: [
    {
      title: "pays prize and house fee that add up to the pot, whatever the stakes and the fee",
      code: `${SPLIT}
        function law(Terms memory terms, Seat taker, bool forfeit) external pure {
          // Terms have the fee of the house, which is at most the whole.
          require(terms.feeBps <= BPS);
          (uint256 paid1, uint256 paid2, uint256 house) = split(terms, taker, forfeit);
          assert(paid1 + paid2 + house == uint256(terms.stake1) + terms.stake2);
        }`,
      mistake: ["paid2 = pot - house", "paid2 = pot - house - house % 2"],
    },
    {
      title: "pays the house exactly the fee in basis points, rounded down, and nothing of a forfeited match",
      // The law of its bounds proves that nothing overflows; the solver is slow with numbers that might.
      code: `${asChecked(SPLIT)}
        function law(Terms memory terms, Seat taker, bool forfeit) external pure {
          require(terms.feeBps <= BPS);
          (, , uint256 house) = split(terms, taker, forfeit);
          uint256 pot = uint256(terms.stake1) + terms.stake2;
          if (taker == Seat.None || forfeit) assert(house == 0);
          else assert(house * BPS <= pot * terms.feeBps && pot * terms.feeBps < (house + 1) * BPS);
        }`,
      mistake: ["if (!forfeit) house", "house"],
    },
    {
      title: "returns each stake in whole if no seat takes the pot, and otherwise pays the taker alone",
      code: `${SPLIT}
        function law(Terms memory terms, Seat taker, bool forfeit) external pure {
          require(terms.feeBps <= BPS);
          (uint256 paid1, uint256 paid2, ) = split(terms, taker, forfeit);
          if (taker == Seat.None) assert(paid1 == terms.stake1 && paid2 == terms.stake2);
          if (taker == Seat.One) assert(paid2 == 0);
          if (taker == Seat.Two) assert(paid1 == 0);
        }`,
      mistake: ["(terms.stake1, terms.stake2, 0)", "(terms.stake2, terms.stake1, 0)"],
    },
  ],
};
