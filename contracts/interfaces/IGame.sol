// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice Seat in a match: the challenger has seat One, the opponent seat Two.
enum Seat {
    None,
    One,
    Two
}

/// @notice Description of a match that the arena gives to the game. It never includes the stakes.
struct Duel {
    /// Number of the match, unique in its arena.
    uint256 id;
    /// Content hash of the game's mode; zero stands for the game's default.
    bytes32 mode;
    /// True if the match counts for the ladder.
    bool rated;
    /// The challenger.
    address player1;
    /// The opponent; zero during `create`.
    address player2;
    /// Position of the match, as the game returned it last; zero during `create`.
    bytes32 position;
}

/// @notice Answer of a game: the seat that acts next and the position or, when the game is over, the result.
struct Step {
    /// Seat that acts next; None when the game is over.
    Seat turn;
    /// Seat that won the duel, for status and ladder; None for a draw, and while the game goes on.
    Seat winner;
    /// Seat that takes the pot; None returns both stakes. None while the game goes on.
    Seat taker;
    /// Position that the arena keeps for the next action; ignored when the game is over.
    bytes32 position;
}

/// @title Interface between the arena and a game
/// @notice A game handles rules, commitments and logs, never money. Only the arena may call `create`, `join` and `act`.
/// They take the position of a match and return the next one: the arena stores it, the game does not.
///
/// Every game keeps these laws. The arena and every player rely on them; `duello/laws` tests each game against them:
///
/// - *Determinism*: the outcome depends only on the data of the players and on state that no longer changes, never on
///   the block, the gas or the sender.
/// - *Data of player 2 is checked when it arrives*, has an exact or bounded length, and can never make an action of
///   player 1 fail or expensive.
/// - *A committed move is checked when it is revealed*: a move against the rules is refused with a named error and
///   changes nothing, so its player loses by the clock. No commitment makes such a move legal.
/// - *State that player 1 can still change is never read* when player 2 joins or later.
/// - *Matches are independent*: an answer or a reveal that the game accepts is still accepted after another match of
///   the same two players has ended, unless its sender uses the same characters in both matches.
/// - *Liveness*: the player whose turn it is always has an action that the game accepts, or loses by the clock.
/// - *One end*: if the first action after joining can end a match, every legal first action ends it in the same way.
/// - *Only the sender can spoil an action*: nobody but the seat that acts can make the game refuse its legal action.
/// - *No records from channels*: a match with a number above 2^40 comes from a channel, and may start from a position
///   that its players made up. Such a match changes no state.
/// - *Bounded gas*: a test builds and measures the most expensive legal action, which stays under 4,000,000 gas.
/// - *Parity*: the TypeScript engine computes the same results and log entries, bit for bit.
///
/// Warning: no position may have all bits set: the arena uses this value to mark that a game is over.
///
/// Warning: an arena accepts any contract as a game. A hostile game can decide its own matches as it likes, but no
/// others: choose a game as carefully as a token.
interface IGame {
    /// @notice Log of one round: entries packed into 256-bit words, in a layout that each game documents.
    event Log(uint256 indexed matchId, uint256 round, uint256[] logEntries);

    /// @notice Mode registered under `mode`, the keccak256 of `content`.
    event ModeRegistered(bytes32 indexed mode, bytes content);

    /// @notice The caller is not the arena for which this game was deployed.
    error NotTheArena(address caller, address arena);

    /// @notice No mode with this hash was registered, or `mode` is zero and the game has no default.
    error UnknownMode(bytes32 mode);

    /// @notice Starts a match with the data of player 1.
    /// @return step Always (Two, None, None), with the first position.
    function create(Duel calldata duel, bytes calldata data) external returns (Step memory step);

    /// @notice Seats player 2, with the data of its answer.
    /// @return step Next turn and position, or the result.
    function join(Duel calldata duel, bytes calldata data) external returns (Step memory step);

    /// @notice Carries out an action of the seat whose turn it is.
    /// @param seat Seat One or Two.
    /// @return step Next turn and position, or the result.
    function act(Duel calldata duel, Seat seat, bytes calldata data) external returns (Step memory step);

    /// @notice Checks that a mode is within its bounds and stores it. Anyone may register a mode, any number of times.
    /// @param content Mode in the game's own packed encoding; each mode has one encoding only.
    /// @return mode Hash of the mode, keccak256 of `content`.
    function registerMode(bytes calldata content) external returns (bytes32 mode);
}
