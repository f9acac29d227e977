// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "./interfaces/IGame.sol";
import {ILadder, Record, Stakes} from "./interfaces/ILadder.sol";
import {Counters} from "./libraries/Counters.sol";

/// @title Ratings, experience and stakes of rated matches
/// @dev Nothing here reverts, so the ladder cannot block a settlement: every field saturates.
abstract contract Ladder is ILadder {
    // Bits at which the fields of a record start, from the lowest; each field has 32 bits, the last one 40. Measured: a
    // record in one word instead of a struct saves 3,000 gas per settlement.
    uint256 private constant _RECORD_RATING_AT = 0;
    uint256 private constant _RECORD_EXPERIENCE_AT = 32;
    uint256 private constant _RECORD_WINS_AT = 64;
    uint256 private constant _RECORD_LOSSES_AT = 96;
    uint256 private constant _RECORD_DRAWS_AT = 128;
    uint256 private constant _RECORD_FORFEITS_AT = 160;
    uint256 private constant _RECORD_LAST_DUEL_AT = 192;

    uint256 private constant _START_RATING = 1000;
    /// @dev Largest change of a rating in one duel, Elo's K.
    uint256 private constant _K_FACTOR = 40;
    /// @dev Lead in rating at which the expected score reaches 1.
    uint256 private constant _ELO_SCALE = 400;
    uint256 private constant _WIN_EXPERIENCE = 50;
    uint256 private constant _PLAY_EXPERIENCE = 20;

    mapping(address game => mapping(address player => uint256 word)) private _records;
    mapping(address player => mapping(address token => Stakes stakes)) private _stakes;

    /// @inheritdoc ILadder
    function recordOf(address game, address player) external view returns (Record memory record) {
        uint256 word = _started(_records[game][player]);
        record.rating = uint32(word >> _RECORD_RATING_AT);
        record.experience = uint32(word >> _RECORD_EXPERIENCE_AT);
        record.wins = uint32(word >> _RECORD_WINS_AT);
        record.losses = uint32(word >> _RECORD_LOSSES_AT);
        record.draws = uint32(word >> _RECORD_DRAWS_AT);
        record.forfeits = uint32(word >> _RECORD_FORFEITS_AT);
        record.lastDuel = uint40(word >> _RECORD_LAST_DUEL_AT);
    }

    /// @inheritdoc ILadder
    function stakesOf(address player, address token) external view returns (Stakes memory stakes) {
        return _stakes[player][token];
    }

    /// @dev Adds one rated duel to the records of both players.
    /// @param winner Seat that won; None is a draw.
    /// @param forfeit True if the loser let the clock run out, or the game refused its action.
    /// @return rating1 New rating of player 1.
    /// @return rating2 New rating of player 2.
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

    /// @dev Adds one rated match to the stakes of a player.
    function _addStakes(address player, address token, uint256 staked, uint256 won) internal {
        if (staked == 0 && won == 0) return;
        Stakes storage stakes = _stakes[player][token];
        (uint256 staked0, uint256 won0) = (stakes.staked, stakes.won);
        stakes.staked = uint128(Math.min(staked0 + staked, type(uint128).max));
        stakes.won = uint128(Math.min(won0 + won, type(uint128).max));
    }

    /// @dev Returns a stored record, or the initial record if none is stored.
    function _started(uint256 word) private pure returns (uint256) {
        return word == 0 ? _START_RATING : word;
    }

    function _withWin(uint256 word, uint256 opponent) private pure returns (uint256) {
        word = _plus(word, _RECORD_RATING_AT, _ratingChange(uint32(word), opponent));
        return _plus(_plus(word, _RECORD_WINS_AT, 1), _RECORD_EXPERIENCE_AT, _WIN_EXPERIENCE);
    }

    function _withLoss(uint256 word, uint256 opponent, bool forfeit) private pure returns (uint256) {
        uint256 rating = uint32(word);
        word = _plus(word - Math.min(rating, _ratingChange(rating, opponent)), _RECORD_LOSSES_AT, 1);
        return forfeit ? _plus(word, _RECORD_FORFEITS_AT, 1) : _plus(word, _RECORD_EXPERIENCE_AT, _PLAY_EXPERIENCE);
    }

    function _withDraw(uint256 word) private pure returns (uint256) {
        return _plus(_plus(word, _RECORD_DRAWS_AT, 1), _RECORD_EXPERIENCE_AT, _PLAY_EXPERIENCE);
    }

    /// @dev Adds to the field of 32 bits that starts at bit `start`, up to its maximum.
    function _plus(uint256 word, uint256 start, uint256 amount) private pure returns (uint256) {
        return Counters.plus(word, start, amount, type(uint32).max);
    }

    /// @dev Sets the time of the last duel, the highest field, to now.
    function _dated(uint256 word) private view returns (uint256) {
        return uint192(word) | (uint256(uint40(block.timestamp)) << _RECORD_LAST_DUEL_AT);
    }

    /// @dev Returns the points that a win adds to a rating of `own`, or a loss takes from it, rounded down:
    ///
    ///     K * (1 - expected score)
    ///     expected score = clamp(1 / 2 + (own - opponent) / (2 * scale), 0, 1)
    ///
    /// with Elo's K factor 40 and scale 400, and a straight line in place of Elo's logistic curve. That is
    /// clamp(20 * (400 + opponent - own) / 400, 0, 40). Both ratings are from just before the settlement.
    ///
    /// Warning: in Elo's system a loss costs K * expected score; here it costs as much as a win would have added.
    function _ratingChange(uint256 own, uint256 opponent) internal pure returns (uint256) {
        uint256 change = (_K_FACTOR * Math.saturatingSub(_ELO_SCALE + opponent, own)) / (2 * _ELO_SCALE);
        return Math.min(change, _K_FACTOR);
    }
}
