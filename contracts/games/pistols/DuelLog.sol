// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Seat} from "../../interfaces/IGame.sol";

// Bits at which the fields of a blow start in its log entry, from the lowest.
uint256 constant _BLOW_ROUND_AT = 0;
uint256 constant _BLOW_SLOT_AT = 2;
uint256 constant _BLOW_SIDE_AT = 4;
uint256 constant _BLOW_ACTION_AT = 5;
uint256 constant _BLOW_PACES_AT = 9;
uint256 constant _BLOW_CRIT_CHANCE_AT = 16;
uint256 constant _BLOW_CRIT_DIE_AT = 23;
uint256 constant _BLOW_HIT_CHANCE_AT = 30;
uint256 constant _BLOW_HIT_DIE_AT = 37;
uint256 constant _BLOW_LETHAL_CHANCE_AT = 44;
uint256 constant _BLOW_CRITICAL_AT = 51;
uint256 constant _BLOW_HIT_AT = 52;
uint256 constant _BLOW_POINTS_AT = 53;
uint256 constant _BLOW_HEALTH_1_AT = 56;
uint256 constant _BLOW_HEALTH_2_AT = 58;

// Bits at which the fields of the result start, and the value that the result has in place of a round.
uint256 constant _RESULT = 3;
uint256 constant _RESULT_ROUND_AT = 0;
uint256 constant _RESULT_WINNER_AT = 2;
uint256 constant _RESULT_TAKER_AT = 4;
uint256 constant _RESULT_HONOUR_1_AT = 8;
uint256 constant _RESULT_HONOUR_2_AT = 16;

/// @notice A shot, or a Light, Heavy or Block that rolled a die. A chance and its die are 0 if that die was not rolled.
struct Blow {
    /// 0 in round 1; 1 or 2 in the slots of round 2; 3 for an attack on or by a duelist who runs.
    uint256 slot;
    /// Side that shoots or strikes; 0 is player 1.
    uint256 side;
    /// LIGHT, HEAVY, BLOCK or SHOT of `DuelLog`; 0 for no blow at all.
    uint256 action;
    /// Paces of a shot; otherwise 0.
    uint256 paces;
    uint256 critChance;
    uint256 critDie;
    bool critical;
    uint256 hitChance;
    uint256 hitDie;
    bool hit;
    /// Lethal chance of a shot; otherwise 0.
    uint256 lethalChance;
    /// Damage before any Block, 3 for an execution; for a Block, the points that it can stop.
    uint256 points;
}

/// @title Log entries of pistols
/// @notice One entry for each blow:
///
///     bits 0-1    round 1 or 2
///     bits 2-3    slot: 0 in round 1; 1, 2; 3 for an attack on or by a duelist who runs
///     bit  4      side: 0 is player 1
///     bits 5-8    action: 1 Light, 2 Heavy, 3 Block, 7 shot
///     bits 9-12   paces of a shot
///     bits 16-22  crit chance
///     bits 23-29  crit die
///     bits 30-36  hit chance
///     bits 37-43  hit die
///     bits 44-50  lethal chance of a shot
///     bit  51     critical
///     bit  52     hit
///     bits 53-54  points: damage before any Block, 3 for an execution; of a Block, what it can stop
///     bits 56-57  health of side 0 afterwards
///     bits 58-59  health of side 1 afterwards
///
/// The last entry of a duel is its result:
///
///     bits 0-1    3
///     bits 2-3    winner of the duel, 0 for a draw
///     bits 4-5    taker of the pot, 0 if each player has its own stake back
///     bits 8-14   duel honour of player 1
///     bits 16-22  duel honour of player 2
library DuelLog {
    uint256 internal constant LIGHT = 1;
    uint256 internal constant HEAVY = 2;
    uint256 internal constant BLOCK = 3;
    uint256 internal constant SHOT = 7;

    /// @notice Packs a blow and the health of both sides after it.
    function encodeBlow(Blow memory blow, uint256 health1, uint256 health2) internal pure returns (uint256 entry) {
        uint256 round = blow.slot == 0 ? 1 : 2;
        entry = round << _BLOW_ROUND_AT;
        entry |= blow.slot << _BLOW_SLOT_AT;
        entry |= blow.side << _BLOW_SIDE_AT;
        entry |= blow.action << _BLOW_ACTION_AT;
        entry |= blow.paces << _BLOW_PACES_AT;
        entry |= blow.critChance << _BLOW_CRIT_CHANCE_AT;
        entry |= blow.critDie << _BLOW_CRIT_DIE_AT;
        entry |= blow.hitChance << _BLOW_HIT_CHANCE_AT;
        entry |= blow.hitDie << _BLOW_HIT_DIE_AT;
        entry |= blow.lethalChance << _BLOW_LETHAL_CHANCE_AT;
        if (blow.critical) entry |= 1 << _BLOW_CRITICAL_AT;
        if (blow.hit) entry |= 1 << _BLOW_HIT_AT;
        entry |= blow.points << _BLOW_POINTS_AT;
        entry |= health1 << _BLOW_HEALTH_1_AT;
        entry |= health2 << _BLOW_HEALTH_2_AT;
    }

    /// @notice Packs the result of a duel.
    /// @param honour1 Duel honour of player 1, 0..100.
    /// @param honour2 Duel honour of player 2, 0..100.
    function encodeResult(
        Seat winner,
        Seat taker,
        uint256 honour1,
        uint256 honour2
    ) internal pure returns (uint256 entry) {
        entry = _RESULT << _RESULT_ROUND_AT;
        entry |= uint256(winner) << _RESULT_WINNER_AT;
        entry |= uint256(taker) << _RESULT_TAKER_AT;
        entry |= honour1 << _RESULT_HONOUR_1_AT;
        entry |= honour2 << _RESULT_HONOUR_2_AT;
    }
}
