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

/// @notice Record of a player's duels. Once `duels` has reached its maximum, `duels` and `total` no longer change.
struct HonourRecord {
    /// Number of duels.
    uint40 duels;
    /// Sum of their duel honours, 0..100 each.
    uint48 total;
    /// Duel honour of the last duel.
    uint8 last;
}

/// @notice Stored record of a player: its current values, and its values before the block of the last change.
///
///     bits 0-39    duels       bits 96-135   duels before
///     bits 40-87   total       bits 136-183  total before
///     bits 88-95   last        bits 184-191  last before
///                              bits 192-231  block of the last change
type StoredHonour is uint256;

/// @notice Standing of a player, computed from its record. All zero before the first duel.
struct Standing {
    /// Average duel honour, 0..100.
    uint256 honour;
    Archetype archetype;
    /// Level within the archetype, 0..100.
    uint256 level;
    /// Strength of its bonuses, 0..100: the smaller of its level and ten times its duels.
    uint256 strength;
}

using Honour for StoredHonour global;

/// @title Arithmetic of honour in pistols
library Honour {
    uint256 private constant _TRICKSTER = 35;
    uint256 private constant _HONOURABLE = 75;

    uint256 private constant _TOTAL_AT = 40;
    uint256 private constant _LAST_AT = 88;
    uint256 private constant _BEFORE_AT = 96;
    uint256 private constant _CHANGED_AT = 192;

    /// @notice Returns the stored record after one more duel, which ends in this block.
    /// @param honour Duel honour, 0..100.
    function add(StoredHonour self, uint256 honour) internal view returns (StoredHonour) {
        uint256 word = StoredHonour.unwrap(self);
        uint256 before = uint96(_atBlockStart(word));
        uint256 sums = uint88(word);
        unchecked {
            // `total` cannot overflow: it has room for the honours of all duels that `duels` can count.
            if (uint40(word) != type(uint40).max) sums += 1 + (honour << _TOTAL_AT);
        }
        uint256 changed = uint40(block.number);
        return StoredHonour.wrap(sums | (honour << _LAST_AT) | (before << _BEFORE_AT) | (changed << _CHANGED_AT));
    }

    /// @notice Returns the current record.
    function record(StoredHonour self) internal pure returns (HonourRecord memory) {
        uint256 word = StoredHonour.unwrap(self);
        return HonourRecord(uint40(word), uint48(word >> _TOTAL_AT), uint8(word >> _LAST_AT));
    }

    /// @notice Returns the current standing.
    function standing(StoredHonour self) internal pure returns (Standing memory result) {
        (result.honour, result.archetype, result.level, result.strength) = _standing(StoredHonour.unwrap(self));
    }

    /// @notice Returns the archetype and strength as of the start of this block.
    function frozen(StoredHonour self) internal view returns (Archetype archetype, uint256 strength) {
        (, archetype, , strength) = _standing(_atBlockStart(StoredHonour.unwrap(self)));
    }

    /// @dev Computes the standing from the record in the lowest bits of `word`.
    function _standing(
        uint256 word
    ) private pure returns (uint256 honour, Archetype archetype, uint256 level, uint256 strength) {
        uint256 duels = uint40(word);
        if (duels == 0) return (0, Archetype.None, 0, 0);
        uint256 last = uint8(word >> _LAST_AT);
        honour = uint48(word >> _TOTAL_AT) / duels;
        if (honour < _TRICKSTER) {
            archetype = Archetype.Villainous;
            level = 100 - (90 * Math.saturatingSub(honour, 10)) / 24;
        } else if (honour < _HONOURABLE) {
            archetype = Archetype.Trickster;
            level = 50 + (last > 50 ? last - 50 : 50 - last);
        } else {
            archetype = Archetype.Honourable;
            level = 10 + (90 * (honour - _HONOURABLE)) / 25;
        }
        strength = Math.min(level, 10 * duels);
    }

    /// @dev Returns the record at the start of this block in the lowest bits; the bits above it are arbitrary.
    function _atBlockStart(uint256 word) private view returns (uint256) {
        return uint40(word >> _CHANGED_AT) == uint40(block.number) ? word >> _BEFORE_AT : word;
    }
}
