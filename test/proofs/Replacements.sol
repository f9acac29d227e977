// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Functions of OpenZeppelin's Math, as the SMTChecker can represent them
/// @dev The originals use bit tricks and assembly. `Replacements.t.sol` compares both.
library Math {
    function min(uint256 a, uint256 b) internal pure returns (uint256) {
        return a < b ? a : b;
    }

    function max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }

    function saturatingSub(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a - b : 0;
    }
}

/// @title A function of OpenZeppelin's SafeCast, as the SMTChecker can represent it
library SafeCast {
    function toUint(bool b) internal pure returns (uint256) {
        return b ? 1 : 0;
    }
}

/// @title A number that the SMTChecker does not know
/// @dev It assumes nothing about the result of a call to another contract.
interface IUnknown {
    function number(uint256 key) external pure returns (uint256);
}

/// @title The fields of a guardian card that a fight reads, each of which can have any value of 16 bits
library Cards {
    function hp(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function luck(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function critical(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function power(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function defense(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function cardType(uint256 card) internal pure returns (uint256) {
        return _field(card);
    }

    function _field(uint256 card) private pure returns (uint256) {
        return uint16(IUnknown(address(0)).number(card));
    }
}
