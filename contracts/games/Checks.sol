// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Checks of lengths and fields, for games and their helper contracts
abstract contract Checks {
    /// @notice The bytes have a length that the game does not allow here.
    error WrongLength(uint256 length, uint256 min, uint256 max);

    /// @notice A field of a mode is out of bounds; the field starts at byte `offset` of the encoding.
    error ModeOutOfBounds(uint256 offset, uint256 value, uint256 min, uint256 max);

    /// @dev Reverts unless there are at least `min` and at most `max` bytes.
    function _checkLength(bytes calldata data, uint256 min, uint256 max) internal pure {
        if (data.length < min || data.length > max) revert WrongLength(data.length, min, max);
    }

    /// @dev Returns a field of a mode, the number in `width` bytes from `offset` on; reverts if it is out of bounds.
    function _checkField(
        bytes calldata content,
        uint256 offset,
        uint256 width,
        uint256 min,
        uint256 max
    ) internal pure returns (uint256 value) {
        value = uint256(bytes32(content[offset:])) >> (256 - 8 * width);
        if (value < min || value > max) revert ModeOutOfBounds(offset, value, min, max);
    }
}
