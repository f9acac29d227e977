// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Memory} from "@openzeppelin/contracts/utils/Memory.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {DynamicArrayLib} from "solady/src/utils/DynamicArrayLib.sol";
import {BPS} from "../../libraries/BasisPoints.sol";
import {Dice} from "../../libraries/Dice.sol";

// Bits at which the fields of a log entry start, from the lowest.
uint256 constant _LOG_ROUND_AT = 0;
// The attacker's slot follows its side, so that both are logged at once as its place.
uint256 constant _LOG_SIDE_AT = 7;
uint256 constant _LOG_ATTACKER_SLOT_AT = 8;
uint256 constant _LOG_DEFENDER_SLOT_AT = 11;
uint256 constant _LOG_WAS_DODGE_AT = 14;
uint256 constant _LOG_WAS_COMBO_AT = 15;
uint256 constant _LOG_WAS_KILL_AT = 16;
uint256 constant _LOG_RANGE_PENALTY_AT = 17;
uint256 constant _LOG_RANDOM_DODGE_AT = 32;
uint256 constant _LOG_RANDOM_COMBO_AT = 48;
uint256 constant _LOG_DEFENDER_HP_START_AT = 64;
uint256 constant _LOG_DEFENDER_HP_END_AT = 96;
uint256 constant _LOG_DAMAGE_DEALT_AT = 128;

/// @notice Numbers of a mode that a battle needs; factors are in basis points.
struct Rules {
    /// Dodge rolls are 0..dodgeRolls - 1.
    uint256 dodgeRolls;
    /// Combo rolls are 0..comboRolls - 1.
    uint256 comboRolls;
    /// Damage factors by range penalty 0..3, 16 bits each from the lowest; that of penalty 0 is 10 000.
    uint256 rangeFactors;
    /// Damage factor of a combo.
    uint256 comboFactor;
}

/// @dev A fighter in battle, packed into one word so that an attack touches two words. The range penalties have two
/// bits for each slot of a target, from the lowest.
///
///     bits 0-15   hp         bits 64-73    rangePenalties   bits 120-135  combos
///     bits 16-31  attack     bits 80-95    combo            bits 136-183  damageDealt
///     bits 32-47  defense    bits 96-103   kills            bits 184-231  damageReceived
///     bits 48-63  speed      bits 104-119  dodges
type Combatant is uint256;

using AutoBattle for Combatant global;

