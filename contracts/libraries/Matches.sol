// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IArena, Match, Seat, Status} from "../interfaces/IArena.sol";

/// @notice A match as it is stored; bits from the lowest.
///
///     first    0-159    player1         second   0-159    player2
///              160-199  deadline                 160-199  termsId
///              200-231  reserve                  200      firm
///              232-239  status                   208      byTransfer
///              240-247  turn                     216-255  fingerprint
struct StoredMatch {
    uint256 first;
    uint256 second;
}

/// @title Matches by their number, each in two storage words
/// @dev Measured: what the compiler makes of a struct with these fields reads and writes each word several times, which
/// costs 5,000 gas more in a match of three transactions.
library Matches {
    /// @notice The match with this number, `UnknownMatch` if there is none.
    function load(
        mapping(uint256 matchId => StoredMatch stored) storage self,
        uint256 matchId
    ) internal view returns (Match memory m) {
        StoredMatch storage stored = self[matchId];
        (uint256 first, uint256 second) = (stored.first, stored.second);
        if (first == 0) revert IArena.UnknownMatch(matchId);
        m.player1 = address(uint160(first));
        m.deadline = uint40(first >> 160);
        m.reserve = uint32(first >> 200);
        m.status = Status(uint8(first >> 232));
        m.turn = Seat(uint8(first >> 240));
        m.player2 = address(uint160(second));
        m.termsId = uint40(second >> 160);
        m.firm = uint8(second >> 200) != 0;
        m.byTransfer = uint8(second >> 208) != 0;
        m.fingerprint = bytes5(bytes32(second));
    }

    /// @notice The status alone, for one word.
    function statusOf(
        mapping(uint256 matchId => StoredMatch stored) storage self,
        uint256 matchId
    ) internal view returns (Status) {
        uint256 first = self[matchId].first;
        if (first == 0) revert IArena.UnknownMatch(matchId);
        return Status(uint8(first >> 232));
    }

    /// @notice Writes the match with this number.
    function store(
        mapping(uint256 matchId => StoredMatch stored) storage self,
        uint256 matchId,
        Match memory m
    ) internal {
        storePlay(self, matchId, m);
        self[matchId].second =
            uint160(m.player2) |
            (uint256(m.termsId) << 160) |
            (SafeCast.toUint(m.firm) << 200) |
            (SafeCast.toUint(m.byTransfer) << 208) |
            uint256(bytes32(m.fingerprint));
    }

    /// @notice Writes what changes once both seats are taken: deadline, reserve, status and turn.
    function storePlay(
        mapping(uint256 matchId => StoredMatch stored) storage self,
        uint256 matchId,
        Match memory m
    ) internal {
        self[matchId].first =
            uint160(m.player1) |
            (uint256(m.deadline) << 160) |
            (uint256(m.reserve) << 200) |
            (uint256(m.status) << 232) |
            (uint256(m.turn) << 240);
    }
}
