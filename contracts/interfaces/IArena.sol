// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IGame, Seat, Step} from "./IGame.sol";
import {IHouse} from "./IHouse.sol";
import {ILadder} from "./ILadder.sol";
import {IPurse} from "./IPurse.sol";

/// @notice Status of a match, numbered as in the source of the rules; 4 and 5 are never stored.
enum Status {
    /// Offer without money: player 1 has not funded its seat.
    Created,
    /// Offer: player 1 has paid its stake.
    P1Deposited,
    /// Both stakes are paid; player 2 has not joined yet.
    AllDeposited,
    /// Match in play.
    AllJoined,
    /// Never stored.
    ReadyToFight,
    /// Never stored.
    Reserved,
    P1Win,
    P2Win,
    /// The offer was withdrawn or declined, or it lapsed.
    P1Canceled,
    /// Player 2 let the clock run out.
    P1WinInactive,
    /// Player 1 let the clock run out.
    P2WinInactive,
    Draw
}

/// @notice Terms of a match, on which both players agree. Immutable, and stored once for all matches that use them.
struct Terms {
    /// Game contract.
    IGame game;
    /// Stake of player 1, in the token's smallest unit.
    uint96 stake1;
    /// Token staked; zero for the chain's coin.
    address token;
    /// Stake of player 2, in the token's smallest unit.
    uint96 stake2;
    /// Content hash of the game's mode; zero for its default.
    bytes32 mode;
    /// Clock of each seat, its thinking time in seconds: 1 minute to 30 days.
    uint32 clock;
    /// House fee in basis points of the pot, if a player takes it; equals the arena's fee when the match is created.
    uint16 feeBps;
    /// True if the match counts for the ladder.
    bool rated;
}

/// @notice State of a match, in two storage words.
struct Match {
    address player1;
    /// Last second at which the seat in turn may still act; from the next second on, `timeout` works.
    uint40 deadline;
    /// Time left on the clock of the other seat, in seconds.
    uint32 reserve;
    Status status;
    /// Seat that acts; None outside `AllJoined`.
    Seat turn;
    /// Opponent; in `Created` and `P1Deposited` the named opponent, or zero for anyone.
    address player2;
    /// Number of the terms.
    uint40 termsId;
    /// True if the offer binds player 1 until the deadline, or until the named opponent declines it.
    bool firm;
    /// True if an ERC-1363 transfer funded seat 2: only the token claims that player 2 wanted the seat.
    bool byTransfer;
    /// First 5 bytes of the keccak256 of the data of `create`. For a match from a channel, its number of messages, then
    /// one bit for the seat that challenged and one for swapped seats.
    bytes5 fingerprint;
    /// True while a match from a channel waits for its first action; until then the channel may withdraw the match.
    bool posted;
}

/// @title Referee: seats, states, clock and settlement
/// @notice Two players stake. The arena asks the game whose turn it is and who won, and moves the money between purses.
///
/// Warning: anyone can take a seat without a stake and lose nothing, so name the opponent of such an offer.
interface IArena is IPurse, ILadder, IHouse {
    /// @notice Terms registered under `termsId`.
    event TermsAdded(uint256 indexed termsId, Terms terms);

    /// @notice Match offered; `opponent` is zero for anyone, `firmUntil` is zero for a soft offer. If `funded`, the
    /// stake of player 1 was taken from its purse.
    event Created(
        uint256 indexed matchId,
        address indexed player1,
        address indexed opponent,
        bytes32 termsHash,
        uint40 firmUntil,
        bool funded,
        bytes data
    );

    /// @notice Stake of a seat taken from its player's purse; not emitted by `create` or a `join` in one step.
    event Funded(uint256 indexed matchId, Seat seat, address indexed player);

    /// @notice Player 2 joined with its answer. If it had not funded before, its stake was also taken from its purse.
    event Joined(uint256 indexed matchId, address indexed player2, bytes data);

