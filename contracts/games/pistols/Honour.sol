// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice Archetype of a duelist by its honour; None before its first duel.
enum Archetype {
    None,
    Villainous,
    Trickster,
    Honourable
}

/// @notice Record of a player's duels, in one storage word. `duels` and `total` stop together when `duels` is full.
struct HonourRecord {
    /// Number of duels.
    uint40 duels;
    /// Sum of their duel honours, 0..100 each.
    uint48 total;
    /// Duel honour of the last one.
    uint8 last;
}

/// @notice Standing of a player by its record. All zero before the first duel.
struct Standing {
    /// Average duel honour, 0..100.
    uint256 honour;
    Archetype archetype;
    /// Level of its archetype, 0..100.
    uint256 level;
    /// Strength of its bonuses, 0..100: the level, or ten times the duels if that is less.
    uint256 strength;
}

using Honour for HonourRecord global;

/// @title Arithmetic of honour in pistols
library Honour {
    uint256 private constant _TRICKSTER = 35;
    uint256 private constant _HONOURABLE = 75;

    /// @notice Returns the record with one duel more.
    /// @param honour The duel honour, 0..100.
    function add(HonourRecord memory self, uint256 honour) internal pure returns (HonourRecord memory) {
        bool full = self.duels == type(uint40).max;
        return
            HonourRecord({
                duels: full ? self.duels : self.duels + 1,
                total: full ? self.total : self.total + uint48(honour),
                last: uint8(honour)
            });
    }

    /// @notice Returns the standing by a record.
    function standing(HonourRecord memory self) internal pure returns (Standing memory result) {
        if (self.duels == 0) return result;
        result.honour = self.total / self.duels;
        if (result.honour < _TRICKSTER) {
            result.archetype = Archetype.Villainous;
            result.level = 100 - (90 * Math.saturatingSub(result.honour, 10)) / 24;
        } else if (result.honour < _HONOURABLE) {
            result.archetype = Archetype.Trickster;
            result.level = 50 + (self.last > 50 ? self.last - 50 : 50 - self.last);
        } else {
            result.archetype = Archetype.Honourable;
            result.level = 10 + (90 * (result.honour - _HONOURABLE)) / 25;
        }
        result.strength = Math.min(result.level, 10 * uint256(self.duels));
    }
}
