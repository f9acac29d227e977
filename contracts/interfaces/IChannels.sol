// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Terms} from "./IArena.sol";
import {Seat, Step} from "./IGame.sol";

/// @notice Two players, the keys that sign for them, and what they play for. The channel's id is
/// `keccak256(abi.encode(channel))`.
struct Channel {
    address player1;
    /// Session key that signs all messages of player 1 except `Open`. It may be player 1 itself.
    address key1;
    address player2;
    address key2;
    /// Token of all stakes; zero for the chain's coin.
    address token;
    /// House fee of all matches, in basis points; equals the arena's fee when the channel is opened.
    uint16 feeBps;
}

/// @notice State of a channel, in one storage word.
struct ChannelState {
    /// Amount that belongs to player 1, in the token's smallest unit.
    uint96 amount1;
    /// Amount that belongs to player 2.
    uint96 amount2;
    /// Number of the next match. Each opening starts at the next multiple of 2^14.
    uint24 nonce;
    /// True if the previous match was challenged; it may still wait in the arena for its first action.
    bool challenged;
    /// Last second in which only both players together can close the channel; from the next second on, anyone can, with
    /// `expire`. Zero if the channel is closed.
    uint32 until;
}

/// @notice Message from which a transcript starts. Each player has signed it or a later message.
struct Base {
    /// Number of the message, from 1.
    uint32 count;
    /// Hash of the previous message.
    bytes32 prev;
    /// Hash of the message's action.
    bytes32 actionHash;
    /// Seat that acts next.
    Seat turn;
    /// Position after the message.
    bytes32 position;
}

/// @notice Signed messages of a match, starting with its offer or a later message.
struct Transcript {
    /// True if the channel's player 2 has seat One.
    bool swapped;
    /// True if the seat that did not act last signed that it has seen the last action.
    bool seen;
    /// Last second at which the match can be settled or challenged, unless it waits in the arena already.
    uint32 until;
    /// Position that the offer names; seat Two answers it.
    bytes32 position;
    /// Actions after the offer or the base, at least one. Each is preceded by its length in two bytes.
    bytes actions;
    /// Message to start from; empty to start from the offer.
    Base[] base;
    /// Place of each action's message; empty if all are zero.
    bytes32[] places;
    /// Signature of player 1's last message; empty if player 1 or its key sends the transaction.
    bytes signature1;
    /// Signature of player 2's last message; empty if player 2 or its key sends the transaction.
    bytes signature2;
}

/// @title Channels: two players lock money once, and play any number of matches with signed messages
/// @notice A match in a channel is a chain of signed messages: an offer and moves, each with the hash of the previous
/// message. So one signature of each player proves all messages. `play` settles a match that is over. If a player falls
/// silent, the opponent moves the match to the arena with `challenge`, where it continues as an ordinary match.
///
/// Players sign these messages in the EIP-712 domain "Duello Channels", version 1, of this contract: `Open` with their
/// wallets, all others with the channel's keys.
///
///     Open    (bytes32 channel, uint24 nonce, uint96 amount1, uint96 amount2, uint32 until)
///     Offer   (bytes32 channel, uint24 nonce, bytes32 terms, bool swapped, bytes32 position, uint32 until)
///     Move    (bytes32 offer, uint32 count, bytes32 prev, bytes action, bytes32 place)
///     Balance (bytes32 channel, uint24 nonce, uint96 amount1, uint96 amount2, bool close, uint32 until)
///
/// `terms` is `keccak256(abi.encode(terms))`; `offer` and `prev` are struct hashes. The `place` of a move is zero, or
/// `keccak256(abi.encode(turn, position))` of the state after it, so that a transcript can start there. A move with an
/// empty action, after the last action, states that its signer has seen the last action.
///
/// The arena holds the money of all channels in the purse of this contract.
interface IChannels {
    /// @notice Channel opened with these amounts; its first match has the number `nonce`.
    event Opened(
        bytes32 indexed channelId,
        address indexed player1,
        address indexed player2,
        address key1,
        address key2,
        address token,
        uint256 feeBps,
        uint256 amount1,
        uint256 amount2,
        uint256 nonce,
        uint256 until
    );

