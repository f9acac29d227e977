// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {Dice} from "../libraries/Dice.sol";
import {Game} from "./Game.sol";

/// @title Committed rounds: one commitment, one open answer, one reveal
/// @notice For two players one commitment makes a move simultaneous: one commits to its move, the other answers in the
/// open, the first opens. Either seat may commitment. One storage word per match holds a round:
///
///     word   = keccak256(abi.encode(uint256 round, bytes32 state, bytes32 commitment, bytes32 answer))
///     answer = 0 while it is awaited, else keccak256 of the answer's move and salt
///     (commitment and answer are 0 while a commitment is due that rides on nothing)
///     commitment   = EIP-712 digest of Commitment(address player,bytes move,bytes32 salt), the player being the seat
///
/// What a round is made of is brought by whoever acts and only compared. Rounds that carry their own header travel as
///
///     committed    commitment 32 || note 0..96
///     answer    round 2 || state 32 || commitment 32 || move || salt 32
///     reveal   round 2 || state 32 || salt 32 || move || answer's move || answer's salt 32 || [next committed]
///
/// The note behind a commitment is the player's own, ignored here and readable in the arena's events.
abstract contract CommitReveal is Game, EIP712 {
    uint256 internal constant _WORD = 32;
    uint256 internal constant _MAX_NOTE = 96;
    uint256 private constant _ROUND_BYTES = 2;
    bytes32 private constant _COMMITMENT_TYPEHASH = keccak256("Commitment(address player,bytes move,bytes32 salt)");

    mapping(uint256 matchId => bytes32 stateHash) private _stateHashes;

    /// @notice A commitment of zero commits to nothing.
    error ZeroCommitment();

    /// @notice A salt of zero hides nothing.
    error ZeroSalt();

    /// @notice Round, state, commitment or answer are not those of this match: `stateHash` is what they hash to,
    /// `expected` what is due.
    error WrongRound(uint256 matchId, bytes32 stateHash, bytes32 expected);

    constructor(address arena_) Game(arena_) EIP712("Duello", "1") {}

    /// @notice The word of a match's current round; zero if the game keeps nothing. It stays after a timeout or
    /// resignation.
    function stateHashOf(uint256 matchId) external view returns (bytes32) {
        return _stateHashes[matchId];
    }

    /// @dev Keeps the state of a round in which a commitment is due that rides on nothing.
    function _putState(uint256 matchId, uint256 round, bytes32 state) internal {
        _stateHashes[matchId] = _stateHashFor(round, state, 0, 0);
    }

    /// @dev Reverts unless a commitment is due in this round and state.
    function _checkState(uint256 matchId, uint256 round, bytes32 state) internal view {
        _checkStateHash(matchId, _stateHashFor(round, state, 0, 0));
    }

    /// @dev Starts a round with a commitment, and the note behind it. The caller knows the round and its state.
    function _putCommitment(uint256 matchId, uint256 round, bytes32 state, bytes calldata committed) internal {
        _checkLength(committed, _WORD, _WORD + _MAX_NOTE);
        bytes32 commitment = bytes32(committed[:_WORD]);
        if (commitment == 0) revert ZeroCommitment();
        _stateHashes[matchId] = _stateHashFor(round, state, commitment, 0);
    }

    /// @dev Adds the answer to the commit to its sender saw.
    function _putAnswer(
        uint256 matchId,
        uint256 round,
        bytes32 state,
        bytes32 commitment,
        bytes calldata answer
    ) internal {
        _checkRound(matchId, round, state, commitment, answer[:0]);
        _stateHashes[matchId] = _stateHashFor(round, state, commitment, keccak256(answer));
    }

    /// @dev Reverts unless this is the commitment of this round, and this the answer to it; empty while it is awaited.
    function _checkRound(
        uint256 matchId,
        uint256 round,
        bytes32 state,
        bytes32 commitment,
        bytes calldata answer
    ) internal view {
        // A word without a commitment is no commitment's.
        if (commitment == 0) revert ZeroCommitment();
        _checkStateHash(
            matchId,
            _stateHashFor(round, state, commitment, answer.length == 0 ? bytes32(0) : keccak256(answer))
        );
    }

    /// @dev Checks that move and salt are what `committer` committed in this round and that the answer is the one
    /// given.
    function _checkReveal(
        uint256 matchId,
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
            EfficientHashLib.hash(_COMMITMENT_TYPEHASH, committer_, keccak256(move), salt)
        );
        _checkStateHash(matchId, _stateHashFor(round, state, commitment, keccak256(answer)));
    }

    /// @dev Forgets the match's word; called when the game is over.
    function _end(uint256 matchId) internal {
        delete _stateHashes[matchId];
    }

    /// @dev Takes an answer with header and salt.
    /// @param length The move's exact length; a game whose rounds differ asks `_roundOf` first.
    function _takeAnswer(
        uint256 matchId,
        bytes calldata data,
        uint256 length
    ) internal returns (uint256 round, bytes32 state, bytes calldata move) {
        uint256 head = _ROUND_BYTES + 2 * _WORD;
        _checkLength(data, head + length + _WORD, head + length + _WORD);
        round = _roundOf(data);
        state = bytes32(data[_ROUND_BYTES:]);
        move = data[head:head + length];
        if (bytes32(data[head + length:]) == 0) revert ZeroSalt();
        _putAnswer(matchId, round, state, bytes32(data[_ROUND_BYTES + _WORD:]), data[head:]);
    }

    /// @dev Takes player 1's reveal with header and both salts.
    /// @param length1 The exact length of the committed move.
    /// @param length2 The exact length of the answer's move.
    /// @return seed The round's seed.
    /// @return state The round's state.
    /// @return move1 The committed move.
    /// @return move2 The answer's move.
    /// @return next The next commitment with its note, or empty; to be ignored when the game is over.
    function _takeReveal(
        uint256 matchId,
        address player1,
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
        _checkReveal(matchId, _roundOf(data), state, player1, data[head:head + length1], salt, answer);
        seed = Dice.seedOf(matchId, _roundOf(data), salt, bytes32(answer[length2:]));
        move1 = data[head:head + length1];
        move2 = answer[:length2];
        next = data[end:];
    }

    /// @dev The round that an answer or reveal says it is for, its length being checked later.
    function _roundOf(bytes calldata data) internal pure returns (uint256) {
        return uint16(bytes2(data));
    }

    function _checkStateHash(uint256 matchId, bytes32 stateHash) private view {
        if (_stateHashes[matchId] != stateHash) revert WrongRound(matchId, stateHash, _stateHashes[matchId]);
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
