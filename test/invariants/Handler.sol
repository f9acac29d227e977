// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1363Receiver} from "@openzeppelin/contracts/interfaces/IERC1363Receiver.sol";
import {Arena} from "../../contracts/Arena.sol";
import {Match} from "../../contracts/interfaces/IArena.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {IGame, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {FightToken} from "../../contracts/tokens/FightToken.sol";
import {VM} from "../Vm.sol";
import {OddToken} from "../mocks/OddToken.sol";
import {Puppet} from "../mocks/Puppet.sol";
import {ScriptedGame} from "../mocks/ScriptedGame.sol";
import {TollToken} from "../mocks/TollToken.sol";
import {WildGame} from "../mocks/WildGame.sol";
import {ACCOUNTS, PLAYERS, TOKENS, Cast} from "./Cast.sol";
import {Random} from "./Random.sol";
import {Model} from "./Model.sol";

/// @title Base of all handlers
/// @notice A handler picks an action, carries it out in the arena, and records it in the model. If the arena refuses a
/// legal action or accepts an illegal one, the handler reverts, and every invariant fails on a revert.
abstract contract Handler {
    Cast internal immutable _cast;
    Model internal immutable _model;
    Arena internal immutable _arena;
    // Copies of the fields of the cast, so that reading a field needs no call.
    FightToken internal immutable _fight;
    OddToken internal immutable _caller;
    OddToken internal immutable _blocker;
    TollToken internal immutable _toll;
    ScriptedGame internal immutable _scripted;
    WildGame internal immutable _wild;
    Puppet internal immutable _puppet;
    address[ACCOUNTS] internal _accounts;
    address[TOKENS] internal _tokens;

    constructor(Cast cast, Model model) {
        (_cast, _model, _arena) = (cast, model, cast.arena());
        (_fight, _caller, _blocker, _toll) = (cast.fight(), cast.caller(), cast.blocker(), cast.toll());
        (_scripted, _wild, _puppet) = (cast.scripted(), cast.wild(), cast.puppet());
        for (uint256 i = 0; i < ACCOUNTS; ++i) _accounts[i] = cast.accounts(i);
        for (uint256 i = 0; i < TOKENS; ++i) _tokens[i] = cast.tokens(i);
    }

    /// @dev Starts a call of a handler: sets the chain's time to the model's time, and counts the call.
    function _begin(bytes32 name, uint256 seed) internal returns (Random memory) {
        VM.warp(_model.time());
        return Random(uint256(keccak256(abi.encode(seed, _cast.begin(name)))));
    }

    /// @dev Counts an action that succeeded. If an action is not possible now, a handler carries out, and counts, an
    /// action that leads to it.
    function _done(bytes32 name) internal {
        _cast.done(name);
    }

    function _wait(uint256 duration) internal {
        uint256 time = _model.time() + duration;
        _model.setTime(time);
        VM.warp(time);
    }

    function _send(address sender, uint256 value, bytes memory data) internal {
        _cast.send(sender, address(_arena), value, data);
    }

    function _player(Random memory random) internal view returns (address) {
        return _accounts[random.roll(PLAYERS)];
    }

    function _anyone(Random memory random) internal view returns (address) {
        return _accounts[random.roll(ACCOUNTS)];
    }

    /// @dev Picks a player other than `one`.
    function _other(Random memory random, address one) internal view returns (address other) {
        uint256 start = random.roll(PLAYERS);
        other = _accounts[start];
        if (other == one) other = _accounts[(start + 1) % PLAYERS];
    }

    function _token(Random memory random) internal view returns (address) {
        return _tokens[random.roll(TOKENS)];
    }

    function _deposit(address token, address from, address player, uint256 amount) internal {
        uint256 value = token == address(0) ? amount : 0;
        if (token == address(_toll)) _toll.set(0, 0);
        _send(from, value, abi.encodeCall(IPurse.deposit, (token, amount, player)));
        _model.deposit(token, player, amount);
    }

    /// @dev Makes a purse cover a stake. Coins are not deposited but must be sent with the call: `value` is their
    /// amount, a few more than needed.
    function _fill(address player, address token, uint256 stake) internal returns (uint256 value) {
        uint256 purse = _model.accountOf(player, token).purse;
        if (purse >= stake) return 0;
        if (token == address(0)) {
            value = stake - purse + (stake % 5);
            _model.deposit(token, player, value);
        } else {
            _deposit(token, player, player, stake - purse);
        }
    }

    /// @dev Returns the data that makes `game` return `step`.
    function _script(IGame game, Step memory step) internal returns (bytes memory) {
        if (address(game) == address(_wild)) {
            _wild.behave(WildGame.Manner.AnswersRaw, abi.encode(step));
        }
        return abi.encodePacked(uint8(step.turn), uint8(step.winner), uint8(step.taker), step.position);
    }

    /// @dev Picks a step after which the game goes on, or ends in any way.
    function _anyStep(Random memory random) internal pure returns (Step memory) {
        bytes32 position = random.word();
        if (random.roll(5) < 3) return Step(Seat(1 + random.roll(2)), Seat.None, Seat.None, position);
        return Step(Seat.None, Seat(random.roll(3)), Seat(random.roll(3)), position);
    }

    /// @dev Returns the player whose turn it is.
    function _mover(Match memory m) internal pure returns (address) {
        return m.turn == Seat.One ? m.player1 : m.player2;
    }

    /// @dev Encodes the call of a token to the arena after `from` has transferred `value`.
    function _notice(address from, uint256 value, bytes memory order) internal pure returns (bytes memory) {
        return abi.encodeCall(IERC1363Receiver.onTransferReceived, (from, from, value, order));
    }
}
