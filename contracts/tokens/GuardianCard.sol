// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {TokenCard} from "./TokenCard.sol";

/// @title Card of a guardian: metadata and drawing, made on chain
library GuardianCard {
    using Strings for uint256;

    uint256 private constant _TYPES = 8;

    /// @notice Returns the metadata as a base64 data URI.
    /// @param stats Stats in the order power, defense, hp, speed, critical, luck.
    /// @param cardType Type, 0..7.
    function uri(uint256 id, uint16[6] memory stats, uint256 cardType) internal pure returns (string memory) {
        return
            TokenCard.uri(
                string.concat("Guardian #", id.toString()),
                "A card for the guardians of Duello. Its stats never change.",
                _attributes(stats, cardType),
                _svg(id, stats, cardType)
            );
    }

    /// @dev Lists the attributes as JSON objects. Stats are numbers, so that marketplaces rank cards by them.
    function _attributes(uint16[6] memory stats, uint256 cardType) private pure returns (string memory list) {
        list = TokenCard.attribute("Type", _typeName(cardType));
        for (uint256 stat = 0; stat < 6; stat++) {
            list = string.concat(
                list,
                ',{"trait_type":"',
                _label(stat),
                '","value":',
                uint256(stats[stat]).toString(),
                "}"
            );
        }
    }

    function _svg(uint256 id, uint16[6] memory stats, uint256 cardType) private pure returns (string memory) {
        return
            TokenCard.sheet(
                string.concat("hsl(", (cardType * 45).toString(), ",70%,72%)"),
                false,
                string.concat(
                    TokenCard.heading("GUARDIAN", "TYPE", string.concat("#", id.toString()), _typeName(cardType)),
                    _wheel(cardType),
                    _table(stats)
                )
            );
    }

    /// @dev Draws the eight types in a circle, clockwise from Galactic on top, with an arc from the type of the card to
    /// the type that it beats.
    function _wheel(uint256 cardType) private pure returns (string memory) {
        string memory dots;
        for (uint256 each = 0; each < _TYPES; each++) {
            dots = string.concat(dots, '<circle cy="-74" r="5" transform="rotate(', (each * 45).toString(), ')"/>');
        }
        return
            string.concat(
                '<g transform="translate(150 172)" fill="currentColor" text-anchor="middle">'
                '<circle r="74" fill="none" stroke="currentColor" opacity=".3"/><g opacity=".5">',
                dots,
                '</g><g transform="rotate(',
                (cardType * 45).toString(),
                ')"><path d="M0-74A74 74 0 0 1 52.3-52.3" fill="none" stroke="currentColor" stroke-width="4"/>'
                '<circle cy="-74" r="14"/></g><text y="-4" font-size="10" letter-spacing="1">BEATS</text>'
                '<text y="18" font-size="18" fill="#fff">',
                _typeName((cardType + 1) % _TYPES),
                "</text></g>"
            );
    }

    /// @dev Draws the stats in two columns of three, row by row.
    function _table(uint16[6] memory stats) private pure returns (string memory cells) {
        for (uint256 stat = 0; stat < 6; stat++) {
            cells = string.concat(
                cells,
                '<g transform="translate(',
                stat % 2 == 0 ? "28 " : "158 ",
                (298 + 46 * (stat / 2)).toString(),
                ')"><path d="M0-20h114" stroke="currentColor" opacity=".3"/><text fill="currentColor" font-size="11">',
                _label(stat),
                '</text><text x="114" y="4" text-anchor="end" font-size="20">',
                uint256(stats[stat]).toString(),
                "</text></g>"
            );
        }
        return string.concat('<g fill="#fff">', cells, "</g>");
    }

    function _label(uint256 stat) private pure returns (string memory) {
        return ["Power", "Defense", "HP", "Speed", "Critical", "Luck"][stat];
    }

    function _typeName(uint256 cardType) private pure returns (string memory) {
        return ["Galactic", "Cosmic", "Celestial", "Mechanical", "Dragon", "Beast", "Elemental", "Chaos"][cardType];
    }
}
