// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OneRound} from "duello-contracts/games/OneRound.sol";
import {Seat} from "duello-contracts/interfaces/IGame.sol";
import {Dice} from "duello-contracts/libraries/Dice.sol";

/// @title Brink
/// @notice Each player walks 1 to 10 steps towards a cliff, player 1 in secret and player 2 in the open. A die of ten sides
/// tells how far away the edge is. Who walks beyond the edge falls; of the others, the one closer to the edge wins.
contract Brink is OneRound {
    uint256 private constant _STEPS = 10;

    /// @notice A player walks 1 to 10 steps.
    error WrongSteps(uint256 steps);

    constructor(address arena_) OneRound(arena_, 1) {}

    function _checkMove(bytes memory, bytes calldata move) internal pure override {
        uint256 steps = uint8(move[0]);
        if (steps == 0 || steps > _STEPS) revert WrongSteps(steps);
    }

    function _play(
        bytes32 seed,
        bytes memory,
        bytes calldata move1,
        bytes calldata move2
    ) internal pure override returns (Seat winner, uint256[] memory logEntries) {
        (uint256 one, uint256 two) = (uint8(move1[0]), uint8(move2[0]));
        uint256 edge = 1 + Dice.lane(Dice.word(seed, 0), 0, _STEPS);
        (uint256 reach1, uint256 reach2) = (_reach(one, edge), _reach(two, edge));
        if (reach1 != reach2) winner = reach1 > reach2 ? Seat.One : Seat.Two;
        logEntries = new uint256[](1);
        logEntries[0] = one | (two << 8) | (edge << 16) | (uint256(winner) << 24);
    }

    function _reach(uint256 steps, uint256 edge) private pure returns (uint256) {
        return steps > edge ? 0 : steps;
    }
}
