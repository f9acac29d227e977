// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// solhint-disable private-vars-leading-underscore

/// @notice Random numbers out of one seed.
struct Luck {
    uint256 state;
}

using {roll, coin} for Luck global;

/// @notice A number below `sides`.
function roll(Luck memory luck, uint256 sides) pure returns (uint256) {
    luck.state = uint256(keccak256(abi.encode(luck.state)));
    return luck.state % sides;
}

function coin(Luck memory luck) pure returns (bool) {
    return roll(luck, 2) == 0;
}
