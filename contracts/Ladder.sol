// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "./interfaces/IGame.sol";
import {ILadder, Record, Stakes} from "./interfaces/ILadder.sol";

/// @title Ratings, experience and stakes of rated matches
/// @dev Nothing here reverts, so that nothing here can hold up a settlement: every field saturates.
abstract contract Ladder is ILadder {
    uint256 private constant _START_RATING = 1000;
    uint256 private constant _SPREAD = 400;
    uint256 private constant _STEP = 20;
    uint256 private constant _MAX_CHANGE = 40;
    uint256 private constant _WIN_EXPERIENCE = 50;
    uint256 private constant _PLAY_EXPERIENCE = 20;

    mapping(address game => mapping(address player => Record record)) private _records;
    mapping(address player => mapping(address token => Stakes stakes)) private _stakes;

    /// @inheritdoc ILadder
    function recordOf(address game, address player) public view returns (Record memory record) {
        record = _records[game][player];
        if (record.lastDuel == 0) record.rating = uint32(_START_RATING);
    }

    /// @inheritdoc ILadder
    function stakesOf(address player, address token) external view returns (Stakes memory stakes) {
        return _stakes[player][token];
    }

    /// @dev Writes both players' records.
    /// @param winner None is a draw.
    /// @param forfeit Whether the loser let the clock run out.
    /// @return rating1 Player 1's new rating.
    /// @return rating2 Player 2's new rating.
    function _rate(
        address game,
        address player1,
        address player2,
        Seat winner,
        bool forfeit
    ) internal returns (uint256 rating1, uint256 rating2) {
        Record memory record1 = recordOf(game, player1);
        Record memory record2 = recordOf(game, player2);
        (rating1, rating2) = (record1.rating, record2.rating);
        if (winner == Seat.None) {
            _addDraw(record1);
            _addDraw(record2);
        } else if (winner == Seat.One) {
            _addWin(record1, rating2);
            _addLoss(record2, rating1, forfeit);
        } else {
            _addLoss(record1, rating2, forfeit);
            _addWin(record2, rating1);
        }
        (record1.lastDuel, record2.lastDuel) = (uint40(block.timestamp), uint40(block.timestamp));
        _records[game][player1] = record1;
        _records[game][player2] = record2;
        return (record1.rating, record2.rating);
    }

    /// @dev Adds one rated match to a player's money record.
    function _addStakes(address player, address token, uint256 staked, uint256 won) internal {
        if (staked == 0 && won == 0) return;
        Stakes memory stakes = _stakes[player][token];
        stakes.staked = uint128(Math.min(stakes.staked + staked, type(uint128).max));
        stakes.won = uint128(Math.min(stakes.won + won, type(uint128).max));
        _stakes[player][token] = stakes;
    }

    function _addWin(Record memory record, uint256 opponent) private pure {
        record.rating = _saturated(record.rating + _ratingChange(record.rating, opponent));
        record.wins = _saturated(uint256(record.wins) + 1);
        record.experience = _saturated(record.experience + _WIN_EXPERIENCE);
    }

    function _addLoss(Record memory record, uint256 opponent, bool forfeit) private pure {
        record.rating = uint32(Math.saturatingSub(record.rating, _ratingChange(record.rating, opponent)));
        record.losses = _saturated(uint256(record.losses) + 1);
        if (forfeit) record.forfeits = _saturated(uint256(record.forfeits) + 1);
        else record.experience = _saturated(record.experience + _PLAY_EXPERIENCE);
    }

    function _addDraw(Record memory record) private pure {
        record.draws = _saturated(uint256(record.draws) + 1);
        record.experience = _saturated(record.experience + _PLAY_EXPERIENCE);
    }

    /// @dev What a win adds and a loss takes: clamp(20 * (400 + opponent - own) / 400, 0, 40), both ratings as they
    /// were just before the settlement.
    function _ratingChange(uint256 own, uint256 opponent) internal pure returns (uint256) {
        return Math.min((_STEP * Math.saturatingSub(_SPREAD + opponent, own)) / _SPREAD, _MAX_CHANGE);
    }

    function _saturated(uint256 value) private pure returns (uint32) {
        return uint32(Math.min(value, type(uint32).max));
    }
}
