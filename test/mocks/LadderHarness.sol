// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ladder} from "../../contracts/Ladder.sol";
import {Seat} from "../../contracts/interfaces/IGame.sol";

/// @title Ladder without an arena
contract LadderHarness is Ladder {
    event Rated(uint256 rating1, uint256 rating2);

    function ratingChange(uint256 own, uint256 opponent) external pure returns (uint256) {
        return _ratingChange(own, opponent);
    }

    function rate(address game, address player1, address player2, Seat winner, bool forfeit) external {
        (uint256 rating1, uint256 rating2) = _rate(game, player1, player2, winner, forfeit);
        emit Rated(rating1, rating2);
    }

    function addStakes(address player, address token, uint256 staked, uint256 won) external {
        _addStakes(player, token, staked, won);
    }
}
