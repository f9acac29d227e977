// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arrays} from "@openzeppelin/contracts/utils/Arrays.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Dice} from "../../libraries/Dice.sol";
import {CARD_HP_AT, Card} from "../../tokens/GuardianCards.sol";

// Relation of an attacker's type to the defender's type, if it is not neutral.
uint256 constant _ADVANTAGE = 1;
uint256 constant _DISADVANTAGE = 2;

// Bits at which the fields of a log entry start, from the lowest.
uint256 constant _LOG_TURN_AT = 0;
uint256 constant _LOG_SIDE_AT = 10;
uint256 constant _LOG_ATTACKER_SLOT_AT = 11;
uint256 constant _LOG_DEFENDER_SLOT_AT = 14;
uint256 constant _LOG_WAS_KILL_AT = 17;
uint256 constant _LOG_TYPE_RELATION_AT = 18;
uint256 constant _LOG_WAS_DODGE_AT = 20;
uint256 constant _LOG_WAS_CRITICAL_AT = 21;
uint256 constant _LOG_RANDOM_DODGE_AT = 32;
uint256 constant _LOG_RANDOM_CRITICAL_AT = 48;
uint256 constant _LOG_DEFENDER_HP_START_AT = 64;
uint256 constant _LOG_DEFENDER_HP_END_AT = 96;
uint256 constant _LOG_DAMAGE_DEALT_AT = 128;

/// @notice Numbers of a mode.
struct Mode {
    /// Cards per side, 1..5.
    uint256 teamSize;
    /// Attacks after which the hp decide, 1..500.
    uint256 maxTurns;
    /// Highest chance of any card to dodge, of 1000.
    uint256 dodgeCap;
}

