// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A player's rated duels at one game, in one storage word. Every field stops at its maximum.
struct Record {
    /// Starts at 1000, never below zero.
    uint32 rating;
    /// 50 for a win, 20 for a loss or draw, 0 for losing by the clock; level = experience / 100 + 1.
    uint32 experience;
    uint32 wins;
    /// Losses by the clock included.
    uint32 losses;
    uint32 draws;
    /// Losses by the clock.
    uint32 forfeits;
    /// Time of the last rated duel, in seconds.
    uint40 lastDuel;
}

/// @notice A player's rated stakes in one token, in one storage word. Both fields stop at their maximum.
struct Stakes {
    /// Sum of the stakes of finished rated matches.
    uint128 staked;
    /// Sum of what those matches paid to the player, own stakes returned included.
    uint128 won;
}

/// @title Record and rating per game and player
/// @notice Written only by the settlement of rated matches; no money depends on it.
///
/// Warning: the rating is not zero-sum and can be farmed with two accounts.
interface ILadder {
    /// @notice The record of `player` at `game`; a newcomer's rating is 1000.
    function recordOf(address game, address player) external view returns (Record memory record);

    /// @notice What `player` staked and was paid in rated matches, per token.
    function stakesOf(address player, address token) external view returns (Stakes memory stakes);
}
