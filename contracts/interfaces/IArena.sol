// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGame, Seat, Step} from "./IGame.sol";
import {IHouse} from "./IHouse.sol";
import {ILadder} from "./ILadder.sol";
import {IPurse} from "./IPurse.sol";

/// @notice Where a match stands. The numbers are the source's; 4 and 5 are never stored.
enum Status {
    /// Player 1 has not funded its seat.
    Created,
    /// An offer: player 1's stake is in.
    P1Deposited,
    /// Both stakes are in; player 2 has still to join.
    AllDeposited,
    /// In play.
    AllJoined,
    ReadyToFight,
    Reserved,
    P1Win,
    P2Win,
    /// The offer was withdrawn or lapsed.
    P1Canceled,
    /// Player 2 let the clock run out.
    P1WinInactive,
    /// Player 1 let the clock run out.
    P2WinInactive,
    Draw
}

/// @notice What two players agree on; immutable, stored once per content.
struct Terms {
    /// The game contract.
    IGame game;
    /// Stake of player 1, in the token's smallest unit.
    uint96 stake1;
    /// The token staked; zero for the chain's coin.
    address token;
    /// Stake of player 2.
    uint96 stake2;
    /// Content hash of the game's mode; zero for its default.
    bytes32 mode;
    /// Thinking time of each seat in seconds, 1 minute to 30 days.
    uint32 clock;
    /// The house's part of a taken pot, of 10 000; equals the arena's when the match is created.
    uint16 feeBps;
    /// Whether the match counts for the ladder.
    bool rated;
}

/// @notice A match, in two storage words.
struct Match {
    address player1;
    /// Last second at which the waiting seat may still act; from the next on, `timeout` works.
    uint40 deadline;
    /// Rest of the other seat's clock, in seconds.
    uint32 reserve;
    Status status;
    /// Who acts; None outside `AllJoined`.
    Seat turn;
    /// The opponent; in `Created` and `P1Deposited` the named one, or zero for anyone.
    address player2;
    /// Number of the match's terms.
    uint40 termsId;
    /// Whether the offer binds player 1 until the deadline.
    bool firm;
    /// Whether seat 2 was taken by an ERC-1363 transfer: only the token says that its player wanted it.
    bool byTransfer;
    /// What player 1 brought, by the first bytes of its keccak256: as many as these two words have room for.
    bytes5 fingerprint;
}

/// @title The referee: seats, states, clock and settlement
/// @notice Two players stake, the arena asks the game who acts and who won, and moves the money as numbers in the
/// purse.
///
/// Warning: a zero stake on one seat invites squatters: name the opponent.
interface IArena is IPurse, ILadder, IHouse {
    /// @notice These terms are now known under `termsId`.
    event TermsAdded(uint256 indexed termsId, Terms terms);

    /// @notice A match was offered; `opponent` zero means anyone, `firmUntil` zero a soft offer. If it is `funded`,
    /// player 1's stake was taken from its purse.
    event Created(
        uint256 indexed matchId,
        address indexed player1,
        address indexed opponent,
        bytes32 termsHash,
        uint40 firmUntil,
        bool funded,
        bytes data
    );

    /// @notice The stake of a seat was taken from its player's purse by itself: not by `create`, nor by `join` in one
    /// step.
    event Funded(uint256 indexed matchId, Seat seat, address indexed player);

    /// @notice Player 2 joined with its answer. If it had not funded before, its stake was taken from its purse now.
    event Joined(uint256 indexed matchId, address indexed player2, bytes data);

    /// @notice A seat acted, itself or through its operator.
    event Acted(uint256 indexed matchId, Seat seat, bytes data);

    /// @notice A match ended. What was paid is in the token's smallest unit; ratings are the new ones, zero if unrated.
    event Settled(
        uint256 indexed matchId,
        Status status,
        uint256 paid1,
        uint256 paid2,
        uint256 house,
        uint256 rating1,
        uint256 rating2
    );

    /// @notice `operator` may act for `player` as long as the time is not past `until`.
    event OperatorAllowed(address indexed player, address indexed operator, uint40 until);

    /// @notice There is no match with this number.
    error UnknownMatch(uint256 matchId);

    /// @notice There are no terms with this number.
    error UnknownTerms(uint256 termsId);

    /// @notice The match is not the offer that the caller names: other terms, another challenger, or it brought
    /// something else.
    error WrongOffer(uint256 matchId, bytes32 expected, bytes32 actual);

    /// @notice The match is in a status in which this cannot be done.
    error WrongStatus(uint256 matchId, Status status);

    /// @notice The deadline has passed.
    error TooLate(uint256 matchId, uint256 deadline, uint256 time);

    /// @notice The deadline has not passed yet.
    error TooEarly(uint256 matchId, uint256 deadline, uint256 time);

