// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IArena, Match, Seat, Status} from "../interfaces/IArena.sol";

/// @notice Match as it is stored, in two words and its position; bits count from the lowest.
///
///     first    0-159    player1         second   0-159    player2
///              160-199  deadline                 160-199  termsId
///              200-231  reserve                  200-207  firm, 0 or 1
///              232-239  status                   208-215  byTransfer, 0 or 1
///              240-247  turn                     216-255  fingerprint
///              248-255  posted, 0 or 1
struct StoredMatch {
    uint256 first;
    uint256 second;
    bytes32 position;
}

/// @title Matches, each in two storage words and its position
/// @dev Measured: a struct with these fields, packed by the compiler, reads and writes each word several times, which
/// costs 5,000 gas more in a match of three transactions.
library Matches {
    // Bits at which the fields of the first word start, and those of the second.
    uint256 private constant _MATCH_PLAYER1_AT = 0;
    uint256 private constant _MATCH_DEADLINE_AT = 160;
    uint256 private constant _MATCH_RESERVE_AT = 200;
    uint256 private constant _MATCH_STATUS_AT = 232;
    uint256 private constant _MATCH_TURN_AT = 240;
    uint256 private constant _MATCH_POSTED_AT = 248;

    uint256 private constant _MATCH_PLAYER2_AT = 0;
    uint256 private constant _MATCH_TERMS_ID_AT = 160;
    uint256 private constant _MATCH_FIRM_AT = 200;
    uint256 private constant _MATCH_BY_TRANSFER_AT = 208;
    uint256 private constant _MATCH_FINGERPRINT_AT = 216;

    /// @notice Loads a match without its position; `UnknownMatch` if there is no such match.
    function load(StoredMatch storage self, uint256 matchId) internal view returns (Match memory m) {
        (uint256 first, uint256 second) = (self.first, self.second);
        if (first == 0) revert IArena.UnknownMatch(matchId);
        m.player1 = address(uint160(first >> _MATCH_PLAYER1_AT));
        m.deadline = uint40(first >> _MATCH_DEADLINE_AT);
        m.reserve = uint32(first >> _MATCH_RESERVE_AT);
        m.status = Status(uint8(first >> _MATCH_STATUS_AT));
        m.turn = Seat(uint8(first >> _MATCH_TURN_AT));
        m.posted = first >> _MATCH_POSTED_AT != 0;
        m.player2 = address(uint160(second >> _MATCH_PLAYER2_AT));
        m.termsId = uint40(second >> _MATCH_TERMS_ID_AT);
        m.firm = uint8(second >> _MATCH_FIRM_AT) != 0;
        m.byTransfer = uint8(second >> _MATCH_BY_TRANSFER_AT) != 0;
        m.fingerprint = bytes5(uint40(second >> _MATCH_FINGERPRINT_AT));
    }

    /// @notice Loads the status alone, which reads one word; `UnknownMatch` if there is no such match.
    function statusOf(StoredMatch storage self, uint256 matchId) internal view returns (Status) {
        uint256 first = self.first;
        if (first == 0) revert IArena.UnknownMatch(matchId);
        return Status(uint8(first >> _MATCH_STATUS_AT));
    }

    /// @notice Loads whether a match from a channel waits for its first action and, if so, the number in its
    /// fingerprint; `UnknownMatch` if there is no such match.
    function postedOf(StoredMatch storage self, uint256 matchId) internal view returns (bool posted, uint256 code) {
        uint256 first = self.first;
        if (first == 0) revert IArena.UnknownMatch(matchId);
        posted = first >> _MATCH_POSTED_AT != 0 && Status(uint8(first >> _MATCH_STATUS_AT)) == Status.AllJoined;
        if (posted) code = self.second >> _MATCH_FINGERPRINT_AT;
    }

    /// @notice Loads the position alone; `UnknownMatch` if there is no such match.
    function positionOf(StoredMatch storage self, uint256 matchId) internal view returns (bytes32) {
        if (self.first == 0) revert IArena.UnknownMatch(matchId);
        return self.position;
    }

    /// @notice Writes all of a match except its position.
    function store(StoredMatch storage self, Match memory m) internal {
        storePlay(self, m);
        self.second =
            (uint256(uint160(m.player2)) << _MATCH_PLAYER2_AT) |
            (uint256(m.termsId) << _MATCH_TERMS_ID_AT) |
            (SafeCast.toUint(m.firm) << _MATCH_FIRM_AT) |
            (SafeCast.toUint(m.byTransfer) << _MATCH_BY_TRANSFER_AT) |
            (uint256(uint40(m.fingerprint)) << _MATCH_FINGERPRINT_AT);
    }

    /// @notice Writes only the first word, which has all fields that change once both seats are taken: deadline,
    /// reserve, status, turn and posted.
    function storePlay(StoredMatch storage self, Match memory m) internal {
        self.first =
            (uint256(uint160(m.player1)) << _MATCH_PLAYER1_AT) |
            (uint256(m.deadline) << _MATCH_DEADLINE_AT) |
            (uint256(m.reserve) << _MATCH_RESERVE_AT) |
            (uint256(m.status) << _MATCH_STATUS_AT) |
            (uint256(m.turn) << _MATCH_TURN_AT) |
            (SafeCast.toUint(m.posted) << _MATCH_POSTED_AT);
    }
}
