// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1363Receiver} from "@openzeppelin/contracts/interfaces/IERC1363Receiver.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that moves other amounts than requested
/// @notice Anyone may mint. Tokens that do not arrive are burned.
contract TollToken is ERC20 {
    /// @notice Amount that is deducted from what the receiver gets.
    uint256 public fee;
    /// @notice Amount that the sender pays on top of what it sends.
    uint256 public toll;

    constructor() ERC20("Odd", "ODD") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function set(uint256 fee_, uint256 toll_) external {
        (fee, toll) = (fee_, toll_);
    }

    /// @notice Reports a transfer that did not happen.
    function forge(IERC1363Receiver receiver, address from, uint256 value, bytes calldata data) external {
        receiver.onTransferReceived(from, from, value, data);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from == address(0) || to == address(0)) return;
        if (fee != 0) _burn(to, fee);
        if (toll != 0) _burn(from, toll);
    }
}
