// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Dice} from "../../libraries/Dice.sol";
import {Sides} from "../Sides.sol";
import {Blow, DuelLog} from "./DuelLog.sol";
import {Archetype} from "./Honour.sol";

/// @notice One side of a duel.
struct Side {
    /// An `Archetype` as its number: the compiler would check an enum at every read.
    uint256 archetype;
    /// Strength of its archetype's bonuses, 0..100.
    uint256 strength;
    /// 0..3; dead at 0.
    uint256 health;
    /// Duel honour that the duel will add to its record, 0..100.
    uint256 honour;
}

/// @notice Place of a shot in the order of round 1; Unordered if both shoot at once, and in round 2.
enum ShotOrder {
    Unordered,
    First,
    Second
}

/// @title Shots and strokes of a duel in pistols: chances, dice and points
/// @notice All dice are 1..100; a die succeeds if it is at most the chance. A word of dice has player 1's crit die and
/// hit die in lanes 0 and 1, player 2's in lanes 2 and 3.
library Strikes {
    uint256 internal constant FULL_HEALTH = 3;

    uint256 private constant _EXECUTION = 3;
    uint256 private constant _BLADES_CRIT = 20;
    uint256 private constant _BLADES_HIT = 75;
    uint256 private constant _FAVOUR = 10;
    uint256 private constant _RELIEF = 10;

    /// @notice Rolls a shot of `side`: 3 points of damage if critical, 2 if it hits lethally, 1 if it just hits.
    /// @param paces 1..10.
    function shot(
        Side[2] memory sides,
        uint256 dice,
        uint256 slot,
        uint256 side,
        uint256 paces,
        ShotOrder order
    ) internal pure returns (Blow memory blow) {
        uint256 own = sides[side].archetype;
        bool favoured =
            (order == ShotOrder.First && own == uint256(Archetype.Honourable)) ||
                (order == ShotOrder.Second && own == uint256(Archetype.Villainous));
        bool relieved =
            order == ShotOrder.First && sides[Sides.otherSide(side)].archetype == uint256(Archetype.Honourable);
        (blow.slot, blow.side, blow.action, blow.paces) = (slot, side, DuelLog.SHOT, paces);
        // No number here is above 1,000.
        unchecked {
            uint256 step = paces - 1;
            blow.lethalChance = Math.saturatingSub(80 - (75 * step) / 9, relieved ? _RELIEF : 0);
            _roll(blow, sides, dice, 5 + (15 * step) / 9, favoured ? _FAVOUR : 0, 100 - (80 * step) / 9);
        }
        if (blow.critical) blow.points = _EXECUTION;
        else if (blow.hit) blow.points = blow.hitDie <= blow.lethalChance ? 2 : 1;
    }

    /// @notice Rolls a Light, Heavy or Block of `side`: 1, 2 or 1 points if it hits, one more if critical.
    /// @param whole False if only the crit die is rolled.
    function stroke(
        Side[2] memory sides,
        uint256 dice,
        uint256 slot,
        uint256 side,
        uint256 action,
        bool whole
    ) internal pure returns (Blow memory blow) {
        (blow.slot, blow.side, blow.action) = (slot, side, action);
        _roll(blow, sides, dice, _BLADES_CRIT, 0, whole ? _BLADES_HIT : 0);
        uint256 points = action == DuelLog.HEAVY ? 2 : 1;
        if (blow.critical) blow.points = points + 1;
        else if (blow.hit) blow.points = points;
    }

    /// @notice Returns whether a Heavy of `side` is critical.
    function executes(Side[2] memory sides, uint256 dice, uint256 side) internal pure returns (bool) {
        Side memory own = sides[side];
        uint256 chance = _critChance(own, _BLADES_CRIT, 0, _isTricked(own, sides[Sides.otherSide(side)]));
        return _critDie(dice, side) <= chance;
    }

    /// @dev Rolls the crit die of a blow and, unless that succeeds or `hitBase` is 0, its hit die.
    function _roll(
        Blow memory blow,
        Side[2] memory sides,
        uint256 dice,
        uint256 critBase,
        uint256 favour,
        uint256 hitBase
    ) private pure {
        uint256 side = blow.side;
        Side memory own = sides[side];
        bool tricked = _isTricked(own, sides[Sides.otherSide(side)]);
        blow.critChance = _critChance(own, critBase, favour, tricked);
        blow.critDie = _critDie(dice, side);
        blow.critical = blow.critDie <= blow.critChance;
        if (blow.critical || hitBase == 0) return;
        unchecked {
            uint256 injury = FULL_HEALTH - own.health;
            blow.hitChance = _chance(hitBase, _bonus(own, 20, 10, 0), 10 * injury + (tricked ? 10 : 0));
            blow.hitDie = Dice.lane(dice, 2 * side + 1, 100) + 1;
        }
        blow.hit = blow.hitDie <= blow.hitChance;
    }

    function _critChance(Side memory own, uint256 base, uint256 favour, bool tricked) private pure returns (uint256) {
        unchecked {
            return _chance(base, favour + _bonus(own, 0, 6, 12), tricked ? 2 : 0);
        }
    }

    function _critDie(uint256 dice, uint256 side) private pure returns (uint256) {
        unchecked {
            return Dice.lane(dice, 2 * side, 100) + 1;
        }
    }

    /// @dev Returns whether a trickster on the other side lowers the chances of a side.
    function _isTricked(Side memory own, Side memory other) private pure returns (bool) {
        return
            other.archetype == uint256(Archetype.Trickster) &&
            (own.archetype == uint256(Archetype.Villainous) || own.archetype == uint256(Archetype.Honourable));
    }

    /// @dev Returns the part of its archetype's full bonus that a side has at its strength.
    function _bonus(
        Side memory own,
        uint256 villainous,
        uint256 trickster,
        uint256 honourable
    ) private pure returns (uint256) {
        if (own.archetype == uint256(Archetype.None)) return 0;
        uint256 max =
            own.archetype == uint256(Archetype.Villainous)
                ? villainous
                : own.archetype == uint256(Archetype.Trickster)
                    ? trickster
                    : honourable;
        unchecked {
            return (max * own.strength) / 100;
        }
    }

    /// @dev Applies bonus and penalty to a base chance: the result is at least half the base and at most 100.
    function _chance(uint256 base, uint256 bonus, uint256 penalty) private pure returns (uint256) {
        unchecked {
            return Math.min(100, Math.max(base / 2, Math.saturatingSub(base + bonus, penalty)));
        }
    }
}
