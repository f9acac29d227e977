// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CommitReveal} from "../../contracts/games/CommitReveal.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";

/// @title Matching pennies, in which either seat commits
/// @notice In a round one seat commits to a side of its penny, the other guesses, and the first reveals. A wrong guess
/// is a point for the committer, whose reveal carries the next commitment; a right guess is a point for the guesser,
/// who commits in the next round. Player 2 commits first, after joining. The player with more points wins.
///
/// The mode is one byte: 1 if the guesser adds a salt, so that the round has a seed; otherwise 0. There is no default.
/// Lengths are in bytes:
///
///     create     rounds 1 (1..9)
///     join       rounds 1, as in create
///     commit     kind 1 = 1 || round 2 || state 32 || committed
///     answer     kind 1 = 2 || round 2 || state 32 || commitment 32 || guess 1 [|| salt 32]
///     reveal     kind 1 = 3 || round 2 || state 32 || salt 32 || side 1 || guess 1 [|| salt 32] [|| next committed]
///     state      bits 0-7 points of player 1, 8-15 points of player 2, 16-17 seat that commits, 24-31 rounds
///     log        one entry per round: the state after it, with the lowest 64 bits of the seed, or 0, in bits 32-95
contract Pennies is CommitReveal {
    uint256 private constant _KIND_COMMIT = 1;
    uint256 private constant _KIND_ANSWER = 2;
    uint256 private constant _KIND_REVEAL = 3;
    uint256 private constant _HEAD = 3 + _WORD;

    /// @notice A byte is not between `min` and `max`.
    error OutOfBounds(uint256 value, uint256 min, uint256 max);

    /// @notice The next action must be of another kind.
    error WrongKind(uint256 kind, uint256 due);

    constructor(address arena_) CommitReveal(arena_) {}

    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory) {
        _requireMode(duel.mode);
        _checkLength(data, 1, 1);
        uint256 rounds = _checked(data, 0, 1, 9);
        return Step(Seat.Two, Seat.None, Seat.None, _withState(1, bytes32((rounds << 24) | (uint256(Seat.Two) << 16))));
    }

    function join(Duel calldata duel, bytes calldata answer) external view onlyArena returns (Step memory) {
        _checkLength(answer, 1, 1);
        bytes32 state = bytes32((uint256(uint8(answer[0])) << 24) | (uint256(Seat.Two) << 16));
        _checkState(duel.id, duel.position, 1, state);
        return Step(Seat.Two, Seat.None, Seat.None, duel.position);
    }

    function act(Duel calldata duel, Seat seat, bytes calldata action) external onlyArena returns (Step memory) {
        _checkLength(action, _HEAD, type(uint256).max);
        uint256 kind = uint8(action[0]);
        uint256 round = _roundOf(action[1:]);
        bytes32 state = bytes32(action[3:]);
        Seat other = seat == Seat.One ? Seat.Two : Seat.One;
        if (kind == _KIND_COMMIT) {
            _checkState(duel.id, duel.position, round, state);
            return Step(other, Seat.None, Seat.None, _withCommitment(round, state, action[_HEAD:]));
        }
        uint256 salts = uint8(modeOf(duel.mode)[0]) * _WORD;
        if (kind == _KIND_ANSWER) {
            _checkLength(action, _HEAD + _WORD + 1 + salts, _HEAD + _WORD + 1 + salts);
            bytes calldata answer = action[_HEAD + _WORD:];
            _checked(answer, 0, 0, 1);
            if (salts != 0 && bytes32(answer[1:]) == 0) revert ZeroSalt();
            bytes32 commitment = bytes32(action[_HEAD:]);
            return
                Step(
                    other,
                    Seat.None,
                    Seat.None,
                    _withAnswer(duel.id, duel.position, round, state, commitment, answer)
                );
        }
        if (kind != _KIND_REVEAL) revert WrongKind(kind, _KIND_REVEAL);
        return _reveal(duel, seat, round, state, action[_HEAD:], salts);
    }

    function _reveal(
        Duel calldata duel,
        Seat seat,
        uint256 round,
        bytes32 state,
        bytes calldata body,
        uint256 salts
    ) private returns (Step memory) {
        uint256 end = _WORD + 2 + salts;
        _checkLength(body, end, end + _WORD + _MAX_NOTE);
        {
            address committer = seat == Seat.One ? duel.player1 : duel.player2;
            bytes calldata move = body[_WORD:_WORD + 1];
            bytes calldata answer = body[_WORD + 1:end];
            _checkReveal(duel.id, duel.position, round, state, committer, move, bytes32(body), answer);
        }
        bool hit = _checked(body, _WORD, 0, 1) == uint8(body[_WORD + 1]);
        uint256 rounds = uint8(uint256(state) >> 24);
        state = _scored(state, seat, hit);
        _log(duel.id, round, state, salts == 0 ? bytes32(0) : _seed(duel.id, seat, round, body));
        if (round == rounds) {
            Seat winner = _leaderIn(state);
            return Step(Seat.None, winner, winner, 0);
        }
        Seat other = seat == Seat.One ? Seat.Two : Seat.One;
        if (!hit) return Step(other, Seat.None, Seat.None, _withCommitment(round + 1, state, body[end:]));
        _checkLength(body, end, end);
        return Step(other, Seat.None, Seat.None, _withState(round + 1, state));
    }

    function _leaderIn(bytes32 state) private pure returns (Seat) {
        uint256 points1 = uint8(uint256(state));
        uint256 points2 = uint8(uint256(state) >> 8);
        if (points1 == points2) return Seat.None;
        return points1 > points2 ? Seat.One : Seat.Two;
    }

    /// @dev Returns the seed of a round; the salt of player 1 comes first, whichever seat committed.
    function _seed(uint256 matchId, Seat committer, uint256 round, bytes calldata body) private pure returns (bytes32) {
        bytes32 own = bytes32(body);
        bytes32 others = bytes32(body[_WORD + 2:]);
        return
            committer == Seat.One ? Dice.seedOf(matchId, round, own, others) : Dice.seedOf(matchId, round, others, own);
    }

    function _scored(bytes32 state, Seat committer, bool hit) private pure returns (bytes32) {
        Seat scorer = hit == (committer == Seat.One) ? Seat.Two : Seat.One;
        uint256 cleared = uint256(state) & ~uint256(3 << 16);
        return bytes32(cleared + (scorer == Seat.One ? 1 : 1 << 8) + (uint256(scorer) << 16));
    }

    function _log(uint256 matchId, uint256 round, bytes32 state, bytes32 seed) private {
        uint256[] memory logEntries = new uint256[](1);
        logEntries[0] = uint256(state) | (uint256(uint64(uint256(seed))) << 32);
        emit Log(matchId, round, logEntries);
    }

    function _checked(
        bytes calldata data,
        uint256 index,
        uint256 min,
        uint256 max
    ) private pure returns (uint256 value) {
        value = uint8(data[index]);
        if (value < min || value > max) revert OutOfBounds(value, min, max);
    }

    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, 1, 1);
        _checked(content, 0, 0, 1);
    }

    function _defaultMode() internal pure override returns (bytes memory) {
        return "";
    }
}
