// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Duel, IGame, Seat, Step} from "../interfaces/IGame.sol";
import {CommitReveal} from "./CommitReveal.sol";

/// @title Match of one committed round
/// @notice Player 1 commits to a move, player 2 answers in the open, and the reveal of player 1 ends the match. The
/// winner takes the pot. A game adds the check of a move, and the play of two moves. `create` takes committed data,
/// `join` an answer and `act` a reveal, as `CommitReveal` describes them; the log is round 1.
abstract contract OneRound is CommitReveal {
    uint256 private immutable _moveBytes;

    /// @param moveBytes Length of a move in bytes.
    constructor(address arena_, uint256 moveBytes) CommitReveal(arena_) {
        _moveBytes = moveBytes;
    }

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        _requireMode(duel.mode);
        step.turn = Seat.Two;
        step.position = _withCommitment(1, 0, data);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, data, _moveBytes);
        _checkMove(modeOf(duel.mode), move);
        step.turn = Seat.One;
        step.position = next;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory step) {
        (bytes32 seed, , bytes calldata move1, bytes calldata move2, ) = _takeReveal(
            duel,
            data,
            _moveBytes,
            _moveBytes
        );
        bytes memory mode = modeOf(duel.mode);
        _checkMove(mode, move1);
        uint256[] memory logEntries;
        (step.winner, logEntries) = _play(seed, mode, move1, move2);
        step.taker = step.winner;
        _log(duel.id, 1, logEntries);
    }

    /// @notice Plays two moves without a match.
    /// @param seed Seed of the dice.
    /// @param mode Content of a mode; empty for the default.
    /// @return winner Seat that has won; None is a draw.
    /// @return logEntries Log of the match.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        bytes calldata move1,
        bytes calldata move2
    ) external view returns (Seat winner, uint256[] memory logEntries) {
        bytes memory content = _previewMode(mode);
        _checkLength(move1, _moveBytes, _moveBytes);
        _checkLength(move2, _moveBytes, _moveBytes);
        _checkMove(content, move1);
        _checkMove(content, move2);
        return _play(seed, content, move1, move2);
    }

    /// @dev Reverts unless a move, which has the right length, is legal in a mode.
    function _checkMove(bytes memory mode, bytes calldata move) internal pure virtual;

    /// @dev Plays two legal moves.
    /// @return winner Seat that wins; None is a draw.
    /// @return logEntries Log of the match.
    function _play(
        bytes32 seed,
        bytes memory mode,
        bytes calldata move1,
        bytes calldata move2
    ) internal pure virtual returns (Seat winner, uint256[] memory logEntries);
}
