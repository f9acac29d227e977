// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import * as Layout from "./TicTacToe.sol";

/// @title Decoder of the log of tic-tac-toe
contract TicTacToeLog {
    /// @notice One mark.
    struct Mark {
        /// Cell that is marked, 0..8.
        uint256 cell;
        /// Side that marks it: 0 is X, player 1, and 1 is O, player 2.
        uint256 side;
        /// Cells of X after the mark, as a bitmap.
        uint256 x;
        /// Cells of O after the mark, as a bitmap.
        uint256 o;
        /// Player who has won, 1 or 2; 0 for nobody.
        uint256 winner;
        bool finished;
    }

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes no mark.
    /// @param logEntries Entries of one `Log` event, or of several in a row.
    function decode(uint256[] calldata logEntries) external pure returns (Mark[] memory marks) {
        marks = new Mark[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Mark memory mark = marks[i];
            mark.cell = entry.take(Layout._LOG_CELL_AT, 4);
            mark.side = entry.take(Layout._LOG_SIDE_AT, 1);
            mark.x = entry.take(Layout._LOG_X_AT, Layout._CELLS);
            mark.o = entry.take(Layout._LOG_O_AT, Layout._CELLS);
            mark.winner = entry.take(Layout._LOG_WINNER_AT, 2);
            mark.finished = entry.takeFlag(Layout._LOG_FINISHED_AT);
            entry.end(mark.cell < Layout._CELLS && mark.winner <= 2);
        }
    }
}
