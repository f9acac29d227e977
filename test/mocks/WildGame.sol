// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Reentrant} from "./Reentrant.sol";

// solhint-disable no-inline-assembly, no-empty-blocks

/// @title Game that can break any law
/// @notice Honest unless configured otherwise: `create` gives the turn to player 2, `join` to player 1, and `act` lets
/// player 1 win. Before each answer it may call back.
contract WildGame is Reentrant, IGame {
    enum Manner {
        Honest,
        Reverts,
        BurnsGas,
        LoopsForever,
        RevertsWithBlob,
        AnswersRaw
    }

    Manner private _manner;
    bytes private _raw;

    error OutOfOrder();

    function behave(Manner manner, bytes calldata raw) external {
        (_manner, _raw) = (manner, raw);
    }

    function create(Duel calldata, bytes calldata) external returns (Step memory) {
        return _answer("create", Step(Seat.Two, Seat.None, Seat.None, 0));
    }

    function join(Duel calldata, bytes calldata) external returns (Step memory) {
        return _answer("join", Step(Seat.One, Seat.None, Seat.None, 0));
    }

    function act(Duel calldata, Seat, bytes calldata) external returns (Step memory) {
        return _answer("act", Step(Seat.None, Seat.One, Seat.One, 0));
    }

    function registerMode(bytes calldata content) external pure returns (bytes32) {
        return keccak256(content);
    }

    /// @dev Makes the game look like a token, for a call that claims to come from a token.
    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function _answer(string memory moment, Step memory step) private returns (Step memory) {
        _reenter(moment);
        if (_manner == Manner.Honest) return step;
        if (_manner == Manner.Reverts) revert OutOfOrder();
        if (_manner == Manner.BurnsGas) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        while (_manner == Manner.LoopsForever) {}
        if (_manner == Manner.RevertsWithBlob) {
            assembly ("memory-safe") {
                revert(0, 300000)
            }
        }
        bytes memory raw = _raw;
        assembly ("memory-safe") {
            return(add(raw, 32), mload(raw))
        }
    }
}
