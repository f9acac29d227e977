// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Math as PlainMath, SafeCast as PlainSafeCast} from "./Replacements.sol";

/// @title Replacements in proofs return what OpenZeppelin's functions return
contract ReplacementsTest {
    function testFuzzReturnsWhatTheOriginalsReturn(uint256 a, uint256 b) external pure {
        _compare(a, b);
        _compare(a, a);
        _compare(a, a / 2);
    }

    function testReturnsWhatTheOriginalReturnsForBothBooleans() external pure {
        assert(PlainSafeCast.toUint(false) == SafeCast.toUint(false));
        assert(PlainSafeCast.toUint(true) == SafeCast.toUint(true));
    }

    function _compare(uint256 a, uint256 b) private pure {
        assert(PlainMath.min(a, b) == Math.min(a, b));
        assert(PlainMath.max(a, b) == Math.max(a, b));
        assert(PlainMath.saturatingSub(a, b) == Math.saturatingSub(a, b));
    }
}
