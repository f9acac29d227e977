// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// solhint-disable private-vars-leading-underscore

/// @notice Sequence of random numbers from one seed.
struct Random {
    uint256 state;
}

using {roll, coin, word} for Random global;

/// @notice Returns the next 32 bytes.
function word(Random memory random) pure returns (bytes32) {
    return bytes32(roll(random, type(uint256).max));
}

/// @notice Returns the next number, below `sides`.
function roll(Random memory random, uint256 sides) pure returns (uint256) {
    random.state = uint256(keccak256(abi.encode(random.state)));
    return random.state % sides;
}

function coin(Random memory random) pure returns (bool) {
    return roll(random, 2) == 0;
}
