// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC1363} from "@openzeppelin/contracts/token/ERC20/extensions/ERC1363.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title FIGHT, a token to stake
/// @notice ERC-20 token with 18 decimals. One transaction moves it into a purse: `transferAndCall` (ERC-1363), or a
/// deposit with a signed permit (ERC-2612).
///
/// Warning: the owner can mint without limit.
contract FightToken is ERC20Permit, ERC1363, Ownable2Step {
    /// @param owner Account that may mint; ownership is handed over in two steps.
    constructor(address owner) ERC20("Fight", "FIGHT") ERC20Permit("Fight") Ownable(owner) {}

    /// @notice Mints new tokens. Reverts with `OwnableUnauthorizedAccount` unless the caller is the owner.
    /// @param to Receiver; zero is refused with `ERC20InvalidReceiver`.
    /// @param amount Amount in the smallest unit, 10^-18 FIGHT.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
