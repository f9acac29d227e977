// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {IGame} from "../interfaces/IGame.sol";
import {Checks} from "./Checks.sol";

/// @notice The game is over before this move; `index` counts from 0.
error GameIsOver(uint256 index);

/// @title Base of all games: one arena, and modes by content hash
abstract contract Game is IGame, Checks {
    /// @dev Number of the channels contract among the contracts that the arena creates.
    uint256 private constant _CHANNELS_NUMBER = 1;

    /// @notice Arena of this game: only it and its channels contract can call the functions of matches.
    address public immutable arena;

    address private immutable _channels;

    mapping(bytes32 mode => bytes content) private _modes;

    modifier onlyArena() {
        if (msg.sender != arena && msg.sender != _channels) revert NotTheArena(msg.sender, arena);
        _;
    }

    constructor(address arena_) {
        arena = arena_;
        _channels = LibRLP.computeAddress(arena_, _CHANNELS_NUMBER);
    }

    /// @inheritdoc IGame
    function registerMode(bytes calldata content) external virtual returns (bytes32 mode) {
        _checkMode(content);
        mode = keccak256(content);
        if (_modes[mode].length == 0) {
            _modes[mode] = content;
            emit ModeRegistered(mode, content);
        }
    }

    /// @notice Returns the content of a registered mode, or of the default mode for zero; `UnknownMode` if it
    /// does not exist.
    function modeOf(bytes32 mode) public view returns (bytes memory content) {
        content = mode == 0 ? _defaultMode() : _modes[mode];
        if (content.length == 0) revert UnknownMode(mode);
    }

    /// @dev Reverts unless a mode is registered or the default. Does not read the whole mode.
    function _requireMode(bytes32 mode) internal view {
        if (mode == 0 ? _defaultMode().length == 0 : _modes[mode].length == 0) revert UnknownMode(mode);
    }

    /// @dev Returns the mode of a preview: the default for empty content, otherwise the content. Reverts if it is
    /// invalid.
    function _previewMode(bytes calldata content) internal pure returns (bytes memory) {
        if (content.length == 0) return _defaultMode();
        _checkMode(content);
        return content;
    }

    /// @dev Emits `Log`. Measured: the compiler would copy entry by entry, which costs 80 gas more for each.
    function _log(uint256 matchId, uint256 round, uint256[] memory logEntries) internal {
        bytes32 topic = Log.selector;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let data := mload(0x40)
            let size := shl(5, add(mload(logEntries), 1))
            mstore(data, round)
            mstore(add(data, 0x20), 0x40)
            mcopy(add(data, 0x40), logEntries, size)
            log2(data, add(size, 0x40), topic, matchId)
        }
    }

    /// @dev Reverts unless `content` is the encoding of a mode within its bounds. Without an override the game has only
    /// its default mode.
    function _checkMode(bytes calldata content) internal pure virtual {
        // Refuses every length.
        _checkLength(content, 1, 0);
    }

    /// @dev Returns whether a match is from a channel: its number is higher than any that the arena assigns. Such a
    /// match may start from a position that its players made up, so no record may depend on it.
    function _isOfChannel(uint256 matchId) internal pure returns (bool) {
        return matchId > type(uint40).max;
    }

    /// @dev Returns the content of the default mode; empty if there is none. Without an override it is a byte of zero.
    function _defaultMode() internal pure virtual returns (bytes memory) {
        return hex"00";
    }
}
