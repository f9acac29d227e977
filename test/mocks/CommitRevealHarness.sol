// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CommitReveal} from "../../contracts/games/CommitReveal.sol";
import {Game} from "../../contracts/games/Game.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";

// solhint-disable no-empty-blocks

/// @title Committed rounds without a game
/// @notice Each step of a round is a function that takes the lengths of the moves. The contract stores the positions
/// itself, and calls itself to pass a duel as calldata.
contract CommitRevealHarness is CommitReveal {
    mapping(uint256 matchId => bytes32 stateHash) public stateHashOf;

    constructor() CommitReveal(address(0)) {}

    function putCommitment(uint256 matchId, uint256 round, bytes32 state, bytes calldata committed) external {
        stateHashOf[matchId] = _withCommitment(round, state, committed);
    }

    function takeAnswer(
        uint256 matchId,
        bytes calldata answer,
        uint256 length
    ) external returns (uint256 round, bytes32 state, bytes memory move) {
        (round, state, move, stateHashOf[matchId]) = this.answered(_duel(matchId, address(0)), answer, length);
    }

    function answered(
        Duel calldata duel,
        bytes calldata answer,
        uint256 length
    ) external pure returns (uint256 round, bytes32 state, bytes memory move, bytes32 next) {
        return _takeAnswer(duel, answer, length);
    }

    /// @notice Checks a reveal. As a view it does not change the state hash, so that the next try can use it.
    function takeReveal(
        uint256 matchId,
        address player1,
        bytes calldata data,
        uint256 length1,
        uint256 length2
    ) external view returns (bytes32 seed, bytes32 state, bytes memory move1, bytes memory move2, bytes memory next) {
        return this.revealed(_duel(matchId, player1), data, length1, length2);
    }

    function revealed(
        Duel calldata duel,
        bytes calldata data,
        uint256 length1,
        uint256 length2
    ) external view returns (bytes32 seed, bytes32 state, bytes memory move1, bytes memory move2, bytes memory next) {
        return _takeReveal(duel, data, length1, length2);
    }

    /// @notice Checks a reveal and starts the next round with the commitment that the reveal carries.
    function revealAndCommitNext(
        uint256 matchId,
        address player1,
        bytes calldata data,
        uint256 length1,
        uint256 length2,
        bytes32 nextState
    ) external {
        (, , , , bytes memory next) = this.revealed(_duel(matchId, player1), data, length1, length2);
        this.putCommitment(matchId, _roundOf(data) + 1, nextState, next);
    }

    function diceWord(bytes32 seed, uint256 n) external pure returns (uint256) {
        return Dice.word(seed, n);
    }

    function lane(uint256 word, uint256 k, uint256 m) external pure returns (uint256) {
        return Dice.lane(word, k, m);
    }

    function create(Duel calldata, bytes calldata) external pure returns (Step memory) {}

    function join(Duel calldata, bytes calldata) external pure returns (Step memory) {}

    function act(Duel calldata, Seat, bytes calldata) external pure returns (Step memory) {}

    function _duel(uint256 matchId, address player1) private view returns (Duel memory) {
        return Duel(matchId, 0, false, player1, address(0), stateHashOf[matchId]);
    }

    function _checkMode(bytes calldata) internal pure override {}

    function _defaultMode() internal pure override(Game) returns (bytes memory) {}
}
