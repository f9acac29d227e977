// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import {Armies} from "./Armies.sol";
import {
    _ATTACK,
    _OP_MOVE,
    _OP_REVEAL,
    _OP_BATTLE,
    _OP_KILL,
    _OP_RESULT,
    _ENTRY_OP_AT,
    _ENTRY_SIDE_AT,
    _ENTRY_SLOT_AT,
    _ENTRY_TURN_AT,
    _MOVE_FROM_AT,
    _MOVE_TO_AT,
    _REVEAL_TILE_AT,
    _REVEAL_RANK_AT,
    _BATTLE_DEFENDER_AT,
    _BATTLE_TILE_AT,
    _BATTLE_KIND_AT,
    _BATTLE_WINNER_AT,
    _KILL_TILE_AT,
    _RESULT_WINNER_AT
} from "./TurnResolutions.sol";

/// @title Decoder of the log of Warmancer
contract WarmancerLog {
    /// @notice Operation of a turn. Fields that it does not have are 0.
    struct Operation {
        /// 1 MOVE, 2 REVEAL, 3 BATTLE, 4 KILL, 5 RESULT.
        uint256 op;
        /// Side of the pawn; 0 is player 1.
        uint256 side;
        /// Slot of the pawn, in a battle of the attacker.
        uint256 slot;
        /// Number of the turn.
        uint256 turn;
        /// Tile that a move leaves.
        uint256 from;
        /// Tile to which a move leads.
        uint256 to;
        /// Tile of a reveal, battle or kill.
        uint256 tile;
        /// Rank that a reveal shows.
        uint256 rank;
        /// Slot of the other pawn of a battle.
        uint256 defender;
        /// Kind of a battle: 0 same tile, 1 swap, 2 attack.
        uint256 kind;
        /// Winner of a battle or the game, 1, 2, or 0 for nobody.
        uint256 winner;
    }

    /// @notice Decodes log entries; `NotALogEntry` for one that no operation is logged as.
    /// @param logEntries Entries of one `Log` event, or of several in a row.
    function decode(uint256[] calldata logEntries) external pure returns (Operation[] memory operations) {
        operations = new Operation[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Operation memory operation = operations[i];
            operation.op = entry.take(_ENTRY_OP_AT, 3);
            operation.side = entry.take(_ENTRY_SIDE_AT, 1);
            operation.slot = entry.take(_ENTRY_SLOT_AT, 6);
            operation.turn = entry.take(_ENTRY_TURN_AT, 16);
            entry.end(_readRest(entry, operation));
        }
    }

    /// @dev Reads the fields that only its operation has, and tells whether they are possible.
    function _readRest(LogEntry memory entry, Operation memory operation) private pure returns (bool isPossible) {
        if (operation.op == _OP_MOVE) {
            operation.from = entry.take(_MOVE_FROM_AT, 8);
            operation.to = entry.take(_MOVE_TO_AT, 8);
            return true;
        }
        if (operation.op == _OP_REVEAL) {
            operation.tile = entry.take(_REVEAL_TILE_AT, 8);
            operation.rank = entry.take(_REVEAL_RANK_AT, 4);
            return operation.rank < Armies.RANKS;
        }
        if (operation.op == _OP_BATTLE) {
            operation.defender = entry.take(_BATTLE_DEFENDER_AT, 8);
            operation.tile = entry.take(_BATTLE_TILE_AT, 8);
            operation.kind = entry.take(_BATTLE_KIND_AT, 4);
            operation.winner = entry.take(_BATTLE_WINNER_AT, 2);
            return operation.kind <= _ATTACK && operation.winner <= 2;
        }
        if (operation.op == _OP_KILL) {
            operation.tile = entry.take(_KILL_TILE_AT, 8);
            return true;
        }
        if (operation.op == _OP_RESULT) {
            operation.winner = entry.take(_RESULT_WINNER_AT, 2);
            return operation.side == 0 && operation.slot == 0 && operation.winner <= 2;
        }
        return false;
    }
}