    /// @notice Match started by a challenge from a channel, at a position of its game. Seat `turn` acts next; both
    /// clocks are full.
    event Started(
        uint256 indexed matchId,
        address indexed player1,
        address indexed player2,
        uint256 termsId,
        Seat turn,
        bytes32 position
    );

    /// @notice Match withdrawn by its channel before its first action in the arena. The match may start again.
    event Voided(uint256 indexed matchId);

    /// @notice Action of a seat, by its player or an operator.
    event Acted(uint256 indexed matchId, Seat seat, bytes data);

    /// @notice Offer declined by the opponent that it names; `Settled` follows.
    event Declined(uint256 indexed matchId, address indexed opponent);

    /// @notice End of a match. Payments are in the token's smallest unit; ratings are the new ones, zero if unrated.
    event Settled(
        uint256 indexed matchId,
        Status status,
        uint256 paid1,
        uint256 paid2,
        uint256 house,
        uint256 rating1,
        uint256 rating2
    );

    /// @notice Permission for `operator` to act for `player` up to and including the time `until`.
    event OperatorAllowed(address indexed player, address indexed operator, uint40 until);

    /// @notice No match has this number.
    error UnknownMatch(uint256 matchId);

    /// @notice No terms have this number.
    error UnknownTerms(uint256 termsId);

    /// @notice The match is not the offer that the caller names: its terms, its challenger or the data of `create`
    /// differ.
    error WrongOffer(uint256 matchId, bytes32 expected, bytes32 actual);

    /// @notice The status of the match does not allow the call.
    error WrongStatus(uint256 matchId, Status status);

    /// @notice The deadline has passed.
    error TooLate(uint256 matchId, uint256 deadline, uint256 time);

    /// @notice The deadline has not passed yet.
    error TooEarly(uint256 matchId, uint256 deadline, uint256 time);

    /// @notice Player 2 may join only at a later timestamp than that of its funding.
    error JoinTooSoon(uint256 matchId, uint256 fundedAt, uint256 time);

    /// @notice Player 2 must fund first: only the named opponent of a firm offer can join in one step.
    error FundFirst(uint256 matchId);

    /// @notice The offer names another opponent.
    error NotTheOpponent(uint256 matchId, address opponent, address caller);

    /// @notice Only the challenger can do this.
    error NotTheChallenger(uint256 matchId, address challenger, address caller);

    /// @notice Only one of the two players can do this.
    error NotAPlayer(uint256 matchId, address caller);

    /// @notice The turn is another player's, and the caller is not that player's operator.
    error NotYourTurn(uint256 matchId, address player, address caller);

    /// @notice A player cannot hold both seats.
    error OwnOpponent(address player);

    /// @notice A firm offer cannot be cancelled.
    error OfferIsFirm(uint256 matchId, uint256 until);

    /// @notice An offer to anyone cannot be declined.
    error OfferIsOpen(uint256 matchId);

    /// @notice A firm offer must end later than now and at most 30 days from now.
    error FirmUntilOutOfBounds(uint256 firmUntil, uint256 time, uint256 latest);

    /// @notice The clock is under a minute or over 30 days.
    error ClockOutOfBounds(uint256 clock, uint256 min, uint256 max);

    /// @notice The house fee of the terms is not the current fee of the arena.
    error WrongFee(uint256 feeBps, uint256 current);

    /// @notice The chain deploys contracts at other addresses than the arena computes; `number` counts the contracts
    /// that the arena has created.
    error CreatedElsewhere(uint256 number, address actual, address expected);

    /// @notice The game returned a step that is not allowed here.
    error BadStep(uint256 matchId, Step step);

    /// @notice The match waits for the first action of the opponent. Before that action its channel can take it back.
    error MatchWaits(uint256 matchId);

    /// @notice The game is over: the player in turn can only consent to its end in the channel, or resign.
    error MatchIsOver(uint256 matchId);

    /// @notice The tokens transferred do not cover the stake; earlier money in the purse is not used.
    error TransferTooSmall(uint256 matchId, uint256 value, uint256 stake);

    /// @notice The token transferred is not the token of the match.
    error WrongToken(uint256 matchId, address token, address expected);

