// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice Record of a player's rated duels at one game, in one storage word. Every field stops at its maximum.
struct Record {
    /// Rating, 1000 at first and never below zero.
    uint32 rating;
    /// Experience: 50 for a win, 20 for a loss or draw, 0 for a forfeit; level = experience / 100 + 1.
    uint32 experience;
    uint32 wins;
    /// Losses, including forfeits.
    uint32 losses;
    uint32 draws;
    /// Losses by the clock, or by an action that the game refused.
    uint32 forfeits;
    /// Time of the last rated duel, in seconds.
    uint40 lastDuel;
}

/// @notice Sums of a player's rated matches in one token, in one storage word. Both fields stop at their maximum.
struct Stakes {
    /// Sum of the stakes of finished rated matches.
    uint128 staked;
    /// Sum that those matches paid to the player, including returned stakes.
    uint128 won;
}

/// @title Ladder: records and ratings per game and player
/// @notice Only the settlement of rated matches writes records, and no money depends on them.
///
/// Warning: ratings are not zero-sum and can be farmed with two accounts.
interface ILadder {
    /// @notice Returns the record of `player` at `game`; without rated duels, a rating of 1000 and zeros.
    function recordOf(address game, address player) external view returns (Record memory record);

    /// @notice Returns the sums that `player` staked and was paid in rated matches with `token`.
    function stakesOf(address player, address token) external view returns (Stakes memory stakes);
}
