// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Terms} from "./IArena.sol";
import {Seat} from "./IGame.sol";

/// @title Functions of the arena that only its channels contract can call
/// @dev The channels contract decides how its money is divided, but cannot touch other money in the arena: `lock` takes
/// money from the purses of its two players, the other functions only from the purse of the channels contract.
interface IChannelArena {
    /// @notice The caller is not the channels contract of this arena.
    error NotTheChannels(address caller);

    /// @notice The match does not wait for its first action.
    error NotWaiting(uint256 matchId);

    /// @notice Moves money from the purses of two players into the purse of the channels contract.
    function lock(address player1, uint256 amount1, address player2, uint256 amount2, address token) external;

    /// @notice Moves money from the purse of the channels contract into the purses of two players and of the treasury.
    function release(
        address player1,
        uint256 amount1,
        address player2,
        uint256 amount2,
        address token,
        uint256 house
    ) external;

    /// @notice Adds a match to the ladder if its terms are rated; returns the new ratings, or zeros if unrated.
    function rate(
        Terms calldata terms,
        address player1,
        address player2,
        Seat winner,
        bool forfeit,
        uint256 paid1,
        uint256 paid2
    ) external returns (uint256 rating1, uint256 rating2);

    /// @notice Stores a match in play, with full clocks and stakes from the purse of the channels contract.
    /// @param code Number that `postedOf` returns, of at most 40 bits.
    function start(
        uint256 matchId,
        Terms calldata terms,
        address player1,
        address player2,
        Seat turn,
        bytes32 position,
        uint256 code
    ) external;

    /// @notice Withdraws a match that waits for its first action, and returns its stakes to the channels' purse.
    function void(uint256 matchId) external returns (uint256 stake1, uint256 stake2);

    /// @notice Returns whether a match from a channel waits for its first action, and the `code` of `start` if it
    /// does.
    function postedOf(uint256 matchId) external view returns (bool posted, uint256 code);
}
