// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import * as Layout from "./MiniGames.sol";

/// @title Decoder of the log of the mini-games
contract MiniGamesLog {
    /// @notice One game.
    struct Played {
        /// Player 1's move, or its roll.
        uint256 value1;
        /// Player 2's move, or its roll.
        uint256 value2;
        /// The coin of kind 3: 0 heads, 1 tails; otherwise 0.
        uint256 flip;
        uint256 kind;
        /// Better player before the rule for ties: 1, 2, or 0 for a tie.
        uint256 result;
        /// Winner after the rule for ties: 1, 2, or 0 for a draw.
        uint256 winner;
    }

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes no game.
    /// @param logEntries Entries of one `Log` event, or of several in a row.
    function decode(uint256[] calldata logEntries) external pure returns (Played[] memory played) {
        played = new Played[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Played memory one = played[i];
            one.value1 = entry.take(Layout._LOG_VALUE_1_AT, 8);
            one.value2 = entry.take(Layout._LOG_VALUE_2_AT, 8);
            one.flip = entry.take(Layout._LOG_FLIP_AT, 8);
            one.kind = entry.take(Layout._LOG_KIND_AT, 8);
            one.result = entry.take(Layout._LOG_RESULT_AT, 2);
            one.winner = entry.take(Layout._LOG_WINNER_AT, 2);
            bool isKind = one.kind <= Layout._UNDERCUT && one.kind != Layout._NO_KIND;
            entry.end(isKind && (one.kind == Layout._COIN || one.flip == 0) && one.result <= 2 && one.winner <= 2);
        }
    }
}