    /// @notice Terms of the matches that the transaction settles next, each with a `Played` event. Token and fee are
    /// those of the channel.
    event PlayedUnder(
        bytes32 indexed channelId,
        address indexed game,
        bytes32 mode,
        uint256 stake1,
        uint256 stake2,
        uint256 clock,
        bool rated
    );

    /// @notice Match settled. `position` is that of the transcript's offer, or of its base if it has one. From the
    /// lowest bit, `code` has:
    ///
    ///     bits 0-1    winner              bits 6-7    turn of the base; None if there is none
    ///     bits 2-3    taker               bits 8-31   number of the match
    ///     bit  4      1 for a forfeit     bits 32-63  new rating of seat One; zero if unrated
    ///     bit  5      1 for swapped       bits 64-95  new rating of seat Two; zero if unrated
    event Played(bytes32 indexed channelId, uint256 indexed matchId, uint256 code, bytes32 position, bytes actions);

    /// @notice Match challenged; the arena's `Started` follows. `code`, `position` and `actions` are as in `Played`;
    /// winner and taker are set only if the game is over.
    event Challenged(bytes32 indexed channelId, uint256 indexed matchId, uint256 code, bytes32 position, bytes actions);

    /// @notice Match challenged after its game ended; `Challenged` follows. Contains what the opponent may lack: the
    /// places of the messages in the transcript, and the signature of the last message.
    event EndShown(bytes32 indexed channelId, uint256 nonce, bytes32[] places, bytes signature);

    /// @notice Channel set to a balance. If `closed`, the amounts were paid out. `house` is the share of the house.
    event Balanced(
        bytes32 indexed channelId,
        uint256 nonce,
        uint256 amount1,
        uint256 amount2,
        uint256 house,
        bool closed
    );

    /// @notice House shares of a token collected into the treasury's purse.
    event Collected(address indexed token, uint256 amount);

    /// @notice The channel is open.
    error AlreadyOpen(bytes32 channelId);

    /// @notice The channel is not open.
    error NotOpen(bytes32 channelId);

    /// @notice A player cannot open a channel with itself.
    error SamePlayer(address player);

    /// @notice The channel's fee is not the current fee of the arena.
    error WrongChannelFee(uint256 feeBps, uint256 current);

    /// @notice The number of the match or balance is not the next one in the channel.
    error WrongNonce(uint256 nonce, uint256 expected);

    /// @notice The channel has no number left for another match or another opening: its players must open one with
    /// other keys.
    error NoncesUsedUp(bytes32 channelId, uint256 nonce);

    /// @notice The terms have another token or fee than the channel.
    error WrongChannelTerms(address token, uint256 feeBps);

    /// @notice The deadline of the message, or the end of the channel, has passed.
    error Expired(uint256 until, uint256 time);

    /// @notice The channel's end has not passed yet.
    error StillOpen(uint256 until, uint256 time);

    /// @notice This account did not sign, and does not send the transaction.
    error NotSignedBy(address signer);

    /// @notice A transcript has no action, an empty or truncated action, more than one base, or not one place for each
    /// action.
    error BadTranscript(uint256 nonce);

    /// @notice An action comes after the end of the game.
    error PastTheEnd(uint256 nonce, uint256 index);

    /// @notice The game returned a step that is not allowed in a channel.
    error BadChannelStep(uint256 nonce, Step step);

    /// @notice The game refused an action, possibly only because too little gas was left.
    error TooLittleGas(uint256 gas, uint256 min);

    /// @notice The match waits in the arena with `posted` messages. Only a transcript with more messages takes it back,
    /// and only if the challenger's last message in the transcript has at least the number `posted`.
    error NotNewer(uint256 nonce, uint256 count, uint256 signed, uint256 posted);

