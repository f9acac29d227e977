// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Characters} from "./Characters.sol";
import {GuardianCard} from "./GuardianCard.sol";

/// @notice Stats of a guardian's card.
struct Stats {
    /// Power, 1..65535.
    uint16 power;
    /// Defense, 0..65535.
    uint16 defense;
    /// Hit points, 1..65535.
    uint16 hp;
    /// Speed, 1..65535.
    uint16 speed;
    /// Chance of a critical hit in thousandths, 0..1000.
    uint16 critical;
    /// Chance to dodge in thousandths, 0..1000.
    uint16 luck;
    /// Type: 0 Galactic, 1 Cosmic, 2 Celestial, 3 Mechanical, 4 Dragon, 5 Beast, 6 Elemental, 7 Chaos.
    uint8 cardType;
}

/// @notice Card in one word; never zero for a card that was minted.
///
/// | bits   | field   |     | bits   | field     |
/// |--------|---------|-----|--------|-----------|
/// | 0..15  | power   |     | 64..79 | critical  |
/// | 16..31 | defense |     | 80..89 | luck      |
/// | 32..47 | hp      |     | 93..95 | card type |
/// | 48..63 | speed   |     |        |           |
type Card is uint256;

// The rule for internal names is meant for members; these are the methods of a public type.
// solhint-disable private-vars-leading-underscore
using {power, defense, hp, speed, critical, luck, cardType, unpackCard} for Card global;

// Bits at which the fields of a card start, from the lowest.
uint256 constant _CARD_POWER_AT = 0;
uint256 constant _CARD_DEFENSE_AT = 16;
uint256 constant CARD_HP_AT = 32;
uint256 constant _CARD_SPEED_AT = 48;
uint256 constant _CARD_CRITICAL_AT = 64;
uint256 constant _CARD_LUCK_AT = 80;
uint256 constant _CARD_TYPE_AT = 93;

/// @notice A stat is out of its bounds; `stat` is 0..6 in the order of the layout.
error StatOutOfBounds(uint256 stat, uint256 value, uint256 min, uint256 max);

/// @notice Packs a card into one word; `StatOutOfBounds` for a stat out of its bounds.
function packCard(Stats calldata stats) pure returns (Card) {
    uint256 max = type(uint16).max;
    uint256 word = checkedStat(0, stats.power, 1, max) << _CARD_POWER_AT;
    word |= checkedStat(1, stats.defense, 0, max) << _CARD_DEFENSE_AT;
    word |= checkedStat(2, stats.hp, 1, max) << CARD_HP_AT;
    word |= checkedStat(3, stats.speed, 1, max) << _CARD_SPEED_AT;
    word |= checkedStat(4, stats.critical, 0, 1000) << _CARD_CRITICAL_AT;
    word |= checkedStat(5, stats.luck, 0, 1000) << _CARD_LUCK_AT;
    word |= checkedStat(6, stats.cardType, 0, 7) << _CARD_TYPE_AT;
    return Card.wrap(word);
}

function checkedStat(uint256 stat, uint256 value, uint256 min, uint256 max) pure returns (uint256) {
    if (value < min || value > max) revert StatOutOfBounds(stat, value, min, max);
    return value;
}

function power(Card card) pure returns (uint256) {
    return uint16(Card.unwrap(card) >> _CARD_POWER_AT);
}

function defense(Card card) pure returns (uint256) {
    return uint16(Card.unwrap(card) >> _CARD_DEFENSE_AT);
}

function hp(Card card) pure returns (uint256) {
    return uint16(Card.unwrap(card) >> CARD_HP_AT);
}

function speed(Card card) pure returns (uint256) {
    return uint16(Card.unwrap(card) >> _CARD_SPEED_AT);
}

function critical(Card card) pure returns (uint256) {
    return uint16(Card.unwrap(card) >> _CARD_CRITICAL_AT);
}

function luck(Card card) pure returns (uint256) {
    return (Card.unwrap(card) >> _CARD_LUCK_AT) & 0x3ff;
}

function cardType(Card card) pure returns (uint256) {
    return (Card.unwrap(card) >> _CARD_TYPE_AT) & 7;
}

/// @notice Unpacks all stats of a card.
function unpackCard(Card card) pure returns (Stats memory) {
    return
        Stats({
            power: uint16(card.power()),
            defense: uint16(card.defense()),
            hp: uint16(card.hp()),
            speed: uint16(card.speed()),
            critical: uint16(card.critical()),
            luck: uint16(card.luck()),
            cardType: uint8(card.cardType())
        });
}

/// @title Guardian cards, the ERC-721 tokens of guardian teams
/// @notice Ids count from 1. Stats are set at minting, never change, and stay readable after a card is burned.
///
/// Warning: a minter chooses stats freely; look at who may mint before you buy.
contract GuardianCards is Characters {
    /// @notice Card minted.
    event CardMinted(uint256 indexed id, address indexed to, Stats stats);

    /// @notice No card with this id was ever minted.
    error UnknownCard(uint256 id);

    /// @param owner Account that allows minters; ownership is handed over in two steps.
    constructor(address owner) Characters("Duello Guardian Cards", "GUARDIAN", owner) {}

    /// @notice Mints a card. Reverts with `NotAMinter` unless the caller is a minter.
    /// @param to Receiver, which is not called; zero is refused with `TransferToZeroAddress`.
    /// @param stats Stats of the card; a stat out of its bounds is refused with `StatOutOfBounds`.
    /// @return id Number of the card, one more than that of the previous card.
    function mint(address to, Stats calldata stats) external onlyMinter returns (uint256 id) {
        id = _make(to, Card.unwrap(packCard(stats)));
        emit CardMinted(id, to, stats);
    }

    /// @notice Returns the stats of a card in one word, burned or not; `UnknownCard` if it was never minted.
    function cardOf(uint256 id) public view returns (Card card) {
        card = Card.wrap(_getExtraData(id));
        if (Card.unwrap(card) == 0) revert UnknownCard(id);
    }

    /// @inheritdoc Characters
    function _card(uint256 id, uint256 word) internal pure override returns (string memory) {
        Stats memory stats = Card.wrap(word).unpackCard();
        return
            GuardianCard.uri(
                id,
                [stats.power, stats.defense, stats.hp, stats.speed, stats.critical, stats.luck],
                stats.cardType
            );
    }
}