/// @title Engine of guardians
/// @notice Two teams of up to five cards fight on their own: the fastest card first, each attacking the card opposite,
/// until a side has no living card or the turns are over. Pure: no storage, no addresses. Side 0 is player 1's; the
/// place of a card is side * 5 + slot. In battle, the word of a card holds its remaining hp.
///
/// The log has an entry for each attack, which is one turn:
///
///     bits 0-9    turn 1..500                   bit  21       wasCritical
///     bit  10     side of the attacker          bits 32-47    randomDodge, the dodge roll
///     bits 11-13  attackerSlot                  bits 48-63    randomCritical, the critical roll (0 on a dodge)
///     bits 14-16  defenderSlot                  bits 64-95    defenderHpStart, before the attack
///     bit  17     wasKill                       bits 96-127   defenderHpEnd, after the attack
///     bits 18-19  typeRelation: 0 neutral,      bits 128-159  damageDealt, before capping at the hp (0 on a dodge)
///                 1 advantage, 2 disadvantage
///     bit  20     wasDodge
library GuardianBattle {
    uint256 private constant _SLOTS = 5;
    uint256 private constant _TEAM_BITS = (1 << _SLOTS) - 1;
    uint256 private constant _ROLLS = 1000;
    uint256 private constant _TIE_BITS = 24;

    uint256 private constant _WAS_KILL = 1 << _LOG_WAS_KILL_AT;

    /// @notice Sorts the places of all cards in the order in which they act: by speed, then tie-break, then place.
    /// @param seed Seed of the dice.
    /// @param teamSize Cards per side.
    /// @param cards Cards by place.
    /// @return places Places of the cards in that order, a nibble each from the lowest.
    function order(bytes32 seed, uint256 teamSize, Card[10] memory cards) internal pure returns (uint256 places) {
        unchecked {
            uint256[] memory keys = new uint256[](2 * teamSize);
            uint256 ties = Dice.word(seed, 0);
            for (uint256 i = 0; i < keys.length; ++i) {
                uint256 place = i < teamSize ? i : _SLOTS + i - teamSize;
                uint256 tie = (ties >> (_TIE_BITS * place)) & 0xffffff;
                // Sorts ascending: speed and tie-break are subtracted from their maximum, so the highest is first.
                keys[i] = ((0xffff - cards[place].speed()) << 28) | ((0xffffff - tie) << 4) | place;
            }
            Arrays.sort(keys);
            for (uint256 i = 0; i < keys.length; ++i) places |= (keys[i] & 0xf) << (4 * i);
        }
    }

    /// @notice Fights to the end.
    /// @param seed Seed of the dice.
    /// @param mode Numbers of the mode.
    /// @param queue Places in the order in which the cards act, from `order`.
    /// @param cards Cards by place; updated with their remaining hp.
    /// @return winner Seat that has won; None is a draw.
    /// @return logEntries Log, an entry per attack.
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
            uint256 living = (team << _SLOTS) | team; // a bit per place
            uint256 last = 4 * (2 * mode.teamSize - 1);
            while (turn < mode.maxTurns) {
                // A card that acts goes to the end of the queue; a dead card leaves the queue when its turn comes.
                uint256 place = queue & 0xf;
                queue >>= 4;
                if ((living >> place) & 1 == 0) {
                    last -= 4;
                    continue;
                }
                queue |= place << last;
                uint256 target = _targetOf(living, place);
                uint256 entry = _attack(Dice.word(seed, ++turn), mode.dodgeCap, cards, place, target);
                logEntries[turn - 1] = entry | (turn << _LOG_TURN_AT);
                if (entry & _WAS_KILL == 0) continue;
                living ^= 1 << target;
                if (living >> _SLOTS == 0 || living & _TEAM_BITS == 0) break;
            }
        }
        return (_leader(cards), Arrays.splice(logEntries, 0, turn));
    }

    /// @notice Decides one attack, given its rolls.
    /// @param attacker Card that attacks.
    /// @param defender Card that is attacked.
    /// @param dodgeCap Highest chance of any card to dodge, of 1000.
    /// @param dodgeRoll 0..999
    /// @param criticalRoll 0..999; unused on a dodge.
    /// @return entry Log entry without turn, side and slots.
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
            entry =
                (relation << _LOG_TYPE_RELATION_AT) |
                (dodgeRoll << _LOG_RANDOM_DODGE_AT) |
                (hp << _LOG_DEFENDER_HP_START_AT);
            if (dodgeRoll < Math.min(defender.luck(), dodgeCap)) {
                return entry | (1 << _LOG_WAS_DODGE_AT) | (hp << _LOG_DEFENDER_HP_END_AT);
            }
            bool isCritical = criticalRoll < attacker.critical();
            uint256 damage = damageOf(attacker.power(), defender.defense(), isCritical, relation);
            entry |= (criticalRoll << _LOG_RANDOM_CRITICAL_AT) | (damage << _LOG_DAMAGE_DEALT_AT);
            if (isCritical) entry |= 1 << _LOG_WAS_CRITICAL_AT;
            return damage < hp ? entry | ((hp - damage) << _LOG_DEFENDER_HP_END_AT) : entry | _WAS_KILL;
        }
    }

    /// @notice Returns the damage of a hit, at least 1. It is rounded down after the base and once more at the end.
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

    /// @notice Compares the types of attacker and defender: each type beats the next in the wheel of eight.
    /// @return Relation: 0 neutral, 1 advantage, 2 disadvantage.
    function relationOf(uint256 attackerType, uint256 defenderType) internal pure returns (uint256) {
        unchecked {
            uint256 ahead = (defenderType - attackerType) & 7;
            if (ahead == 1) return _ADVANTAGE;
            return ahead == 7 ? _DISADVANTAGE : 0;
        }
    }

    /// @dev Finds the place of the enemy opposite `place`. If that card is dead, finds the next living one in a higher
    /// slot, continuing from slot 0 after the last slot. At least one enemy must be alive.
    function _targetOf(uint256 living, uint256 place) private pure returns (uint256) {
        unchecked {
            bool isSecond = place >= _SLOTS;
            uint256 enemies = isSecond ? living & _TEAM_BITS : living >> _SLOTS;
            uint256 target = isSecond ? place - _SLOTS : place;
            // Slots beyond a small team are empty like those of dead cards, so they are skipped too.
            while ((enemies >> target) & 1 == 0) target = target == _SLOTS - 1 ? 0 : target + 1;
            return isSecond ? target : _SLOTS + target;
        }
    }

    /// @dev Carries out an attack of the card at `place` on the card at `target`: subtracts the damage and returns the
    /// log entry without its turn.
    function _attack(
        uint256 dice,
        uint256 dodgeCap,
        Card[10] memory cards,
        uint256 place,
        uint256 target
    ) private pure returns (uint256 entry) {
        unchecked {
            Card defender = cards[target];
            entry = strike(cards[place], defender, dodgeCap, Dice.lane(dice, 0, _ROLLS), Dice.lane(dice, 1, _ROLLS));
            uint256 lost = defender.hp() - uint32(entry >> _LOG_DEFENDER_HP_END_AT);
            cards[target] = Card.wrap(Card.unwrap(defender) - (lost << CARD_HP_AT));
            entry |=
                place < _SLOTS
                    ? (place << _LOG_ATTACKER_SLOT_AT) | ((target - _SLOTS) << _LOG_DEFENDER_SLOT_AT)
                    : (1 << _LOG_SIDE_AT) |
                        ((place - _SLOTS) << _LOG_ATTACKER_SLOT_AT) |
                        (target << _LOG_DEFENDER_SLOT_AT);
        }
    }

    /// @dev Returns the seat with more hp in total; a side without a living card has 0.
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
