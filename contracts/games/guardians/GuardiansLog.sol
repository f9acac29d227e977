// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import * as Layout from "./GuardianBattle.sol";

/// @title Decoder of the log of guardians
contract GuardiansLog {
    /// @notice One attack. Rolls that were not made are 0.
    struct Turn {
        /// Number of the attack in the battle, from 1.
        uint256 turn;
        /// Side of the attacker; 0 is player 1.
        uint256 side;
        /// Slot of the attacking card in its team, from 0.
        uint256 attackerSlot;
        /// Slot of the attacked card in its team, from 0.
        uint256 defenderSlot;
        bool wasKill;
        /// 0 neutral, 1 advantage, 2 disadvantage of the attacker's type; set on a dodge too.
        uint256 typeRelation;
        bool wasDodge;
        bool wasCritical;
        uint256 randomDodge;
        uint256 randomCritical;
        uint256 defenderHpStart;
        uint256 defenderHpEnd;
        /// Damage before it is capped at the defender's hp.
        uint256 damageDealt;
    }

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes no attack.
    /// @param logEntries Entries of a `Log` event.
    function decode(uint256[] calldata logEntries) external pure returns (Turn[] memory turns) {
        turns = new Turn[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Turn memory turn = turns[i];
            turn.turn = entry.take(Layout._LOG_TURN_AT, 10);
            turn.side = entry.take(Layout._LOG_SIDE_AT, 1);
            turn.attackerSlot = entry.take(Layout._LOG_ATTACKER_SLOT_AT, 3);
            turn.defenderSlot = entry.take(Layout._LOG_DEFENDER_SLOT_AT, 3);
            turn.wasKill = entry.takeFlag(Layout._LOG_WAS_KILL_AT);
            turn.typeRelation = entry.take(Layout._LOG_TYPE_RELATION_AT, 2);
            turn.wasDodge = entry.takeFlag(Layout._LOG_WAS_DODGE_AT);
            turn.wasCritical = entry.takeFlag(Layout._LOG_WAS_CRITICAL_AT);
            turn.randomDodge = entry.take(Layout._LOG_RANDOM_DODGE_AT, 16);
            turn.randomCritical = entry.take(Layout._LOG_RANDOM_CRITICAL_AT, 16);
            turn.defenderHpStart = entry.take(Layout._LOG_DEFENDER_HP_START_AT, 32);
            turn.defenderHpEnd = entry.take(Layout._LOG_DEFENDER_HP_END_AT, 32);
            turn.damageDealt = entry.take(Layout._LOG_DAMAGE_DEALT_AT, 32);
            bool haveHp = turn.defenderHpStart <= type(uint16).max && turn.defenderHpEnd <= type(uint16).max;
            entry.end(haveHp && turn.typeRelation <= Layout._DISADVANTAGE);
        }
    }
}
