// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Seat} from "../../interfaces/IGame.sol";
import {GameIsOver} from "../Game.sol";
import {Sides} from "../Sides.sol";
import {Positions} from "./Positions.sol";
import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";

/// @title Playouts of Warmancer
/// @notice Plays lists of moves without a match; all ranks are known.
library Playouts {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    /// @notice The last turn has only one of its two moves.
    error HalfATurn(uint256 index);

    /// @notice Plays moves that continue from a position, and updates the position.
    /// @param ranks Both setups, a byte each by slot.
    /// @param moves Moves, as `WarmancerPreview.preview` takes them.
    /// @return over True if the game is over.
    /// @return winner Winner of a game that is over; None for a draw.
    /// @return played Number of turns that were played.
    /// @return logEntries Log of all turns.
    function play(
        bytes memory p,
        bytes[2] memory ranks,
        uint16[] calldata moves
    ) internal pure returns (bool over, Seat winner, uint256 played, uint256[] memory logEntries) {
        bool sequential = p.flags() & Positions.SEQUENTIAL != 0;
        // Memory is never freed: appending each turn's entries to a copy of all earlier ones would cost quadratic gas.
        uint256[] memory log = new uint256[](moves.length * TurnResolutions.MAX_ENTRIES);
        uint256 logged = 0;
        uint256 i = 0;
        while (i < moves.length) {
            if (over) revert GameIsOver(i);
            uint256[] memory turn;
            uint256 side = p.isMover(0) ? 0 : 1;
            if (!sequential) {
                if (i + 1 == moves.length) revert HalfATurn(i);
                (over, winner, turn) = _both(p, ranks, [uint256(moves[i]), moves[i + 1]]);
                i += 2;
            } else if (moves[i] != TurnResolutions.STUCK) {
                (over, winner, turn) = _alone(p, ranks, side, moves[i]);
                i += 1;
            } else {
                // If Stuck is the last move, it has no reply yet.
                if (i + 1 == moves.length) break;
                (over, winner, turn) = _reply(p, ranks, Sides.otherSide(side), moves[i + 1]);
                i += 2;
            }
            for (uint256 j = 0; j < turn.length; ++j) log[logged++] = turn[j];
            ++played;
            if (!over) p.setTurn(p.turn() + 1);
            if (sequential) p.setMover(Sides.otherSeat(side));
        }
        logEntries = new uint256[](logged);
        for (uint256 j = 0; j < logged; ++j) logEntries[j] = log[j];
    }

    /// @dev Plays a turn in which both sides move at once.
    function _both(
        bytes memory p,
        bytes[2] memory ranks,
        uint256[2] memory moves
    ) private pure returns (bool over, Seat winner, uint256[] memory logEntries) {
        if (moves[0] == TurnResolutions.STUCK) return _reply(p, ranks, 1, moves[1]);
        if (moves[1] == TurnResolutions.STUCK) return _reply(p, ranks, 0, moves[0]);
        for (uint256 side = 0; side < 2; ++side) p.check(side, moves[side], ranks[side]);
        return _resolve(p, ranks, moves);
    }

    /// @dev Plays a turn in which one side moves.
    function _alone(
        bytes memory p,
        bytes[2] memory ranks,
        uint256 side,
        uint256 move
    ) private pure returns (bool over, Seat winner, uint256[] memory logEntries) {
        p.check(side, move, ranks[side]);
        uint256[2] memory moves;
        moves[side] = move;
        return _resolve(p, ranks, moves);
    }

    /// @dev Ends the game with a side's reply to Stuck: a draw if the reply is Stuck too, otherwise a win for the side.
    function _reply(
        bytes memory p,
        bytes[2] memory ranks,
        uint256 side,
        uint256 move
    ) private pure returns (bool over, Seat winner, uint256[] memory logEntries) {
        over = true;
        if (move != TurnResolutions.STUCK) {
            p.check(side, move, ranks[side]);
            winner = Sides.seatOf(side);
        }
        logEntries = TurnResolutions.resultLog(p.turn(), winner);
    }

    /// @dev Resolves a turn with the true ranks.
    function _resolve(
        bytes memory p,
        bytes[2] memory ranks,
        uint256[2] memory moves
    ) private pure returns (bool over, Seat winner, uint256[] memory logEntries) {
        TurnResolution memory resolution = p.plan(moves, p.slotsOf(moves));
        for (uint256 side = 0; side < 2; ++side) {
            (uint256 first, uint256 second) = resolution.dueSlots(side);
            if (first != Positions.NOBODY) resolution.learn(side, first, uint8(ranks[side][first]));
            if (second != Positions.NOBODY) resolution.learn(side, second, uint8(ranks[side][second]));
        }
        return resolution.resolve(p);
    }
}
