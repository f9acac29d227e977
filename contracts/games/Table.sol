// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {Duel, Seat} from "../interfaces/IGame.sol";
import {ISignatures} from "../interfaces/ISignatures.sol";
import {CommitReveal} from "./CommitReveal.sol";

/// @title Tables, on which players go on away from the chain
/// @notice After joining a table stands in the match: its hash is the position, and either player may act. Away
/// from the chain the players sign newer and newer states. Whoever posts one puts it on the table, and the other
/// has its clock to answer: with a newer state, or by accepting, after which the match goes on as any other.
///
///     table     base 32 || word 32 || nonce 4 || turn 1 || poster 1; its keccak256 is the match's position
///     post      table [|| state: nonce 4 || turn 1 || word 32 || record 32 || length 1 || signature 1 || signature 2]
///     accept    table [|| action of the acting seat, if the turn is its own]
///
/// Base is the state hash after joining; word is the state hash that the players have reached; nonce counts the actions
/// since joining; turn and poster are seats, the poster 0 until somebody posts. Length is that of signature 1, and
/// signature 2 is what remains.
///
/// Both players sign State(uint256 matchId,bytes32 base,uint32 nonce,uint8 turn,bytes32 word,bytes32 record) in the
/// game's EIP-712 domain; `ISignatures` tells how. The record hashes the actions that led to the state: that after
/// joining is the base, each further one keccak256(record 32 || seat 1 || action). Contracts never compute it.
///
/// Words are not checked when they are posted: whoever brings what does not hash to the word can do nothing, and loses
/// by the clock. Two players who sign the hash of a table as a word lay that one again, or end the match in a draw if
/// its turn is nobody's: both have agreed to that, as they could by `settle`.
abstract contract Table is CommitReveal {
    uint256 private constant _TABLE_BASE_AT = 0;
    uint256 private constant _TABLE_WORD_AT = 32;
    uint256 private constant _TABLE_NONCE_AT = 64;
    uint256 private constant _TABLE_TURN_AT = 68;
    uint256 private constant _TABLE_POSTER_AT = 69;
    uint256 private constant _TABLE_BYTES = 70;

    uint256 private constant _POSTED_NONCE_AT = 70;
    uint256 private constant _POSTED_TURN_AT = 74;
    uint256 private constant _POSTED_WORD_AT = 75;
    uint256 private constant _POSTED_RECORD_AT = 107;
    uint256 private constant _POSTED_LENGTH_AT = 139;
    uint256 private constant _POSTED_SIGNATURES_AT = 140;

    bytes32 private constant _STATE_TYPEHASH = keccak256(
        "State(uint256 matchId,bytes32 base,uint32 nonce,uint8 turn,bytes32 word,bytes32 record)"
    );

    /// @notice The table is not that of the match: it hashes to `tableHash`, and the position of the match is
    /// `expected`.
    error WrongTable(uint256 matchId, bytes32 tableHash, bytes32 expected);

    /// @notice Nobody has posted a state that could be accepted.
    error NotPosted(uint256 matchId);

    /// @notice Only a state that is newer than the one on the table replaces it.
    error NotNewer(uint256 matchId, uint256 nonce, uint256 than);

    /// @notice A state can be posted only while it is the turn of seat 1 or 2.
    error NobodysTurn(uint256 matchId, uint256 turn);

    /// @dev Returns the position of the table that stands in a match after joining.
    /// @param base State hash that the match has reached by joining.
    /// @param turn Seat that acts next by the game.
    function _firstTable(bytes32 base, Seat turn) internal pure returns (bytes32 position) {
        return _tableHash(base, base, 0, uint8(turn), Seat.None);
    }

    /// @dev Posts a state, or what stands on the table while nobody has posted.
    /// @param data Data of `post`.
    /// @return turn The other seat, which answers.
    /// @return position Position with the state on the table.
    function _post(
        Duel calldata duel,
        Seat seat,
        bytes calldata data
    ) internal view returns (Seat turn, bytes32 position) {
        _checkTable(duel, data);
        uint32 nonce = uint32(bytes4(data[_TABLE_NONCE_AT:]));
        bytes32 base = bytes32(data[_TABLE_BASE_AT:]);
        turn = seat == Seat.One ? Seat.Two : Seat.One;
        if (data.length == _TABLE_BYTES) {
            if (uint8(data[_TABLE_POSTER_AT]) != 0) revert NotNewer(duel.id, nonce, nonce);
            bytes32 word = bytes32(data[_TABLE_WORD_AT:]);
            position = _tableHash(base, word, nonce, uint8(data[_TABLE_TURN_AT]), seat);
        } else {
            _checkLength(data, _POSTED_SIGNATURES_AT, type(uint256).max);
            uint32 newer = uint32(bytes4(data[_POSTED_NONCE_AT:]));
            if (newer <= nonce) revert NotNewer(duel.id, newer, nonce);
            uint8 next = uint8(data[_POSTED_TURN_AT]);
            if (next != uint8(Seat.One) && next != uint8(Seat.Two)) revert NobodysTurn(duel.id, next);
            _checkBothSigned(duel.id, data);
            position = _tableHash(base, bytes32(data[_POSTED_WORD_AT:]), newer, next, seat);
        }
    }

    /// @dev Accepts what was posted, and the table is gone. The other seat than the poster accepts, as it is its turn.
    /// @param data Data of `accept`.
    /// @return turn Seat that acts next by the game.
    /// @return position State hash that was posted.
    /// @return action Action of the acting seat, to be carried out at once; empty if there is none.
    function _accept(
        Duel calldata duel,
        Seat seat,
        bytes calldata data
    ) internal pure returns (Seat turn, bytes32 position, bytes calldata action) {
        _checkTable(duel, data);
        if (uint8(data[_TABLE_POSTER_AT]) == 0) revert NotPosted(duel.id);
        turn = Seat(uint8(data[_TABLE_TURN_AT]));
        position = bytes32(data[_TABLE_WORD_AT:]);
        if (turn != seat) _checkLength(data, _TABLE_BYTES, _TABLE_BYTES);
        action = data[_TABLE_BYTES:];
    }

    function _tableHash(
        bytes32 base,
        bytes32 word,
        uint32 nonce,
        uint8 turn,
        Seat poster
    ) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(base, word, nonce, turn, poster));
    }

    /// @dev Reverts unless data begins with the table of the match.
    function _checkTable(Duel calldata duel, bytes calldata data) private pure {
        _checkLength(data, _TABLE_BYTES, type(uint256).max);
        bytes32 tableHash = EfficientHashLib.hashCalldata(data[:_TABLE_BYTES]);
        if (tableHash != duel.position) revert WrongTable(duel.id, tableHash, duel.position);
    }

    /// @dev Reverts unless both players signed the state that stands behind the table.
    function _checkBothSigned(uint256 matchId, bytes calldata data) private view {
        bytes32 digest = _hashTypedDataV4(
            EfficientHashLib.hash(
                _STATE_TYPEHASH,
                bytes32(matchId),
                bytes32(data[_TABLE_BASE_AT:]),
                bytes32(uint256(uint32(bytes4(data[_POSTED_NONCE_AT:])))),
                bytes32(uint256(uint8(data[_POSTED_TURN_AT]))),
                bytes32(data[_POSTED_WORD_AT:]),
                bytes32(data[_POSTED_RECORD_AT:])
            )
        );
        uint256 end = _POSTED_SIGNATURES_AT + uint8(data[_POSTED_LENGTH_AT]);
        _checkLength(data, end, type(uint256).max);
        ISignatures signatures = ISignatures(arena);
        signatures.checkSigned(matchId, Seat.One, digest, data[_POSTED_SIGNATURES_AT:end]);
        signatures.checkSigned(matchId, Seat.Two, digest, data[end:]);
    }
}