    /// @notice Player 2 may join only at a later timestamp than the one its stake came in at.
    error JoinTooSoon(uint256 matchId, uint256 fundedAt, uint256 time);

    /// @notice Only a firm offer is joined in one step, by the opponent it names; else player 2 funds first.
    error FundFirst(uint256 matchId);

    /// @notice The seat is meant for somebody else.
    error NotTheOpponent(uint256 matchId, address opponent, address caller);

    /// @notice Only the challenger can do this.
    error NotTheChallenger(uint256 matchId, address challenger, address caller);

    /// @notice Only one of the two players can do this.
    error NotAPlayer(uint256 matchId, address caller);

    /// @notice It is another player's turn, and the caller is not that player's operator.
    error NotYourTurn(uint256 matchId, address player, address caller);

    /// @notice A player cannot hold both seats.
    error OwnOpponent(address player);

    /// @notice A firm offer cannot be cancelled.
    error OfferIsFirm(uint256 matchId, uint256 until);

    /// @notice A firm offer ends later than now and at most 30 days from now.
    error FirmUntilOutOfBounds(uint256 firmUntil, uint256 time, uint256 latest);

    /// @notice The clock is under a minute or over 30 days.
    error ClockOutOfBounds(uint256 clock, uint256 min, uint256 max);

    /// @notice The terms' house fee is not the arena's current one.
    error WrongFee(uint256 feeBps, uint256 current);

    /// @notice This chain puts new contracts elsewhere than where the arena would look for the terms: it cannot keep
    /// any here.
    error TermsElsewhere(uint256 termsId, address actual, address expected);

    /// @notice The game answered what no game may answer here.
    error BadStep(uint256 matchId, Step step);

    /// @notice The tokens sent along do not cover the stake; an older purse is not drawn on.
    error TransferTooSmall(uint256 matchId, uint256 value, uint256 stake);

    /// @notice The token sent is not the token of the match.
    error WrongToken(uint256 matchId, address token, address expected);

    /// @notice Offers a match, with player 1's reveal move or commitment.
    /// @dev Unknown terms are registered. Coin sent is credited to the caller's purse first. If the purse covers the
    /// stake it is taken at once, else the match waits for `fund`.
    /// @param opponent Who may take the other seat; zero for anyone.
    /// @param firmUntil Zero for a soft offer: cancellable at any time, lapses after 30 days. Else the offer binds, and
    /// lapses, then: later than now and at most 30 days from now.
    function create(
        Terms calldata terms,
        address opponent,
        uint40 firmUntil,
        bytes calldata data
    ) external payable returns (uint256 matchId);

    /// @notice Takes the caller's stake from its purse into its seat.
    /// @param offerHash The offer that the caller has seen, so that a renumbered match cannot surprise:
    /// `keccak256(abi.encode(keccak256(abi.encode(terms)), player1, bytes5(keccak256(reveal))))`. Take it from the
    /// `Created` event that the caller agrees to, not from what the chain says when it sends.
    function fund(uint256 matchId, bytes32 offerHash) external payable;

    /// @notice Joins as player 2: a firm offer that names the caller in one step, any other after funding, at a later
    /// timestamp. Else player 1 could read the open answer and, whenever it loses, cancel or seat a second account.
    /// @param offerHash As for `fund`.
    function join(uint256 matchId, bytes32 offerHash, bytes calldata data) external payable;

    /// @notice Withdraws a soft offer that nobody has taken; player 1 only, at any time.
    function cancel(uint256 matchId) external;

    /// @notice Acts for the seat whose turn it is; its player or an operator.
    function act(uint256 matchId, bytes calldata data) external;

    /// @notice Gives up a match in play: a normal win for the other. Either player, until the deadline.
    function resign(uint256 matchId) external;

    /// @notice Ends a match whose deadline has passed: the waiting seat loses the full pot, an offer is refunded.
    /// Anyone.
    /// @dev A player 2 whose token seated it and who never joined is not rated: a token could seat anybody.
    function timeout(uint256 matchId) external;

    /// @notice Lets `operator` act, and nothing else, for the caller as long as the time is not past `until`.
    function allow(address operator, uint40 until) external;

    /// @notice The match with this number.
    function matchOf(uint256 matchId) external view returns (Match memory);

    /// @notice The status of the match with this number.
    function statusOf(uint256 matchId) external view returns (Status);

    /// @notice The number of matches so far; ids count from 1.
    function matchCount() external view returns (uint256);

    /// @notice The terms with this number.
    function termsOf(uint256 termsId) external view returns (Terms memory);

    /// @notice The number of the terms with this hash, `keccak256(abi.encode(terms))`; zero if not registered.
    function termsIdOf(bytes32 termsHash) external view returns (uint256 termsId);

    /// @notice Until when `operator` may act for `player`; zero if never allowed.
    function operatorUntil(address player, address operator) external view returns (uint40 until);
}
