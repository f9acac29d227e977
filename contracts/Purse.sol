// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1363Receiver} from "@openzeppelin/contracts/interfaces/IERC1363Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPurse} from "./interfaces/IPurse.sol";

/// @title Purses, the only contract of the arena that touches tokens
/// @dev Solvent means, for every token: balance >= total = purses + stakes in open matches. Each deposit checks this,
/// each withdrawal lowers both sides equally, and everything else only moves numbers inside the total. Only the token
/// itself can open a gap. Withdrawals are then paid from the remaining balance, and deposits are refused, so that
/// nobody's deposit fills the gap.
abstract contract Purse is IPurse, IERC1363Receiver, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    address internal constant _COIN = address(0);

    /// @dev Length of an order to fund a match, the data of an ERC-1363 transfer:
    /// abi.encode(uint256 matchId, bytes32 offerHash).
    uint256 private constant _ORDER_LENGTH = 64;

    mapping(address player => mapping(address token => uint256 amount)) private _purses;
    mapping(address token => uint256 amount) private _totals;

    /// @inheritdoc IPurse
    function deposit(address token, uint256 amount, address player) external payable nonReentrant {
        uint256 expected = token == _COIN ? amount : 0;
        if (msg.value != expected) revert WrongValue(msg.value, expected);
        if (token != _COIN) IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        _receive(token, amount, player);
    }

    /// @inheritdoc IPurse
    function depositWithPermit(
        address token,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant {
        if (token.code.length == 0) revert NotAContract(token);
        // Anyone who saw the permit may have submitted it first; then the allowance is there already.
        // solhint-disable-next-line no-empty-blocks
        try IERC20Permit(token).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        _receive(token, amount, msg.sender);
    }

    /// @notice Credits an ERC-1363 transfer to the purse of its sender; with (matchId, offerHash) as data it also funds
    /// that match.
    /// @dev Treats the caller as the token. A forged call credits nothing, as the arena's balance has not grown.
    function onTransferReceived(
        address operator,
        address from,
        uint256 value,
        bytes calldata data
    ) external nonReentrant returns (bytes4) {
        _receive(msg.sender, value, from);
        if (data.length != 0) {
            if (data.length != _ORDER_LENGTH) revert BadTransferData(data.length);
            // Otherwise a spender, even with an allowance of zero, could seat the owner with money that its purse
            // already has.
            if (operator != from) revert NotTheOwner(operator, from);
            (uint256 matchId, bytes32 offerHash) = abi.decode(data, (uint256, bytes32));
            _fundByTransfer(msg.sender, from, value, matchId, offerHash);
        }
        return IERC1363Receiver.onTransferReceived.selector;
    }

    /// @inheritdoc IPurse
    function withdraw(address token, uint256 amount, address to) external nonReentrant {
        if (to == address(0) || to == address(this)) revert BadReceiver(to);
        _debit(msg.sender, token, amount);
        _totals[token] -= amount;
        emit Withdrawn(token, msg.sender, to, amount);
        uint256 held = _held(token);
        if (token == _COIN) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
        uint256 taken = Math.saturatingSub(held, _held(token));
        if (taken > amount) revert Overdrawn(token, taken, amount);
    }

    /// @inheritdoc IPurse
    function purseOf(address player, address token) public view returns (uint256 amount) {
        return _purses[player][token];
    }

    /// @inheritdoc IPurse
    function totalOf(address token) external view returns (uint256 amount) {
        return _totals[token];
    }

    /// @dev Funds a match with tokens that have just been credited to `player`.
    function _fundByTransfer(
        address token,
        address player,
        uint256 value,
        uint256 matchId,
        bytes32 offerHash
    ) internal virtual;

    /// @dev Credits the coin sent with a call to the caller. Reverts if the stakes are in a token but coin was sent.
    function _receiveCoin(address token) internal {
        if (msg.value == 0) return;
        if (token != _COIN) revert WrongValue(msg.value, 0);
        _receive(_COIN, msg.value, msg.sender);
    }

    function _credit(address player, address token, uint256 amount) internal {
        if (amount != 0) _purses[player][token] += amount;
    }

    function _debit(address player, address token, uint256 amount) internal {
        if (!_tryDebit(player, token, amount)) revert PurseTooLow(player, token, purseOf(player, token), amount);
    }

    /// @dev Takes an amount from a purse; returns false, and takes nothing, if the purse does not cover it.
    function _tryDebit(address player, address token, uint256 amount) internal returns (bool) {
        if (amount == 0) return true;
        mapping(address token => uint256 amount) storage purse = _purses[player];
        uint256 balance = purse[token];
        if (balance < amount) return false;
        unchecked {
            purse[token] = balance - amount;
        }
        return true;
    }

    /// @dev Credits money from outside. Reverts unless the arena holds that much more than it owes.
    function _receive(address token, uint256 amount, address player) private {
        if (player == address(0) || player == address(this)) revert BadReceiver(player);
        uint256 owed = _totals[token];
        uint256 held = _held(token);
        uint256 received = Math.saturatingSub(held, owed);
        // The first condition also refuses a deposit of zero while there is a gap.
        if (held < owed || received < amount) revert NotReceived(token, received, amount);
        _totals[token] = owed + amount;
        _credit(player, token, amount);
        emit Deposited(token, player, amount);
    }

    function _held(address token) private view returns (uint256) {
        return token == _COIN ? address(this).balance : IERC20(token).balanceOf(address(this));
    }
}
