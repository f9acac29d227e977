// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {Duel} from "../interfaces/IGame.sol";
import {Dice} from "../libraries/Dice.sol";
import {Game} from "./Game.sol";

// Bytes of the round, at the start of the data of an answer or a reveal.
uint256 constant _ROUND_BYTES = 2;

/// @title Rounds of one commitment, one open answer and one reveal
/// @notice One commitment lets two players move simultaneously: one player commits to a move, the other answers in the
/// open, and the first reveals it. Either seat may commit. The position of a match is the state hash of its round:
///
///     state hash  = keccak256(abi.encode(uint256 round, bytes32 state, bytes32 commitment, bytes32 answer hash))
///     commitment  = EIP-712 digest of Commitment(address player,bytes move,bytes32 salt)
///     answer hash = keccak256 of the answer's move and salt; 0 while the answer is awaited
///
/// The player in a commitment is the one in the committing seat, even if an operator sends the action. While the
/// commitment of a round is due, commitment and answer hash are both 0.
///
/// Each action contains the parts of the round again, and the contract compares their hash. Data that carries its own
/// header is encoded as follows, with lengths in bytes:
///
///     committed     commitment 32 || note 0..96
///     answer        round 2 || state 32 || commitment 32 || move || salt 32
///     reveal        round 2 || state 32 || salt 32 || move || answer's move || answer's salt 32 [|| next committed]
///
/// The note after a commitment is for the player's own use; contracts ignore it, and the arena's events show it.
/// @dev Measured: `keccak256` of calldata costs 260 gas more than `hashCalldata`, since it allocates memory.
abstract contract CommitReveal is Game, EIP712 {
    uint256 internal constant _WORD = 32;
    uint256 internal constant _MAX_NOTE = 96;
    bytes32 private constant _COMMITMENT_TYPEHASH = keccak256("Commitment(address player,bytes move,bytes32 salt)");

    /// @notice A commitment of zero commits to nothing.
    error ZeroCommitment();

    /// @notice A salt of zero hides nothing.
    error ZeroSalt();

    /// @notice The round, state, commitment or answer is not that of the match: they hash to `stateHash`, and the
    /// position of the match is `expected`.
    error WrongRound(uint256 matchId, bytes32 stateHash, bytes32 expected);

    constructor(address arena_) Game(arena_) EIP712("Duello", "1") {}

    /// @dev Returns the position of a round whose commitment is still due.
    function _withState(uint256 round, bytes32 state) internal pure returns (bytes32 position) {
        return _stateHashFor(round, state, 0, 0);
    }

    /// @dev Reverts unless the position is in this round and state, with its commitment due.
    function _checkState(uint256 matchId, bytes32 position, uint256 round, bytes32 state) internal pure {
        _checkStateHash(matchId, position, _stateHashFor(round, state, 0, 0));
    }

    /// @dev Returns the position of a round with its commitment. The caller has checked the round and its state.
    /// @param committed Commitment with its note.
    function _withCommitment(
        uint256 round,
        bytes32 state,
        bytes calldata committed
    ) internal pure returns (bytes32 position) {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        bytes32 commitment = bytes32(committed[:_WORD]);
        if (commitment == 0) revert ZeroCommitment();
        return _stateHashFor(round, state, commitment, 0);
    }

    /// @dev Returns a position with the answer, which names the commitment that its sender saw.
    function _withAnswer(
        uint256 matchId,
        bytes32 position,
        uint256 round,
        bytes32 state,
        bytes32 commitment,
        bytes calldata answer
    ) internal pure returns (bytes32 answered) {
        _checkRound(matchId, position, round, state, commitment, answer[:0]);
        return _stateHashFor(round, state, commitment, EfficientHashLib.hashCalldata(answer));
    }

    /// @dev Reverts unless round, state, commitment and answer are those of the position.
    /// @param answer Move and salt of the answer; empty while the answer is awaited.
    function _checkRound(
        uint256 matchId,
        bytes32 position,
        uint256 round,
        bytes32 state,
        bytes32 commitment,
        bytes calldata answer
    ) internal pure {
        // A state hash with a commitment of zero belongs to a round whose commitment is still due.
        if (commitment == 0) revert ZeroCommitment();
        bytes32 answerHash = answer.length == 0 ? bytes32(0) : EfficientHashLib.hashCalldata(answer);
        _checkStateHash(matchId, position, _stateHashFor(round, state, commitment, answerHash));
    }

    /// @dev Reverts unless `committer` committed to this move with this salt in this round, and the answer is the one
    /// that was given.
    function _checkReveal(
        uint256 matchId,
        bytes32 position,
        uint256 round,
        bytes32 state,
        address committer,
        bytes calldata move,
        bytes32 salt,
        bytes calldata answer
    ) internal view {
        if (salt == 0) revert ZeroSalt();
        bytes32 committer_ = bytes32(uint256(uint160(committer)));
        bytes32 commitment = _hashTypedDataV4(
            EfficientHashLib.hash(_COMMITMENT_TYPEHASH, committer_, EfficientHashLib.hashCalldata(move), salt)
        );
        bytes32 answerHash = EfficientHashLib.hashCalldata(answer);
        _checkStateHash(matchId, position, _stateHashFor(round, state, commitment, answerHash));
    }

    /// @dev Decodes an answer with its header and salt, and adds it to the round.
    /// @param length Exact length of the move; a game whose rounds differ reads `_roundOf` first.
    /// @return round Round, from 1.
    /// @return state State of the round.
    /// @return move Move of the answer.
    /// @return next Position with the answer.
    function _takeAnswer(
        Duel calldata duel,
        bytes calldata data,
        uint256 length
    ) internal pure returns (uint256 round, bytes32 state, bytes calldata move, bytes32 next) {
        return _takeAnswer(duel, data, length, 0);
    }

    /// @dev Decodes an answer as above, and adds bits to the state of the round: the answer has the state without these
    /// bits, the reveal has it with them.
    function _takeAnswer(
        Duel calldata duel,
        bytes calldata data,
        uint256 length,
        bytes32 added
    ) internal pure returns (uint256 round, bytes32 state, bytes calldata move, bytes32 next) {
        uint256 head = _ROUND_BYTES + 2 * _WORD;
        _checkLength(data, head + length + _WORD, head + length + _WORD);
        round = _roundOf(data);
        state = bytes32(data[_ROUND_BYTES:]);
        move = data[head:head + length];
        if (bytes32(data[head + length:]) == 0) revert ZeroSalt();
        bytes32 commitment = bytes32(data[_ROUND_BYTES + _WORD:]);
        _checkRound(duel.id, duel.position, round, state, commitment, data[:0]);
        next = _stateHashFor(round, state | added, commitment, EfficientHashLib.hashCalldata(data[head:]));
    }

    /// @dev Decodes and checks a reveal of player 1 with its header and both salts.
    /// @param length1 Exact length of the committed move.
    /// @param length2 Exact length of the answer's move.
    /// @return seed Seed of the round.
    /// @return state State of the round.
    /// @return move1 Committed move.
    /// @return move2 Move of the answer.
    /// @return next Next commitment with its note, or empty; ignore it when the game is over.
    function _takeReveal(
        Duel calldata duel,
        bytes calldata data,
        uint256 length1,
        uint256 length2
    )
        internal
        view
        returns (bytes32 seed, bytes32 state, bytes calldata move1, bytes calldata move2, bytes calldata next)
    {
        uint256 head = _ROUND_BYTES + 2 * _WORD;
        uint256 end = head + length1 + length2 + _WORD;
        _checkLength(data, end, end + _WORD + _MAX_NOTE);
        if (data.length != end) _checkLength(data, end + _WORD, end + _WORD + _MAX_NOTE);
        state = bytes32(data[_ROUND_BYTES:]);
        bytes32 salt = bytes32(data[_ROUND_BYTES + _WORD:]);
        bytes calldata answer = data[head + length1:end];
        _checkReveal(
            duel.id,
            duel.position,
            _roundOf(data),
            state,
            duel.player1,
            data[head:head + length1],
            salt,
            answer
        );
        seed = Dice.seedOf(duel.id, _roundOf(data), salt, bytes32(answer[length2:]));
        move1 = data[head:head + length1];
        move2 = answer[:length2];
        next = data[end:];
    }

    /// @dev Returns the round that an answer or reveal names. Its length is checked later.
    function _roundOf(bytes calldata data) internal pure returns (uint256) {
        return uint16(bytes2(data));
    }

    function _checkStateHash(uint256 matchId, bytes32 position, bytes32 stateHash) private pure {
        if (position != stateHash) revert WrongRound(matchId, stateHash, position);
    }

    function _stateHashFor(
        uint256 round,
        bytes32 state,
        bytes32 commitment,
        bytes32 answer
    ) private pure returns (bytes32) {
        return EfficientHashLib.hash(bytes32(round), state, commitment, answer);
    }
}
