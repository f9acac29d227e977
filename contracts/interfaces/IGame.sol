// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A seat at a match: the challenger is One, the other player Two.
enum Seat {
    None,
    One,
    Two
}

/// @notice What a game is told about a match. It never learns the stakes.
struct Duel {
    /// Number of the match, unique in its arena.
    uint256 id;
    /// Content hash of the game's mode; zero stands for the game's default.
    bytes32 mode;
    /// Whether the match counts for the ladder.
    bool rated;
    /// The challenger.
    address player1;
    /// The opponent; zero during `create`.
    address player2;
}

/// @notice What a game answers: who acts next or, when nobody does, how it ended.
struct Step {
    /// Who acts next; None when the game is over.
    Seat turn;
    /// Who won the duel (status and ladder); None is a draw. None while the game goes on.
    Seat winner;
    /// Who takes the pot (money); None gives each its own stake back. None while the game goes on.
    Seat taker;
}

/// @title The whole surface between the arena and a game
/// @notice A game knows rules, secrets and logs, and never money. The arena calls it; nobody else may.
///
/// The laws every game keeps. The arena and every player rely on them; `test/laws/laws.ts` tests each game against them:
///
/// - *Determinism*: the outcome depends only on what the players supplied and on frozen state: no block values, gas
///   or sender.
/// - *What player 2 supplied is checked when it is supplied*, has an exact or bounded length, and can never make an
///   action of player 1 fail or expensive.
/// - *What was committed is checked when it is opened*: a move that is against the rules is refused by a named error
/// then,
///   leaves everything as it was, and so loses by the clock. No commitment makes it legal.
/// - *Nothing that player 1 can still change is read* when player 2 joins or later.
/// - *Liveness*: the player to move always has an accepted action, or loses by the clock.
/// - *Bounded gas*: the worst legal action is built, measured and stays under 4,000,000.
/// - *Parity*: the TypeScript engine says the same, word for word.
///
/// Warning: an arena takes any contract as a game. A hostile one can decide its own matches as it likes, and those
/// only: choose games like tokens.
interface IGame {
    /// @notice What happened in one round, as packed 256-bit words; every game's page draws its layouts.
    event Log(uint256 indexed matchId, uint256 round, uint256[] logEntries);

    /// @notice A mode was registered under `mode`, the keccak256 of `content`.
    event ModeRegistered(bytes32 indexed mode, bytes content);

    /// @notice The caller is not the arena this game was deployed for.
    error NotTheArena(address caller, address arena);

    /// @notice No mode with this hash was registered, or the game has no default for zero.
    error UnknownMode(bytes32 mode);

    /// @notice Starts a match with what player 1 brought.
    /// @return step Always (Two, None, None).
    function create(Duel calldata duel, bytes calldata data) external returns (Step memory step);

    /// @notice Adds what player 2 brought on joining.
    function join(Duel calldata duel, bytes calldata data) external returns (Step memory step);

    /// @notice Carries out the action of the seat whose turn it is.
    function act(Duel calldata duel, Seat seat, bytes calldata data) external returns (Step memory step);

    /// @notice Checks a mode's bounds and keeps it. Anyone may register, any number of times.
    /// @param content The game's own packed encoding, one encoding per content.
    /// @return mode keccak256 of `content`.
    function registerMode(bytes calldata content) external returns (bytes32 mode);
}
