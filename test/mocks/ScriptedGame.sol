// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Game} from "../../contracts/games/Game.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";

/// @title Game whose players choose each step
/// @notice The data of a player is the step to return: turn, winner and taker, a byte each, then the position, whose
/// last bytes may be missing. For empty data `create` returns the honest (Two, None, None). With such data a test can
/// reach every path of the arena, including those that only lying games reach.
contract ScriptedGame is Game {
    event Called(string entry, Duel duel, Seat seat, bytes data);

    constructor(address arena_) Game(arena_) {}

    function create(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory) {
        _requireMode(duel.mode);
        emit Called("create", duel, Seat.One, data);
        return data.length == 0 ? Step(Seat.Two, Seat.None, Seat.None, 0) : _step(data);
    }

    function join(Duel calldata duel, bytes calldata answer) external onlyArena returns (Step memory) {
        emit Called("join", duel, Seat.Two, answer);
        return _step(answer);
    }

    function act(Duel calldata duel, Seat seat, bytes calldata action) external onlyArena returns (Step memory) {
        emit Called("act", duel, seat, action);
        return _step(action);
    }

    function _step(bytes calldata data) private pure returns (Step memory) {
        return Step(Seat(uint8(data[0])), Seat(uint8(data[1])), Seat(uint8(data[2])), bytes32(data[3:]));
    }

    function _checkMode(bytes calldata content) internal pure override {
        require(content.length != 0, "empty mode");
    }

    function _defaultMode() internal pure override returns (bytes memory) {
        return hex"00";
    }
}
