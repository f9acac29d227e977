// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {TokenCard} from "./TokenCard.sol";

/// @title Card of a fighter: metadata and drawing, made on chain
library FighterCard {
    using Strings for uint256;
    using Strings for int256;

    /// @notice Returns the metadata as a base64 data URI.
    /// @param tiers Tiers 1..3 in the order attack, defense, health, speed, range, combo.
    function uri(
        uint256 id,
        uint256 character,
        uint8[6] memory tiers,
        bool golden
    ) internal pure returns (string memory) {
        return
            TokenCard.uri(
                string.concat("Fighter #", id.toString()),
                "A fighter for the auto-battler of Duello. Its traits never change.",
                _attributes(character, tiers, golden),
                _svg(id, character, tiers, golden)
            );
    }

    /// @dev Lists the attributes as JSON objects. The number of the character is a string, so that marketplaces do not
    /// rank fighters by it.
    function _attributes(
        uint256 character,
        uint8[6] memory tiers,
        bool golden
    ) private pure returns (string memory list) {
        list = string.concat(TokenCard.attribute("Character", character.toString()), ",");
        for (uint256 stat = 0; stat < 6; stat++) {
            string memory tier =
                tiers[stat] == 1
                    ? "low"
                    : tiers[stat] == 2
                        ? "medium"
                        : "high";
            list = string.concat(list, TokenCard.attribute(_label(stat), tier), ",");
        }
        return string.concat(list, TokenCard.attribute("Golden", golden ? "yes" : "no"));
    }

    function _svg(
        uint256 id,
        uint256 character,
        uint8[6] memory tiers,
        bool golden
    ) private pure returns (string memory) {
        return
            TokenCard.sheet(
                _colour(character, golden),
                golden,
                string.concat(
                    TokenCard.heading(
                        golden ? "GOLDEN FIGHTER" : "FIGHTER",
                        "CHARACTER",
                        string.concat("#", id.toString()),
                        character.toString()
                    ),
                    _hexagon(tiers),
                    _bars(tiers)
                )
            );
    }

    /// @dev Returns gold for golden fighters, otherwise a hue by character, in steps of 137 degrees.
    function _colour(uint256 character, bool golden) private pure returns (string memory) {
        return golden ? "#ffd35c" : string.concat("hsl(", ((character * 137) % 360).toString(), ",70%,72%)");
    }

    /// @dev Draws the tiers as a hexagon: one corner per stat, clockwise from the top, and rings 28 units apart.
    function _hexagon(uint8[6] memory tiers) private pure returns (string memory) {
        string memory rings;
        for (uint8 tier = 1; tier <= 3; tier++) {
            rings = string.concat(rings, _polygon([tier, tier, tier, tier, tier, tier]));
        }
        return
            string.concat(
                '<g transform="translate(150 170)" fill="none" stroke="currentColor" stroke-linejoin="round">'
                '<g opacity=".3">',
                rings,
                '<path d="M0-84V84M-72-42 72 42M-72 42 72-42"/></g>'
                '<g fill="currentColor" fill-opacity=".4" stroke-width="2.5">',
                _polygon(tiers),
                "</g></g>"
            );
    }

    function _polygon(uint8[6] memory tiers) private pure returns (string memory) {
        int8[6] memory x = [int8(0), 24, 24, 0, -24, -24];
        int8[6] memory y = [int8(-28), -14, 14, 28, 14, -14];
        string memory points;
        for (uint256 stat = 0; stat < 6; stat++) {
            int256 tier = int256(uint256(tiers[stat]));
            string memory point = string.concat(
                (tier * x[stat]).toStringSigned(),
                ",",
                (tier * y[stat]).toStringSigned()
            );
            points = string.concat(points, stat == 0 ? "" : " ", point);
        }
        return string.concat('<polygon points="', points, '"/>');
    }

    /// @dev Draws each tier as three dashes, 48 units long and 4 apart, and lights as many of them as the tier.
    function _bars(uint8[6] memory tiers) private pure returns (string memory rows) {
        for (uint256 stat = 0; stat < 6; stat++) {
            rows = string.concat(
                rows,
                '<g transform="translate(28 ',
                (286 + 24 * stat).toString(),
                ')">'
                '<text y="4" font-size="11" letter-spacing="1" fill="#cfd6e2" stroke="none">',
                _label(stat),
                '</text><path d="M92 0h152" opacity=".2"/><path d="M92 0h',
                (uint256(52) * tiers[stat] - 4).toString(),
                '"/></g>'
            );
        }
        return string.concat('<g stroke="currentColor" stroke-width="9" stroke-dasharray="48 4">', rows, "</g>");
    }

    function _label(uint256 stat) private pure returns (string memory) {
        return ["Attack", "Defense", "Health", "Speed", "Range", "Combo"][stat];
    }
}
