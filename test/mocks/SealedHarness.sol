// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SealedGame} from "../../contracts/games/SealedGame.sol";
import {Game} from "../../contracts/games/Game.sol";
import {Dice} from "../../contracts/libraries/Dice.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";

// solhint-disable no-empty-blocks

/// @title The sealed rounds by themselves
/// @notice Every step of a round as a function, with the moves' lengths as arguments.
contract SealedHarness is SealedGame {
    constructor() SealedGame(address(0)) {}

    function putSeal(uint256 matchId, uint256 round, bytes32 state, bytes calldata sealed_) external {
        _putSeal(matchId, round, state, sealed_);
    }

    function takeAnswer(
        uint256 matchId,
        bytes calldata answer,
        uint256 length
    ) external returns (uint256 round, bytes32 state, bytes memory move) {
        return _takeAnswer(matchId, answer, length);
    }

    /// @notice A view: the word stays for the next try.
    function takeOpening(
        uint256 matchId,
        address player1,
        bytes calldata opening,
        uint256 length1,
        uint256 length2
    ) external view returns (bytes32 seed, bytes32 state, bytes memory move1, bytes memory move2, bytes memory next) {
        return _takeOpening(matchId, player1, opening, length1, length2);
    }

    /// @notice An opening whose player seals on.
    function openAndSealOn(
        uint256 matchId,
        address player1,
        bytes calldata opening,
        uint256 length1,
        uint256 length2,
        bytes32 nextState
    ) external {
        (, , , , bytes calldata next) = _takeOpening(matchId, player1, opening, length1, length2);
        _putSeal(matchId, _roundOf(opening) + 1, nextState, next);
    }

    function end(uint256 matchId) external {
        _end(matchId);
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

    function _checkMode(bytes calldata) internal pure override {}

    function _defaultMode() internal pure override(Game) returns (bytes memory) {}
}
