// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Reentrant} from "./Reentrant.sol";

// solhint-disable no-inline-assembly

/// @title Token whose bad habits can each be switched on
/// @notice It may call back from any function that the arena calls, balanceOf included.
contract OddToken is ERC20("Odd", "ODD"), Reentrant {
    enum Habit {
        None,
        /// A tenth of each transfer is lost on the way.
        TakesFees,
        /// Transfers work and return no data.
        ReturnsNothing,
        /// Transfers fail, and only return false.
        ReturnsFalse,
        /// Transfers work and return false.
        ReturnsFalseAnyway,
        /// Transfers revert.
        Reverts,
        /// Balances are reported a thousand times too large.
        Boasts,
        /// Balances are reported as zero.
        Hides
    }

    Habit private _habit;
    mapping(address account => bool blocked) private _blocked;

    error Blocked(address account);
    error Closed();

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function take(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function adopt(Habit habit) external {
        _habit = habit;
    }

    function blockAccount(address account, bool blocked) external {
        _blocked[account] = blocked;
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {
        _reenter("permit");
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _reenter("transfer");
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _reenter("transferFrom");
        _spendAllowance(from, msg.sender, amount);
        return _move(from, to, amount);
    }

    /// @notice Transfers as in ERC-1363, but calls the receiver with `data` as the raw calldata.
    function transferAndCall(address to, uint256 amount, bytes calldata data) external {
        _move(msg.sender, to, amount);
        run(to, 0, data);
    }

    function balanceOf(address account) public view override returns (uint256) {
        _reenterStatic("balanceOf");
        if (_habit == Habit.Boasts) return super.balanceOf(account) * 1000;
        return _habit == Habit.Hides ? 0 : super.balanceOf(account);
    }

    /// @dev Returns the balance without the habits.
    function trueBalanceOf(address account) external view returns (uint256) {
        return super.balanceOf(account);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (_habit == Habit.Reverts) revert Closed();
        if (_blocked[to]) revert Blocked(to);
        if (_habit == Habit.ReturnsFalse) return false;
        _transfer(from, to, amount);
        if (_habit == Habit.TakesFees) _burn(to, amount / 10);
        if (_habit == Habit.ReturnsNothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return _habit != Habit.ReturnsFalseAnyway;
    }
}
