// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Contract wallet that accepts its owner's signatures until it is switched off
contract Wallet1271 is IERC1271 {
    address private immutable _owner;
    bool private _answers = true;

    constructor(address owner) {
        _owner = owner;
    }

    function answer(bool answers) external {
        _answers = answers;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        bool signed = ECDSA.recoverCalldata(digest, signature) == _owner;
        return _answers && signed ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}
