// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, Seat} from "../../interfaces/IGame.sol";
import {Sides} from "../Sides.sol";
import {Table} from "../Table.sol";
import {Armies} from "./Armies.sol";
import {Positions} from "./Positions.sol";
import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";

/// @title Turns of Warmancer
/// @notice Carries out each kind of action on a position `p`. Functions return the seat that acts next, None at the end
/// of a game, and the winner of a game that is over, None for a draw. `Warmancer` lists kinds, bodies and phases.
abstract contract WarmancerTurns is Table {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    uint256 internal constant _MOVE_BYTES = 2;
    uint256 internal constant _ANY_LENGTH = type(uint256).max;
    uint256 internal constant _PHASE_ROUND = 1;
    uint256 internal constant _PHASE_PROVE = 2;
    uint256 internal constant _PHASE_MOVE = 3;
    uint256 internal constant _PHASE_REPLY = 4;

    /// @dev Takes the commitment of the turn that has begun; a commitment of zero is Stuck.
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
        return (Sides.otherSeat(side), Seat.None);
    }

    /// @dev Takes the answer to a commitment.
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
        return (Sides.otherSeat(side), Seat.None);
    }

    /// @dev Takes the reveal of a move, which resolves the turn unless the other player must prove ranks; then the
    /// commitment of the next turn.
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
        if (_moveIn(answer) == TurnResolutions.STUCK) return _result(duel, p, Sides.seatOf(side));
        uint256 other = Sides.otherSide(side);
        moves[other] = _moveIn(answer);
        slots[other] = p.slotAt(other, moves[other] >> 8);
        p.markMoved(other, slots[other], TurnResolutions.isFar(moves[other]));
        TurnResolution memory resolution = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body[head:]);
        if (resolution.mustProve(other)) {
            _checkLength(rest, 0, 0);
            return _awaitProofs(duel, p, resolution, side, moves);
        }
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        return over ? _over(winner) : _commitNext(duel, p, side, rest);
    }

    /// @dev Takes the proofs of the other than the mover, which end the turn; then its commitment or move of the next.
    function _prove(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        (uint256 proved, uint256[2] memory moves) = p.pending();
        TurnResolution memory resolution = p.plan(moves, p.slotsOf(moves));
        resolution.recall(Sides.otherSide(side), proved);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body);
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        if (over) return _over(winner);
        p.setMover(Sides.seatOf(side));
        return p.flags() & Positions.SEQUENTIAL == 0 ? _commitNext(duel, p, side, rest) : _move(duel, p, side, rest);
    }

    /// @dev Takes a move in the open, with what the mode has it bring.
    function _move(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        if (p.flags() & Positions.SEQUENTIAL != 0) return _moveAlone(duel, p, side, body);
        return p.isMover(side) ? _moveFirst(duel, p, side, body) : _moveSecond(duel, p, side, body);
    }

    /// @dev Takes the first of both moves of a casual turn.
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
        return _goOn(duel, p, Sides.otherSeat(side));
    }

    /// @dev Takes the second of both moves of a casual turn, which resolves it, and the first of the next one.
    function _moveSecond(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, 2 * _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, Sides.otherSeat(side));
        p.check(side, _moveIn(body), "");
        (, uint256[2] memory moves) = p.pending();
        moves[side] = _moveIn(body);
        bool over;
        (over, winner) = _resolve(duel, p, p.plan(moves, p.slotsOf(moves)));
        if (over) return _over(winner);
        p.setMover(Sides.seatOf(side));
        return _moveFirst(duel, p, side, body[_MOVE_BYTES:]);
    }

    /// @dev Takes the only move of a sequential turn.
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
        if (resolution.mustProve(Sides.otherSide(side))) return _awaitProofs(duel, p, resolution, side, moves);
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        if (over) return _over(winner);
        p.setMover(Sides.otherSeat(side));
        p.setPhase(_PHASE_MOVE);
        return _goOn(duel, p, Sides.otherSeat(side));
    }

    /// @dev Takes the reply to Stuck: Stuck too, which is a draw, or a legal move, which wins.
    function _reply(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) internal returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, Seat.None);
        _makeMove(p, side, _moveIn(body));
        return _result(duel, p, Sides.seatOf(side));
    }

    /// @dev Lets the other player reply to a player who has said that it has no legal move.
    function _stuck(Duel calldata duel, bytes memory p, uint256 side) private returns (Seat turn, Seat winner) {
        p.setPhase(_PHASE_REPLY);
        return _goOn(duel, p, Sides.otherSeat(side));
    }

    /// @dev Lets the other player prove ranks, the mover having done its part.
    function _awaitProofs(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution,
        uint256 side,
        uint256[2] memory moves
    ) private returns (Seat turn, Seat winner) {
        p.setPending(resolution.proved(p, side), moves);
        p.setPhase(_PHASE_PROVE);
        return _goOn(duel, p, Sides.otherSeat(side));
    }

    /// @dev Keeps a position in which nothing is committed; the player in a seat acts next.
    function _goOn(Duel calldata duel, bytes memory p, Seat seat) internal returns (Seat turn, Seat winner) {
        _putState(duel.id, p.turn(), keccak256(p));
        return (seat, Seat.None);
    }

    /// @dev Carries out and logs a turn, and begins the next one unless the game is over.
    function _resolve(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution
    ) private returns (bool over, Seat winner) {
        uint256[] memory logEntries;
        (over, winner, logEntries) = resolution.resolve(p);
        _log(duel.id, p.turn(), logEntries);
        if (over) return (over, winner);
        p.setTurn(p.turn() + 1);
        p.clearPending();
    }

    /// @dev Logs a turn that ends the game without a move.
    function _result(Duel calldata duel, bytes memory p, Seat victor) private returns (Seat turn, Seat winner) {
        _log(duel.id, p.turn(), TurnResolutions.resultLog(p.turn(), victor));
        return _over(victor);
    }

    /// @dev Takes the proofs that are due of a side.
    /// @return rest The bytes behind them.
    function _takeProofs(
        Duel calldata duel,
        bytes memory p,
        TurnResolution memory resolution,
        uint256 side,
        bytes calldata body
    ) private pure returns (bytes calldata rest) {
        rest = body;
        (uint256 first, uint256 second) = resolution.dueSlots(side);
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

    /// @dev Checks a move that is shown, and records that its pawn has moved.
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

    /// @dev Ends the game; a winner of None is a draw.
    function _over(Seat victor) internal pure returns (Seat turn, Seat winner) {
        return (Seat.None, victor);
    }
}
