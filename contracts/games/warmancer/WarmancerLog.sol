// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LogEntries, LogEntry} from "../LogEntries.sol";
import {Armies} from "./Armies.sol";
import * as Layout from "./TurnResolutions.sol";

/// @title Decoder of the log of Warmancer
contract WarmancerLog {
    /// @notice Operation of a turn. Fields that the operation does not have are 0.
    struct Operation {
        /// 1 MOVE, 2 REVEAL, 3 BATTLE, 4 KILL, 5 RESULT.
        uint256 op;
        /// Side of the pawn; 0 is player 1.
        uint256 side;
        /// Slot of the pawn; in a battle, slot of the attacker.
        uint256 slot;
        /// Number of the turn.
        uint256 turn;
        /// Tile from which a move starts.
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

    /// @notice Decodes log entries; `NotALogEntry` for a value that encodes no operation.
    /// @param logEntries Entries of one `Log` event, or of several in a row.
    function decode(uint256[] calldata logEntries) external pure returns (Operation[] memory operations) {
        operations = new Operation[](logEntries.length);
        for (uint256 i = 0; i < logEntries.length; ++i) {
            LogEntry memory entry = LogEntries.entryAt(logEntries, i);
            Operation memory operation = operations[i];
            operation.op = entry.take(Layout._ENTRY_OP_AT, 3);
            operation.side = entry.take(Layout._ENTRY_SIDE_AT, 1);
            operation.slot = entry.take(Layout._ENTRY_SLOT_AT, 6);
            operation.turn = entry.take(Layout._ENTRY_TURN_AT, 16);
            entry.end(_readRest(entry, operation));
        }
    }

    /// @dev Reads the fields that belong to the entry's operation, and returns whether they are possible.
    function _readRest(LogEntry memory entry, Operation memory operation) private pure returns (bool isPossible) {
        if (operation.op == Layout._OP_MOVE) {
            operation.from = entry.take(Layout._MOVE_FROM_AT, 8);
            operation.to = entry.take(Layout._MOVE_TO_AT, 8);
            return true;
        }
        if (operation.op == Layout._OP_REVEAL) {
            operation.tile = entry.take(Layout._REVEAL_TILE_AT, 8);
            operation.rank = entry.take(Layout._REVEAL_RANK_AT, 4);
            return operation.rank < Armies.RANKS;
        }
        if (operation.op == Layout._OP_BATTLE) {
            operation.defender = entry.take(Layout._BATTLE_DEFENDER_AT, 8);
            operation.tile = entry.take(Layout._BATTLE_TILE_AT, 8);
            operation.kind = entry.take(Layout._BATTLE_KIND_AT, 4);
            operation.winner = entry.take(Layout._BATTLE_WINNER_AT, 2);
            return operation.kind <= Layout._ATTACK && operation.winner <= 2;
        }
        if (operation.op == Layout._OP_KILL) {
            operation.tile = entry.take(Layout._KILL_TILE_AT, 8);
            return true;
        }
        if (operation.op == Layout._OP_RESULT) {
            operation.winner = entry.take(Layout._RESULT_WINNER_AT, 2);
            return operation.side == 0 && operation.slot == 0 && operation.winner <= 2;
        }
        return false;
    }
}
