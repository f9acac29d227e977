// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Seat} from "../interfaces/IGame.sol";

/// @title Sides of a duel
/// @notice Arrays by side have player 1's entry at 0 and player 2's at 1.
library Sides {
    /// @notice Returns the seat of a side.
    function seatOf(uint256 side) internal pure returns (Seat) {
        return side == 0 ? Seat.One : Seat.Two;
    }

    /// @notice Returns the side of a seat that is taken.
    function sideOf(Seat seat) internal pure returns (uint256) {
        return seat == Seat.One ? 0 : 1;
    }

    /// @notice Returns the side that plays against a side.
    function otherSide(uint256 side) internal pure returns (uint256) {
        return side ^ 1;
    }

    /// @notice Returns the seat of the side that plays against a side.
    function otherSeat(uint256 side) internal pure returns (Seat) {
        return side == 0 ? Seat.Two : Seat.One;
    }
}
