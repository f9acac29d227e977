// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Checks} from "../Checks.sol";
import {Armies} from "./Armies.sol";
import {Boards} from "./Boards.sol";
import {Positions} from "./Positions.sol";

/// @title Modes of Warmancer
abstract contract WarmancerModes is Checks {
    using Positions for bytes;

    uint256 private constant _MAX_FLAGS = 7;
    uint256 private constant _MIN_SLOTS = 2;

    /// @dev Classic: 10 x 10 without two lakes, four rows of 10 a side, 40 pawns, 500 turns.
    bytes internal constant _DEFAULT_MODE =
        hex"00000000000000000000000003ff03ff03ff03ff0333033303ff03ff03ff03ff"
        hex"00000000000000000000000000000000000000000000000003ff03ff03ff03ff"
        hex"00000000000000000000000003ff03ff03ff03ff000000000000000000000000"
        hex"01010805040404030201010600000001f4";

    /// @notice A casual match cannot always hide ranks.
    error CasualHidesNothing();

    /// @notice Setup tiles are not passable.
    error SetupOutsideBoard(uint256 tiles);

    /// @notice Both sides have these setup tiles.
    error SetupsOverlap(uint256 tiles);

    /// @notice Both sides must have the same number of setup tiles, 2 to 64.
    error UnequalSetups(uint256 count1, uint256 count2);

    /// @notice Not every passable tile can be reached from every other.
    error Disconnected(uint256 reached, uint256 passable);

    /// @dev Reverts unless `content` is the encoding of a mode within its bounds.
    function _checkContent(bytes calldata content) internal pure {
        _checkLength(content, Positions.MODE_BYTES, Positions.MODE_BYTES);
        uint256 flags = _checkField(content, Positions.MODE_FLAGS_AT, 1, 0, _MAX_FLAGS);
        _checkField(content, Positions.MODE_MAX_TURNS_AT, 2, 0, Positions.MAX_TURNS);
        if (flags & Positions.CASUAL != 0 && flags & Positions.ALWAYS_HIDDEN != 0) revert CasualHidesNothing();
        bytes memory mode = content;
        uint256 passable = Positions.passableIn(mode);
        (uint256 setup1, uint256 setup2) = (Positions.setupIn(mode, 0), Positions.setupIn(mode, 1));
        if ((setup1 | setup2) & ~passable != 0) revert SetupOutsideBoard((setup1 | setup2) & ~passable);
        if (setup1 & setup2 != 0) revert SetupsOverlap(setup1 & setup2);
        (uint256 count1, uint256 count2) = (Boards.count(setup1), Boards.count(setup2));
        if (count1 != count2 || count1 < _MIN_SLOTS || count1 > Positions.MAX_PAWNS) {
            revert UnequalSetups(count1, count2);
        }
        Armies.checkMode(Positions.start(mode));
        uint256 reached = Boards.region(passable);
        if (reached != passable) revert Disconnected(reached, passable);
    }

    /// @dev Reverts unless ranks by slot are an army of the right length.
    function _checkRanks(bytes memory p, bytes calldata ranks) internal pure {
        _checkLength(ranks, p.pawns(), p.pawns());
        Armies.checkRanks(p, ranks);
    }
}
