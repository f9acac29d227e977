// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {CommitReveal} from "../CommitReveal.sol";
import {Game} from "../Game.sol";
import {Sides} from "../Sides.sol";
import {Armies} from "./Armies.sol";
import {Positions} from "./Positions.sol";
import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";
import {WarmancerModes} from "./WarmancerModes.sol";

/// @title Warmancer
/// @notice Two armies of hidden pawns move at the same time: the committer of a turn commits to its move, the other
/// player answers in the open, and the committer reveals. A player who loses its Throne, or cannot move, loses. Source:
/// "Warmancer".
///
///     create    root 32 || note 0..96
///     join      player 1's root 32 || player 2's root 32 || note 0..96
///     act       kind 1 || position || body; with bit 7 of the kind set, the sender's setup after the body
///
/// A casual match hides nothing: `create` has ranks n, `join` player 1's ranks n || player 2's ranks n. `Positions` has
/// the layout of modes and positions, `Armies` of roots and proofs, `TurnResolutions` of the log. A move is from 1 ||
/// to 1; 0xffff is Stuck.
///
/// Kinds of actions, with their bodies:
///
///     0 commit    commits to a move: commitment 32 || note 0..96; a commitment of zero is Stuck
///     1 answer    answers a commitment: commitment 32 || move 2
///     2 reveal    reveals the committed move: salt 32 || move 2 || answer's move 2 || proofs || what `commit` has
///     3 prove     proves ranks: proofs || what `commit` has; sequential: proofs || what `move` has
///     4 move      moves in the open: proofs || move 2; casual and going second: move 2 || move of the next turn 2
///     5 concede   gives up: empty, or commitment 32 if one is open, then the answer's move 2 if there is one
///     6 setup     shows the setup: secret 32 || ranks n
///
/// Phases of a position, with the kind that is due:
///
///     0 Commit    the mover commits to a move
///     1 Round     the mover's opponent answers, then the mover reveals
///     2 Prove     the mover's opponent proves ranks
///     3 Move      a player moves in the open
///     4 Reply     the other player answers to Stuck with a move
///     5 Won       the player in turn shows its setup, and wins once it is checked
///     6 Drawn     a draw: player 1 shows its setup
///     7 Drawn2    a draw: player 2 shows its setup
///
/// The rest of a body is ignored when the game ends. Until a turn is resolved, the position is the one before that
/// turn, but pawns whose moves are open are marked as moved.
///
/// Warning: proofs and reveals are readable on a public chain, even in a mode that always hides pawns.
/// Warning: the law of one end does not hold in a casual and sequential mode of one turn, or on a board on which the
/// first move can win.
contract Warmancer is CommitReveal, WarmancerModes {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    uint256 private constant _MOVE_BYTES = 2;
    uint256 private constant _ANY_LENGTH = type(uint256).max;

    uint256 private constant _PHASE_COMMIT = 0;
    uint256 private constant _PHASE_ROUND = 1;
    uint256 private constant _PHASE_PROVE = 2;
    uint256 private constant _PHASE_MOVE = 3;
    uint256 private constant _PHASE_REPLY = 4;
    uint256 private constant _PHASE_WON = 5;
    uint256 private constant _PHASE_DRAWN = 6;
    uint256 private constant _PHASE_DRAWN_2 = 7;

    uint256 private constant _KIND_COMMIT = 0;
    uint256 private constant _KIND_ANSWER = 1;
    uint256 private constant _KIND_REVEAL = 2;
    uint256 private constant _KIND_PROVE = 3;
    uint256 private constant _KIND_MOVE = 4;
    uint256 private constant _KIND_CONCEDE = 5;
    uint256 private constant _KIND_SETUP = 6;
    uint256 private constant _WITH_SETUP = 0x80;

    /// @notice A casual match cannot be rated, as nothing is checked after it.
    error CasualIsUnrated();

    /// @notice A root of zero commits to nothing.
    error ZeroRoot();

    /// @notice An action of another kind is due.
    error NotDue(uint256 kind, uint256 due);

    /// @notice Only the action that ends the game can carry a setup, and only if its sender must show it first.
    error SetupNotDue();

    constructor(address arena_) CommitReveal(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        step.turn = Seat.Two;
        bytes memory mode = modeOf(duel.mode);
        if (Positions.flagsIn(mode) & Positions.CASUAL != 0) {
            if (duel.rated) revert CasualIsUnrated();
            _checkRanks(Positions.start(mode), data);
            step.position = _withState(0, keccak256(data));
        } else {
            step.position = _withState(0, _rootIn(data));
        }
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        bytes memory p = Positions.start(modeOf(duel.mode));
        uint256 count = p.pawns();
        if (p.flags() & Positions.CASUAL != 0) {
            // A channel does not call `create`, so this is checked here again.
            if (duel.rated) revert CasualIsUnrated();
            _checkLength(data, 2 * count, 2 * count);
            _checkState(duel.id, duel.position, 0, keccak256(data[:count]));
            _checkRanks(p, data[count:]);
            for (uint256 slot = 0; slot < count; ++slot) {
                p.record(0, slot, uint8(data[slot]));
                p.record(1, slot, uint8(data[count + slot]));
            }
        } else {
            _checkLength(data, 2 * _WORD, 2 * _WORD + _MAX_NOTE);
            _checkState(duel.id, duel.position, 0, bytes32(data));
            p.setRoot(0, bytes32(data));
            p.setRoot(1, _rootIn(data[_WORD:]));
        }
        if (p.flags() & (Positions.CASUAL | Positions.SEQUENTIAL) != 0) p.setPhase(_PHASE_MOVE);
        (step.turn, , step.position) = _goOn(p, Seat.One);
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat seat, bytes calldata data) external onlyArena returns (Step memory step) {
        _checkLength(data, 1, _ANY_LENGTH);
        (step.turn, step.winner, step.position) = _play(duel, seat, data);
        step.taker = step.winner;
    }

    /// @dev Carries out an action.
    function _play(
        Duel calldata duel,
        Seat seat,
        bytes calldata data
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        uint256 length = 1 + Positions.lengthIn(data[1:]);
        _checkLength(data, length, _ANY_LENGTH);
        bytes memory p = data[1:length];
        uint256 side = Sides.sideOf(seat);
        uint256 kind = uint8(data[0]);
        uint256 end = data.length;
        if (kind >= _WITH_SETUP) {
            kind -= _WITH_SETUP;
            if (kind == _KIND_SETUP) revert SetupNotDue();
            _checkLength(data, length + _setupBytes(p), _ANY_LENGTH);
            end -= _setupBytes(p);
        } else if (kind == _KIND_SETUP) {
            _checkLength(data, length + _setupBytes(p), length + _setupBytes(p));
            end = length;
        }
        (turn, winner, next) = _carryOut(duel, p, side, kind, data[length:end]);
        if (turn == Seat.None) (turn, winner, next) = _conclude(duel, p, side, winner, data[end:]);
        else if (end != data.length) revert SetupNotDue();
    }

    /// @dev Carries out the action that is due, or Concede. The game is over if no seat must act next.
    function _carryOut(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        uint256 kind,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        uint256 due = _dueOf(p, side);
        if (kind == _KIND_CONCEDE && due != _KIND_SETUP && p.flags() & Positions.CASUAL == 0)
            return _concede(duel, p, side, due, body);
        if (kind != due) revert NotDue(kind, due);
        if (kind == _KIND_ANSWER) return _answer(duel, p, side, body);
        if (kind == _KIND_REVEAL) return _reveal(duel, p, side, body);
        _checkState(duel.id, duel.position, p.turn(), keccak256(p));
        if (kind == _KIND_COMMIT) return _commitNext(p, side, body);
        if (kind == _KIND_PROVE) return _prove(duel, p, side, body);
        if (kind == _KIND_MOVE)
            return p.phase() == _PHASE_REPLY ? _reply(duel, p, side, body) : _move(duel, p, side, body);
        return _over(p.phase() == _PHASE_WON ? Sides.seatOf(side) : Seat.None);
    }

    /// @dev Returns the kind of action that is due from a side in a position.
    function _dueOf(bytes memory p, uint256 side) private pure returns (uint256 kind) {
        uint256 phase = p.phase();
        if (phase == _PHASE_ROUND) return p.isMover(side) ? _KIND_REVEAL : _KIND_ANSWER;
        if (phase >= _PHASE_WON) return _KIND_SETUP;
        if (phase == _PHASE_COMMIT) return _KIND_COMMIT;
        return phase == _PHASE_PROVE ? _KIND_PROVE : _KIND_MOVE;
    }

    /// @dev Takes the commitment of a turn that has just started; a commitment of zero is Stuck.
    function _commitNext(
        bytes memory p,
        uint256 side,
        bytes calldata committed
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        if (bytes32(committed) == 0) return _stuck(p, side);
        p.setPhase(_PHASE_ROUND);
        return (Sides.otherSeat(side), Seat.None, _withCommitment(p.turn(), keccak256(p), committed));
    }

    /// @dev Takes the answer to a commitment.
    function _answer(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(body, _WORD + _MOVE_BYTES, _WORD + _MOVE_BYTES);
        bytes calldata move = body[_WORD:];
        // Moves are judged only on positions of the match: on any other position the search for a pawn might never end.
        next = _withAnswer(duel.id, duel.position, p.turn(), keccak256(p), bytes32(body), move);
        if (_moveIn(move) != TurnResolutions.STUCK) p.check(side, _moveIn(move), "");
        return (Sides.otherSeat(side), Seat.None, next);
    }

    /// @dev Takes the reveal of a move, which resolves the turn unless the other player must prove ranks; then the
    /// commitment of the next turn.
    function _reveal(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        uint256 head = _WORD + 2 * _MOVE_BYTES;
        _checkLength(body, head, _ANY_LENGTH);
        (bytes calldata own, bytes calldata answer) = (body[_WORD:_WORD + _MOVE_BYTES], body[_WORD + _MOVE_BYTES:head]);
        _checkReveal(duel.id, duel.position, p.turn(), keccak256(p), _player(duel, side), own, bytes32(body), answer);
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
            return _awaitProofs(p, resolution, side, moves);
        }
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        return over ? _over(winner) : _commitNext(p, side, rest);
    }

    /// @dev Takes the proofs of the mover's opponent, which end the turn, and its commitment or move for the next.
    function _prove(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        (uint256 proved, uint256[2] memory moves) = p.pending();
        TurnResolution memory resolution = p.plan(moves, p.slotsOf(moves));
        resolution.recall(Sides.otherSide(side), proved);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body);
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        if (over) return _over(winner);
        p.setMover(Sides.seatOf(side));
        return p.flags() & Positions.SEQUENTIAL == 0 ? _commitNext(p, side, rest) : _move(duel, p, side, rest);
    }

    /// @dev Takes a move in the open, with the data that the mode requires.
    function _move(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        if (p.flags() & Positions.SEQUENTIAL != 0) return _moveAlone(duel, p, side, body);
        return p.isMover(side) ? _moveFirst(p, side, body) : _moveSecond(duel, p, side, body);
    }

    /// @dev Takes the first of both moves of a casual turn.
    function _moveFirst(
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        uint256 move = _moveIn(body);
        if (move == TurnResolutions.STUCK) return _stuck(p, side);
        p.check(side, move, "");
        p.setPending(0, side == 0 ? [move, 0] : [0, move]);
        return _goOn(p, Sides.otherSeat(side));
    }

    /// @dev Takes the second of both moves of a casual turn, which resolves it, and the first move of the next turn.
    function _moveSecond(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(body, _MOVE_BYTES, 2 * _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, Sides.otherSeat(side));
        p.check(side, _moveIn(body), "");
        (, uint256[2] memory moves) = p.pending();
        moves[side] = _moveIn(body);
        bool over;
        (over, winner) = _resolve(duel, p, p.plan(moves, p.slotsOf(moves)));
        if (over) return _over(winner);
        p.setMover(Sides.seatOf(side));
        return _moveFirst(p, side, body[_MOVE_BYTES:]);
    }

    /// @dev Takes the only move of a sequential turn.
    function _moveAlone(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(body, _MOVE_BYTES, Armies.PROOF_BYTES + _MOVE_BYTES);
        uint256 length = body.length - _MOVE_BYTES;
        uint256 move = _moveIn(body[length:]);
        if (move == TurnResolutions.STUCK) {
            _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
            return _stuck(p, side);
        }
        uint256[2] memory moves;
        uint256[2] memory slots;
        (moves[side], slots[side]) = (move, _makeMove(p, side, move));
        TurnResolution memory resolution = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, resolution, side, body[:length]);
        _checkLength(rest, 0, 0);
        if (resolution.mustProve(Sides.otherSide(side))) return _awaitProofs(p, resolution, side, moves);
        bool over;
        (over, winner) = _resolve(duel, p, resolution);
        if (over) return _over(winner);
        p.setMover(Sides.otherSeat(side));
        p.setPhase(_PHASE_MOVE);
        return _goOn(p, Sides.otherSeat(side));
    }

    /// @dev Takes the reply to Stuck: Stuck too, which is a draw, or a legal move, which wins.
    function _reply(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        if (_moveIn(body) == TurnResolutions.STUCK) return _result(duel, p, Seat.None);
        _makeMove(p, side, _moveIn(body));
        return _result(duel, p, Sides.seatOf(side));
    }

    /// @dev Lets the other player reply to Stuck, the declaration of a player without a legal move.
    function _stuck(bytes memory p, uint256 side) private pure returns (Seat turn, Seat winner, bytes32 next) {
        p.setPhase(_PHASE_REPLY);
        return _goOn(p, Sides.otherSeat(side));
    }

    /// @dev Lets the other player prove ranks after the mover has done its part.
    function _awaitProofs(
        bytes memory p,
        TurnResolution memory resolution,
        uint256 side,
        uint256[2] memory moves
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        p.setPending(resolution.proved(p, side), moves);
        p.setPhase(_PHASE_PROVE);
        return _goOn(p, Sides.otherSeat(side));
    }

    /// @dev Returns the step to a position in which nothing is committed; the player in a seat acts next.
    function _goOn(bytes memory p, Seat seat) private pure returns (Seat turn, Seat winner, bytes32 next) {
        return (seat, Seat.None, _withState(p.turn(), keccak256(p)));
    }

    /// @dev Carries out and logs a turn, and starts the next one unless the game is over.
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
    function _result(
        Duel calldata duel,
        bytes memory p,
        Seat victor
    ) private returns (Seat turn, Seat winner, bytes32 next) {
        _log(duel.id, p.turn(), TurnResolutions.resultLog(p.turn(), victor));
        return _over(victor);
    }

    /// @dev Takes the proofs that are due from a side.
    /// @return rest The bytes after the proofs.
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

    function _player(Duel calldata duel, uint256 side) private pure returns (address) {
        return side == 0 ? duel.player1 : duel.player2;
    }

    /// @dev Ends the game; a winner of None is a draw.
    function _over(Seat victor) private pure returns (Seat turn, Seat winner, bytes32 next) {
        return (Seat.None, victor, 0);
    }

    /// @dev Gives the game up; the opponent wins once the opponent has shown its setup. The body has the open
    /// commitment and its answer, if there are any.
    function _concede(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        uint256 due,
        bytes calldata body
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        if (due == _KIND_ANSWER || due == _KIND_REVEAL) {
            uint256 length = due == _KIND_REVEAL ? _WORD + _MOVE_BYTES : _WORD;
            _checkLength(body, length, length);
            _checkRound(duel.id, duel.position, p.turn(), keccak256(p), bytes32(body), body[_WORD:]);
        } else {
            _checkLength(body, 0, 0);
            _checkState(duel.id, duel.position, p.turn(), keccak256(p));
        }
        return _over(Sides.otherSeat(side));
    }

    /// @dev Ends a game: its winner shows its setup first; after a draw both players do, player 1 first.
    /// @param setup secret 32 || ranks n; empty if it is shown later.
    function _conclude(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        Seat victor,
        bytes calldata setup
    ) private pure returns (Seat turn, Seat winner, bytes32 next) {
        if (p.flags() & Positions.CASUAL != 0) {
            if (setup.length != 0) revert SetupNotDue();
            return _over(victor);
        }
        if (p.phase() < _PHASE_WON) {
            p.setPhase(victor == Seat.None ? _PHASE_DRAWN : _PHASE_WON);
            p.clearPending();
        }
        uint256 phase = p.phase();
        Seat due =
            phase == _PHASE_DRAWN
                ? Seat.One
                : phase == _PHASE_DRAWN_2
                    ? Seat.Two
                    : victor;
        if (setup.length == 0) return _goOn(p, due);
        if (due != Sides.seatOf(side)) revert SetupNotDue();
        Armies.checkSetup(p, side, _player(duel, side), setup);
        if (phase == _PHASE_DRAWN) {
            p.setPhase(_PHASE_DRAWN_2);
            return _goOn(p, Seat.Two);
        }
        return _over(victor);
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkContent(content);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULT_MODE;
    }

    /// @dev Returns the root at the start of bytes, which a note may follow.
    function _rootIn(bytes calldata committed) private pure returns (bytes32 root) {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        root = bytes32(committed);
        if (root == 0) revert ZeroRoot();
    }

    /// @dev Returns the length of a setup.
    function _setupBytes(bytes memory p) private pure returns (uint256) {
        return _WORD + p.pawns();
    }
}
