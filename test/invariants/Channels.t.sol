// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arena} from "../../contracts/Arena.sol";
import {Channels} from "../../contracts/Channels.sol";
import {ChannelState} from "../../contracts/interfaces/IChannels.sol";
import {Artifacts} from "../Vm.sol";
import {Record, Stakes} from "../../contracts/interfaces/ILadder.sol";
import {Trespasses} from "./Trespasses.sol";

/// @title Invariants of the money in channels
contract ChannelsInvariants {
    Trespasses private _sitters;
    Arena private _arena;
    Channels private _channels;

    error ChannelsHoldOther(address token, uint256 purse, uint256 held);
    error ArenaOwesOther(address token, uint256 total, uint256 owed);
    error ChannelDiffers(uint256 number, ChannelState state, ChannelState expected);
    error PurseDiffers(address token, address player, uint256 purse, uint256 expected);
    error RatingDiffers(address player, Record record, Record expected);
    error StakesDiffer(address player, address token, Stakes stakes, Stakes expected);
    error NeverDone(string what);
    error MoneyIsLeft(address token, uint256 amount);

    function setUp() external {
        _sitters = Trespasses(Artifacts.deploy("Trespasses", ""));
        (_arena, _channels) = (_sitters.arena(), _sitters.channels());
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_sitters);
    }

    /// @notice Checks that channels hold what they owe, and that money and rating of each player are as signed.
    function invariantChannelsHoldWhatWasSigned() external view {
        _check();
        uint256 calls = _sitters.calls();
        _checkLadder(_sitters.players(calls % _sitters.PLAYERS()), _sitters.tokens(calls % _sitters.TOKENS()));
    }

    function afterInvariant() external virtual {
        _checkCounts();
        _checkEnd();
    }

    /// @dev Checks all ratings, and pays all channels out.
    function _checkEnd() internal {
        for (uint256 i = 0; i < _sitters.PLAYERS(); ++i) {
            for (uint256 j = 0; j < _sitters.TOKENS(); ++j) _checkLadder(_sitters.players(i), _sitters.tokens(j));
        }
        _sitters.step(_sitters.DRAIN());
        _check();
        for (uint256 i = 0; i < _sitters.TOKENS(); ++i) {
            address token = _sitters.tokens(i);
            uint256 left = _arena.purseOf(address(_channels), token);
            if (left != 0) revert MoneyIsLeft(token, left);
        }
    }

    function _checkCounts() private view {
        string[10] memory names = [
            "open",
            "play",
            "challenge",
            "act",
            "timeout",
            "checkpoint",
            "close",
            "wild",
            "withdraw",
            "trespass"
        ];
        for (uint256 i = 0; i < names.length; ++i) {
            if (_sitters.done(bytes32(bytes(names[i]))) == 0) revert NeverDone(names[i]);
        }
    }

    function _check() private view {
        for (uint256 i = 0; i < _sitters.TOKENS(); ++i) {
            address token = _sitters.tokens(i);
            uint256 held = _channels.sharesOf(token) + _checkChannels(token);
            uint256 purse = _arena.purseOf(address(_channels), token);
            if (purse != held) revert ChannelsHoldOther(token, purse, held);
            uint256 owed = purse + _sitters.stakedIn(token) + _arena.purseOf(_arena.treasury(), token);
            for (uint256 j = 0; j < _sitters.PLAYERS(); ++j) owed += _checkPurse(token, _sitters.players(j));
            if (_arena.totalOf(token) != owed) revert ArenaOwesOther(token, _arena.totalOf(token), owed);
        }
    }

    function _checkLadder(address player, address token) private view {
        address game = address(_sitters.game());
        Record memory record = _arena.recordOf(game, player);
        Record memory expected = _sitters.recordOf(game, player);
        if (keccak256(abi.encode(record)) != keccak256(abi.encode(expected))) {
            revert RatingDiffers(player, record, expected);
        }
        Stakes memory stakes = _arena.stakesOf(player, token);
        Stakes memory won = _sitters.stakesOf(player, token);
        if (keccak256(abi.encode(stakes)) != keccak256(abi.encode(won))) {
            revert StakesDiffer(player, token, stakes, won);
        }
    }

    function _checkChannels(address token) private view returns (uint256 held) {
        for (uint256 i = 0; i < _sitters.CHANNELS(); ++i) {
            if (_sitters.tokenOf(i) != token) continue;
            ChannelState memory state = _channels.stateOf(_sitters.idOf(i));
            ChannelState memory expected = _sitters.stateOf(i);
            if (keccak256(abi.encode(state)) != keccak256(abi.encode(expected))) {
                revert ChannelDiffers(i, state, expected);
            }
            held += uint256(state.amount1) + state.amount2;
        }
    }

    function _checkPurse(address token, address player) private view returns (uint256 purse) {
        purse = _arena.purseOf(player, token);
        uint256 expected = _sitters.purses(player, token);
        if (purse != expected) revert PurseDiffers(token, player, purse, expected);
    }
}
