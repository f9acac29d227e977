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