    /// @notice Offers a match, with the move or the commitment of player 1 as `data`.
    /// @dev Registers unknown terms. First credits the coin sent with the call to the caller's purse. Takes the stake
    /// at once if the purse covers it; otherwise the match waits for `fund`.
    /// @param terms Terms of the match.
    /// @param opponent Player that may take the other seat; zero for anyone.
    /// @param firmUntil Zero for a soft offer, which can be cancelled at any time and lapses after 30 days. Otherwise
    /// the time until which a firm offer binds player 1, and at which it lapses: later than now, at most 30 days from
    /// now.
    /// @param data Data for the game's `create`.
    /// @return matchId Number of the match.
    function create(
        Terms calldata terms,
        address opponent,
        uint40 firmUntil,
        bytes calldata data
    ) external payable returns (uint256 matchId);

    /// @notice Takes the caller's stake from its purse into its seat.
    /// @param offerHash Hash of the offer that the caller has seen, so that another match under the same number is
    /// refused: `keccak256(abi.encode(keccak256(abi.encode(terms)), player1, bytes5(keccak256(data))))`, with the
    /// `data` of `create`. Compute it from the `Created` event that the caller agrees to, not from the state of the
    /// chain at the time of sending.
    function fund(uint256 matchId, bytes32 offerHash) external payable;

    /// @notice Joins as player 2. The caller can fund and join in one step if a firm offer names it. Otherwise it must
    /// have funded the seat at an earlier timestamp, so that player 1 cannot read the open answer and then cancel the
    /// offer or seat a second account.
    /// @param offerHash Hash of the offer, as for `fund`.
    /// @param data Data for the game's `join`.
    function join(uint256 matchId, bytes32 offerHash, bytes calldata data) external payable;

    /// @notice Withdraws a soft offer that nobody has taken. Only player 1 may call it, at any time.
    function cancel(uint256 matchId) external;

    /// @notice Declines an offer that names the caller, firm or soft, and refunds player 1. Only the named opponent may
    /// call it, until the deadline and before funding its seat. After the deadline, `timeout` refunds player 1.
    function decline(uint256 matchId) external;

    /// @notice Acts for the seat in turn. Only its player or that player's operator may call it, until the deadline.
    /// @param data Data for the game's `act`.
    function act(uint256 matchId, bytes calldata data) external;

    /// @notice Resigns a match in play, which the opponent wins; the house fee applies. Either player may call it,
    /// until the deadline. While a match from a channel waits for its first action, only the player in turn may.
    function resign(uint256 matchId) external;

    /// @notice Ends a match whose deadline has passed: the seat in turn loses the full pot; an offer is refunded.
    /// Anyone may call it.
    /// @dev Does not rate a match if a token seated player 2, who then never joined: a token could seat anyone.
    function timeout(uint256 matchId) external;

    /// @notice Lets `operator` call `act`, and nothing else, for the caller up to and including the time `until`.
    function allow(address operator, uint40 until) external;

    /// @notice Returns the contract of this arena's channels.
    function channels() external view returns (address);

    /// @notice Returns the match with this number.
    function matchOf(uint256 matchId) external view returns (Match memory);

    /// @notice Returns the status of the match with this number.
    function statusOf(uint256 matchId) external view returns (Status);

    /// @notice Returns the last position that the match's game returned; zero once the game has ended the match, or the
    /// channel has withdrawn it. Any other end leaves the position unchanged.
    function positionOf(uint256 matchId) external view returns (bytes32 position);

    /// @notice Returns the number of matches so far; matches are numbered from 1.
    function matchCount() external view returns (uint256);

    /// @notice Returns the terms with this number.
    function termsOf(uint256 termsId) external view returns (Terms memory);

    /// @notice Returns the number of the terms with this hash, `keccak256(abi.encode(terms))`; zero if not registered.
    function termsIdOf(bytes32 termsHash) external view returns (uint256 termsId);

    /// @notice Returns the last time at which `operator` may act for `player`; zero if never allowed.
    function operatorUntil(address player, address operator) external view returns (uint40 until);
}
