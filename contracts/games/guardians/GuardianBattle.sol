// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arrays} from "@openzeppelin/contracts/utils/Arrays.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Dice} from "../../libraries/Dice.sol";
import {Card} from "../../tokens/GuardianCards.sol";

/// @notice The numbers of a mode.
struct Mode {
    /// Cards a side, 1..5.
    uint256 teamSize;
    /// Attacks until the hp are counted, 1..500.
    uint256 maxTurns;
    /// No card dodges more often than this, of 1000.
    uint256 dodgeCap;
}

/// @title The engine of guardians
/// @notice Two teams of up to five cards fight on their own: the fastest card first, each attacking whoever stands
/// opposite, until a side has nobody left or the turns are over. Pure: no storage, no addresses. Side 0 is player 1; a
/// card's place is side * 5 + slot. In battle a card's word carries what is left of its hp.
///
/// Log, one word per attack, which is one turn:
///
///     bits 0-9    turn 1..500               bits 20       was dodge
///     bit  10     attacker's side           bits 21       was critical
///     bits 11-13  attacker's slot           bits 32-47    dodge roll
///     bits 14-16  defender's slot           bits 48-63    critical roll (0 on a dodge)
///     bit  17     was kill                  bits 64-95    defender's hp before
///     bits 18-19  0 neutral, 1 advantage,   bits 96-127   defender's hp after
///                 2 disadvantage            bits 128-159  damage, before capping at the hp (0 on a dodge)
library GuardianBattle {
    uint256 private constant _SLOTS = 5;
    uint256 private constant _TEAM = (1 << _SLOTS) - 1;
    uint256 private constant _ROLLS = 1000;
    uint256 private constant _TIE_BITS = 24;
    uint256 private constant _HP = 32;

    uint256 private constant _ADVANTAGE = 1;
    uint256 private constant _DISADVANTAGE = 2;

    uint256 private constant _KILL = 1 << 17;
    uint256 private constant _DODGE = 1 << 20;
    uint256 private constant _CRITICAL = 1 << 21;

    /// @notice The places of all cards in the order in which they act: by speed, then by tie-break, then by place.
    /// @return places A nibble each, the first the lowest.
    function order(bytes32 seed, uint256 teamSize, Card[10] memory cards) internal pure returns (uint256 places) {
        unchecked {
            uint256[] memory keys = new uint256[](2 * teamSize);
            uint256 ties = Dice.word(seed, 0);
            for (uint256 i = 0; i < keys.length; ++i) {
                uint256 place = i < teamSize ? i : _SLOTS + i - teamSize;
                uint256 tie = (ties >> (_TIE_BITS * place)) & 0xffffff;
                // Sorting puts the smallest first: what counts as higher is turned round.
                keys[i] = ((0xffff - cards[place].speed()) << 28) | ((0xffffff - tie) << 4) | place;
            }
            Arrays.sort(keys);
            for (uint256 i = 0; i < keys.length; ++i) places |= (keys[i] & 0xf) << (4 * i);
        }
    }

    /// @notice Fights to the end.
    /// @param queue From `order`.
    /// @param cards By place; left with what is left of their hp.
    /// @return winner None is a draw.
    /// @return logEntries The log.
    function fight(
        bytes32 seed,
        Mode memory mode,
        uint256 queue,
        Card[10] memory cards
    ) internal pure returns (Seat winner, uint256[] memory logEntries) {
        logEntries = new uint256[](mode.maxTurns);
        uint256 turn = 0;
        unchecked {
            uint256 team = (1 << mode.teamSize) - 1;
            uint256 living = (team << _SLOTS) | team; // a bit by place
            uint256 last = 4 * (2 * mode.teamSize - 1);
            while (turn < mode.maxTurns) {
                // Who acts goes to the end of the queue; the dead leave it when their turn comes.
                uint256 place = queue & 0xf;
                queue >>= 4;
                if ((living >> place) & 1 == 0) {
                    last -= 4;
                    continue;
                }
                queue |= place << last;
                uint256 target = _targetOf(living, place);
                uint256 entry = _attack(Dice.word(seed, ++turn), mode.dodgeCap, cards, place, target);
                logEntries[turn - 1] = entry | turn;
                if (entry & _KILL == 0) continue;
                living ^= 1 << target;
                if (living >> _SLOTS == 0 || living & _TEAM == 0) break;
            }
        }
        return (_leader(cards), Arrays.splice(logEntries, 0, turn));
    }

    /// @notice One attack, given its rolls.
    /// @param dodgeRoll 0..999
    /// @param criticalRoll 0..999; not looked at on a dodge.
    /// @return entry The log's word but for turn, side and slots.
    function strike(
        Card attacker,
        Card defender,
        uint256 dodgeCap,
        uint256 dodgeRoll,
        uint256 criticalRoll
    ) internal pure returns (uint256 entry) {
        unchecked {
            uint256 hp = defender.hp();
            uint256 relation = relationOf(attacker.cardType(), defender.cardType());
            entry = (relation << 18) | (dodgeRoll << 32) | (hp << 64);
            if (dodgeRoll < Math.min(defender.luck(), dodgeCap)) return entry | _DODGE | (hp << 96);
            bool isCritical = criticalRoll < attacker.critical();
            uint256 damage = damageOf(attacker.power(), defender.defense(), isCritical, relation);
            entry |= (criticalRoll << 48) | (damage << 128);
            if (isCritical) entry |= _CRITICAL;
            return damage < hp ? entry | ((hp - damage) << 96) : entry | _KILL;
        }
    }

    /// @notice The damage of a hit, at least 1; floored when the base is known and once more at the end.
    function damageOf(
        uint256 power,
        uint256 defense,
        bool isCritical,
        uint256 relation
    ) internal pure returns (uint256 damage) {
        unchecked {
            damage = Math.max(1, Math.saturatingSub(power, defense / 2));
            if (isCritical) damage *= 2;
            if (relation == _ADVANTAGE) return (damage * 115) / 100;
            if (relation == _DISADVANTAGE) return Math.max(1, (damage * 85) / 100);
        }
    }

    /// @notice What an attacker's type is to a defender's: each beats the next in the wheel of eight.
    /// @return 0 neutral, 1 advantage, 2 disadvantage.
    function relationOf(uint256 attackerType, uint256 defenderType) internal pure returns (uint256) {
        unchecked {
            uint256 ahead = (defenderType - attackerType) & 7;
            if (ahead == 1) return _ADVANTAGE;
            return ahead == 7 ? _DISADVANTAGE : 0;
        }
    }

    /// @dev The place of the enemy opposite `place` or, if that is dead, of the next upwards, wrapping. Somebody lives.
    function _targetOf(uint256 living, uint256 place) private pure returns (uint256) {
        unchecked {
            bool isSecond = place >= _SLOTS;
            uint256 enemies = isSecond ? living & _TEAM : living >> _SLOTS;
            uint256 target = isSecond ? place - _SLOTS : place;
            // Slots beyond a small team are as empty as the dead's, so that wrapping after the fifth is the same.
            while ((enemies >> target) & 1 == 0) target = target == _SLOTS - 1 ? 0 : target + 1;
            return isSecond ? target : _SLOTS + target;
        }
    }

    /// @dev The card of `place` attacks that of `target` with the dice of `w`: takes the damage off it and returns the
    /// log's word but for its turn.
    function _attack(
        uint256 w,
        uint256 dodgeCap,
        Card[10] memory cards,
        uint256 place,
        uint256 target
    ) private pure returns (uint256 entry) {
        unchecked {
            Card defender = cards[target];
            entry = strike(cards[place], defender, dodgeCap, Dice.lane(w, 0, _ROLLS), Dice.lane(w, 1, _ROLLS));
            uint256 lost = defender.hp() - uint32(entry >> 96);
            cards[target] = Card.wrap(Card.unwrap(defender) - (lost << _HP));
            entry |=
                place < _SLOTS
                    ? (place << 11) | ((target - _SLOTS) << 14)
                    : (1 << 10) | ((place - _SLOTS) << 11) | (target << 14);
        }
    }

    /// @dev The side with more hp in total; a side without a living card has none.
    function _leader(Card[10] memory cards) private pure returns (Seat) {
        unchecked {
            (uint256 hp1, uint256 hp2) = (0, 0);
            for (uint256 slot = 0; slot < _SLOTS; ++slot) {
                hp1 += cards[slot].hp();
                hp2 += cards[_SLOTS + slot].hp();
            }
            if (hp1 == hp2) return Seat.None;
            return hp1 > hp2 ? Seat.One : Seat.Two;
        }
    }
}
