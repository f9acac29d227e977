// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Memory} from "@openzeppelin/contracts/utils/Memory.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {DynamicArrayLib} from "solady/src/utils/DynamicArrayLib.sol";
import {Dice} from "../../libraries/Dice.sol";

/// @notice The numbers of a mode that a battle needs.
struct Rules {
    /// Dodge rolls are 0..dodgeRolls - 1.
    uint256 dodgeRolls;
    /// Combo rolls are 0..comboRolls - 1.
    uint256 comboRolls;
    /// Damage factor by range penalty index 0..3, of 10 000, 16 bits each from the lowest; index 0 is 10 000.
    uint256 rangeFactors;
    /// Damage factor of a combo, of 10 000.
    uint256 comboFactor;
}

/// @dev A fighter in battle, one word, so that an attack touches two:
///
///     bits 0-15     hp                  bits 104-119  dodges
///     bits 16-31    attack              bits 120-135  combos
///     bits 32-47    defense             bits 136-183  damage dealt
///     bits 48-63    speed               bits 184-231  damage received
///     bits 64-73    range penalties
///     bits 80-95    combo
///     bits 96-103   kills
type Combatant is uint256;

using AutoBattle for Combatant global;

/// @title The auto-battler's engine
/// @notice Two teams of five fight on their own, up to 100 rounds: a slot of one side, then the same slot of the other,
/// each hitting a random living enemy. Pure: no storage, no addresses. Side 0 is player 1; a fighter's seat is 2 * slot
/// + side.
///
/// Log, one word per attack:
///
///     bits 0-6    round 1..100            bits 17-18    range penalty index (0 on a dodge)
///     bit  7      attacker's side         bits 32-47    dodge roll
///     bits 8-10   attacker's slot         bits 48-63    combo roll (0 on a dodge)
///     bits 11-13  defender's slot         bits 64-95    defender's hp before
///     bit  14     was dodge               bits 96-127   defender's hp after
///     bit  15     was combo               bits 128-191  damage, before capping at the hp (0 on a dodge)
///     bit  16     was kill
library AutoBattle {
    using DynamicArrayLib for uint256[];
    using Memory for Memory.Pointer;

    uint256 private constant _ROUNDS = 100;
    uint256 private constant _SEATS = 10;
    uint256 private constant _BPS = 10_000;
    uint256 private constant _SCALE = _BPS * _BPS;

    uint256 private constant _HP = 0xffff;
    uint256 private constant _KILL = 1 << 96;
    uint256 private constant _DODGE = 1 << 104;
    uint256 private constant _COMBO = 1 << 120;
    uint256 private constant _DEALT = 136;
    uint256 private constant _RECEIVED = 184;

    /// @dev Each side's living enemies, 64 bits a side: their number, then their seats in slot order, a nibble each.
    uint256 private constant _SIDE = 64;
    uint256 private constant _NIBBLE = 4;
    uint256 private constant _ALL_ALIVE = 0x0000_0000_0086_4205_0000_0000_0097_5315;
    uint256 private constant _KILLED = 1 << 16;
    /// @dev Range penalty indices: by how many slots, at most 3, a target is out of reach. 2 bits for each distance
    /// from -4 to 4, from the lowest; 20 bits for each range from 0 to 4.
    uint256 private constant _PENALTIES = 0x00000_10001_24006_3901b_3e46f;
    /// @dev A factor that puts a number where hp before and after an attack stand.
    uint256 private constant _BEFORE_AND_AFTER = (1 << 64) | (1 << 96);

    /// @notice Fights to the end. Never a draw.
    /// @param combatants Fresh from `muster`, by seat; left with final hp and counters.
    /// @return winner The winning side.
    /// @return logEntries The log.
    function fight(
        bytes32 seed,
        Rules memory rules,
        Combatant[10] memory combatants
    ) internal pure returns (uint256 winner, uint256[] memory logEntries) {
        // Room for the longest battle, of which only what is written costs anything; the rest is given back.
        Memory.Pointer start = Memory.getFreeMemoryPointer();
        logEntries = DynamicArrayLib.malloc(_ROUNDS * _SEATS);
        uint256 count = 0;
        uint256 living = _ALL_ALIVE;
        unchecked {
            uint256 first = Dice.lane(Dice.word(seed, 0), 0, 2);
            for (uint256 turn = _SEATS; turn < (_ROUNDS + 1) * _SEATS; ++turn) {
                uint256 seat = (turn % _SEATS) ^ first;
                uint256 attacker = _load(combatants, seat);
                if (attacker & _HP == 0) continue;
                uint256 w = Dice.word(seed, count + 1);
                uint256 enemies = living >> ((seat & 1) * _SIDE);
                uint256 place = _NIBBLE * (1 + Dice.lane(w, 0, enemies & 15));
                uint256 entry =
                    _attack(w, rules, combatants, attacker, seat, (enemies >> place) & 15) | (turn / _SEATS);
                logEntries.set(count++, entry);
                if (entry & _KILLED != 0) {
                    living = _without(living, (seat & 1) * _SIDE, place);
                    if ((living >> ((seat & 1) * _SIDE)) & 15 == 0) break;
                }
            }
            // Side 1 has as many fighters as side 0 has enemies.
            winner = living & 15 > (living >> _SIDE) & 15 ? 1 : 0;
            logEntries = logEntries.truncate(count);
            Memory.unsafeSetFreeMemoryPointer(start.forward(32 * (count + 1)));
        }
    }

    /// @notice A fighter at the start of a battle; every stat is at most 65 535.
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
                    health |
                        (attack << 16) |
                        (defense << 32) |
                        (speed << 48) |
                        ((penalties & 0x3ff) << 64) |
                        (combo << 80)
                );
        }
    }

    /// @notice Whether a roll of `roll` lets the defender dodge.
    function isDodge(uint256 attackerSpeed, uint256 defenderSpeed, uint256 roll) internal pure returns (bool) {
        unchecked {
            return defenderSpeed >= roll * attackerSpeed;
        }
    }

    /// @notice The damage of a hit, floored once, at least 1.
    /// @param rangeFactor Of 10 000.
    /// @param comboFactor Of 10 000; 10 000 without a combo.
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
        return Combatant.unwrap(self) & _HP;
    }

    function kills(Combatant self) internal pure returns (uint256) {
        return uint8(Combatant.unwrap(self) >> 96);
    }

    function dodges(Combatant self) internal pure returns (uint256) {
        return uint16(Combatant.unwrap(self) >> 104);
    }

    function combos(Combatant self) internal pure returns (uint256) {
        return uint16(Combatant.unwrap(self) >> 120);
    }

    function damageDealt(Combatant self) internal pure returns (uint256) {
        return uint48(Combatant.unwrap(self) >> _DEALT);
    }

    function damageReceived(Combatant self) internal pure returns (uint256) {
        return uint48(Combatant.unwrap(self) >> _RECEIVED);
    }

    /// @dev One attack with the dice of `w`: updates both fighters and returns the log entry but for its round.
    function _attack(
        uint256 w,
        Rules memory rules,
        Combatant[10] memory combatants,
        uint256 attacker,
        uint256 seat,
        uint256 target
    ) private pure returns (uint256 entry) {
        unchecked {
            uint256 defender = _load(combatants, target);
            uint256 roll = Dice.lane(w, 1, rules.dodgeRolls);
            entry = (seat << 7) | ((target >> 1) << 11) | (roll << 32) | ((defender & _HP) * _BEFORE_AND_AFTER);
            if (isDodge(uint16(attacker >> 48), uint16(defender >> 48), roll)) {
                _store(combatants, target, defender + _DODGE);
                return entry | (1 << 14);
            }
            roll = Dice.lane(w, 2, rules.comboRolls);
            uint256 factor = _BPS;
            if (uint16(attacker >> 80) >= roll) {
                factor = rules.comboFactor;
                attacker += _COMBO;
                entry |= 1 << 15;
            }
            uint256 penalty = (attacker >> (64 + (target & 14))) & 3;
            uint256 rangeFactor = uint16(rules.rangeFactors >> (16 * penalty));
            uint256 damage = damageOf(uint16(attacker >> 16), uint16(defender >> 32), rangeFactor, factor);
            entry |= (penalty << 17) | (roll << 48) | (damage << 128);
            uint256 lost = defender & _HP;
            if (damage < lost) {
                lost = damage;
            } else {
                attacker += _KILL;
                entry |= _KILLED;
            }
            entry -= lost << 96;
            _store(combatants, seat, attacker + (damage << _DEALT));
            _store(combatants, target, defender - lost + (damage << _RECEIVED));
        }
    }

    /// @dev Who lives without the fighter at `place` in the list that starts at `list`.
    function _without(uint256 living, uint256 list, uint256 place) private pure returns (uint256) {
        unchecked {
            uint256 own = uint64(living >> list);
            uint256 left = (own & ((1 << place) - 1)) - 1 + ((own >> (place + _NIBBLE)) << place);
            return living ^ ((own ^ left) << list);
        }
    }

    /// @dev `index` is 0..9 by construction. Measured: without the bounds checks, here and in `_store`, an attack costs
    /// 185 gas less.
    function _load(Combatant[10] memory combatants, uint256 index) private pure returns (uint256 combatant) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            combatant := mload(add(combatants, shl(5, index)))
        }
    }

    function _store(Combatant[10] memory combatants, uint256 index, uint256 combatant) private pure {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(add(combatants, shl(5, index)), combatant)
        }
    }
}
