// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Counters that are packed into a word and stop at their maximum
library Counters {
    /// @notice Adds to the counter that starts at bit `start`, up to its maximum.
    /// @param max Maximum of the counter, with all of its bits set.
    function plus(uint256 word, uint256 start, uint256 amount, uint256 max) internal pure returns (uint256) {
        unchecked {
            uint256 room = max - ((word >> start) & max);
            return word + (Math.min(amount, room) << start);
        }
    }
}
