// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OneRound} from "../../contracts/games/OneRound.sol";
import {Seat} from "../../contracts/interfaces/IGame.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";

/// @title Tiny game of one round, which has only its default mode
/// @notice Each player lays two cards of 1 to 20, a byte each, and the higher sum wins. A die of 0..3 changes nothing.
/// The log has one entry: bits 0-7 sum of player 1, 8-15 sum of player 2, 16-17 the die.
contract HighPair is OneRound {
    uint256 private constant _HIGHEST = 20;

    /// @notice There is no such card.
    error UnknownCard(uint256 card);

    constructor(address arena_) OneRound(arena_, 2) {}

    function _checkMove(bytes memory, bytes calldata move) internal pure override {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 card = uint8(move[i]);
            if (card == 0 || card > _HIGHEST) revert UnknownCard(card);
        }
    }

    function _play(
        bytes32 seed,
        bytes memory,
        bytes calldata move1,
        bytes calldata move2
    ) internal pure override returns (Seat winner, uint256[] memory logEntries) {
        (uint256 sum1, uint256 sum2) = (_sum(move1), _sum(move2));
        if (sum1 != sum2) winner = sum1 > sum2 ? Seat.One : Seat.Two;
        logEntries = new uint256[](1);
        logEntries[0] = sum1 | (sum2 << 8) | (Dice.lane(Dice.word(seed, 0), 0, 4) << 16);
    }

    function _sum(bytes calldata move) private pure returns (uint256) {
        return uint256(uint8(move[0])) + uint8(move[1]);
    }
}
