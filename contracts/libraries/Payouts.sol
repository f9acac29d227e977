// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Terms} from "../interfaces/IArena.sol";
import {Seat} from "../interfaces/IGame.sol";
import {BPS} from "./BasisPoints.sol";

/// @title Division of the stakes of a match that was played
library Payouts {
    /// @notice Divides the stakes. The house gets nothing if both stakes are returned, or if a player lost by the clock
    /// or by an action that the game refused.
    /// @param taker Seat that takes the pot; None returns each player's stake.
    /// @param forfeit True if the clock ran out, or the game refused an action.
    function split(
        Terms memory terms,
        Seat taker,
        bool forfeit
    ) internal pure returns (uint256 paid1, uint256 paid2, uint256 house) {
        if (taker == Seat.None) return (terms.stake1, terms.stake2, 0);
        unchecked {
            // Stakes have 96 bits.
            uint256 pot = uint256(terms.stake1) + terms.stake2;
            if (!forfeit) house = (pot * terms.feeBps) / BPS;
            if (taker == Seat.One) paid1 = pot - house;
            else paid2 = pot - house;
        }
    }
}
