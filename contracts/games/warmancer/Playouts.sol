// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TurnResolution, TurnResolutions} from "./TurnResolutions.sol";
import {Positions} from "./Positions.sol";

/// @title Games of Warmancer without a match
library Playouts {
    using Positions for bytes;
    using TurnResolutions for bytes;
    using TurnResolutions for TurnResolution;

    uint256 private constant _SEQUENTIAL = 4;

    /// @notice The game is over before this move; `index` counts from 0.
    error GameIsOver(uint256 index);

    /// @notice The last turn has one move of two.
    error HalfATurn(uint256 index);

    /// @notice Plays moves from a position on, which it changes.
    /// @param ranks Both setups, a byte each by slot.
    /// @param moves As `Warmancer.preview` takes them.
    /// @return winner 1, 2, TurnResolutions.DRAW or TurnResolutions.GOES_ON.
    /// @return played How many turns were.
    /// @return logEntries The log.
    function play(
        bytes memory p,
        bytes[2] memory ranks,
        uint16[] calldata moves
    ) internal pure returns (uint256 winner, uint256 played, uint256[] memory logEntries) {
        bool sequential = p.flags() & _SEQUENTIAL != 0;
        winner = TurnResolutions.GOES_ON;
        // Memory is never given back: to join the words of each turn with all before would cost its square.
        uint256[] memory log = new uint256[](moves.length * TurnResolutions.MAX_ENTRIES);
        uint256 logged = 0;
        uint256 i = 0;
        while (i < moves.length) {
            if (winner != TurnResolutions.GOES_ON) revert GameIsOver(i);
            uint256[] memory turn;
            uint256 side = p.mover() - 1;
            if (!sequential) {
                if (i + 1 == moves.length) revert HalfATurn(i);
                (winner, turn) = _both(p, ranks, [uint256(moves[i]), moves[i + 1]]);
                i += 2;
            } else if (moves[i] != TurnResolutions.STUCK) {
                (winner, turn) = _alone(p, ranks, side, moves[i]);
                i += 1;
            } else {
                // Said, but not answered.
                if (i + 1 == moves.length) break;
                (winner, turn) = _reply(p, ranks, 1 - side, moves[i + 1]);
                i += 2;
            }
            for (uint256 j = 0; j < turn.length; ++j) log[logged++] = turn[j];
            ++played;
            if (winner == TurnResolutions.GOES_ON) p.setTurn(p.turn() + 1);
            if (sequential) p.setMover(2 - side);
        }
        logEntries = new uint256[](logged);
        for (uint256 j = 0; j < logged; ++j) logEntries[j] = log[j];
    }

    function _both(
        bytes memory p,
        bytes[2] memory ranks,
        uint256[2] memory moves
    ) private pure returns (uint256 winner, uint256[] memory logEntries) {
        if (moves[0] == TurnResolutions.STUCK) return _reply(p, ranks, 1, moves[1]);
        if (moves[1] == TurnResolutions.STUCK) return _reply(p, ranks, 0, moves[0]);
        for (uint256 side = 0; side < 2; ++side) p.check(side, moves[side], ranks[side]);
        return _resolve(p, ranks, moves);
    }

    function _alone(
        bytes memory p,
        bytes[2] memory ranks,
        uint256 side,
        uint256 move
    ) private pure returns (uint256 winner, uint256[] memory logEntries) {
        p.check(side, move, ranks[side]);
        uint256[2] memory moves;
        moves[side] = move;
        return _resolve(p, ranks, moves);
    }

    /// @dev What a side makes of the other's Stuck.
    function _reply(
        bytes memory p,
        bytes[2] memory ranks,
        uint256 side,
        uint256 move
    ) private pure returns (uint256 winner, uint256[] memory logEntries) {
        winner = TurnResolutions.DRAW;
        if (move != TurnResolutions.STUCK) {
            p.check(side, move, ranks[side]);
            winner = side + 1;
        }
        logEntries = TurnResolutions.resultOf(p.turn(), winner);
    }

    function _resolve(
        bytes memory p,
        bytes[2] memory ranks,
        uint256[2] memory moves
    ) private pure returns (uint256 winner, uint256[] memory logEntries) {
        TurnResolution memory resolution = p.plan(moves, p.slotsOf(moves));
        for (uint256 side = 0; side < 2; ++side) {
            (uint256 first, uint256 second) = resolution.hidden(side);
            if (first != Positions.NOBODY) resolution.learn(side, first, uint8(ranks[side][first]));
            if (second != Positions.NOBODY) resolution.learn(side, second, uint8(ranks[side][second]));
        }
        return resolution.resolve(p);
    }
}
