// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibBit} from "solady/src/utils/LibBit.sol";

/// @title Sets of tiles
/// @notice A tile is y * 16 + x, x and y from 0 to 15; a set of tiles has a bit for each. Edges do not wrap around.
library Boards {
    /// @dev The tiles of column 0.
    uint256 private constant _COLUMN = 0x0001000100010001000100010001000100010001000100010001000100010001;

    /// @notice Returns the number of tiles in a set.
    function count(uint256 tiles) internal pure returns (uint256) {
        return LibBit.popCount(tiles);
    }

    /// @notice Returns the lowest tile of a set that is not empty.
    function lowest(uint256 tiles) internal pure returns (uint256 tile) {
        return LibBit.ffs(tiles);
    }

    /// @notice Returns the tiles one step up, down, left or right of those in a set.
    function around(uint256 tiles) internal pure returns (uint256) {
        return (tiles << 16) | (tiles >> 16) | ((tiles & ~(_COLUMN << 15)) << 1) | ((tiles & ~_COLUMN) >> 1);
    }

    /// @notice Returns the tiles of a set that can be reached from its lowest one without leaving it.
    function region(uint256 tiles) internal pure returns (uint256 reached) {
        uint256 next = tiles & (~tiles + 1);
        while (next != reached) {
            reached = next;
            next = (reached | around(reached)) & tiles;
        }
    }
}
