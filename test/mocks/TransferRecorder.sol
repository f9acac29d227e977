// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1363Receiver} from "@openzeppelin/contracts/interfaces/IERC1363Receiver.sol";

/// @title Receiver of ERC-1363 transfers that emits their arguments
contract TransferRecorder is IERC1363Receiver {
    event TransferReceived(address token, address operator, address from, uint256 value, bytes data);

    function onTransferReceived(
        address operator,
        address from,
        uint256 value,
        bytes calldata data
    ) external returns (bytes4) {
        emit TransferReceived(msg.sender, operator, from, value, data);
        return IERC1363Receiver.onTransferReceived.selector;
    }
}