/// @title Engine of the auto-battler
/// @notice Two teams of five fight on their own, up to 100 rounds: a slot of one side, then the same slot of the other,
/// each hitting a random living enemy. Pure: no storage, no addresses. Side 0 is player 1's; the place of a fighter is
/// 2 * slot + side.
///
/// The log has an entry for each attack:
///
///     bits 0-6    round 1..100                bits 17-18    rangePenalty (0 on a dodge)
///     bit  7      side of the attacker        bits 32-47    randomDodge, the dodge roll
///     bits 8-10   attackerSlot                bits 48-63    randomCombo, the combo roll (0 on a dodge)
///     bits 11-13  defenderSlot                bits 64-95    defenderHpStart, before the attack
///     bit  14     wasDodge                    bits 96-127   defenderHpEnd, after the attack
///     bit  15     wasCombo                    bits 128-191  damageDealt, before capping at the hp (0 on a dodge)
///     bit  16     wasKill
library AutoBattle {
    using DynamicArrayLib for uint256[];
    using Memory for Memory.Pointer;

    uint256 private constant _ROUNDS = 100;
    uint256 private constant _PLACES = 10;
    uint256 private constant _SCALE = BPS * BPS;

    uint256 private constant _COMBATANT_HP_AT = 0;
    uint256 private constant _COMBATANT_ATTACK_AT = 16;
    uint256 private constant _COMBATANT_DEFENSE_AT = 32;
    uint256 private constant _COMBATANT_SPEED_AT = 48;
    uint256 private constant _COMBATANT_RANGE_PENALTIES_AT = 64;
    uint256 private constant _COMBATANT_COMBO_AT = 80;
    uint256 private constant _COMBATANT_KILLS_AT = 96;
    uint256 private constant _COMBATANT_DODGES_AT = 104;
    uint256 private constant _COMBATANT_COMBOS_AT = 120;
    uint256 private constant _COMBATANT_DAMAGE_DEALT_AT = 136;
    uint256 private constant _COMBATANT_DAMAGE_RECEIVED_AT = 184;
    uint256 private constant _HP_MASK = 0xffff << _COMBATANT_HP_AT;

    uint256 private constant _WAS_KILL = 1 << _LOG_WAS_KILL_AT;
    /// @dev Factor that copies a number to both places where hp is logged, before and after an attack.
    uint256 private constant _HP_START_AND_END = (1 << _LOG_DEFENDER_HP_START_AT) | (1 << _LOG_DEFENDER_HP_END_AT);

    /// @dev Living enemies by side, 64 bits each: their number, then their places in slot order, a nibble each.
    uint256 private constant _SIDE_BITS = 64;
    uint256 private constant _NIBBLE = 4;
    uint256 private constant _ALL_ALIVE = 0x0000_0000_0086_4205_0000_0000_0097_5315;
    /// @dev Range penalties: the number of slots, at most 3, by which a target is out of reach. Each range from 0 to 4
    /// has 20 bits, with 2 bits for each distance from -4 to 4, from the lowest.
    uint256 private constant _PENALTIES = 0x00000_10001_24006_3901b_3e46f;

    /// @notice Fights to the end, which is never a draw.
    /// @param seed Seed of the dice.
    /// @param rules Numbers of the mode.
    /// @param combatants Fresh from `muster`, by place; updated with final hp and counters.
    /// @return winner Side that has won.
    /// @return logEntries Log, an entry per attack.
    function fight(
        bytes32 seed,
        Rules memory rules,
        Combatant[10] memory combatants
    ) internal pure returns (uint256 winner, uint256[] memory logEntries) {
        // Reserves room for the longest battle; only written memory costs gas, and the rest is freed.
        Memory.Pointer start = Memory.getFreeMemoryPointer();
        logEntries = DynamicArrayLib.malloc(_ROUNDS * _PLACES);
        uint256 count = 0;
        uint256 living = _ALL_ALIVE;
        unchecked {
            uint256 first = Dice.lane(Dice.word(seed, 0), 0, 2);
            for (uint256 turn = _PLACES; turn < (_ROUNDS + 1) * _PLACES; ++turn) {
                uint256 place = (turn % _PLACES) ^ first;
                uint256 attacker = _load(combatants, place);
                if (attacker & _HP_MASK == 0) continue;
                uint256 dice = Dice.word(seed, count + 1);
                uint256 list = (place & 1) * _SIDE_BITS;
                uint256 enemies = living >> list;
                uint256 nibble = _NIBBLE * (1 + Dice.lane(dice, 0, enemies & 15));
                uint256 entry =
                    _attack(dice, rules, combatants, attacker, place, (enemies >> nibble) & 15) |
                        ((turn / _PLACES) << _LOG_ROUND_AT);
                logEntries.set(count++, entry);
                if (entry & _WAS_KILL != 0) {
                    living = _without(living, list, nibble);
                    if ((living >> list) & 15 == 0) break;
                }
            }
            // The enemies of side 0 are the fighters of side 1, and the reverse.
            winner = living & 15 > (living >> _SIDE_BITS) & 15 ? 1 : 0;
            logEntries = logEntries.truncate(count);
            Memory.unsafeSetFreeMemoryPointer(start.forward(32 * (count + 1)));
        }
    }

    /// @notice Packs a fighter as it is at the start of a battle; every stat is at most 65 535.
    function muster(
        uint256 attack,
        uint256 defense,
        uint256 health,
        uint256 speed,
        uint256 range,
        uint256 combo,
        uint256 slot
    ) internal pure returns (Combatant) {
        unchecked {
            uint256 penalties = _PENALTIES >> (20 * Math.min(range, 4) + 2 * (4 - slot));
            return
                Combatant.wrap(
                    (health << _COMBATANT_HP_AT) |
                        (attack << _COMBATANT_ATTACK_AT) |
                        (defense << _COMBATANT_DEFENSE_AT) |
                        (speed << _COMBATANT_SPEED_AT) |
                        ((penalties & 0x3ff) << _COMBATANT_RANGE_PENALTIES_AT) |
                        (combo << _COMBATANT_COMBO_AT)
                );
        }
    }

    /// @notice Returns whether a defender dodges, given the dodge roll.
    function isDodge(uint256 attackerSpeed, uint256 defenderSpeed, uint256 roll) internal pure returns (bool) {
        unchecked {
            return defenderSpeed >= roll * attackerSpeed;
        }
    }

    /// @notice Returns the damage of a hit, at least 1. It is rounded down once.
    /// @param rangeFactor Damage factor of the range penalty, in basis points.
    /// @param comboFactor Damage factor of the combo, in basis points; 10 000 without a combo.
    function damageOf(
        uint256 attack,
        uint256 defense,
        uint256 rangeFactor,
        uint256 comboFactor
    ) internal pure returns (uint256) {
        unchecked {
            uint256 damage = attack * rangeFactor * comboFactor;
            damage = attack > defense ? (damage * attack) / (defense * _SCALE) : damage / _SCALE;
            return damage + SafeCast.toUint(damage == 0);
        }
    }

    function hp(Combatant self) internal pure returns (uint256) {
        return Combatant.unwrap(self) & _HP_MASK;
    }

    function kills(Combatant self) internal pure returns (uint256) {
        return uint8(Combatant.unwrap(self) >> _COMBATANT_KILLS_AT);
    }

    function dodges(Combatant self) internal pure returns (uint256) {
        return uint16(Combatant.unwrap(self) >> _COMBATANT_DODGES_AT);
    }

    function combos(Combatant self) internal pure returns (uint256) {
        return uint16(Combatant.unwrap(self) >> _COMBATANT_COMBOS_AT);
    }

    function damageDealt(Combatant self) internal pure returns (uint256) {
        return uint48(Combatant.unwrap(self) >> _COMBATANT_DAMAGE_DEALT_AT);
    }

    function damageReceived(Combatant self) internal pure returns (uint256) {
        return uint48(Combatant.unwrap(self) >> _COMBATANT_DAMAGE_RECEIVED_AT);
    }

    /// @dev Carries out one attack: updates both fighters and returns the log entry without its round.
    function _attack(
        uint256 dice,
        Rules memory rules,
        Combatant[10] memory combatants,
        uint256 attacker,
        uint256 place,
        uint256 target
    ) private pure returns (uint256 entry) {
        unchecked {
            uint256 defender = _load(combatants, target);
            uint256 roll = Dice.lane(dice, 1, rules.dodgeRolls);
            entry =
                (place << _LOG_SIDE_AT) |
                ((target >> 1) << _LOG_DEFENDER_SLOT_AT) |
                (roll << _LOG_RANDOM_DODGE_AT) |
                ((defender & _HP_MASK) * _HP_START_AND_END);
            if (isDodge(uint16(attacker >> _COMBATANT_SPEED_AT), uint16(defender >> _COMBATANT_SPEED_AT), roll)) {
                _store(combatants, target, defender + (1 << _COMBATANT_DODGES_AT));
                return entry | (1 << _LOG_WAS_DODGE_AT);
            }
            roll = Dice.lane(dice, 2, rules.comboRolls);
            uint256 factor = BPS;
            if (uint16(attacker >> _COMBATANT_COMBO_AT) >= roll) {
                factor = rules.comboFactor;
                attacker += 1 << _COMBATANT_COMBOS_AT;
                entry |= 1 << _LOG_WAS_COMBO_AT;
            }
            uint256 penalty = (attacker >> (_COMBATANT_RANGE_PENALTIES_AT + (target & 14))) & 3;
            uint256 damage = damageOf(
                uint16(attacker >> _COMBATANT_ATTACK_AT),
                uint16(defender >> _COMBATANT_DEFENSE_AT),
                uint16(rules.rangeFactors >> (16 * penalty)),
                factor
            );
            entry |=
                (penalty << _LOG_RANGE_PENALTY_AT) |
                (roll << _LOG_RANDOM_COMBO_AT) |
                (damage << _LOG_DAMAGE_DEALT_AT);
            uint256 lost = defender & _HP_MASK;
            if (damage < lost) {
                lost = damage;
            } else {
                attacker += 1 << _COMBATANT_KILLS_AT;
                entry |= _WAS_KILL;
            }
            entry -= lost << _LOG_DEFENDER_HP_END_AT;
            _store(combatants, place, attacker + (damage << _COMBATANT_DAMAGE_DEALT_AT));
            _store(combatants, target, defender - lost + (damage << _COMBATANT_DAMAGE_RECEIVED_AT));
        }
    }

    /// @dev Removes the fighter whose place is at bit `nibble` from the list of the living that starts at bit `list`.
    function _without(uint256 living, uint256 list, uint256 nibble) private pure returns (uint256) {
        unchecked {
            uint256 own = uint64(living >> list);
            uint256 left = (own & ((1 << nibble) - 1)) - 1 + ((own >> (nibble + _NIBBLE)) << nibble);
            return living ^ ((own ^ left) << list);
        }
    }

    /// @dev Reads the fighter of a place, which is 0..9 by construction. Measured: without the bounds checks, here and
    /// in `_store`, an attack costs 185 gas less.
    function _load(Combatant[10] memory combatants, uint256 place) private pure returns (uint256 combatant) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            combatant := mload(add(combatants, shl(5, place)))
        }
    }

    /// @dev Writes the fighter of a place.
    function _store(Combatant[10] memory combatants, uint256 place, uint256 combatant) private pure {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(add(combatants, shl(5, place)), combatant)
        }
    }
}
