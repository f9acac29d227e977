// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Seat, Step} from "../../contracts/interfaces/IGame.sol";

// solhint-disable avoid-low-level-calls

/// @title Arena in which a whole match is played in one transaction
/// @notice Makes every call, accepted or refused, and emits the data that it returned or reverted with, and the
/// position after it. Writes the position of the match into the duel of each call, unless the number of the match is 0.
contract Walkthrough {
    /// @dev Place of the position in the data of a call: after the selector and five words of the duel.
    uint256 private constant _POSITION_AT = 4 + 5 * 32;

    mapping(uint256 matchId => bytes32 position) private _positions;

    event Told(bool taken, bytes data, bytes32 position);

    function play(address game, uint256 matchId, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool taken, bytes memory data) = game.call(matchId == 0 ? calls[i] : _placed(calls[i], matchId));
            if (taken && matchId != 0) {
                Step memory step = abi.decode(data, (Step));
                _positions[matchId] = step.turn == Seat.None ? bytes32(0) : step.position;
            }
            emit Told(taken, data, _positions[matchId]);
        }
    }

    function _placed(bytes calldata data, uint256 matchId) private view returns (bytes memory) {
        return abi.encodePacked(data[:_POSITION_AT], _positions[matchId], data[_POSITION_AT + 32:]);
    }
}
