// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibBit} from "solady/src/utils/LibBit.sol";
import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Game, GameIsOver} from "../Game.sol";
import {Ties} from "../Ties.sol";

uint256 constant _CELLS = 9;

// Bits at which the fields of a log entry start, from the lowest.
uint256 constant _LOG_CELL_AT = 0;
uint256 constant _LOG_SIDE_AT = 4;
// Cells of X, followed by those of O: the position as it is stored.
uint256 constant _LOG_X_AT = 8;
uint256 constant _LOG_O_AT = 17;
uint256 constant _LOG_WINNER_AT = 26;
uint256 constant _LOG_FINISHED_AT = 28;

/// @title Tic-tac-toe
/// @notice Three in a row on a board of nine cells, numbered row by row from 0. Player 1 is X and places the first mark
/// at `create`, player 2 places the second at `join`; then each action places one mark, in turns. Three in a row win at
/// once; a full board is a draw or, in mode 0x00, a win for player 1. Source: Arena platform, "Tic-Tac-Toe".
///
///     mode    ties 1: 0 player 1 wins them, 1 they are draws (default)
///     create  cell 1
///     join    X's cell 1 || O's cell 1
///     act     number of the mark 1 (3..9) || cell 1
///
/// The first byte of an answer ties it to X's first mark, and the first byte of an action ties it to its turn. A
/// position, as it is stored and logged, has the cells of both sides as bitmaps:
///
///     bits 0-8   x
///     bits 9-17  o
///
/// The log has an entry for each mark, in a separate event, whose round is the number of the mark:
///
///     bits 0-3   cell                         bits 17-25  o, after the mark
///     bit  4     side: 0 is X                 bits 26-27  winner: 1, 2, or 0 for nobody
///     bits 8-16  x, after the mark            bit  28     finished
///
/// Warning: if player 1 wins ties, it cannot lose with good play.
contract TicTacToe is Game {
    uint256 private constant _ALL = 0x1ff;
    bytes private constant _DEFAULT_MODE = hex"01";

    uint256 private constant _MODE_TIES_AT = 0;
    uint256 private constant _POSITION_X_AT = 0;
    uint256 private constant _POSITION_O_AT = 9;
    uint256 private constant _POSITION_MASK = 0x3ffff;

    /// @notice There is no such cell on the board.
    error UnknownCell(uint256 cell);

    /// @notice The cell has a mark already.
    error OccupiedCell(uint256 cell, uint256 position);

    /// @notice The action is for another turn: for the mark `number`, while the mark `next` is due.
    error NotTheNextMark(uint256 matchId, uint256 number, uint256 next);

    /// @notice The answer is for another first mark than the one on the board.
    error NotTheFirstCell(uint256 matchId, uint256 cell, uint256 position);

    constructor(address arena_) Game(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory) {
        _requireMode(duel.mode);
        _checkLength(data, 1, 1);
        return _mark(duel, 1, uint8(data[0]));
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory) {
        _checkLength(data, 2, 2);
        uint256 position = uint256(duel.position);
        uint256 first = uint8(data[0]);
        if (position != 1 << first) revert NotTheFirstCell(duel.id, first, position);
        return _mark(duel, 2, uint8(data[1]));
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory) {
        _checkLength(data, 2, 2);
        uint256 next = LibBit.popCount(uint256(duel.position)) + 1;
        uint256 number = uint8(data[0]);
        if (number != next) revert NotTheNextMark(duel.id, number, next);
        return _mark(duel, number, uint8(data[1]));
    }

    /// @notice Plays marks without a match.
    /// @param mode Content of a mode; empty for the default.
    /// @param cells Cells that are marked, from X's first on.
    /// @return logEntries Log, an entry per mark.
    function preview(
        bytes calldata mode,
        uint256[] calldata cells
    ) external pure returns (uint256[] memory logEntries) {
        bytes memory content = _previewMode(mode);
        logEntries = new uint256[](cells.length);
        uint256 position = 0;
        for (uint256 i = 0; i < cells.length; ++i) {
            if (i != 0 && _isFinished(logEntries[i - 1])) revert GameIsOver(i);
            logEntries[i] = _place(position, i + 1, cells[i]);
            position = _positionIn(logEntries[i]);
            if (_isTie(logEntries[i])) logEntries[i] |= _winnerOfTies(content);
        }
    }

    /// @dev Places the mark with this number, and returns whose turn is next or how the game has ended.
    function _mark(Duel calldata duel, uint256 number, uint256 cell) private returns (Step memory step) {
        uint256[] memory logEntries = new uint256[](1);
        logEntries[0] = _place(uint256(duel.position), number, cell);
        // Only the result of a tie depends on the mode.
        if (_isTie(logEntries[0])) logEntries[0] |= _winnerOfTies(modeOf(duel.mode));
        _log(duel.id, number, logEntries);
        if (_isFinished(logEntries[0])) {
            step.winner = Seat((logEntries[0] >> _LOG_WINNER_AT) & 3);
            step.taker = step.winner;
        } else {
            step.turn = number % 2 == 1 ? Seat.Two : Seat.One;
            step.position = bytes32(_positionIn(logEntries[0]));
        }
    }

    /// @dev Returns the log entry of a mark, before a tie is judged. The side follows from the number of the mark.
    function _place(uint256 position, uint256 number, uint256 cell) private pure returns (uint256 entry) {
        if (cell >= _CELLS) revert UnknownCell(cell);
        if (((position | (position >> _POSITION_O_AT)) >> cell) & 1 == 1) revert OccupiedCell(cell, position);
        unchecked {
            uint256 side = (number - 1) % 2;
            uint256 start = side * _POSITION_O_AT;
            position |= 1 << (start + cell);
            entry = (cell << _LOG_CELL_AT) | (side << _LOG_SIDE_AT) | (position << _LOG_X_AT);
            if (_hasRow((position >> start) & _ALL)) {
                return entry | ((side + 1) << _LOG_WINNER_AT) | (1 << _LOG_FINISHED_AT);
            }
            if (number == _CELLS) entry |= 1 << _LOG_FINISHED_AT;
        }
    }

    /// @dev Returns whether the cells of a side hold a row, a column or a diagonal.
    function _hasRow(uint256 cells) private pure returns (bool) {
        return
            (cells & 0x007 == 0x007 || cells & 0x038 == 0x038 || cells & 0x1c0 == 0x1c0) ||
            (cells & 0x049 == 0x049 || cells & 0x092 == 0x092 || cells & 0x124 == 0x124) ||
            (cells & 0x111 == 0x111 || cells & 0x054 == 0x054);
    }

    /// @dev Returns whether the game is finished and nobody has won it so far.
    function _isTie(uint256 entry) private pure returns (bool) {
        return entry >> _LOG_WINNER_AT == 1 << (_LOG_FINISHED_AT - _LOG_WINNER_AT);
    }

    /// @dev Returns what a tie adds to the log entry: player 1 as the winner, or nothing.
    function _winnerOfTies(bytes memory mode) private pure returns (uint256) {
        return uint8(mode[_MODE_TIES_AT]) == Ties.TO_PLAYER_1 ? 1 << _LOG_WINNER_AT : 0;
    }

    function _positionIn(uint256 entry) private pure returns (uint256) {
        return (entry >> _LOG_X_AT) & _POSITION_MASK;
    }

    function _isFinished(uint256 entry) private pure returns (bool) {
        return entry >> _LOG_FINISHED_AT == 1;
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, 1, 1);
        Ties.check(uint8(content[_MODE_TIES_AT]));
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULT_MODE;
    }
}
