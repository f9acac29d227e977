// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, Seat} from "../../interfaces/IGame.sol";
import {Armies} from "./Armies.sol";
import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";
import {Positions} from "./Positions.sol";
import {CommitReveal} from "../CommitReveal.sol";

/// @title The turns of a game of Warmancer
/// @notice What each kind of action does to a position, and who acts next: nobody at the end of a game, which then has
/// a winner, or None in a draw. Kinds, bodies and phases are drawn in `Warmancer`.
abstract contract WarmancerTurns is CommitReveal {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    uint256 internal constant _MOVE_BYTES = 2;
    uint256 internal constant _ANY_LENGTH = type(uint256).max;
    uint256 internal constant _CASUAL = 1;
    uint256 internal constant _SEQUENTIAL = 4;
    uint256 internal constant _PHASE_ROUND = 1;
    uint256 internal constant _PHASE_PROVE = 2;
    uint256 internal constant _PHASE_MOVE = 3;
    uint256 internal constant _PHASE_REPLY = 4;

    /// @dev Commitments the turn that has begun, or says Stuck.
    function _commitNext(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata committed
    ) internal returns (Seat turn, Seat winner) {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        if (bytes32(committed) == 0) return _stuck(duel, p, side);
        p.setPhase(_PHASE_ROUND);
        _putCommitment(duel.id, p.turn(), keccak256(p), committed);
        return (_other(side), Seat.None);
    }

    function _answer(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        _checkLength(body, _WORD + _MOVE_BYTES, _WORD + _MOVE_BYTES);
        bytes calldata move = body[_WORD:];
        // Moves are judged on positions of the match only: on another the search for a pawn might have no end.
        _putAnswer(duel.id, p.turn(), keccak256(p), bytes32(body), move);
        if (_moveIn(move) != TurnResolutions.STUCK) p.check(side, _moveIn(move), "");
        return (_other(side), Seat.None);
    }

    function _reveal(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        uint256 head = _WORD + 2 * _MOVE_BYTES;
        _checkLength(body, head, _ANY_LENGTH);
        (bytes calldata own, bytes calldata answer) = (body[_WORD:_WORD + _MOVE_BYTES], body[_WORD + _MOVE_BYTES:head]);
        _checkReveal(duel.id, p.turn(), keccak256(p), _player(duel, side), own, bytes32(body), answer);
        uint256[2] memory moves;
        uint256[2] memory slots;
        moves[side] = _moveIn(own);
        slots[side] = _makeMove(p, side, moves[side]);
        if (_moveIn(answer) == TurnResolutions.STUCK) return _result(duel, p, side + 1);
        moves[1 - side] = _moveIn(answer);
        slots[1 - side] = p.slotAt(1 - side, moves[1 - side] >> 8);
        p.markMoved(1 - side, slots[1 - side], TurnResolutions.isFar(moves[1 - side]));
        TurnResolution memory resolution = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body[head:]);
        if (resolution.isHidden(1 - side)) {
            _checkLength(rest, 0, 0);
            return _awaitProofs(duel, p, resolution, side, moves);
        }
        uint256 result = _resolve(duel, p, resolution);
        return result == TurnResolutions.GOES_ON ? _commitNext(duel, p, side, rest) : _over(result);
    }

    /// @dev What the other than the mover proves ends the turn; it makes the next.
    function _prove(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        (uint256 proved, uint256[2] memory moves) = p.pending();
        TurnResolution memory resolution = p.plan(moves, p.slotsOf(moves));
        resolution.recall(1 - side, proved);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body);
        uint256 result = _resolve(duel, p, resolution);
        if (result != TurnResolutions.GOES_ON) return _over(result);
        p.setMover(side + 1);
        return p.flags() & _SEQUENTIAL == 0 ? _commitNext(duel, p, side, rest) : _move(duel, p, side, rest);
    }

    function _move(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        if (p.flags() & _SEQUENTIAL != 0) return _moveAlone(duel, p, side, body);
        return p.mover() == side + 1 ? _moveFirst(duel, p, side, body) : _moveSecond(duel, p, side, body);
    }

    /// @dev Casual: the first of both moves of a turn.
    function _moveFirst(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        uint256 move = _moveIn(body);
        if (move == TurnResolutions.STUCK) return _stuck(duel, p, side);
        p.check(side, move, "");
        p.setPending(0, side == 0 ? [move, 0] : [0, move]);
        return _goOn(duel, p, 2 - side);
    }

    /// @dev Casual: the second of both moves, which makes the turn, and the first of the next one.
    function _moveSecond(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, 2 * _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, p.mover());
        p.check(side, _moveIn(body), "");
        (, uint256[2] memory moves) = p.pending();
        moves[side] = _moveIn(body);
        uint256 result = _resolve(duel, p, p.plan(moves, p.slotsOf(moves)));
        if (result != TurnResolutions.GOES_ON) return _over(result);
        p.setMover(side + 1);
        return _moveFirst(duel, p, side, body[_MOVE_BYTES:]);
    }

    /// @dev Sequential: the only move of a turn.
    function _moveAlone(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, Armies.PROOF_BYTES + _MOVE_BYTES);
        uint256 length = body.length - _MOVE_BYTES;
        uint256 move = _moveIn(body[length:]);
        if (move == TurnResolutions.STUCK) {
            _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
            return _stuck(duel, p, side);
        }
        uint256[2] memory moves;
        uint256[2] memory slots;
        (moves[side], slots[side]) = (move, _makeMove(p, side, move));
        TurnResolution memory resolution = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body[:length]);
        _checkLength(rest, 0, 0);
        if (resolution.isHidden(1 - side)) return _awaitProofs(duel, p, resolution, side, moves);
        uint256 result = _resolve(duel, p, resolution);
        if (result != TurnResolutions.GOES_ON) return _over(result);
        p.setMover(2 - side);
        p.setPhase(_PHASE_MOVE);
        return _goOn(duel, p, 2 - side);
    }

    /// @dev The reply to Stuck: the same, or a move to show that there is one.
    function _reply(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, TurnResolutions.DRAW);
        _makeMove(p, side, _moveIn(body));
        return _result(duel, p, side + 1);
    }

    /// @dev A player has said that it has no legal move; the other replies.
    function _stuck(Duel calldata duel, bytes memory p, uint256 side) private returns (Seat turn, Seat winner) {
        p.setPhase(_PHASE_REPLY);
        return _goOn(duel, p, 2 - side);
    }

    /// @dev The mover has done its part, the other is to prove ranks.
    function _awaitProofs(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution,
        uint256 side,
        uint256[2] memory moves
    ) private returns (Seat turn, Seat winner) {
        p.setPending(resolution.proved(p, side), moves);
        p.setPhase(_PHASE_PROVE);
        return _goOn(duel, p, 2 - side);
    }

    /// @dev Keeps a position in which nothing is committed.
    function _goOn(Duel calldata duel, bytes memory p, uint256 seat) internal returns (Seat turn, Seat winner) {
        _putState(duel.id, p.turn(), keccak256(p));
        return (Seat(seat), Seat.None);
    }

    /// @dev Carries out and logs a turn; if the game goes on, the next one begins.
    function _resolve(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution
    ) private returns (uint256 winner) {
        uint256[] memory logEntries;
        (winner, logEntries) = resolution.resolve(p);
        _log(duel.id, p.turn(), logEntries);
        if (winner != TurnResolutions.GOES_ON) return winner;
        p.setTurn(p.turn() + 1);
        p.setPending(0, [uint256(0), 0]);
    }

    /// @dev Logs a turn that ends the game without a move.
    function _result(Duel calldata duel, bytes memory p, uint256 result) internal returns (Seat turn, Seat winner) {
        _log(duel.id, p.turn(), TurnResolutions.resultOf(p.turn(), result));
        return _over(result);
    }

    /// @dev Takes the proofs of a side's hidden pawns in a battle.
    /// @return rest What is behind them.
    function _takeProofs(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution,
        uint256 side,
        bytes calldata body
    ) private pure returns (bytes calldata rest) {
        rest = body;
        (uint256 first, uint256 second) = resolution.hidden(side);
        uint256 known = Positions.UNKNOWN;
        for (uint256 slot = first; slot != Positions.NOBODY; slot = second) {
            _checkLength(rest, Armies.PROOF_BYTES, _ANY_LENGTH);
            uint256 rank = Armies.checkProof(p, side, _player(duel, side), slot, rest[:Armies.PROOF_BYTES]);
            uint256 count = p.recordedOf(side, rank) + (rank == known ? 2 : 1);
            if (count > Armies.maxOf(p, rank)) revert Armies.TooManyOfRank(rank, count, Armies.maxOf(p, rank));
            resolution.learn(side, slot, rank);
            rest = rest[Armies.PROOF_BYTES:];
            if (slot == second) break;
            known = rank;
        }
    }

    /// @dev A move that is shown: it must be legal, and counts from now on.
    function _makeMove(bytes memory p, uint256 side, uint256 move) private pure returns (uint256 slot) {
        slot = p.check(side, move, "");
        p.markMoved(side, slot, TurnResolutions.isFar(move));
    }

    function _moveIn(bytes calldata data) private pure returns (uint256) {
        return uint16(bytes2(data));
    }

    function _player(Duel calldata duel, uint256 side) internal pure returns (address) {
        return side == 0 ? duel.player1 : duel.player2;
    }

    function _other(uint256 side) private pure returns (Seat) {
        return side == 0 ? Seat.Two : Seat.One;
    }

    function _over(uint256 result) internal pure returns (Seat turn, Seat winner) {
        return (Seat.None, Seat(result));
    }
}
