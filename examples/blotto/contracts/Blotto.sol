// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Game} from "duello-contracts/games/Game.sol";
import {OneRound} from "duello-contracts/games/OneRound.sol";
import {Seat} from "duello-contracts/interfaces/IGame.sol";

/// @title Blotto
/// @notice Each player sends all its soldiers to three fields, player 1 in secret and player 2 in the open. The player
/// who sends more soldiers to a field wins it, and the player who wins more fields wins the match. Lengths in bytes:
///
///     mode    soldiers of each player 1 (5..50; default 10)
///     move    soldiers on field 0, on field 1, on field 2: 1 each
///     log     one entry: in bits 0-47 a byte for each field of player 1, then of player 2, in bits 48-49 the winner
contract Blotto is OneRound {
    uint256 private constant _FIELDS = 3;
    uint256 private constant _MIN_SOLDIERS = 5;
    uint256 private constant _MAX_SOLDIERS = 50;
    uint256 private constant _LOG_WINNER_AT = 48;

    /// @notice A move must send exactly as many soldiers as the mode gives.
    error WrongArmy(uint256 sent, uint256 soldiers);

    constructor(address arena_) OneRound(arena_, _FIELDS) {}

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, 1, 1);
        _checkField(content, 0, 1, _MIN_SOLDIERS, _MAX_SOLDIERS);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return hex"0a";
    }

    /// @inheritdoc OneRound
    /// @dev A move sends all soldiers of the mode.
    function _checkMove(bytes memory mode, bytes calldata move) internal pure override {
        uint256 sent = 0;
        for (uint256 field = 0; field < _FIELDS; ++field) sent += uint8(move[field]);
        if (sent != uint8(mode[0])) revert WrongArmy(sent, uint8(mode[0]));
    }

    /// @inheritdoc OneRound
    /// @dev There are no dice.
    function _play(
        bytes32,
        bytes memory,
        bytes calldata move1,
        bytes calldata move2
    ) internal pure override returns (Seat winner, uint256[] memory logEntries) {
        (uint256 won1, uint256 won2, uint256 entry) = (0, 0, 0);
        for (uint256 field = 0; field < _FIELDS; ++field) {
            (uint256 one, uint256 two) = (uint8(move1[field]), uint8(move2[field]));
            if (one > two) ++won1;
            if (two > one) ++won2;
            entry |= (one << (8 * field)) | (two << (8 * (_FIELDS + field)));
        }
        if (won1 != won2) winner = won1 > won2 ? Seat.One : Seat.Two;
        logEntries = new uint256[](1);
        logEntries[0] = entry | (uint256(winner) << _LOG_WINNER_AT);
    }
}
