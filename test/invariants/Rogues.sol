// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IArena, Terms} from "../../contracts/interfaces/IArena.sol";
import {IHouse} from "../../contracts/interfaces/IHouse.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {Puppet} from "../mocks/Puppet.sol";
import {Reentrant} from "../mocks/Reentrant.sol";
import {Cast} from "./Cast.sol";
import {Handler} from "./Handler.sol";
import {Random} from "./Random.sol";
import {Model} from "./Model.sol";

/// @title Handler of the owner and of hostile contracts
contract Rogues is Handler {
    uint256 private constant _ANY = 15;

    constructor(Cast cast, Model model) Handler(cast, model) {}

    /// @notice Lets the owner change the house fee or the treasury; a player may become the treasury.
    function govern(uint256 seed) external {
        Random memory random = _begin("govern", seed);
        address owner = _arena.owner();
        if (random.coin()) {
            uint16 feeBps = uint16(random.roll(2001));
            _send(owner, 0, abi.encodeCall(IHouse.setFeeBps, (feeBps)));
            _model.setFeeBps(feeBps);
        } else {
            address treasury = _anyone(random);
            _send(owner, 0, abi.encodeCall(IHouse.setTreasury, (treasury)));
            _model.setTreasury(treasury);
        }
        _done("govern");
    }

    /// @notice Makes a receiver refuse or accept coins, or a token block or unblock a player.
    function refuse(uint256 seed) external {
        Random memory random = _begin("refuse", seed);
        if (random.coin()) _cast.setManner(Puppet.Manner(random.roll(5)));
        else _cast.setBlocked(_player(random), random.coin());
        _done("refuse");
    }

    /// @notice Arms the game, the token or the player that is a contract to call back at its next call. `Cast` checks
    /// that each of these calls is refused.
    function arm(uint256 seed) external {
        Random memory random = _begin("arm", seed);
        (Reentrant mock, string memory moment) = _trap(random);
        bytes[] memory calls = new bytes[](2);
        (calls[0], calls[1]) = (_anyCall(random, address(mock)), _anyCall(random, address(mock)));
        _cast.arm(mock, moment, calls);
        _done("arm");
    }

    function _trap(Random memory random) private view returns (Reentrant, string memory) {
        uint256 die = random.roll(7);
        if (die < 3) return (_wild, ["create", "join", "act"][die]);
        if (die == 6) return (_puppet, "receive");
        return (_caller, ["transfer", "transferFrom", "balanceOf"][die - 3]);
    }

    /// @dev Picks a call that would benefit `self` if the arena accepted it.
    function _anyCall(Random memory random, address self) private view returns (bytes memory) {
        uint256 id = _model.find(_ANY, false, random.roll(8));
        (, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        address token = _token(random);
        uint256 amount = random.roll(50);
        bytes[12] memory calls = [
            abi.encodeCall(IArena.create, (terms, address(0), 0, "")),
            abi.encodeCall(IArena.fund, (id, hash)),
            abi.encodeCall(IArena.join, (id, hash, "")),
            abi.encodeCall(IArena.act, (id, "")),
            abi.encodeCall(IArena.resign, (id)),
            abi.encodeCall(IArena.cancel, (id)),
            abi.encodeCall(IArena.decline, (id)),
            abi.encodeCall(IArena.timeout, (id)),
            abi.encodeCall(IArena.allow, (self, type(uint40).max)),
            abi.encodeCall(IPurse.deposit, (token, amount, self)),
            abi.encodeCall(IPurse.withdraw, (token, amount, self)),
            _notice(self, amount, "")
        ];
        return calls[random.roll(calls.length)];
    }
}
