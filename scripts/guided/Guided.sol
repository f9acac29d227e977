// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ArenaInvariants} from "../../test/invariants/Arena.t.sol";
import {ChannelsInvariants} from "../../test/invariants/Channels.t.sol";

/// @title Invariants of the arena, for a search guided by coverage
/// @notice Such a search repeats and cuts sequences of calls, so a sequence need not contain every action.
/// @dev In the folder of the tests, Hardhat would run it, too.
contract GuidedArena is ArenaInvariants {
    function afterInvariant() external override {
        _checkEnd();
    }
}

/// @title Invariants of the money in channels, for a search guided by coverage
contract GuidedChannels is ChannelsInvariants {
    function afterInvariant() external override {
        _checkEnd();
    }
}
