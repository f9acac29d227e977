// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CommitReveal} from "../../contracts/games/CommitReveal.sol";
import {Seat} from "../../contracts/interfaces/IGame.sol";

// solhint-disable avoid-low-level-calls

/// @title Arena in which a whole match is played in one transaction
/// @notice Makes every call, taken or refused, and emits the data that it returned or reverted with, and the state hash
/// after it.
contract Walkthrough {
    event Told(bool taken, bytes data, bytes32 stateHash);

    function play(CommitReveal game, uint256 matchId, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool taken, bytes memory data) = address(game).call(calls[i]);
            emit Told(taken, data, game.stateHashOf(matchId));
        }
    }

    /// @dev Takes every signature: an engine checks none.
    function checkSigned(uint256, Seat, bytes32, bytes calldata) external pure {}
}
