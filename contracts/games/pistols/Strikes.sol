// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Dice} from "../../libraries/Dice.sol";
import {Archetype} from "./Honour.sol";

/// @notice One side of a duel.
struct Side {
    Archetype archetype;
    /// Strength of its archetype's bonuses, of 100.
    uint256 strength;
    /// 0..3; dead at 0.
    uint256 health;
    /// What the duel will add to its record, 0..100.
    uint256 honour;
}

/// @notice When one shoots in round 1; Unordered at once with the other, and outside round 1.
enum ShotOrder {
    Unordered,
    First,
    Second
}

/// @title One shot or stroke of a duel in pistols: its chances, dice and damage
/// @notice All dice are 1..100 and succeed up to their chance. A word of dice has player 1's crit and hit die in lanes
/// 0 and 1, player 2's in lanes 2 and 3. What comes of a shot or stroke is its entry of the log, drawn in `Duelling`,
/// but for the round, the slot and the health afterwards.
library Strikes {
    uint256 internal constant LIGHT = 1;
    uint256 internal constant HEAVY = 2;
    uint256 internal constant FULL_HEALTH = 3;

    uint256 private constant _SHOT = 7;
    uint256 private constant _CRITICAL = 1 << 51;
    uint256 private constant _HIT = 1 << 52;
    uint256 private constant _DAMAGE = 53;

    uint256 private constant _BLADES_CRIT = 20;
    uint256 private constant _BLADES_HIT = 75;
    uint256 private constant _FAVOUR = 10;
    uint256 private constant _RELIEF = 10;

    /// @notice A shot of `side`: 3 points of damage if critical, else 2 if lethal, 1 if it hits.
    /// @param paces 1..10.
    function shot(
        Side[2] memory sides,
        uint256 dice,
        uint256 side,
        uint256 paces,
        ShotOrder order
    ) internal pure returns (uint256 entry) {
        Archetype own = sides[side].archetype;
        bool favoured =
            (order == ShotOrder.First && own == Archetype.Honourable) ||
                (order == ShotOrder.Second && own == Archetype.Villainous);
        bool relieved = order == ShotOrder.First && sides[side ^ 1].archetype == Archetype.Honourable;
        uint256 step = paces - 1;
        uint256 lethal = Math.saturatingSub(80 - (75 * step) / 9, relieved ? _RELIEF : 0);
        entry = _roll(sides, dice, side, 5 + (15 * step) / 9, favoured ? _FAVOUR : 0, 100 - (80 * step) / 9);
        entry |= (side << 4) | (_SHOT << 5) | (paces << 9) | (lethal << 44);
        uint256 points = (entry >> 37) & 127 <= lethal ? 2 : 1;
        return
            entry |
            (
                isCritical(entry)
                    ? 3 << _DAMAGE
                    : entry & _HIT != 0
                        ? points << _DAMAGE
                        : 0
            );
    }

    /// @notice A Light, Heavy or Block of `side`: 1, 2 or 1 points if it hits, one more if critical.
    /// @param whole False if only the crit die is rolled.
    function stroke(
        Side[2] memory sides,
        uint256 dice,
        uint256 side,
        uint256 action,
        bool whole
    ) internal pure returns (uint256 entry) {
        entry = _roll(sides, dice, side, _BLADES_CRIT, 0, whole ? _BLADES_HIT : 0) | (side << 4) | (action << 5);
        uint256 points = action == HEAVY ? 2 : 1;
        return
            entry |
            (
                isCritical(entry)
                    ? (points + 1) << _DAMAGE
                    : entry & _HIT != 0
                        ? points << _DAMAGE
                        : 0
            );
    }

    /// @notice The damage that a word tells, or what its Block can stop.
    function pointsOf(uint256 entry) internal pure returns (uint256) {
        return (entry >> _DAMAGE) & 3;
    }

    function isCritical(uint256 entry) internal pure returns (bool) {
        return entry & _CRITICAL != 0;
    }

    /// @dev Crit chance and die and, unless that succeeds or `hitBase` is 0, hit chance and die.
    function _roll(
        Side[2] memory sides,
        uint256 dice,
        uint256 side,
        uint256 critBase,
        uint256 favour,
        uint256 hitBase
    ) private pure returns (uint256 entry) {
        Side memory own = sides[side];
        bool tricked =
            sides[side ^ 1].archetype == Archetype.Trickster &&
                (own.archetype == Archetype.Villainous || own.archetype == Archetype.Honourable);
        uint256 chance = _chance(critBase, favour + _bonus(own, 0, 6, 12), tricked ? 2 : 0);
        uint256 die = Dice.lane(dice, 2 * side, 100) + 1;
        entry = (chance << 16) | (die << 23);
        if (die <= chance) return entry | _CRITICAL;
        if (hitBase == 0) return entry;
        uint256 injury = FULL_HEALTH - own.health;
        chance = _chance(hitBase, _bonus(own, 20, 10, 0), 10 * injury + (tricked ? 10 : 0));
        die = Dice.lane(dice, 2 * side + 1, 100) + 1;
        return entry | (chance << 30) | (die << 37) | (die <= chance ? _HIT : 0);
    }

    /// @dev What the side's archetype adds at its strength.
    function _bonus(
        Side memory own,
        uint256 villainous,
        uint256 trickster,
        uint256 honourable
    ) private pure returns (uint256) {
        if (own.archetype == Archetype.None) return 0;
        uint256 max =
            own.archetype == Archetype.Villainous
                ? villainous
                : own.archetype == Archetype.Trickster
                    ? trickster
                    : honourable;
        return (max * own.strength) / 100;
    }

    /// @dev No penalty takes a chance below half its base, no bonus above 100.
    function _chance(uint256 base, uint256 bonus, uint256 penalty) private pure returns (uint256) {
        return Math.min(100, Math.max(base / 2, Math.saturatingSub(base + bonus, penalty)));
    }
}
