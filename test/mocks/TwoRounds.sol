// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CommitReveal} from "../../contracts/games/CommitReveal.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";

/// @title Tiny game of one or two committed rounds
/// @notice Player 1 commits in every round, and its first reveal carries the second commitment; player 2 answers the
/// first round by joining, the second with an action. Each player adds a number to a die of 0..9. A lead of 8 ends the
/// game at once; otherwise each adds two more numbers and another die in a second round. A lead of one wins the duel
/// but not the pot. Lengths are in bytes:
///
///     create     start of player 1, 1 (0..3) || committed
///     moves      round 1: number 1 (0..9); in the answer: number 1 (0..9) || start of player 2, 1 (0..3)
///                round 2: number 1 (0..9) || number 1 (0..9)
///     state      bits 0-1 start of player 1; in round 2 also 4-11 score of player 1, 12-19 score of player 2
///     log        one entry per round: bits 0-7 score of player 1, 8-15 score of player 2, 16-17 round
contract TwoRounds is CommitReveal {
    uint256 private constant _LEAD = 8;

    /// @notice A number or start is above `max`.
    error TooHigh(uint256 value, uint256 max);

    constructor(address arena_) CommitReveal(arena_) {}

    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory) {
        _requireMode(duel.mode);
        _checkLength(data, 1 + _WORD, type(uint256).max);
        uint256 start = _checked(data, 0, 3);
        return Step(Seat.Two, Seat.None, Seat.None, _withCommitment(1, bytes32(start), data[1:]));
    }

    function join(Duel calldata duel, bytes calldata answer) external view onlyArena returns (Step memory) {
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, answer, 2);
        _checked(move, 0, 9);
        _checked(move, 1, 3);
        return Step(Seat.One, Seat.None, Seat.None, next);
    }

    function act(Duel calldata duel, Seat seat, bytes calldata action) external onlyArena returns (Step memory) {
        if (seat == Seat.Two) {
            (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, action, 2);
            _checked(move, 0, 9);
            _checked(move, 1, 9);
            return Step(Seat.One, Seat.None, Seat.None, next);
        }
        return _roundOf(action) == 1 ? _first(duel, action) : _second(duel, action);
    }

    function _first(Duel calldata duel, bytes calldata data) private returns (Step memory) {
        (bytes32 seed, bytes32 state, bytes calldata move1, bytes calldata move2, bytes calldata next) = _takeReveal(
            duel,
            data,
            1,
            2
        );
        uint256 dice = Dice.word(seed, 0);
        uint256 score1 = _checked(move1, 0, 9) + uint256(state) + Dice.lane(dice, 0, 10);
        uint256 score2 = _checked(move2, 0, 9) + _checked(move2, 1, 3) + Dice.lane(dice, 1, 10);
        _log(duel.id, score1, score2, 1);
        if (score1 >= score2 + _LEAD) return Step(Seat.None, Seat.One, Seat.One, 0);
        if (score2 >= score1 + _LEAD) return Step(Seat.None, Seat.Two, Seat.Two, 0);
        bytes32 second = bytes32(uint256(state) | (score1 << 4) | (score2 << 12));
        return Step(Seat.Two, Seat.None, Seat.None, _withCommitment(2, second, next));
    }

    function _second(Duel calldata duel, bytes calldata data) private returns (Step memory) {
        (bytes32 seed, bytes32 state, bytes calldata move1, bytes calldata move2, ) = _takeReveal(duel, data, 2, 2);
        uint256 dice = Dice.word(seed, 1);
        uint256 score1 = _checked(move1, 0, 9) + _checked(move1, 1, 9) + Dice.lane(dice, 0, 10);
        uint256 score2 = _checked(move2, 0, 9) + _checked(move2, 1, 9) + Dice.lane(dice, 1, 10);
        score1 += uint8(uint256(state) >> 4);
        score2 += uint8(uint256(state) >> 12);
        _log(duel.id, score1, score2, 2);
        if (score1 == score2) return Step(Seat.None, Seat.None, Seat.None, 0);
        Seat winner = score1 > score2 ? Seat.One : Seat.Two;
        bool close = score1 == score2 + 1 || score2 == score1 + 1;
        return Step(Seat.None, winner, close ? Seat.None : winner, 0);
    }

    function _log(uint256 matchId, uint256 score1, uint256 score2, uint256 round) private {
        uint256[] memory logEntries = new uint256[](1);
        logEntries[0] = score1 | (score2 << 8) | (round << 16);
        emit Log(matchId, round, logEntries);
    }

    function _checked(bytes calldata data, uint256 index, uint256 max) private pure returns (uint256 value) {
        value = uint8(data[index]);
        if (value > max) revert TooHigh(value, max);
    }
}
