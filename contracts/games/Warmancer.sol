// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../interfaces/IGame.sol";
import {Armies} from "./Armies.sol";
import {Boards} from "./Boards.sol";
import {Campaigns} from "./Campaigns.sol";
import {Game} from "./Game.sol";
import {Manoeuvre, Manoeuvres} from "./Manoeuvres.sol";
import {Positions} from "./Positions.sol";
import {SealedGame} from "./SealedGame.sol";

/// @title Warmancer
/// @notice Two armies of hidden pawns move at the same time: the sealer of a turn seals its move, the other answers in
/// the open, the sealer opens. Who loses its Throne, or cannot move, loses. Source: "Warmancer".
///
///     mode      passable 32 | setup tiles of player 1 32 | of player 2 32 | army 12 | budget 2 | flags 1 | turns 2
///     flags     bit 0 casual, 1 always hidden, 2 sequential
///     create    root 32 | note 0..96                                    casual: ranks n
///     join      player 1's root 32 | own root 32 | note 0..96           casual: player 1's ranks n | own ranks n
///     act       kind 1 | position | body; with bit 7 of the kind, the player's setup behind the body
///
///     0 seal      seal 32 | note 0..96                  a seal of zero: Stuck, the player has no legal move
///     1 answer    seal 32 | move 2
///     2 open      salt 32 | move 2 | answer's move 2 | proofs | next seal 32 | note
///     3 prove     proofs | next seal 32 | note          sequential: proofs | what `move` has
///     4 move      proofs | move 2                       casual, going second: move 2 | move of the next turn 2
///     5 concede   nothing; while something is sealed: seal 32, and behind it the answer's move 2 if there is one
///     6 setup     secret 32 | ranks n
///
/// A move is from 1 | to 1, Stuck 0xffff. `Positions` draws the position, `Armies` roots and proofs, `Manoeuvres` the
/// log. Phases of a position say what is due:
///
///     0 Seal      the mover seals                      4 Reply   the other than the mover answers to Stuck with a move
///     1 Round     the other answers, the mover opens   5 Won     the player to act has won once its setup is checked
///     2 Prove     the other than the mover proves      6 Drawn   a draw: player 1's setup is checked,
///     3 Move      an open move                         7 Drawn2  then player 2's
///
/// What else the body holds when the game ends is ignored. Until a turn is resolved its position is the one before it,
/// but that the pawns whose moves are open count as moved.
///
/// Warning: proofs and openings are readable on a public chain, in a mode that always hides pawns too.
contract Warmancer is SealedGame {
    using Positions for bytes;
    using Manoeuvres for bytes;
    using Manoeuvres for Manoeuvre;

    uint256 private constant _MODE_BYTES = 113;
    uint256 private constant _ARMY_AT = 96;
    uint256 private constant _FLAGS_AT = 110;
    uint256 private constant _CAP_AT = 111;
    uint256 private constant _MOST_FLAGS = 7;
    uint256 private constant _MOST_TURNS = 2000;
    uint256 private constant _LEAST_SLOTS = 2;
    uint256 private constant _MOVE_BYTES = 2;
    uint256 private constant _ANY_LENGTH = type(uint256).max;
    uint256 private constant _CASUAL = 1;
    uint256 private constant _ALWAYS_HIDDEN = 2;
    uint256 private constant _SEQUENTIAL = 4;

    uint256 private constant _PHASE_SEAL = 0;
    uint256 private constant _PHASE_ROUND = 1;
    uint256 private constant _PHASE_PROVE = 2;
    uint256 private constant _PHASE_MOVE = 3;
    uint256 private constant _PHASE_REPLY = 4;
    uint256 private constant _PHASE_WON = 5;
    uint256 private constant _PHASE_DRAWN = 6;
    uint256 private constant _PHASE_DRAWN_2 = 7;

    uint256 private constant _SEAL = 0;
    uint256 private constant _ANSWER = 1;
    uint256 private constant _OPEN = 2;
    uint256 private constant _PROVE = 3;
    uint256 private constant _MOVE = 4;
    uint256 private constant _CONCEDE = 5;
    uint256 private constant _SETUP = 6;
    uint256 private constant _WITH_SETUP = 0x80;

    /// @dev 10 x 10 less two lakes, four rows of 10 a side, 40 pawns, 500 turns.
    bytes private constant _CLASSIC =
        hex"00000000000000000000000003ff03ff03ff03ff0333033303ff03ff03ff03ff"
        hex"00000000000000000000000000000000000000000000000003ff03ff03ff03ff"
        hex"00000000000000000000000003ff03ff03ff03ff000000000000000000000000"
        hex"01010805040404030201010600000001f4";

    /// @notice Ranks that are open from the start cannot be hidden for ever.
    error CasualHidesNothing();

    /// @notice Pawns set up where none can stand.
    error SetupOutsideBoard(uint256 tiles);

    /// @notice Both sides set up there.
    error SetupsOverlap(uint256 tiles);

    /// @notice Sides set up equally many pawns, 2 to 64.
    error UnequalSetups(uint256 count1, uint256 count2);

    /// @notice Not every tile can be reached from every other.
    error Disconnected(uint256 reached, uint256 passable);

    /// @notice Nothing is checked after a casual game, so it counts for nothing.
    error CasualIsUnrated();

    /// @notice A root of zero seals nothing.
    error ZeroRoot();

    /// @notice The action is not what is due: kinds as drawn above.
    error NotDue(uint256 kind, uint256 due);

    /// @notice A setup rides only on the action that ends the game, and only that of who is to show it first.
    error SetupNotDue();

    constructor(address arena_) SealedGame(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata opening) external onlyArena returns (Step memory step) {
        bytes memory mode = modeOf(duel.mode);
        if (mode.read(_FLAGS_AT, 1) & _CASUAL != 0) {
            if (duel.rated) revert CasualIsUnrated();
            _checkRanks(Positions.start(mode), opening);
            _putState(duel.id, 0, keccak256(opening));
        } else {
            _putState(duel.id, 0, _rootIn(opening));
        }
        return Step(Seat.Two, Seat.None, Seat.None);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata answer) external onlyArena returns (Step memory step) {
        bytes memory p = Positions.start(modeOf(duel.mode));
        uint256 count = p.pawns();
        if (p.flags() & _CASUAL != 0) {
            _checkLength(answer, 2 * count, 2 * count);
            _checkState(duel.id, 0, keccak256(answer[:count]));
            _checkRanks(p, answer[count:]);
            for (uint256 i = 0; i < 2 * count; ++i) p.record(i / count, i % count, uint8(answer[i]));
        } else {
            _checkLength(answer, 2 * _WORD, 2 * _WORD + _MAX_NOTE);
            _checkState(duel.id, 0, bytes32(answer));
            p.setRoot(0, bytes32(answer));
            p.setRoot(1, _rootIn(answer[_WORD:]));
        }
        if (p.flags() & (_CASUAL | _SEQUENTIAL) != 0) p.setPhase(_PHASE_MOVE);
        (Seat turn, ) = _goOn(duel, p, 1);
        step = Step(turn, Seat.None, Seat.None);
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat seat, bytes calldata action) external onlyArena returns (Step memory step) {
        _checkLength(action, 1, _ANY_LENGTH);
        uint256 length = 1 + Positions.lengthIn(action[1:]);
        _checkLength(action, length, _ANY_LENGTH);
        bytes memory p = action[1:length];
        uint256 side = seat == Seat.One ? 0 : 1;
        uint256 kind = uint8(action[0]);
        uint256 end = action.length;
        if (kind >= _WITH_SETUP) {
            kind -= _WITH_SETUP;
            if (kind == _SETUP) revert SetupNotDue();
            _checkLength(action, length + _setupBytes(p), _ANY_LENGTH);
            end -= _setupBytes(p);
        } else if (kind == _SETUP) {
            _checkLength(action, length + _setupBytes(p), length + _setupBytes(p));
            end = length;
        }
        (Seat turn, Seat winner) = _carryOut(duel, p, side, kind, action[length:end]);
        if (turn == Seat.None) (turn, winner) = _conclude(duel, p, side, winner, action[end:]);
        else if (end != action.length) revert SetupNotDue();
        step = Step(turn, winner, winner);
    }

    /// @notice Plays moves without a match. They are judged by the true ranks, the end of a game by the shown ones.
    /// @param mode A mode's content; empty for the default.
    /// @param ranks1 Player 1's setup, a byte each by slot.
    /// @param ranks2 Player 2's.
    /// @param moves from << 8 | to, or 0xffff for Stuck; both players' for each turn, player 1's first; in a sequential
    /// mode the mover's for each turn, and the reply to Stuck.
    /// @return over Whether the game is over.
    /// @return winner 1 or 2; 0 for a draw.
    /// @return played How many turns were.
    /// @return position The position after them.
    /// @return words The log.
    function preview(
        bytes calldata mode,
        bytes calldata ranks1,
        bytes calldata ranks2,
        uint16[] calldata moves
    ) external pure returns (bool over, uint256 winner, uint256 played, bytes memory position, uint256[] memory words) {
        if (mode.length != 0) _checkMode(mode);
        position = Positions.start(mode.length == 0 ? _CLASSIC : mode);
        _checkRanks(position, ranks1);
        _checkRanks(position, ranks2);
        (winner, played, words) = Campaigns.play(position, [bytes(ranks1), ranks2], moves);
        over = winner != Manoeuvres.GOES_ON;
        if (!over) winner = 0;
    }

    /// @dev Carries out what is due, or Concede. A step that leaves the turn to nobody ends the game.
    function _carryOut(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        uint256 kind,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        uint256 due = _dueOf(p, side);
        if (kind == _CONCEDE && due != _SETUP && p.flags() & _CASUAL == 0) return _concede(duel, p, side, due, body);
        if (kind != due) revert NotDue(kind, due);
        if (kind == _ANSWER) return _answer(duel, p, side, body);
        if (kind == _OPEN) return _open(duel, p, side, body);
        _checkState(duel.id, p.turn(), keccak256(p));
        if (kind == _SEAL) return _sealNext(duel, p, side, body);
        if (kind == _PROVE) return _prove(duel, p, side, body);
        if (kind == _MOVE) return p.phase() == _PHASE_REPLY ? _reply(duel, p, side, body) : _move(duel, p, side, body);
        return _over(p.phase() == _PHASE_WON ? side + 1 : Manoeuvres.DRAW);
    }

    /// @dev The kind of action that is due, if this is the position.
    function _dueOf(bytes memory p, uint256 side) private pure returns (uint256 kind) {
        uint256 phase = p.phase();
        if (phase == _PHASE_ROUND) return p.mover() == side + 1 ? _OPEN : _ANSWER;
        if (phase >= _PHASE_WON) return _SETUP;
        if (phase == _PHASE_SEAL) return _SEAL;
        return phase == _PHASE_PROVE ? _PROVE : _MOVE;
    }

    /// @dev Seals the turn that has begun, or says Stuck.
    function _sealNext(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata sealed_
    ) private returns (Seat turn, Seat winner) {
        _checkLength(sealed_, _WORD, _WORD + _MAX_NOTE);
        if (bytes32(sealed_) == 0) return _stuck(duel, p, side);
        p.setPhase(_PHASE_ROUND);
        _putSeal(duel.id, p.turn(), keccak256(p), sealed_);
        return (_other(side), Seat.None);
    }

    function _answer(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _WORD + _MOVE_BYTES, _WORD + _MOVE_BYTES);
        bytes calldata move = body[_WORD:];
        // Moves are judged on positions of the match only: on another the search for a pawn might have no end.
        _putAnswer(duel.id, p.turn(), keccak256(p), bytes32(body), move);
        if (_moveIn(move) != Manoeuvres.STUCK) p.check(side, _moveIn(move), "");
        return (_other(side), Seat.None);
    }

    function _open(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        uint256 head = _WORD + 2 * _MOVE_BYTES;
        _checkLength(body, head, _ANY_LENGTH);
        (bytes calldata own, bytes calldata answer) = (body[_WORD:_WORD + _MOVE_BYTES], body[_WORD + _MOVE_BYTES:head]);
        _checkOpening(duel.id, p.turn(), keccak256(p), _player(duel, side), own, bytes32(body), answer);
        uint256[2] memory moves;
        uint256[2] memory slots;
        moves[side] = _moveIn(own);
        slots[side] = _makeMove(p, side, moves[side]);
        if (_moveIn(answer) == Manoeuvres.STUCK) return _result(duel, p, side + 1);
        moves[1 - side] = _moveIn(answer);
        slots[1 - side] = p.slotAt(1 - side, moves[1 - side] >> 8);
        p.markMoved(1 - side, slots[1 - side], Manoeuvres.isFar(moves[1 - side]));
        Manoeuvre memory m = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, m, side, body[head:]);
        if (m.isHidden(1 - side)) {
            _checkLength(rest, 0, 0);
            return _awaitProofs(duel, p, m, side, moves);
        }
        uint256 result = _resolve(duel, p, m);
        return result == Manoeuvres.GOES_ON ? _sealNext(duel, p, side, rest) : _over(result);
    }

    /// @dev What the other than the mover proves ends the turn; it makes the next.
    function _prove(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
        (uint256 proved, uint256[2] memory moves) = p.pending();
        Manoeuvre memory m = p.plan(moves, p.slotsOf(moves));
        m.recall(1 - side, proved);
        bytes calldata rest = _takeProofs(duel, p, m, side, body);
        uint256 result = _resolve(duel, p, m);
        if (result != Manoeuvres.GOES_ON) return _over(result);
        p.setMover(side + 1);
        return p.flags() & _SEQUENTIAL == 0 ? _sealNext(duel, p, side, rest) : _move(duel, p, side, rest);
    }

    function _move(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        bytes calldata body
    ) private returns (Seat turn, Seat winner) {
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
        if (move == Manoeuvres.STUCK) return _stuck(duel, p, side);
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
        if (_moveIn(body) == Manoeuvres.STUCK) return _result(duel, p, p.mover());
        p.check(side, _moveIn(body), "");
        (, uint256[2] memory moves) = p.pending();
        moves[side] = _moveIn(body);
        uint256 result = _resolve(duel, p, p.plan(moves, p.slotsOf(moves)));
        if (result != Manoeuvres.GOES_ON) return _over(result);
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
        if (move == Manoeuvres.STUCK) {
            _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
            return _stuck(duel, p, side);
        }
        uint256[2] memory moves;
        uint256[2] memory slots;
        (moves[side], slots[side]) = (move, _makeMove(p, side, move));
        Manoeuvre memory m = p.plan(moves, slots);
        bytes calldata rest = _takeProofs(duel, p, m, side, body[:length]);
        _checkLength(rest, 0, 0);
        if (m.isHidden(1 - side)) return _awaitProofs(duel, p, m, side, moves);
        uint256 result = _resolve(duel, p, m);
        if (result != Manoeuvres.GOES_ON) return _over(result);
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
    ) private returns (Seat turn, Seat winner) {
        _checkLength(body, _MOVE_BYTES, _MOVE_BYTES);
        if (_moveIn(body) == Manoeuvres.STUCK) return _result(duel, p, Manoeuvres.DRAW);
        _makeMove(p, side, _moveIn(body));
        return _result(duel, p, side + 1);
    }

    /// @dev Gives the game up, but not before the other has shown its setup. Brings the seal and the answer there are.
    function _concede(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        uint256 due,
        bytes calldata body
    ) private view returns (Seat turn, Seat winner) {
        if (due == _ANSWER || due == _OPEN) {
            uint256 length = due == _OPEN ? _WORD + _MOVE_BYTES : _WORD;
            _checkLength(body, length, length);
            _checkRound(duel.id, p.turn(), keccak256(p), bytes32(body), body[_WORD:]);
        } else {
            _checkLength(body, 0, 0);
            _checkState(duel.id, p.turn(), keccak256(p));
        }
        return _over(2 - side);
    }

    /// @dev The end of a game: whoever won by it shows its setup first; after a draw both do, player 1 first.
    /// @param setup secret 32 | ranks n; empty: not now.
    function _conclude(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        Seat victor,
        bytes calldata setup
    ) private returns (Seat turn, Seat winner) {
        if (p.flags() & _CASUAL != 0) {
            if (setup.length != 0) revert SetupNotDue();
            _end(duel.id);
            return (Seat.None, victor);
        }
        if (p.phase() < _PHASE_WON) {
            p.setPhase(victor == Seat.None ? _PHASE_DRAWN : _PHASE_WON);
            p.setPending(0, [uint256(0), 0]);
        }
        uint256 phase = p.phase();
        uint256 due =
            phase == _PHASE_DRAWN
                ? 1
                : phase == _PHASE_DRAWN_2
                    ? 2
                    : uint256(victor);
        if (setup.length == 0) return _goOn(duel, p, due);
        if (due != side + 1) revert SetupNotDue();
        Armies.checkSetup(p, side, _player(duel, side), setup);
        if (phase == _PHASE_DRAWN) {
            p.setPhase(_PHASE_DRAWN_2);
            return _goOn(duel, p, 2);
        }
        _end(duel.id);
        return (Seat.None, victor);
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
        Manoeuvre memory m,
        uint256 side,
        uint256[2] memory moves
    ) private returns (Seat turn, Seat winner) {
        p.setPending(m.proved(p, side), moves);
        p.setPhase(_PHASE_PROVE);
        return _goOn(duel, p, 2 - side);
    }

    /// @dev Keeps a position in which nothing is sealed.
    function _goOn(Duel calldata duel, bytes memory p, uint256 seat) private returns (Seat turn, Seat winner) {
        _putState(duel.id, p.turn(), keccak256(p));
        return (Seat(seat), Seat.None);
    }

    /// @dev Carries out and logs a turn; if the game goes on, the next one begins.
    function _resolve(Duel calldata duel, bytes memory p, Manoeuvre memory m) private returns (uint256 winner) {
        uint256[] memory words;
        (winner, words) = m.resolve(p);
        emit Log(duel.id, p.turn(), words);
        if (winner != Manoeuvres.GOES_ON) return winner;
        p.setTurn(p.turn() + 1);
        p.setPending(0, [uint256(0), 0]);
    }

    /// @dev Logs a turn that ends the game without a move.
    function _result(Duel calldata duel, bytes memory p, uint256 result) private returns (Seat turn, Seat winner) {
        emit Log(duel.id, p.turn(), Manoeuvres.resultOf(p.turn(), result));
        return _over(result);
    }

    /// @dev Takes the proofs of a side's hidden pawns in a battle.
    /// @return rest What is behind them.
    function _takeProofs(
        Duel calldata duel,
        bytes memory p,
        Manoeuvre memory m,
        uint256 side,
        bytes calldata body
    ) private pure returns (bytes calldata rest) {
        rest = body;
        (uint256 first, uint256 second) = m.hidden(side);
        uint256 known = Positions.UNKNOWN;
        for (uint256 slot = first; slot != Positions.NOBODY; slot = second) {
            _checkLength(rest, Armies.PROOF_BYTES, _ANY_LENGTH);
            uint256 rank = Armies.checkProof(p, side, _player(duel, side), slot, rest[:Armies.PROOF_BYTES]);
            uint256 count = p.recordedOf(side, rank) + (rank == known ? 2 : 1);
            if (count > Armies.mostOf(p, rank)) revert Armies.TooManyOfRank(rank, count, Armies.mostOf(p, rank));
            m.learn(side, slot, rank);
            rest = rest[Armies.PROOF_BYTES:];
            if (slot == second) break;
            known = rank;
        }
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        uint256 flags = _checkField(content, _FLAGS_AT, 1, 0, _MOST_FLAGS);
        _checkField(content, _CAP_AT, 2, 0, _MOST_TURNS);
        if (flags & _CASUAL != 0 && flags & _ALWAYS_HIDDEN != 0) revert CasualHidesNothing();
        bytes memory mode = content;
        uint256 passable = mode.read(0, 32);
        (uint256 setup1, uint256 setup2) = (mode.read(32, 32), mode.read(64, 32));
        if ((setup1 | setup2) & ~passable != 0) revert SetupOutsideBoard((setup1 | setup2) & ~passable);
        if (setup1 & setup2 != 0) revert SetupsOverlap(setup1 & setup2);
        (uint256 count1, uint256 count2) = (Boards.count(setup1), Boards.count(setup2));
        if (count1 != count2 || count1 < _LEAST_SLOTS || count1 > Positions.NOBODY) {
            revert UnequalSetups(count1, count2);
        }
        Armies.checkMode(Positions.start(mode));
        uint256 reached = Boards.region(passable);
        if (reached != passable) revert Disconnected(reached, passable);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _CLASSIC;
    }

    /// @dev A move that is shown: it must be legal, and counts from now on.
    function _makeMove(bytes memory p, uint256 side, uint256 move) private pure returns (uint256 slot) {
        slot = p.check(side, move, "");
        p.markMoved(side, slot, Manoeuvres.isFar(move));
    }

    function _checkRanks(bytes memory p, bytes calldata ranks) private pure {
        _checkLength(ranks, p.pawns(), p.pawns());
        Armies.checkRanks(p, ranks);
    }

    function _rootIn(bytes calldata sealed_) private pure returns (bytes32 root) {
        _checkLength(sealed_, _WORD, _WORD + _MAX_NOTE);
        root = bytes32(sealed_);
        if (root == 0) revert ZeroRoot();
    }

    function _setupBytes(bytes memory p) private pure returns (uint256) {
        return _WORD + p.pawns();
    }

    function _moveIn(bytes calldata data) private pure returns (uint256) {
        return uint16(bytes2(data));
    }

    function _player(Duel calldata duel, uint256 side) private pure returns (address) {
        return side == 0 ? duel.player1 : duel.player2;
    }

    function _other(uint256 side) private pure returns (Seat) {
        return side == 0 ? Seat.Two : Seat.One;
    }

    function _over(uint256 result) private pure returns (Seat turn, Seat winner) {
        return (Seat.None, Seat(result));
    }
}
