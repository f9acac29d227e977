// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arrays} from "@openzeppelin/contracts/utils/Arrays.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Dice} from "../libraries/Dice.sol";

/// @notice The numbers of a mode that a battle needs.
struct Rules {
    /// Dodge rolls are 0..dodgeMaxRandom.
    uint256 dodgeMaxRandom;
    /// Combo rolls are 0..comboMaxRandom.
    uint256 comboMaxRandom;
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
///     bits 64-79    range
///     bits 80-95    combo
///     bits 96-103   kills
type Combatant is uint256;

using AutoBattle for Combatant global;

/// @title The auto-battler's engine
/// @notice Two teams of five fight on their own, up to 100 rounds: a slot of one side, then the same slot of the other,
/// each hitting a random living enemy. Pure: no storage, no addresses. Side 0 is player 1; a fighter's index is side *
/// 5 + slot.
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
    uint256 private constant _ROUNDS = 100;
    uint256 private constant _TEAM = 5;
    uint256 private constant _BOTH_TEAMS = 10;
    uint256 private constant _WHOLE = 10_000;
    uint256 private constant _SCALE = _WHOLE * _WHOLE;

    uint256 private constant _HP = 0xffff;
    uint256 private constant _KILL = 1 << 96;
    uint256 private constant _DODGE = 1 << 104;
    uint256 private constant _COMBO = 1 << 120;
    uint256 private constant _DEALT = 136;
    uint256 private constant _RECEIVED = 184;

    /// @dev Who lives, 64 bits a side: one bit by slot, then their number, then their slots as nibbles in slot order.
    uint256 private constant _SIDE = 64;
    uint256 private constant _COUNT = 8;
    uint256 private constant _LIST = 16;
    uint256 private constant _ALL_ALIVE = 0x0000_0004_3210_051f_0000_0004_3210_051f;
    uint256 private constant _KILLED = 1 << 16;

    /// @notice Fights to the end. Never a draw.
    /// @param combatants Fresh from `muster`; left with final hp and counters.
    /// @return winner The winning side.
    /// @return words The log.
    function fight(
        bytes32 seed,
        Rules memory rules,
        Combatant[10] memory combatants
    ) internal pure returns (uint256 winner, uint256[] memory words) {
        words = new uint256[](_ROUNDS * _BOTH_TEAMS);
        uint256 count = 0;
        uint256 living = _ALL_ALIVE;
        unchecked {
            uint256 first = Dice.lane(Dice.word(seed, 0), 0, 2);
            for (uint256 turn = 0; turn < _ROUNDS * _BOTH_TEAMS; ++turn) {
                uint256 side = first ^ (turn & 1);
                uint256 slot = (turn % _BOTH_TEAMS) >> 1;
                if ((living >> (side * _SIDE + slot)) & 1 == 0) continue;
                uint256 w = Dice.word(seed, count + 1);
                uint256 enemies = living >> ((side ^ 1) * _SIDE);
                uint256 place = Dice.lane(w, 0, (enemies >> _COUNT) & 7);
                uint256 target = (enemies >> (_LIST + 4 * place)) & 7;
                uint256 word = _attack(w, rules, combatants, side, slot, target);
                words[count++] = word | (turn / _BOTH_TEAMS + 1);
                if (word & _KILLED != 0) {
                    living = _without(living, side ^ 1, place, target);
                    if ((living >> ((side ^ 1) * _SIDE + _COUNT)) & 7 == 0)
                        return (side, Arrays.splice(words, 0, count));
                }
            }
            winner = (living >> (_SIDE + _COUNT)) & 7 > (living >> _COUNT) & 7 ? 1 : 0;
        }
        return (winner, Arrays.splice(words, 0, count));
    }

    /// @notice A fighter at the start of a battle; every stat is at most 65 535.
    function muster(
        uint256 attack,
        uint256 defense,
        uint256 health,
        uint256 speed,
        uint256 range,
        uint256 combo
    ) internal pure returns (Combatant) {
        return
            Combatant.wrap(health | (attack << 16) | (defense << 32) | (speed << 48) | (range << 64) | (combo << 80));
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

    /// @notice The range penalty index: by how many slots, at most 3, the target is out of reach.
    function rangePenalty(uint256 slot, uint256 targetSlot, uint256 range) internal pure returns (uint256) {
        unchecked {
            uint256 distance = slot > targetSlot ? slot - targetSlot : targetSlot - slot;
            // Without a return in between, here and in `_attack`, the compiler inlines both.
            return Math.min(Math.saturatingSub(distance, range), 3);
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

    /// @dev One attack with the dice of `w`: updates both fighters and returns the log word but for its round.
    function _attack(
        uint256 w,
        Rules memory rules,
        Combatant[10] memory combatants,
        uint256 side,
        uint256 slot,
        uint256 targetSlot
    ) private pure returns (uint256 word) {
        unchecked {
            uint256 attacker = _load(combatants, side * _TEAM + slot);
            uint256 target = (side ^ 1) * _TEAM + targetSlot;
            uint256 defender = _load(combatants, target);
            uint256 hpBefore = defender & _HP;
            word = (side << 7) | (slot << 8) | (targetSlot << 11) | (hpBefore << 64);

            uint256 roll = Dice.lane(w, 1, rules.dodgeMaxRandom + 1);
            word |= roll << 32;
            if (isDodge(uint16(attacker >> 48), uint16(defender >> 48), roll)) {
                _store(combatants, target, defender + _DODGE);
                word |= (1 << 14) | (hpBefore << 96);
            } else {
                roll = Dice.lane(w, 2, rules.comboMaxRandom + 1);
                uint256 factor = _WHOLE;
                if (uint16(attacker >> 80) >= roll) {
                    factor = rules.comboFactor;
                    attacker += _COMBO;
                    word |= 1 << 15;
                }
                uint256 penalty = rangePenalty(slot, targetSlot, uint16(attacker >> 64));
                uint256 rangeFactor = uint16(rules.rangeFactors >> (16 * penalty));
                uint256 damage = damageOf(uint16(attacker >> 16), uint16(defender >> 32), rangeFactor, factor);
                word |= (penalty << 17) | (roll << 48) | (damage << 128);
                if (damage < hpBefore) {
                    word |= (hpBefore - damage) << 96;
                    defender -= damage;
                } else {
                    word |= _KILLED;
                    defender -= hpBefore;
                    attacker += _KILL;
                }
                _store(combatants, side * _TEAM + slot, attacker + (damage << _DEALT));
                _store(combatants, target, defender + (damage << _RECEIVED));
            }
        }
    }

    /// @dev Who lives without the fighter of `side` in `slot`, which stands at `place` in the list of slots.
    function _without(uint256 living, uint256 side, uint256 place, uint256 slot) private pure returns (uint256) {
        unchecked {
            uint256 own = uint64(living >> (side * _SIDE));
            uint256 split = _LIST + 4 * place;
            uint256 before = own & ((1 << split) - 1);
            uint256 left = before - (1 << _COUNT) - (1 << slot) + ((own >> (split + 4)) << split);
            return living ^ ((own ^ left) << (side * _SIDE));
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
