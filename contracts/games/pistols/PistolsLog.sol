// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import * as Layout from "./DuelLog.sol";

/// @title Decoder of the log of pistols
contract PistolsLog {
    /// @notice A blow, or the result of the duel. Fields that only the other kind of entry has are 0.
    struct Entry {
        /// Round of a blow, 1 or 2; 3 for the result.
        uint256 round;
        /// 0 in round 1; 1 or 2 in the slots of round 2; 3 for an attack on or by a duelist who runs.
        uint256 slot;
        /// Side that shoots or strikes; 0 is player 1.
        uint256 side;
        /// 1 Light, 2 Heavy, 3 Block, 7 a shot.
        uint256 action;
        /// Paces of a shot; otherwise 0.
        uint256 paces;
        uint256 critChance;
        uint256 critDie;
        uint256 hitChance;
        uint256 hitDie;
        /// Lethal chance of a shot; otherwise 0.
        uint256 lethalChance;
        bool critical;
        bool hit;
        /// Damage before any Block, 3 for an execution; for a Block, the points that it can stop.
        uint256 points;
        /// Health of player 1 afterwards.
        uint256 health1;
        /// Health of player 2 afterwards.
        uint256 health2;
        /// Winner of the duel, 1, 2, or 0 for a draw.
        uint256 winner;
        /// Taker of the pot, 1, 2, or 0 if each player gets its own stake back.
        uint256 taker;
        /// Duel honour of player 1, 0..100.
        uint256 honour1;
        /// Duel honour of player 2, 0..100.
        uint256 honour2;
    }

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes neither a blow nor a result.
    /// @param logEntries Entries of one `Log` event, or of several in a row.
    function decode(uint256[] calldata logEntries) external pure returns (Entry[] memory entries) {
        entries = new Entry[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            // Blows and results have the round at the same bits.
            entries[i].round = entry.take(Layout._BLOW_ROUND_AT, 2);
            if (entries[i].round == Layout._RESULT) _readResult(entry, entries[i]);
            else _readBlow(entry, entries[i]);
        }
    }

    function _readBlow(LogEntry memory entry, Entry memory blow) private pure {
        blow.slot = entry.take(Layout._BLOW_SLOT_AT, 2);
        blow.side = entry.take(Layout._BLOW_SIDE_AT, 1);
        blow.action = entry.take(Layout._BLOW_ACTION_AT, 4);
        blow.paces = entry.take(Layout._BLOW_PACES_AT, 4);
        blow.critChance = entry.take(Layout._BLOW_CRIT_CHANCE_AT, 7);
        blow.critDie = entry.take(Layout._BLOW_CRIT_DIE_AT, 7);
        blow.hitChance = entry.take(Layout._BLOW_HIT_CHANCE_AT, 7);
        blow.hitDie = entry.take(Layout._BLOW_HIT_DIE_AT, 7);
        blow.lethalChance = entry.take(Layout._BLOW_LETHAL_CHANCE_AT, 7);
        blow.critical = entry.takeFlag(Layout._BLOW_CRITICAL_AT);
        blow.hit = entry.takeFlag(Layout._BLOW_HIT_AT);
        blow.points = entry.take(Layout._BLOW_POINTS_AT, 2);
        blow.health1 = entry.take(Layout._BLOW_HEALTH_1_AT, 2);
        blow.health2 = entry.take(Layout._BLOW_HEALTH_2_AT, 2);
        entry.end(true);
    }

    function _readResult(LogEntry memory entry, Entry memory result) private pure {
        result.winner = entry.take(Layout._RESULT_WINNER_AT, 2);
        result.taker = entry.take(Layout._RESULT_TAKER_AT, 2);
        result.honour1 = entry.take(Layout._RESULT_HONOUR_1_AT, 7);
        result.honour2 = entry.take(Layout._RESULT_HONOUR_2_AT, 7);
        entry.end(result.winner <= 2 && result.taker <= 2);
    }
}
