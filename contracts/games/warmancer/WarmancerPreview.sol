// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Seat} from "../../interfaces/IGame.sol";
import {Playouts} from "./Playouts.sol";
import {Positions} from "./Positions.sol";
import {WarmancerModes} from "./WarmancerModes.sol";

/// @title Preview of Warmancer
/// @notice Plays Warmancer without a match, with the rules of its contract. It is a separate contract, since the code
/// of both does not fit into one.
contract WarmancerPreview is WarmancerModes {
    /// @notice Plays moves without a match. Moves are judged by the true ranks, the end of the game by the recorded
    /// ranks.
    /// @param mode Content of a mode; empty for the default.
    /// @param ranks1 Player 1's setup, a byte each by slot.
    /// @param ranks2 Player 2's setup.
    /// @param moves Each is from << 8 | to, or 0xffff for Stuck. A turn has both players' moves, player 1's first; in a
    /// sequential mode it has the mover's move, and a reply to Stuck.
    /// @return over True if the game is over.
    /// @return winner Seat that has won; None for a draw, and while the game is not over.
    /// @return played Number of turns that were played.
    /// @return position Position after these turns.
    /// @return logEntries Log of all turns.
    function preview(
        bytes calldata mode,
        bytes calldata ranks1,
        bytes calldata ranks2,
        uint16[] calldata moves
    )
        external
        pure
        returns (bool over, Seat winner, uint256 played, bytes memory position, uint256[] memory logEntries)
    {
        if (mode.length != 0) _checkContent(mode);
        position = Positions.start(mode.length == 0 ? _DEFAULT_MODE : mode);
        _checkRanks(position, ranks1);
        _checkRanks(position, ranks2);
        (over, winner, played, logEntries) = Playouts.play(position, [bytes(ranks1), ranks2], moves);
    }
}
