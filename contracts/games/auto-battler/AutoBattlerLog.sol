// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Fighters} from "../../tokens/Fighters.sol";
import {_ROUND_BYTES} from "../CommitReveal.sol";
import {LogEntries, LogEntry} from "../LogEntries.sol";
import {Sides} from "../Sides.sol";
import * as Layout from "./AutoBattle.sol";
import {_TEAM_SIZE, _TEAM_BYTES, _fighterId} from "./AutoBattler.sol";

/// @title Decoder of the log of the auto-battler
contract AutoBattlerLog {
    /// @notice One attack. Rolls that were not made are 0.
    struct Turn {
        /// Round of the battle, 1..100.
        uint256 round;
        /// Side of the attacker; 0 is player 1.
        uint256 side;
        /// Slot of the attacking fighter in its team, 0..4.
        uint256 attackerSlot;
        /// Slot of the attacked fighter in its team, 0..4.
        uint256 defenderSlot;
        bool wasDodge;
        bool wasCombo;
        bool wasKill;
        /// Slots by which the target is beyond the attacker's range, at most 3; 0 in range and on a dodge.
        uint256 rangePenalty;
        uint256 randomDodge;
        uint256 randomCombo;
        uint256 defenderHpStart;
        uint256 defenderHpEnd;
        /// Damage before it is capped at the defender's hp.
        uint256 damageDealt;
        /// Token of the attacker.
        uint256 attackerAssetId;
        /// Character that the token shows.
        uint256 attackerCharId;
        /// Token of the defender.
        uint256 defenderAssetId;
        /// Character that the token shows.
        uint256 defenderCharId;
    }

    /// @dev Tokens and characters of both teams, by side and slot.
    struct Teams {
        uint256[_TEAM_SIZE][2] assetIds;
        uint256[_TEAM_SIZE][2] charIds;
    }

    uint256 private constant _WORD = 32;
    /// @dev Start of both teams in the data of a reveal, after the round, its state and the salt.
    uint256 private constant _TEAMS_AT = _ROUND_BYTES + 2 * _WORD;
    uint256 private constant _MIN_REVEAL = _TEAMS_AT + 2 * _TEAM_BYTES + _WORD;

    /// @notice Token contract of the fighters.
    Fighters public immutable fighters;

    /// @notice The bytes are shorter than the data of a reveal.
    error NotAReveal(uint256 length, uint256 min);

    constructor(Fighters fighters_) {
        fighters = fighters_;
    }

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes no attack.
    /// @param logEntries Entries of a `Log` event.
    /// @param data Data of the `Acted` event in the same transaction, which names the tokens; `NotAReveal` if it is too
    /// short, and `UnknownFighter` if it names a fighter that was never minted. Pass empty data for the log of a
    /// preview, which has no tokens; tokens and characters are then 0.
    function decode(uint256[] calldata logEntries, bytes calldata data) external view returns (Turn[] memory turns) {
        Teams memory teams = _teamsIn(data);
        turns = new Turn[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Turn memory turn = turns[i];
            turn.round = entry.take(Layout._LOG_ROUND_AT, 7);
            turn.side = entry.take(Layout._LOG_SIDE_AT, 1);
            turn.attackerSlot = entry.take(Layout._LOG_ATTACKER_SLOT_AT, 3);
            turn.defenderSlot = entry.take(Layout._LOG_DEFENDER_SLOT_AT, 3);
            turn.wasDodge = entry.takeFlag(Layout._LOG_WAS_DODGE_AT);
            turn.wasCombo = entry.takeFlag(Layout._LOG_WAS_COMBO_AT);
            turn.wasKill = entry.takeFlag(Layout._LOG_WAS_KILL_AT);
            turn.rangePenalty = entry.take(Layout._LOG_RANGE_PENALTY_AT, 2);
            turn.randomDodge = entry.take(Layout._LOG_RANDOM_DODGE_AT, 16);
            turn.randomCombo = entry.take(Layout._LOG_RANDOM_COMBO_AT, 16);
            turn.defenderHpStart = entry.take(Layout._LOG_DEFENDER_HP_START_AT, 32);
            turn.defenderHpEnd = entry.take(Layout._LOG_DEFENDER_HP_END_AT, 32);
            turn.damageDealt = entry.take(Layout._LOG_DAMAGE_DEALT_AT, 64);
            bool haveSlots = turn.attackerSlot < _TEAM_SIZE && turn.defenderSlot < _TEAM_SIZE;
            bool haveHp = turn.defenderHpStart <= type(uint16).max && turn.defenderHpEnd <= type(uint16).max;
            entry.end(haveSlots && haveHp && turn.damageDealt <= type(uint48).max);
            _join(turn, teams);
        }
    }

    /// @dev Adds the tokens and characters of a turn.
    function _join(Turn memory turn, Teams memory teams) private pure {
        (uint256 side, uint256 other) = (turn.side, Sides.otherSide(turn.side));
        turn.attackerAssetId = teams.assetIds[side][turn.attackerSlot];
        turn.attackerCharId = teams.charIds[side][turn.attackerSlot];
        turn.defenderAssetId = teams.assetIds[other][turn.defenderSlot];
        turn.defenderCharId = teams.charIds[other][turn.defenderSlot];
    }

    /// @dev Reads the teams of a reveal, player 1's first; all zero if the data is empty.
    function _teamsIn(bytes calldata data) private view returns (Teams memory teams) {
        if (data.length == 0) return teams;
        if (data.length < _MIN_REVEAL) revert NotAReveal(data.length, _MIN_REVEAL);
        for (uint256 side = 0; side < 2; ++side) {
            bytes calldata team = data[_TEAMS_AT + side * _TEAM_BYTES:];
            for (uint256 slot = 0; slot < _TEAM_SIZE; ++slot) {
                uint256 fighterId = _fighterId(team, slot);
                teams.assetIds[side][slot] = fighterId;
                teams.charIds[side][slot] = fighters.traitsOf(fighterId).characterId();
            }
        }
    }
}