    /// @notice The match is not over, or its end is not final: the opponent has not signed that it has seen it.
    error NotFinal(uint256 nonce, Seat turn);

    /// @notice The match is over, and its end is final or the last mover has lost. Settle it with `play` instead.
    error IsFinal(uint256 nonce);

    /// @notice The seat that acted last must act again, so it cannot challenge.
    error StillInTurn(uint256 nonce, Seat turn);

    /// @notice Only the player who acted last, its key or its operator can challenge.
    error NotTheMover(uint256 nonce, address mover, address caller);

    /// @notice The channel holds less than the stakes of the match.
    error StakesTooHigh(uint256 nonce, uint256 stake1, uint256 stake2);

    /// @notice The sum of both amounts is higher than the channel can hold.
    error AmountsTooHigh(uint256 sum, uint256 max);

    /// @notice A match of this channel waits in the arena for its first action.
    error MatchPosted(uint256 matchId);

    /// @notice Locks money of both players until `until`. Both sign `Open`, or one signs and the other sends it.
    /// @dev The nonce in `Open` is the number of the first match, which `firstNonceOf` returns.
    /// @param signature1 Signature of player 1's wallet, ERC-1271 included; empty if player 1 sends the transaction.
    function open(
        Channel calldata channel,
        uint96 amount1,
        uint96 amount2,
        uint32 until,
        bytes calldata signature1,
        bytes calldata signature2
    ) external;

    /// @notice Settles matches that are over and final, in the order of their numbers: all of them or none. Anyone may
    /// call it. Skips matches that are settled already, even if all are, so that nobody can make the call fail by
    /// settling one of them first.
    /// @dev A match that is over is final if the opponent of the last mover has signed that it has seen the end, or
    /// sends the transaction. It is also final if it has exactly two actions, the mover of the second had no choice,
    /// and the game accepts both. A signed action that the game refuses loses the match; this loss is final once the
    /// opponent has signed a later message or sends the transaction.
    /// @param nonce Number of the first match.
    /// @param terms Terms of all the matches.
    function play(
        Channel calldata channel,
        uint24 nonce,
        Terms calldata terms,
        Transcript[] calldata transcripts
    ) external;

    /// @notice Moves a match to the arena, where it continues as an ordinary match: the opponent is in turn, and both
    /// clocks are full. Until the opponent acts there, newer messages supersede the match here. Only the player who
    /// acted last, its key or its operator may call it.
    function challenge(
        Channel calldata channel,
        uint24 nonce,
        Terms calldata terms,
        Transcript calldata transcript
    ) external;

    /// @notice Sets a channel to a balance that both players signed, and withdraws a match that waits in the arena.
    /// Does nothing if the channel is already at this number or past it. With `close`, the number must be the current
    /// one or higher, and both players are paid. Anyone may call it.
    /// @param until Last second at which the balance is valid.
    function checkpoint(
        Channel calldata channel,
        uint24 nonce,
        uint96 amount1,
        uint96 amount2,
        bool close,
        uint32 until,
        bytes calldata signature1,
        bytes calldata signature2
    ) external;

    /// @notice Pays both players what the channel holds, after its end. Anyone may call it.
    function expire(Channel calldata channel) external;

    /// @notice Credits the house shares of a token to the treasury's purse. Anyone may call it.
    function collect(address token) external;

    /// @notice Returns the state of a channel.
    function stateOf(bytes32 channelId) external view returns (ChannelState memory);

    /// @notice Returns the number of the first match of the channel's next opening.
    function firstNonceOf(bytes32 channelId) external view returns (uint24);

    /// @notice Returns the house shares of a token that are not collected yet.
    function sharesOf(address token) external view returns (uint256);

    /// @notice Returns the arena's number of a match: `keccak256(abi.encode(channelId, nonce))`.
    function matchIdOf(bytes32 channelId, uint256 nonce) external pure returns (uint256);
}
