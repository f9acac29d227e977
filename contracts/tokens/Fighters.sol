// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Characters} from "./Characters.sol";
import {FighterCard} from "./FighterCard.sol";

/// @notice Traits of a fighter in one word; never zero for a fighter that was minted.
///
/// | bits   | field                                |
/// |--------|--------------------------------------|
/// | 0..1   | attack tier: 1 low, 2 medium, 3 high |
/// | 2..3   | defense tier                         |
/// | 4..5   | health tier                          |
/// | 6..7   | speed tier                           |
/// | 8..9   | range tier                           |
/// | 10..11 | combo tier                           |
/// | 12     | golden                               |
/// | 16..47 | character id                         |
type Traits is uint256;

// The rule for internal names is meant for members; these are the methods of a public type.
// solhint-disable private-vars-leading-underscore
using {tierOf, allTiers, isGolden, characterId} for Traits global;

// Bits at which the fields of traits start, from the lowest. The tiers are six fields of two bits, side by side.
uint256 constant _TRAITS_TIERS_AT = 0;
uint256 constant _TRAITS_GOLDEN_AT = 12;
uint256 constant _TRAITS_CHARACTER_AT = 16;
uint256 constant _TIER_BITS = 2;

/// @notice A tier is not 1, 2 or 3; `stat` is 0..5 in the order of the layout.
error TierOutOfBounds(uint256 stat, uint256 tier);

/// @notice Packs traits into one word; `TierOutOfBounds` for a tier that is not 1, 2 or 3.
function packTraits(uint32 character, uint8[6] calldata tiers, bool golden) pure returns (Traits) {
    uint256 word = uint256(character) << _TRAITS_CHARACTER_AT;
    if (golden) word |= 1 << _TRAITS_GOLDEN_AT;
    for (uint256 stat = 0; stat < 6; stat++) {
        uint256 tier = tiers[stat];
        if (tier < 1 || tier > 3) revert TierOutOfBounds(stat, tier);
        word |= tier << (_TRAITS_TIERS_AT + _TIER_BITS * stat);
    }
    return Traits.wrap(word);
}

/// @notice Returns one tier, 1..3; `stat` is 0..5 in the order of the layout.
function tierOf(Traits traits, uint256 stat) pure returns (uint256) {
    unchecked {
        return (Traits.unwrap(traits) >> (_TRAITS_TIERS_AT + _TIER_BITS * stat)) & 3;
    }
}

/// @notice Returns the six tiers in the order of the layout.
function allTiers(Traits traits) pure returns (uint8[6] memory tiers) {
    for (uint256 stat = 0; stat < 6; stat++) tiers[stat] = uint8(traits.tierOf(stat));
}

/// @notice Returns true if the fighter is golden: a golden fighter never cools down.
function isGolden(Traits traits) pure returns (bool) {
    return (Traits.unwrap(traits) >> _TRAITS_GOLDEN_AT) & 1 == 1;
}

/// @notice Returns the character id of the fighter.
function characterId(Traits traits) pure returns (uint32) {
    return uint32(Traits.unwrap(traits) >> _TRAITS_CHARACTER_AT);
}

/// @title Fighters, the ERC-721 tokens of auto-battler teams
/// @notice Ids count from 1. Traits are set at minting, never change, and stay readable after a fighter is burned.
///
/// Warning: a minter chooses traits freely; look at who may mint before you buy.
contract Fighters is Characters {
    /// @notice Fighter minted; `tiers` are 1..3 in the order attack, defense, health, speed, range, combo.
    event FighterMinted(uint256 indexed id, address indexed to, uint32 character, uint8[6] tiers, bool golden);

    /// @notice No fighter with this id was ever minted.
    error UnknownFighter(uint256 id);

    /// @param owner Account that allows minters; ownership is handed over in two steps.
    constructor(address owner) Characters("Duello Fighters", "FIGHTER", owner) {}

    /// @notice Mints a fighter. Reverts with `NotAMinter` unless the caller is a minter.
    /// @param to Receiver, which is not called; zero is refused with `TransferToZeroAddress`.
    /// @param character Character id, any number.
    /// @param tiers Tiers, 1 low, 2 medium or 3 high, in the order attack, defense, health, speed, range, combo; any
    /// other number is refused with `TierOutOfBounds`.
    /// @param golden True if the fighter never cools down.
    /// @return id Number of the fighter, one more than that of the previous fighter.
    function mint(
        address to,
        uint32 character,
        uint8[6] calldata tiers,
        bool golden
    ) external onlyMinter returns (uint256 id) {
        id = _make(to, Traits.unwrap(packTraits(character, tiers, golden)));
        emit FighterMinted(id, to, character, tiers, golden);
    }

    /// @notice Returns the traits of a fighter, burned or not; `UnknownFighter` if it was never minted.
    function traitsOf(uint256 id) public view returns (Traits traits) {
        traits = Traits.wrap(_getExtraData(id));
        if (Traits.unwrap(traits) == 0) revert UnknownFighter(id);
    }

    /// @inheritdoc Characters
    function _card(uint256 id, uint256 word) internal pure override returns (string memory) {
        Traits traits = Traits.wrap(word);
        return FighterCard.uri(id, traits.characterId(), traits.allTiers(), traits.isGolden());
    }
}
