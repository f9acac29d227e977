// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IArena, Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {VM} from "../Vm.sol";
import {OddToken} from "../mocks/OddToken.sol";
import {Puppet} from "../mocks/Puppet.sol";
import {WildGame} from "../mocks/WildGame.sol";
import {ACCOUNTS, TOKENS, Cast} from "./Cast.sol";
import {Handler} from "./Handler.sol";
import {Model} from "./Model.sol";

/// @title Rehearsal of possible next actions
/// @notice Carries out actions from the present state of the matches, inside an invariant that undoes their changes.
contract Rehearsal is Handler {
    uint256 private constant _STRANGER = 4;
    uint256 private constant _PUPPET = 2;
    /// @dev First of the last two accounts, owner and first treasury; neither ever plays in a match.
    uint256 private constant _OWNER = 6;

    error TimedOutBeforeTheDeadline(uint256 matchId);
    error ActedAfterTheDeadline(uint256 matchId);
    error CouldNotActAtTheDeadline(uint256 matchId, bytes answer);
    error CouldNotEnd(uint256 matchId, address caller, bytes answer);
    error CreditWasLost(address player);
    error LeftInTheArena(address token, uint256 total, uint256 house);

    constructor(Cast cast, Model model) Handler(cast, model) {}

    /// @notice Checks that at the deadline acting works and timing out does not; a second later it is the reverse.
    function tryAround(uint256 id, bool inTime) external {
        (Match memory m, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        (address player, bytes memory action) = _nextAction(id, m, terms, hash);
        bytes memory end = abi.encodeCall(IArena.timeout, (id));
        address stranger = _accounts[_STRANGER];
        VM.warp(m.deadline);
        (bool ok, bytes memory answer) = _cast.attempt(stranger, address(_arena), 0, end);
        if (ok) revert TimedOutBeforeTheDeadline(id);
        if (inTime) {
            (ok, answer) = _cast.attempt(player, address(_arena), 0, action);
            if (!ok) revert CouldNotActAtTheDeadline(id, answer);
        } else {
            VM.warp(m.deadline + 1);
            (ok, answer) = _cast.attempt(player, address(_arena), 0, action);
            if (ok) revert ActedAfterTheDeadline(id);
            (ok, answer) = _cast.attempt(stranger, address(_arena), 0, end);
            if (!ok) revert CouldNotEnd(id, stranger, answer);
        }
    }

    /// @notice Ends a match after its deadline, as one of its players or a stranger.
    function endOne(uint256 id, uint256 who) external {
        (Match memory m, , ) = _model.matchOf(id);
        if (m.status <= Status.AllJoined) _end(id, m, who);
    }

    /// @notice Ends all matches, without an owner and while games, tokens and receivers only fail; then withdraws all
    /// money.
    function endAll() external {
        address owner = _arena.owner();
        if (owner != address(0)) _cast.send(owner, address(_arena), 0, abi.encodeCall(Ownable.renounceOwnership, ()));
        _wild.behave(WildGame.Manner.Reverts, "");
        _caller.adopt(OddToken.Habit.Reverts);
        _blocker.adopt(OddToken.Habit.Reverts);
        _cast.setManner(Puppet.Manner.Reverts);
        uint256[] memory ids = _model.open();
        for (uint256 i = 0; i < ids.length; ++i) {
            (Match memory m, , ) = _model.matchOf(ids[i]);
            _end(ids[i], m, i);
        }
        _caller.adopt(OddToken.Habit.None);
        _blocker.adopt(OddToken.Habit.None);
        _toll.set(0, 0);
        for (uint256 i = 0; i < TOKENS; ++i) _emptyPurses(_tokens[i]);
    }

    function _end(uint256 id, Match memory m, uint256 who) private {
        VM.warp(m.deadline + 1);
        address caller = _accounts[_STRANGER + (who % 2)];
        if (who % 3 == 1) caller = m.player1;
        else if (who % 3 == 2 && m.player2 != address(0)) caller = m.player2;
        (bool ok, bytes memory answer) = _cast.attempt(
            caller,
            address(_arena),
            0,
            abi.encodeCall(IArena.timeout, (id))
        );
        if (!ok || _arena.statusOf(id) <= Status.AllJoined) revert CouldNotEnd(id, caller, answer);
    }

    /// @dev Empties the purses of all accounts; owner and treasury, which are the house, come last.
    function _emptyPurses(address token) private {
        for (uint256 i = 0; i < _OWNER; ++i) _empty(token, _accounts[i]);
        uint256 house = 0;
        for (uint256 i = _OWNER; i < ACCOUNTS; ++i) house += _arena.purseOf(_accounts[i], token);
        uint256 total = _arena.totalOf(token);
        if (total != house) revert LeftInTheArena(token, total, house);
        for (uint256 i = _OWNER; i < ACCOUNTS; ++i) _empty(token, _accounts[i]);
        uint256 left = _cast.balanceOf(address(_arena), token);
        if (left != _model.surplus(token)) revert LeftInTheArena(token, left, 0);
    }

    function _empty(address token, address player) private {
        uint256 amount = _arena.purseOf(player, token);
        if (amount == 0) return;
        if (token == address(0) && player == _accounts[_PUPPET]) {
            (bool ok, ) = _cast.attempt(player, address(_arena), 0, _withdrawal(token, amount, player));
            if (ok || _arena.purseOf(player, token) != amount) revert CreditWasLost(player);
        }
        _send(player, 0, _withdrawal(token, amount, _accounts[_STRANGER]));
    }

    function _withdrawal(address token, uint256 amount, address to) private pure returns (bytes memory) {
        return abi.encodeCall(IPurse.withdraw, (token, amount, to));
    }

    /// @dev Returns the player for whom the match waits and a call that it can make now. Deposits the money for that
    /// call.
    function _nextAction(
        uint256 id,
        Match memory m,
        Terms memory terms,
        bytes32 hash
    ) private returns (address player, bytes memory action) {
        player = m.status == Status.Created || m.turn == Seat.One ? m.player1 : m.player2;
        if (player == address(0)) player = m.player1 == _accounts[0] ? _accounts[1] : _accounts[0];
        bytes memory script = _script(terms.game, Step(Seat.One, Seat.None, Seat.None, 0));
        if (m.status == Status.AllJoined) return (player, abi.encodeCall(IArena.act, (id, script)));
        if (m.status == Status.AllDeposited) return (player, abi.encodeCall(IArena.join, (id, hash, script)));
        uint256 value = _fill(player, terms.token, m.status == Status.Created ? terms.stake1 : terms.stake2);
        if (value != 0) _send(player, value, abi.encodeCall(IPurse.deposit, (address(0), value, player)));
        return (player, abi.encodeCall(IArena.fund, (id, hash)));
    }
}
