// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Seat} from "./IGame.sol";

/// @title Interface of signatures: what players sign about their matches
/// @notice A signature is one of
///
///     65 bytes     r 32 || s 32 || v 1, by the seat's player or the key that it has pledged
///     130 bytes    65 bytes by a session key, then 65 bytes by the player, who signs
///                  Key(uint256 matchId,address key) in the arena's EIP-712 domain
///
/// The signer is always recovered, even if the account has code, so that a valid signature stays valid until the match
/// ends. Contract wallets and operators cannot sign; a contract wallet pledges a key by a transaction instead.
interface ISignatures {
    /// @notice Key pledged for a match: its signatures count as those of the seat's player.
    event Pledged(uint256 indexed matchId, Seat seat, address key);

    /// @notice The seat's player did not sign this.
    error NotSigned(uint256 matchId, Seat seat);

    /// @notice A seat pledges a key once, and never changes it.
    error PledgedBefore(uint256 matchId, Seat seat);

    /// @notice A key of zero signs nothing.
    error ZeroKey(uint256 matchId);

    /// @notice Lets a key sign for the caller in a match in play until the match ends; the caller can still sign too.
    /// Either player, once, even after the deadline.
    ///
    /// Warning: whoever holds the key can agree on any result of the match. Only the number names the match: pledge
    /// once joining is final, since after a reorganisation the pledge could apply to another match.
    function pledge(uint256 matchId, address key) external;

    /// @notice Returns the key that a seat has pledged; zero if none.
    function keyOf(uint256 matchId, Seat seat) external view returns (address key);

    /// @notice Reverts with `NotSigned` unless the player of a seat signed a digest. Before joining, the opponent that
    /// an offer names counts as the player of seat 2: games should rely on the result only after joining.
    ///
    /// Warning: pass only digests that you have hashed from data that names the match. Nothing else ties a signature
    /// of 65 bytes to the match, and anyone who may choose the digest can find a signature that fits one.
    /// @param digest EIP-712 digest, which names the match.
    function checkSigned(uint256 matchId, Seat seat, bytes32 digest, bytes calldata signature) external view;
}
