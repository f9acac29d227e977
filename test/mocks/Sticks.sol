// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CommitReveal} from "../../contracts/games/CommitReveal.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";

/// @title Tiny game of a committed round, followed by open turns
/// @notice Each player lays 1 to 9 sticks, player 1 hidden, and a die lays 1 to 6 more. Player 2 starts, and they take
/// 1 to 3 sticks in turns; the player who takes the last stick wins. Lengths are in bytes:
///
///     create     committed
///     join       answer, whose move is a number of sticks 1
///     act        reveal; then number of the turn 2 (from 1) || sticks that are taken 1
///     position   bits 0-7 sticks left, 8-15 sticks taken last, 16-31 turns so far
///     log        a position in each event; the reveal is round 1, the turn n is round n + 1
///
/// Before the reveal the position is a state hash, which has other bits set.
contract Sticks is CommitReveal {
    uint256 private constant _MAX_LAID = 9;
    uint256 private constant _MAX_TAKEN = 3;
    uint256 private constant _TURN_BYTES = 2;

    /// @notice A player lays 1 to 9 sticks.
    error WrongHeap(uint256 sticks);

    /// @notice A player takes 1 to 3 sticks of those that are left.
    error WrongTake(uint256 sticks, uint256 left);

    /// @notice The action is for another turn.
    error NotTheNextTurn(uint256 number, uint256 next);

    constructor(address arena_) CommitReveal(arena_) {}

    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory) {
        _requireMode(duel.mode);
        return Step(Seat.Two, Seat.None, Seat.None, _withCommitment(1, 0, data));
    }

    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory) {
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, data, 1);
        _checkHeap(uint8(move[0]));
        return Step(Seat.One, Seat.None, Seat.None, next);
    }

    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory) {
        return uint256(duel.position) > type(uint32).max ? _reveal(duel, data) : _take(duel, data);
    }

    /// @notice Plays through the game without a match.
    /// @return logEntries Log, an entry per position.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        uint256 laid1,
        uint256 laid2,
        uint256[] calldata taken
    ) external pure returns (uint256[] memory logEntries) {
        _previewMode(mode);
        logEntries = new uint256[](taken.length + 1);
        logEntries[0] = _heap(seed, laid1, laid2);
        for (uint256 i = 0; i < taken.length; ++i) logEntries[i + 1] = _after(logEntries[i], taken[i]);
    }

    function _reveal(Duel calldata duel, bytes calldata data) private returns (Step memory) {
        (bytes32 seed, , bytes calldata move1, bytes calldata move2, ) = _takeReveal(duel, data, 1, 1);
        return _put(duel.id, _heap(seed, uint8(move1[0]), uint8(move2[0])));
    }

    function _take(Duel calldata duel, bytes calldata data) private returns (Step memory) {
        _checkLength(data, _TURN_BYTES + 1, _TURN_BYTES + 1);
        uint256 position = uint256(duel.position);
        uint256 next = _turnsIn(position) + 1;
        uint256 number = uint16(bytes2(data));
        if (number != next) revert NotTheNextTurn(number, next);
        return _put(duel.id, _after(position, uint8(data[_TURN_BYTES])));
    }

    /// @dev Logs a position, and returns whose turn is next or who has won.
    function _put(uint256 matchId, uint256 position) private returns (Step memory) {
        uint256[] memory logEntries = new uint256[](1);
        logEntries[0] = position;
        _log(matchId, _turnsIn(position) + 1, logEntries);
        bool odd = _turnsIn(position) % 2 == 1;
        Seat winner = odd ? Seat.Two : Seat.One;
        if (uint8(position) == 0) return Step(Seat.None, winner, winner, 0);
        return Step(odd ? Seat.One : Seat.Two, Seat.None, Seat.None, bytes32(position));
    }

    function _heap(bytes32 seed, uint256 laid1, uint256 laid2) private pure returns (uint256) {
        _checkHeap(laid1);
        _checkHeap(laid2);
        return laid1 + laid2 + 1 + Dice.lane(Dice.word(seed, 0), 0, 6);
    }

    /// @dev Returns the position after a turn. Player 2 has the first turn.
    function _after(uint256 position, uint256 taken) private pure returns (uint256) {
        uint256 left = uint8(position);
        if (taken == 0 || taken > _MAX_TAKEN || taken > left) revert WrongTake(taken, left);
        return (left - taken) | (taken << 8) | ((_turnsIn(position) + 1) << 16);
    }

    function _turnsIn(uint256 position) private pure returns (uint256) {
        return position >> 16;
    }

    function _checkHeap(uint256 sticks) private pure {
        if (sticks == 0 || sticks > _MAX_LAID) revert WrongHeap(sticks);
    }
}
