// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Archetype} from "./Honour.sol";
import {ShotOrder, Side, Strikes} from "./Strikes.sol";

/// @notice A duel as it goes on. Side 0 is player 1.
struct DuelState {
    Side[2] sides;
    /// Who has won the duel and who takes the pot, once it is over.
    Seat winner;
    Seat taker;
    /// The log so far, in the first `count` places.
    uint256[8] log;
    uint256 count;
}

using Duelling for DuelState global;

/// @title The engine of pistols
/// @notice Ten paces with pistols, then two slots of blades. Pure: no storage, no addresses.
///
/// Log, one word per shot, Light, Heavy or Block that rolled a die; chance and die are 0 where it was not rolled:
///
///     bits 0-1    round 1, 2; 3 is the result         bits 30-36  hit chance
///     bits 2-3    slot: 0 in round 1; 1, 2;           bits 37-43  hit die
///                 3 at or by one who runs             bits 44-50  lethal chance (shots)
///     bit  4      side                                bit  51     critical
///     bits 5-8    1 Light, 2 Heavy, 3 Block, 7 shot   bit  52     hit
///     bits 9-12   paces (shots)                       bits 53-54  damage before any Block (3: executed), or
///     bits 16-22  crit chance                                     what a Block can stop
///     bits 23-29  crit die                            bits 56-57, 58-59  health of sides 0, 1 afterwards
///
/// The last word is the result: bits 0-1 3, bits 2-3 winner (0 draw), bits 4-5 taker (0 own stakes), bits 8-14 and
/// 16-22 duel honour of players 1 and 2.
library Duelling {
    uint256 private constant _IDLE = 0;
    uint256 private constant _BLOCK = 3;
    /// @dev From here on one runs.
    uint256 private constant _FLEE = 4;
    uint256 private constant _STEAL = 5;
    uint256 private constant _SEPPUKU = 6;

    uint256 private constant _ROUND_1 = 1;
    uint256 private constant _SLOT_1 = 2 | (1 << 2);
    uint256 private constant _SLOT_2 = 2 | (2 << 2);
    uint256 private constant _RUNNING = 2 | (3 << 2);
    uint256 private constant _RESULT = 3;
    uint256 private constant _NOBODY = 2;

    /// @notice The first round.
    /// @param dice Word 0 of the round's seed.
    /// @param paces 1..10 each.
    /// @return over Whether somebody is dead.
    function shoot(DuelState memory self, uint256 dice, uint256[2] memory paces) internal pure returns (bool over) {
        for (uint256 side = 0; side < 2; ++side) self.sides[side].honour = 10 * paces[side];
        _exchange(self, dice, _ROUND_1, paces);
        return _decide(self);
    }

    /// @notice The second round, to the end of the duel.
    /// @param dice Words 1, 2 and 3 of the round's seed.
    /// @param blades By side: slot 1 in the upper byte, slot 2 in the lower.
    function fight(DuelState memory self, uint256[3] memory dice, uint256[2] memory blades) internal pure {
        uint256[2] memory first = [blades[0] >> 8, blades[1] >> 8];
        for (uint256 side = 0; side < 2; ++side) {
            if (first[side] >= _FLEE) self.sides[side].honour = first[side] == _SEPPUKU ? 100 : 0;
            if (first[side] == _SEPPUKU) self.sides[side].health = 0;
        }
        bool runs1 = first[0] >= _FLEE;
        bool runs2 = first[1] >= _FLEE;
        if (runs1 && runs2) return _scatter(self, dice[2], first);
        if (runs1) return _chase(self, dice[2], 1, blades[1], first[0]);
        if (runs2) return _chase(self, dice[2], 0, blades[0], first[1]);
        _clash(self, dice[0], _SLOT_1, first);
        if (_decide(self)) return;
        _clash(self, dice[1], _SLOT_2, [uint256(uint8(blades[0])), uint256(uint8(blades[1]))]);
        _decide(self);
    }

    /// @notice Whether two bytes are one of the thirteen moves of round 2: any of Idle, Light and Block twice, Idle
    /// then Heavy, or Flee, Steal or Seppuku then Idle.
    function isMove(uint256 slot1, uint256 slot2) internal pure returns (bool) {
        if (slot1 >= _FLEE) return slot1 <= _SEPPUKU && slot2 == _IDLE;
        if (slot2 == Strikes.HEAVY) return slot1 == _IDLE;
        return slot1 != Strikes.HEAVY && slot2 <= _BLOCK;
    }

    /// @notice Ends the log with the result.
    function logResult(DuelState memory self) internal pure {
        uint256 ends = (uint256(self.winner) << 2) | (uint256(self.taker) << 4);
        self.log[self.count++] = _RESULT | ends | (self.sides[0].honour << 8) | (self.sides[1].honour << 16);
    }

    /// @notice The log so far.
    function logEntries(DuelState memory self) internal pure returns (uint256[] memory result) {
        result = new uint256[](self.count);
        for (uint256 i = 0; i < self.count; ++i) result[i] = self.log[i];
    }

    /// @dev Both shoot at each other: in an order if there is one, else at once.
    function _exchange(DuelState memory self, uint256 dice, uint256 roundSlot, uint256[2] memory paces) private pure {
        uint256 first = _firstToShoot(self.sides, paces);
        if (first == _NOBODY) {
            uint256 entry1 = roundSlot | Strikes.shot(self.sides, dice, 0, paces[0], ShotOrder.Unordered);
            uint256 entry2 = roundSlot | Strikes.shot(self.sides, dice, 1, paces[1], ShotOrder.Unordered);
            _hurt(self.sides[1], Strikes.pointsOf(entry1));
            _hurt(self.sides[0], Strikes.pointsOf(entry2));
            _log(self, entry1);
            _log(self, entry2);
            return;
        }
        // Only in round 1 does the order change a chance.
        bool formal = roundSlot == _ROUND_1;
        ShotOrder order = formal ? ShotOrder.First : ShotOrder.Unordered;
        _attack(self, first, roundSlot | Strikes.shot(self.sides, dice, first, paces[first], order));
        uint256 second = first ^ 1;
        if (self.sides[second].health == 0) return;
        order = formal ? ShotOrder.Second : ShotOrder.Unordered;
        _attack(self, second, roundSlot | Strikes.shot(self.sides, dice, second, paces[second], order));
    }

    /// @dev The side with fewer paces, or the trickster if the other is none; else `_NOBODY`.
    function _firstToShoot(Side[2] memory sides, uint256[2] memory paces) private pure returns (uint256) {
        if (paces[0] != paces[1]) return paces[0] < paces[1] ? 0 : 1;
        bool trickster1 = sides[0].archetype == Archetype.Trickster;
        if (trickster1 == (sides[1].archetype == Archetype.Trickster)) return _NOBODY;
        return trickster1 ? 0 : 1;
    }

    /// @dev One slot of blades: executions by a Heavy and, if there is none, everything at once.
    function _clash(DuelState memory self, uint256 dice, uint256 roundSlot, uint256[2] memory actions) private pure {
        bool executed = false;
        for (uint256 side = 0; side < 2; ++side) {
            if (actions[side] != Strikes.HEAVY) continue;
            if (Strikes.isCritical(Strikes.stroke(self.sides, dice, side, Strikes.HEAVY, false))) executed = true;
        }
        uint256[2] memory strokes;
        uint256[2] memory damage;
        uint256[2] memory stopped;
        for (uint256 side = 0; side < 2; ++side) {
            uint256 action = actions[side];
            if (action == _IDLE || (executed && action != Strikes.HEAVY)) continue;
            strokes[side] = roundSlot | Strikes.stroke(self.sides, dice, side, action, !executed);
            (action == _BLOCK ? stopped : damage)[side] = Strikes.pointsOf(strokes[side]);
        }
        for (uint256 side = 0; side < 2; ++side) {
            _hurt(self.sides[side], Math.saturatingSub(damage[side ^ 1], stopped[side]));
        }
        for (uint256 side = 0; side < 2; ++side) {
            if (strokes[side] != 0) _log(self, strokes[side]);
        }
    }

    /// @dev One runs; the blades of `side`, which does not, become one attack on it, but not on a Seppuku.
    function _chase(DuelState memory self, uint256 dice, uint256 side, uint256 blades, uint256 run) private pure {
        (self.winner, self.taker) = (_seatOf(side), _seatOf(side));
        if (run == _SEPPUKU) return;
        uint256 entry =
            blades == Strikes.HEAVY
                ? Strikes.stroke(self.sides, dice, side, Strikes.HEAVY, false)
                : Strikes.shot(self.sides, dice, side, run == _FLEE ? 10 : 5, ShotOrder.Unordered);
        _attack(self, side, _RUNNING | entry);
        if (self.sides[side ^ 1].health == 0) return;
        if (run == _FLEE) self.taker = Seat.None;
        else if (Strikes.pointsOf(entry) == 0) self.taker = _seatOf(side ^ 1);
    }

    /// @dev Both run. Two thieves shoot at each other; one has the pot to itself.
    function _scatter(DuelState memory self, uint256 dice, uint256[2] memory runs) private pure {
        if (runs[0] == _STEAL && runs[1] == _STEAL) {
            _exchange(self, dice, _RUNNING, [uint256(1), 1]);
            _decide(self);
        } else if (runs[0] == _STEAL) {
            self.taker = Seat.One;
        } else if (runs[1] == _STEAL) {
            self.taker = Seat.Two;
        }
    }

    /// @dev If one is dead and the other is not, that one has won duel and pot.
    function _decide(DuelState memory self) private pure returns (bool over) {
        bool dead1 = self.sides[0].health == 0;
        bool dead2 = self.sides[1].health == 0;
        if (dead1 != dead2) (self.winner, self.taker) = (_seatOf(dead1 ? 1 : 0), _seatOf(dead1 ? 1 : 0));
        return dead1 || dead2;
    }

    /// @dev An attack that counts before anything else happens.
    function _attack(DuelState memory self, uint256 side, uint256 entry) private pure {
        _hurt(self.sides[side ^ 1], Strikes.pointsOf(entry));
        _log(self, entry);
    }

    function _hurt(Side memory side, uint256 damage) private pure {
        side.health = Math.saturatingSub(side.health, damage);
    }

    function _log(DuelState memory self, uint256 entry) private pure {
        self.log[self.count++] = entry | (self.sides[0].health << 56) | (self.sides[1].health << 58);
    }

    function _seatOf(uint256 side) private pure returns (Seat) {
        return side == 0 ? Seat.One : Seat.Two;
    }
}
