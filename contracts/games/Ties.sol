// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Rules for ties, a byte of a mode
library Ties {
    uint256 internal constant TO_PLAYER_1 = 0;
    uint256 internal constant DRAW = 1;

    /// @notice There is no such rule for ties: 0 gives them to player 1, 1 makes them draws.
    error UnknownTieRule(uint256 ties);

    /// @notice Reverts unless `ties` is one of the rules.
    function check(uint256 ties) internal pure {
        if (ties > DRAW) revert UnknownTieRule(ties);
    }
}
