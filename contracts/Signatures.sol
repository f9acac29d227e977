// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {Seat} from "./interfaces/IGame.sol";
import {ISignatures} from "./interfaces/ISignatures.sol";

/// @title Signatures of players, their pledged keys and their session keys
abstract contract Signatures is ISignatures, EIP712 {
    uint256 private constant _SIGNATURE_BYTES = 65;
    bytes32 private constant _KEY_TYPEHASH = keccak256("Key(uint256 matchId,address key)");
    bytes32 private constant _AGREEMENT_TYPEHASH = keccak256(
        "Agreement(uint256 matchId,bytes32 termsHash,uint8 winner,uint40 until,bytes32 record)"
    );

    mapping(uint256 matchId => mapping(Seat seat => address key)) private _keys;

    constructor() EIP712("Duello", "1") {}

    /// @inheritdoc ISignatures
    function keyOf(uint256 matchId, Seat seat) external view returns (address key) {
        return _keys[matchId][seat];
    }

    /// @dev Stores the key of a seat whose player the caller is.
    function _pledge(uint256 matchId, Seat seat, address key) internal {
        if (key == address(0)) revert ZeroKey(matchId);
        if (_keys[matchId][seat] != address(0)) revert PledgedBefore(matchId, seat);
        _keys[matchId][seat] = key;
        emit Pledged(matchId, seat, key);
    }

    /// @dev Reverts unless `player`, who sits in the seat, signed the digest.
    /// @param player Player; zero while nobody sits there, who signs nothing.
    function _checkSigned(
        uint256 matchId,
        Seat seat,
        address player,
        bytes32 digest,
        bytes calldata signature
    ) internal view {
        bool signed;
        if (signature.length == _SIGNATURE_BYTES) {
            address signer = _signerOf(digest, signature);
            signed = signer != address(0) && (signer == player || signer == _keys[matchId][seat]);
        } else if (signature.length == 2 * _SIGNATURE_BYTES) {
            address key = _signerOf(digest, signature[:_SIGNATURE_BYTES]);
            bytes32 appointment = _hashTypedDataV4(
                EfficientHashLib.hash(_KEY_TYPEHASH, bytes32(matchId), bytes32(uint256(uint160(key))))
            );
            address signer = _signerOf(appointment, signature[_SIGNATURE_BYTES:]);
            signed = key != address(0) && signer != address(0) && signer == player;
        }
        if (!signed) revert NotSigned(matchId, seat);
    }

    /// @dev Returns the digest of an agreement, which both players sign.
    function _agreementDigest(
        uint256 matchId,
        bytes32 termsHash,
        Seat winner,
        uint40 until,
        bytes32 record
    ) internal view returns (bytes32) {
        return
            _hashTypedDataV4(
                EfficientHashLib.hash(
                    _AGREEMENT_TYPEHASH,
                    bytes32(matchId),
                    termsHash,
                    bytes32(uint256(winner)),
                    bytes32(uint256(until)),
                    record
                )
            );
    }

    /// @dev Recovers the signer of 65 bytes; zero if they are no signature. A high s is refused, and v is 27 or 28.
    function _signerOf(bytes32 digest, bytes calldata signature) private pure returns (address signer) {
        (signer, , ) = ECDSA.tryRecoverCalldata(digest, signature);
    }
}
