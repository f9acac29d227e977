// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DuelState, Duelling} from "../../contracts/games/pistols/Duelling.sol";
import {HonourRecord, Standing, StoredHonour} from "../../contracts/games/pistols/Honour.sol";
import {Side} from "../../contracts/games/pistols/Strikes.sol";

/// @title Engine of pistols with dice as arguments, many duels at once
/// @notice A case is five words, 160 bytes. The first is a state as in `Pistols`, with the health at the start of
/// blades. The second has the moves of blades, four bytes at its end after a 1, or is zero for a round of pistols. The
/// other three are dice; pistols use only the first. The result of a case is the keccak256 of its log entries,
/// including the final entry, and both healths.
contract DuellingHarness {
    uint256 private constant _CASE = 160;

    function fight(bytes calldata cases) external pure returns (bytes32[] memory ends) {
        ends = new bytes32[](cases.length / _CASE);
        for (uint256 i = 0; i < ends.length; ++i) {
            DuelState memory duelState = _fought(cases[i * _CASE:(i + 1) * _CASE]);
            ends[i] = keccak256(
                abi.encodePacked(duelState.logEntries(), duelState.sides[0].health, duelState.sides[1].health)
            );
        }
    }

    function isMove(uint256 slot1, uint256 slot2) external pure returns (bool) {
        return Duelling.isMove(slot1, slot2);
    }

    function add(HonourRecord memory record, uint256 honour) external view returns (HonourRecord memory) {
        return _stored(record).add(honour).record();
    }

    function standing(HonourRecord memory record) external pure returns (Standing memory) {
        return _stored(record).standing();
    }

    function _stored(HonourRecord memory record) private pure returns (StoredHonour) {
        return StoredHonour.wrap(record.duels | (uint256(record.total) << 40) | (uint256(record.last) << 88));
    }

    function _fought(bytes calldata data) private pure returns (DuelState memory duelState) {
        uint256 state = uint256(bytes32(data));
        uint256 blades = uint256(bytes32(data[32:]));
        uint256[2] memory paces = [(state >> 22) & 15, (state >> 26) & 15];
        duelState.sides[0] = Side(state & 3, (state >> 2) & 127, (state >> 18) & 3, 10 * paces[0]);
        duelState.sides[1] = Side((state >> 9) & 3, (state >> 11) & 127, (state >> 20) & 3, 10 * paces[1]);
        uint256 dice = uint256(bytes32(data[64:]));
        if (blades == 0) duelState.shoot(dice, paces);
        else {
            uint256[3] memory all = [dice, uint256(bytes32(data[96:])), uint256(bytes32(data[128:]))];
            duelState.fight(all, [(blades >> 16) & 0xffff, blades & 0xffff]);
        }
        duelState.logResult();
    }
}
