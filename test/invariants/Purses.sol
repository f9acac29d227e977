// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {OddToken} from "../mocks/OddToken.sol";
import {ACCOUNTS, Cast} from "./Cast.sol";
import {Handler} from "./Handler.sol";
import {Random} from "./Random.sol";
import {Model} from "./Model.sol";

/// @title Handler of deposits and withdrawals
/// @notice Includes all trouble that tokens and receivers can make: unrequested coins, fees, forged transfers and
/// receivers that refuse.
contract Purses is Handler {
    uint256 private constant _OFFERS = 3;
    /// @dev Stranger that no token blocks and that accepts every coin.
    uint256 private constant _SAFE = 4;

    /// @notice A withdrawal to a failing receiver went through, or lost the credit.
    error FailingReceiverWasPaid(address token, address to);
    /// @notice The amount withdrawn did not arrive exactly once.
    error NotPaidOnce(address token, uint256 paid, uint256 amount);
    error FeeWasLet(uint256 fee, uint256 surplus);
    error TollWasLet(uint256 toll);
    error Forged(address player, uint256 amount);

    constructor(Cast cast, Model model) Handler(cast, model) {}

    function deposit(uint256 seed) external {
        Random memory random = _begin("deposit", seed);
        _deposit(_token(random), _anyone(random), _anyone(random), random.roll(2000));
        _done("deposit");
    }

    /// @notice Deposits a token that takes a fee. The arena refuses it, unless a surplus of the token covers the fee.
    function depositLessFee(uint256 seed) external {
        Random memory random = _begin("depositLessFee", seed);
        (address token, address player) = (address(_toll), _player(random));
        (uint256 fee, uint256 amount) = (1 + random.roll(40), 50 + random.roll(500));
        uint256 surplus = _model.surplus(token);
        _toll.set(fee, 0);
        bytes memory data = abi.encodeCall(IPurse.deposit, (token, amount, player));
        (bool ok, bytes memory refusal) = _cast.attempt(player, address(_arena), 0, data);
        if (ok != (surplus >= fee)) revert FeeWasLet(fee, surplus);
        if (ok) {
            _model.deposit(token, player, amount);
            _model.setSurplus(token, surplus - fee);
        } else if (bytes4(refusal) != IPurse.NotReceived.selector) {
            revert FeeWasLet(fee, surplus);
        }
        _done("depositLessFee");
    }

    function withdraw(uint256 seed) external {
        Random memory random = _begin("withdraw", seed);
        (address token, address player) = _owner(random);
        uint256 purse = _model.accountOf(player, token).purse;
        if (purse == 0) return;
        address to = _anyone(random);
        uint256 amount = random.coin() ? purse : 1 + random.roll(purse);
        if (_fails(to, token)) {
            bytes memory data = abi.encodeCall(IPurse.withdraw, (token, amount, to));
            (bool ok, ) = _cast.attempt(player, address(_arena), 0, data);
            if (ok || _arena.purseOf(player, token) != purse) revert FailingReceiverWasPaid(token, to);
            _done("withdrawRefused");
            to = _accounts[_SAFE];
        }
        _withdraw(random, token, player, amount, to);
    }

    /// @notice Transfers by ERC-1363 into the sender's purse, and from there into an offer if one uses the token.
    function transferAndCall(uint256 seed) external {
        Random memory random = _begin("transferAndCall", seed);
        uint256 id = _model.find(_OFFERS, false, random.roll(8));
        (Match memory m, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        address token = id == 0 ? address(0) : terms.token;
        bytes memory order = "";
        address player = _player(random);
        uint256 amount = random.roll(900);
        if (token == address(_fight) || token == address(_caller)) {
            bool first = m.status == Status.Created;
            order = abi.encode(id, hash);
            player =
                first
                    ? m.player1
                    : m.player2 == address(0)
                        ? _other(random, m.player1)
                        : m.player2;
            amount = (first ? terms.stake1 : terms.stake2) + random.roll(2) * amount;
        } else {
            token = random.coin() ? address(_fight) : address(_caller);
        }
        _transfer(random, token, player, amount, order);
        if (order.length == 0) return _done("transferAndCall");
        _model.fund(id, player, true);
        _done("fundByTransfer");
    }

    /// @notice Forces coins or tokens on the arena.
    function force(uint256 seed) external {
        Random memory random = _begin("force", seed);
        (address token, uint256 amount) = (_token(random), 1 + random.roll(60));
        _cast.give(address(_arena), token, amount);
        _model.setSurplus(token, _model.surplus(token) + amount);
        _done("force");
    }

    /// @notice Makes a token report a transfer that did not happen. The arena accepts it up to the surplus.
    function forge(uint256 seed) external {
        Random memory random = _begin("forge", seed);
        (address token, address player) = (address(_caller), _anyone(random));
        uint256 surplus = _model.surplus(token);
        uint256 amount = random.coin() ? surplus : 1 + random.roll(100);
        (bool ok, ) = _cast.attempt(token, address(_arena), 0, _notice(player, amount, ""));
        if (ok != (amount <= surplus)) revert Forged(player, amount);
        if (ok) {
            _model.deposit(token, player, amount);
            _model.setSurplus(token, surplus - amount);
        }
        _done("forge");
    }

    /// @dev Withdraws. A token that charges its sender a toll is refused, whatever the surplus.
    function _withdraw(Random memory random, address token, address player, uint256 amount, address to) private {
        uint256 toll = token == address(_toll) ? random.roll(2) * random.roll(40) : 0;
        _toll.set(0, toll);
        uint256 before = _cast.balanceOf(to, token);
        bytes memory data = abi.encodeCall(IPurse.withdraw, (token, amount, to));
        if (toll != 0) {
            (bool ok, ) = _cast.attempt(player, address(_arena), 0, data);
            if (ok) revert TollWasLet(toll);
            return _done("withdrawRefused");
        }
        _send(player, 0, data);
        uint256 paid = _cast.balanceOf(to, token) - before;
        if (paid != amount) revert NotPaidOnce(token, paid, amount);
        _model.withdraw(token, player, amount);
        _done("withdraw");
    }

    function _transfer(
        Random memory random,
        address token,
        address player,
        uint256 amount,
        bytes memory order
    ) private {
        if (token == address(_fight)) {
            _cast.send(
                player,
                token,
                0,
                abi.encodeWithSignature("transferAndCall(address,uint256,bytes)", address(_arena), amount, order)
            );
        } else {
            // Anyone may send these tokens: only the token reports whose they were.
            bytes memory notice = _notice(player, amount, order);
            _cast.send(
                _anyone(random),
                token,
                0,
                abi.encodeCall(OddToken.transferAndCall, (address(_arena), amount, notice))
            );
        }
        _model.deposit(token, player, amount);
    }

    /// @dev Picks a token, and a player whose purse has some of it if there is one.
    function _owner(Random memory random) private view returns (address token, address player) {
        token = _token(random);
        uint256 start = random.roll(ACCOUNTS);
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            player = _accounts[(start + i) % ACCOUNTS];
            if (_model.accountOf(player, token).purse != 0) break;
        }
    }

    function _fails(address to, address token) private view returns (bool) {
        if (token == address(0)) return to == address(_puppet) && _cast.puppetRefuses();
        return token == address(_blocker) && _cast.isBlocked(to);
    }
}
