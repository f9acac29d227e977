// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";

/// @title Parts of the cards of all characters: metadata, sheet and frame, made on chain
/// @dev Nothing is escaped: names, values and drawings are constants or numbers.
library TokenCard {
    /// @notice Returns the metadata as a base64 data URI.
    /// @param attributes JSON objects, as `attribute` makes them, with commas between them.
    /// @param svg Drawing, as `sheet` makes it.
    function uri(
        string memory name,
        string memory description,
        string memory attributes,
        string memory svg
    ) internal pure returns (string memory) {
        string memory json = string.concat(
            '{"name":"',
            name,
            '","description":"',
            description,
            '","attributes":[',
            attributes,
            '],"image":"data:image/svg+xml;base64,',
            Base64.encode(bytes(svg)),
            '"}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(bytes(json)));
    }

    /// @notice Returns an attribute with a text as its value.
    function attribute(string memory name, string memory value) internal pure returns (string memory) {
        return string.concat('{"trait_type":"', name, '","value":"', value, '"}');
    }

    /// @notice Draws a framed card of 300 by 440 units with `content` on it.
    /// @param colour Value of `currentColor` in the whole drawing.
    /// @param golden True for a heavy frame of gold.
    function sheet(string memory colour, bool golden, string memory content) internal pure returns (string memory) {
        return
            string.concat(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 440" '
                'font-family="Verdana,DejaVu Sans,sans-serif" color="',
                colour,
                '">',
                _frame(golden),
                content,
                "</svg>"
            );
    }

    /// @notice Draws the four texts on top: two small ones left and right, two large ones below them.
    function heading(
        string memory left,
        string memory right,
        string memory largeLeft,
        string memory largeRight
    ) internal pure returns (string memory) {
        return
            string.concat(
                '<g fill="currentColor" font-size="9" letter-spacing="1"><text x="28" y="40">',
                left,
                '</text><text x="273" y="40" text-anchor="end">',
                right,
                '</text></g><g fill="#fff" font-size="20" font-weight="bold"><text x="28" y="64">',
                largeLeft,
                '</text><text x="272" y="64" text-anchor="end">',
                largeRight,
                "</text></g>"
            );
    }

    function _frame(bool golden) private pure returns (string memory) {
        return
            string.concat(
                '<defs><linearGradient id="ground" x2=".3" y2="1">'
                '<stop stop-color="currentColor" stop-opacity="',
                golden ? ".5" : ".3",
                '"/><stop offset="1" stop-color="currentColor" stop-opacity=".03"/></linearGradient>',
                '<linearGradient id="edge" x2="1" y2="1">'
                '<stop stop-color="currentColor"/><stop offset=".3" stop-color="',
                golden ? "#a06c08" : "#39414f",
                '"/><stop offset=".55" stop-color="',
                golden ? "#fff6d5" : "#7d8899",
                '"/><stop offset="1" stop-color="',
                golden ? "#b47a0c" : "#39414f",
                '"/></linearGradient></defs>'
                '<rect width="300" height="440" rx="22" fill="#10131a"/>',
                '<rect x="5" y="5" width="290" height="430" rx="18" fill="url(#ground)" '
                'stroke="url(#edge)" stroke-width="',
                golden ? "8" : "4",
                '"/>'
            );
    }
}
