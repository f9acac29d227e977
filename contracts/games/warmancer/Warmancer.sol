// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Armies} from "./Armies.sol";
import {Boards} from "./Boards.sol";
import {Playouts} from "./Playouts.sol";
import {Game} from "../Game.sol";
import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";
import {Positions} from "./Positions.sol";
import {CommitReveal} from "../CommitReveal.sol";
import {WarmancerTurns} from "./WarmancerTurns.sol";

/// @title Warmancer
/// @notice Two armies of hidden pawns move at the same time: the committer of a turn commits to its move, the other
/// answers in the open, the committer opens. Who loses its Throne, or cannot move, loses. Source: "Warmancer".
///
///     mode      passable 32 | setup tiles of player 1 32 | of player 2 32 | army 12 | budget 2 | flags 1 | turns 2
///     flags     bit 0 casual, 1 always hidden, 2 sequential
///     create    root 32 | note 0..96                                    casual: ranks n
///     join      player 1's root 32 | own root 32 | note 0..96           casual: player 1's ranks n | own ranks n
///     act       kind 1 | position | body; with bit 7 of the kind, the player's setup behind the body
///
///     0 commitment      commitment 32 | note 0..96                  a commitment of zero: Stuck, the player has no legal move
///     1 answer    commitment 32 | move 2
///     2 open      salt 32 | move 2 | answer's move 2 | proofs | next commitment 32 | note
///     3 prove     proofs | next commitment 32 | note          sequential: proofs | what `move` has
///     4 move      proofs | move 2                       casual, going second: move 2 | move of the next turn 2
///     5 concede   nothing; while something is committed: commitment 32, and behind it the answer's move 2 if there is one
///     6 setup     secret 32 | ranks n
///
/// A move is from 1 | to 1, Stuck 0xffff. `Positions` draws the position, `Armies` roots and proofs, `TurnResolutions`
/// the log. Phases of a position say what is due:
///
///     0 Commitment      the mover commitments                      4 Reply   the other than the mover answers to Stuck with a move
///     1 Round     the other answers, the mover opens   5 Won     the player to act has won once its setup is checked
///     2 Prove     the other than the mover proves      6 Drawn   a draw: player 1's setup is checked,
///     3 Move      an open move                         7 Drawn2  then player 2's
///
/// What else the body holds when the game ends is ignored. Until a turn is resolved its position is the one before it,
/// but that the pawns whose moves are open count as moved.
///
/// Warning: proofs and reveals are readable on a public chain, in a mode that always hides pawns too.
contract Warmancer is WarmancerTurns {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    uint256 private constant _MODE_BYTES = 113;
    uint256 private constant _ARMY_AT = 96;
    uint256 private constant _FLAGS_AT = 110;
    uint256 private constant _CAP_AT = 111;
    uint256 private constant _MAX_FLAGS = 7;
    uint256 private constant _MAX_TURNS = 2000;
    uint256 private constant _MIN_SLOTS = 2;
    uint256 private constant _ALWAYS_HIDDEN = 2;

    uint256 private constant _PHASE_COMMIT = 0;
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

    /// @notice A root of zero commits to nothing.
    error ZeroRoot();

    /// @notice The action is not what is due: kinds as drawn above.
    error NotDue(uint256 kind, uint256 due);

    /// @notice A setup rides only on the action that ends the game, and only that of who is to show it first.
    error SetupNotDue();

    constructor(address arena_) CommitReveal(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory step) {
        bytes memory mode = modeOf(duel.mode);
        if (mode.read(_FLAGS_AT, 1) & _CASUAL != 0) {
            if (duel.rated) revert CasualIsUnrated();
            _checkRanks(Positions.start(mode), data);
            _putState(duel.id, 0, keccak256(data));
        } else {
            _putState(duel.id, 0, _rootIn(data));
        }
        return Step(Seat.Two, Seat.None, Seat.None);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory step) {
        bytes memory p = Positions.start(modeOf(duel.mode));
        uint256 count = p.pawns();
        if (p.flags() & _CASUAL != 0) {
            _checkLength(data, 2 * count, 2 * count);
            _checkState(duel.id, 0, keccak256(data[:count]));
            _checkRanks(p, data[count:]);
            for (uint256 i = 0; i < 2 * count; ++i) p.record(i / count, i % count, uint8(data[i]));
        } else {
            _checkLength(data, 2 * _WORD, 2 * _WORD + _MAX_NOTE);
            _checkState(duel.id, 0, bytes32(data));
            p.setRoot(0, bytes32(data));
            p.setRoot(1, _rootIn(data[_WORD:]));
        }
        if (p.flags() & (_CASUAL | _SEQUENTIAL) != 0) p.setPhase(_PHASE_MOVE);
        (Seat turn, ) = _goOn(duel, p, 1);
        step = Step(turn, Seat.None, Seat.None);
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat seat, bytes calldata data) external onlyArena returns (Step memory step) {
        _checkLength(data, 1, _ANY_LENGTH);
        uint256 length = 1 + Positions.lengthIn(data[1:]);
        _checkLength(data, length, _ANY_LENGTH);
        bytes memory p = data[1:length];
        uint256 side = seat == Seat.One ? 0 : 1;
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
        (Seat turn, Seat winner) = _carryOut(duel, p, side, kind, data[length:end]);
        if (turn == Seat.None) (turn, winner) = _conclude(duel, p, side, winner, data[end:]);
        else if (end != data.length) revert SetupNotDue();
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
    /// @return logEntries The log.
    function preview(
        bytes calldata mode,
        bytes calldata ranks1,
        bytes calldata ranks2,
        uint16[] calldata moves
    )
        external
        pure
        returns (bool over, uint256 winner, uint256 played, bytes memory position, uint256[] memory logEntries)
    {
        if (mode.length != 0) _checkMode(mode);
        position = Positions.start(mode.length == 0 ? _CLASSIC : mode);
        _checkRanks(position, ranks1);
        _checkRanks(position, ranks2);
        (winner, played, logEntries) = Playouts.play(position, [bytes(ranks1), ranks2], moves);
        over = winner != TurnResolutions.GOES_ON;
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
        if (kind == _KIND_CONCEDE && due != _KIND_SETUP && p.flags() & _CASUAL == 0)
            return _concede(duel, p, side, due, body);
        if (kind != due) revert NotDue(kind, due);
        if (kind == _KIND_ANSWER) return _answer(duel, p, side, body);
        if (kind == _KIND_REVEAL) return _reveal(duel, p, side, body);
        _checkState(duel.id, p.turn(), keccak256(p));
        if (kind == _KIND_COMMIT) return _commitNext(duel, p, side, body);
        if (kind == _KIND_PROVE) return _prove(duel, p, side, body);
        if (kind == _KIND_MOVE)
            return p.phase() == _PHASE_REPLY ? _reply(duel, p, side, body) : _move(duel, p, side, body);
        return _over(p.phase() == _PHASE_WON ? side + 1 : TurnResolutions.DRAW);
    }

    /// @dev The kind of action that is due, if this is the position.
    function _dueOf(bytes memory p, uint256 side) private pure returns (uint256 kind) {
        uint256 phase = p.phase();
        if (phase == _PHASE_ROUND) return p.mover() == side + 1 ? _KIND_REVEAL : _KIND_ANSWER;
        if (phase >= _PHASE_WON) return _KIND_SETUP;
        if (phase == _PHASE_COMMIT) return _KIND_COMMIT;
        return phase == _PHASE_PROVE ? _KIND_PROVE : _KIND_MOVE;
    }

    /// @dev Gives the game up, but not before the other has shown its setup. Brings the commitment and the answer there
    /// are.
    function _concede(
        Duel calldata duel,
        bytes memory p,
        uint256 side,
        uint256 due,
        bytes calldata body
    ) private view returns (Seat turn, Seat winner) {
        if (due == _KIND_ANSWER || due == _KIND_REVEAL) {
            uint256 length = due == _KIND_REVEAL ? _WORD + _MOVE_BYTES : _WORD;
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

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        uint256 flags = _checkField(content, _FLAGS_AT, 1, 0, _MAX_FLAGS);
        _checkField(content, _CAP_AT, 2, 0, _MAX_TURNS);
        if (flags & _CASUAL != 0 && flags & _ALWAYS_HIDDEN != 0) revert CasualHidesNothing();
        bytes memory mode = content;
        uint256 passable = mode.read(0, 32);
        (uint256 setup1, uint256 setup2) = (mode.read(32, 32), mode.read(64, 32));
        if ((setup1 | setup2) & ~passable != 0) revert SetupOutsideBoard((setup1 | setup2) & ~passable);
        if (setup1 & setup2 != 0) revert SetupsOverlap(setup1 & setup2);
        (uint256 count1, uint256 count2) = (Boards.count(setup1), Boards.count(setup2));
        if (count1 != count2 || count1 < _MIN_SLOTS || count1 > Positions.NOBODY) {
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

    function _checkRanks(bytes memory p, bytes calldata ranks) private pure {
        _checkLength(ranks, p.pawns(), p.pawns());
        Armies.checkRanks(p, ranks);
    }

    function _rootIn(bytes calldata committed) private pure returns (bytes32 root) {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        root = bytes32(committed);
        if (root == 0) revert ZeroRoot();
    }

    function _setupBytes(bytes memory p) private pure returns (uint256) {
        return _WORD + p.pawns();
    }
}
