// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Player that makes several calls in one transaction
contract Batch {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    /// @notice Makes the calls in order; reverts as the first failing call does.
    function run(Call[] calldata calls) external payable {
        for (uint256 i; i < calls.length; ++i) {
            Address.functionCallWithValue(calls[i].target, calls[i].data, calls[i].value);
        }
    }
}
