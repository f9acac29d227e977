// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Seat} from "../../contracts/interfaces/IGame.sol";
import {Record, Stakes} from "../../contracts/interfaces/ILadder.sol";

// solhint-disable private-vars-leading-underscore

/// @notice Returns clamp(20 * (400 + opponent - own) / 400, 0, 40), computed with signed numbers.
function ratingChange(uint256 own, uint256 opponent) pure returns (uint256) {
    int256 change = (20 * (400 + int256(opponent) - int256(own))) / 400;
    if (change < 0) return 0;
    return change > 40 ? 40 : uint256(change);
}

/// @title Model of the ladder
abstract contract Ratings {
    mapping(address game => mapping(address player => Record record)) private _records;
    mapping(address player => mapping(address token => Stakes stakes)) private _stakes;

    function recordOf(address game, address player) public view returns (Record memory record) {
        record = _records[game][player];
        if (record.lastDuel == 0) record.rating = 1000;
    }

    function stakesOf(address player, address token) external view returns (Stakes memory stakes) {
        return _stakes[player][token];
    }

    function _rate(address game, address player1, address player2, Seat winner, bool forfeit, uint256 time) internal {
        Record memory one = recordOf(game, player1);
        Record memory two = recordOf(game, player2);
        (uint32 rating1, uint32 rating2) = (one.rating, two.rating);
        if (winner == Seat.One) {
            _win(one, rating2);
            _lose(two, rating1, forfeit);
        } else if (winner == Seat.Two) {
            _lose(one, rating2, forfeit);
            _win(two, rating1);
        } else {
            (one.draws, two.draws) = (one.draws + 1, two.draws + 1);
            (one.experience, two.experience) = (one.experience + 20, two.experience + 20);
        }
        one.lastDuel = two.lastDuel = uint40(time);
        (_records[game][player1], _records[game][player2]) = (one, two);
    }

    function _addStakes(address player, address token, uint256 staked, uint256 won) internal {
        _stakes[player][token].staked += uint128(staked);
        _stakes[player][token].won += uint128(won);
    }

    function _win(Record memory record, uint256 opponent) private pure {
        record.rating += uint32(ratingChange(record.rating, opponent));
        record.experience += 50;
        ++record.wins;
    }

    function _lose(Record memory record, uint256 opponent, bool forfeit) private pure {
        uint32 change = uint32(ratingChange(record.rating, opponent));
        record.rating = record.rating > change ? record.rating - change : 0;
        ++record.losses;
        if (forfeit) ++record.forfeits;
        else record.experience += 20;
    }
}
