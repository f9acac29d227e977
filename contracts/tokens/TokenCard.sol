// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";

/// @title What the cards of all characters share: metadata, sheet and frame, made on chain
/// @dev Nothing is escaped: names, values and drawings are constants or numbers.
library TokenCard {
    /// @notice The metadata as a base64 data URI.
    /// @param attributes Made by `attribute`, with commas between them.
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

    /// @notice One attribute, a text.
    function attribute(string memory name, string memory value) internal pure returns (string memory) {
        return string.concat('{"trait_type":"', name, '","value":"', value, '"}');
    }

    /// @notice A framed card of 300 by 440 units with `content` drawn on it.
    /// @param colour What `currentColor` stands for in all that is drawn.
    /// @param golden Whether the frame is heavy and of gold.
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

    /// @notice The four words on top: small ones left and right, large ones below them.
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
