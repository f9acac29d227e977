// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Sides} from "../Sides.sol";
import {Blow, DuelLog} from "./DuelLog.sol";
import {Archetype} from "./Honour.sol";
import {ShotOrder, Side, Strikes} from "./Strikes.sol";

/// @notice State of a duel in progress. Side 0 is player 1.
struct DuelState {
    Side[2] sides;
    /// Winner of the duel, and taker of the pot, once it is over.
    Seat winner;
    Seat taker;
    /// Log entries so far, in the first `count` places.
    uint256[8] log;
    uint256 count;
}

using Duelling for DuelState global;

/// @title Engine of pistols
/// @notice Ten paces with pistols, then two slots of blades. Pure: no storage, no addresses.
library Duelling {
    uint256 private constant _IDLE = 0;
    /// @dev Lowest action with which a duelist runs; with all higher actions a duelist runs too.
    uint256 private constant _FLEE = 4;
    uint256 private constant _STEAL = 5;
    uint256 private constant _SEPPUKU = 6;

    /// @dev Slots of blows.
    uint256 private constant _PISTOLS = 0;
    uint256 private constant _SLOT_1 = 1;
    uint256 private constant _SLOT_2 = 2;
    uint256 private constant _RUNNING = 3;

    uint256 private constant _NOBODY = 2;

    /// @notice Plays the first round.
    /// @param dice Word 0 of the round's seed.
    /// @param paces 1..10 each.
    /// @return over True if a duelist is dead.
    function shoot(DuelState memory self, uint256 dice, uint256[2] memory paces) internal pure returns (bool over) {
        for (uint256 side = 0; side < 2; ++side) self.sides[side].honour = 10 * paces[side];
        _exchange(self, dice, _PISTOLS, paces);
        return _decide(self);
    }

    /// @notice Plays the second round, to the end of the duel.
    /// @param dice Words 1, 2 and 3 of the round's seed.
    /// @param blades By side: the action of slot 1 in the upper byte, that of slot 2 in the lower.
    function fight(DuelState memory self, uint256[3] memory dice, uint256[2] memory blades) internal pure {
        uint256[2] memory first = [blades[0] >> 8, blades[1] >> 8];
        for (uint256 side = 0; side < 2; ++side) {
            if (_runs(first[side])) self.sides[side].honour = first[side] == _SEPPUKU ? 100 : 0;
            if (first[side] == _SEPPUKU) self.sides[side].health = 0;
        }
        if (_runs(first[0]) && _runs(first[1])) return _scatter(self, dice[2], first);
        if (_runs(first[0])) return _chase(self, dice[2], 1, blades[1], first[0]);
        if (_runs(first[1])) return _chase(self, dice[2], 0, blades[0], first[1]);
        _clash(self, dice[0], _SLOT_1, first);
        if (_decide(self)) return;
        _clash(self, dice[1], _SLOT_2, [uint256(uint8(blades[0])), uint256(uint8(blades[1]))]);
        _decide(self);
    }

    /// @notice Returns whether two bytes are one of the thirteen moves of round 2: any of Idle, Light and Block twice,
    /// Idle then Heavy, or Flee, Steal or Seppuku then Idle.
    function isMove(uint256 slot1, uint256 slot2) internal pure returns (bool) {
        if (_runs(slot1)) return slot1 <= _SEPPUKU && slot2 == _IDLE;
        if (slot2 == DuelLog.HEAVY) return slot1 == _IDLE;
        return slot1 != DuelLog.HEAVY && slot2 <= DuelLog.BLOCK;
    }

    /// @notice Ends the log with the result.
    function logResult(DuelState memory self) internal pure {
        self.log[self.count++] = DuelLog.encodeResult(
            self.winner,
            self.taker,
            self.sides[0].honour,
            self.sides[1].honour
        );
    }

    /// @notice Returns the log entries so far.
    function logEntries(DuelState memory self) internal pure returns (uint256[] memory result) {
        result = new uint256[](self.count);
        for (uint256 i = 0; i < self.count; ++i) result[i] = self.log[i];
    }

    /// @dev Lets both sides shoot at each other, one after the other if `_firstToShoot` orders them, otherwise at once.
    function _exchange(DuelState memory self, uint256 dice, uint256 slot, uint256[2] memory paces) private pure {
        uint256 first = _firstToShoot(self.sides, paces);
        if (first == _NOBODY) {
            Blow memory shot1 = Strikes.shot(self.sides, dice, slot, 0, paces[0], ShotOrder.Unordered);
            Blow memory shot2 = Strikes.shot(self.sides, dice, slot, 1, paces[1], ShotOrder.Unordered);
            _hurt(self.sides[1], shot1.points);
            _hurt(self.sides[0], shot2.points);
            _log(self, shot1);
            _log(self, shot2);
            return;
        }
        // The order of shots changes a chance in round 1 only.
        bool ordered = slot == _PISTOLS;
        ShotOrder order = ordered ? ShotOrder.First : ShotOrder.Unordered;
        _attack(self, Strikes.shot(self.sides, dice, slot, first, paces[first], order));
        uint256 second = Sides.otherSide(first);
        if (self.sides[second].health == 0) return;
        order = ordered ? ShotOrder.Second : ShotOrder.Unordered;
        _attack(self, Strikes.shot(self.sides, dice, slot, second, paces[second], order));
    }

    /// @dev Returns the side with fewer paces; at equal paces the only trickster, or `_NOBODY` if not exactly one is.
    function _firstToShoot(Side[2] memory sides, uint256[2] memory paces) private pure returns (uint256) {
        if (paces[0] != paces[1]) return paces[0] < paces[1] ? 0 : 1;
        bool trickster1 = sides[0].archetype == uint256(Archetype.Trickster);
        if (trickster1 == (sides[1].archetype == uint256(Archetype.Trickster))) return _NOBODY;
        return trickster1 ? 0 : 1;
    }

    /// @dev Plays one slot of blades. If a Heavy executes, only Heavies act; otherwise everything happens at once.
    function _clash(DuelState memory self, uint256 dice, uint256 slot, uint256[2] memory actions) private pure {
        bool executed = _executes(self, dice, 0, actions[0]) || _executes(self, dice, 1, actions[1]);
        Blow memory blow1 = _stroke(self, dice, slot, 0, actions[0], executed);
        Blow memory blow2 = _stroke(self, dice, slot, 1, actions[1], executed);
        _hurt(self.sides[0], Math.saturatingSub(_damageOf(blow2), _stoppedBy(blow1)));
        _hurt(self.sides[1], Math.saturatingSub(_damageOf(blow1), _stoppedBy(blow2)));
        if (blow1.action != _IDLE) _log(self, blow1);
        if (blow2.action != _IDLE) _log(self, blow2);
    }

    /// @dev Returns whether a side executes the opponent in a slot.
    function _executes(DuelState memory self, uint256 dice, uint256 side, uint256 action) private pure returns (bool) {
        return action == DuelLog.HEAVY && Strikes.executes(self.sides, dice, side);
    }

    /// @dev Rolls the action of a side in a slot. Returns an empty blow for Idle and, if somebody is executed, for all
    /// actions except Heavy.
    function _stroke(
        DuelState memory self,
        uint256 dice,
        uint256 slot,
        uint256 side,
        uint256 action,
        bool executed
    ) private pure returns (Blow memory blow) {
        if (action == _IDLE || (executed && action != DuelLog.HEAVY)) return blow;
        return Strikes.stroke(self.sides, dice, slot, side, action, !executed);
    }

    /// @dev Returns the damage of a blow before any Block.
    function _damageOf(Blow memory blow) private pure returns (uint256) {
        return blow.action == DuelLog.BLOCK ? 0 : blow.points;
    }

    /// @dev Returns the damage that a blow can stop.
    function _stoppedBy(Blow memory blow) private pure returns (uint256) {
        return blow.action == DuelLog.BLOCK ? blow.points : 0;
    }

    /// @dev Turns the blades of `side` into one attack on the running opponent; a Seppuku loses without an attack.
    function _chase(DuelState memory self, uint256 dice, uint256 side, uint256 blades, uint256 run) private pure {
        (self.winner, self.taker) = (Sides.seatOf(side), Sides.seatOf(side));
        if (run == _SEPPUKU) return;
        // Idle, then Heavy, is the only pair whose code equals the number of Heavy.
        Blow memory blow =
            blades == DuelLog.HEAVY
                ? Strikes.stroke(self.sides, dice, _RUNNING, side, DuelLog.HEAVY, false)
                : Strikes.shot(self.sides, dice, _RUNNING, side, run == _FLEE ? 10 : 5, ShotOrder.Unordered);
        _attack(self, blow);
        uint256 runner = Sides.otherSide(side);
        if (self.sides[runner].health == 0) return;
        if (run == _FLEE) self.taker = Seat.None;
        else if (blow.points == 0) self.taker = Sides.seatOf(runner);
    }

    /// @dev Ends a duel in which both run: two thieves shoot at each other; a single thief takes the pot.
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

    /// @dev Gives duel and pot to a duelist who lives while the opponent is dead.
    /// @return over True if a duelist is dead.
    function _decide(DuelState memory self) private pure returns (bool over) {
        bool dead1 = self.sides[0].health == 0;
        bool dead2 = self.sides[1].health == 0;
        if (dead1 != dead2) {
            Seat winner = dead1 ? Seat.Two : Seat.One;
            (self.winner, self.taker) = (winner, winner);
        }
        return dead1 || dead2;
    }

    /// @dev Applies an attack at once, before anything else happens, and logs it.
    function _attack(DuelState memory self, Blow memory blow) private pure {
        _hurt(self.sides[Sides.otherSide(blow.side)], blow.points);
        _log(self, blow);
    }

    function _hurt(Side memory side, uint256 damage) private pure {
        side.health = Math.saturatingSub(side.health, damage);
    }

    function _log(DuelState memory self, Blow memory blow) private pure {
        self.log[self.count++] = DuelLog.encodeBlow(blow, self.sides[0].health, self.sides[1].health);
    }

    /// @dev Returns whether a duelist with this action in slot 1 runs.
    function _runs(uint256 action) private pure returns (bool) {
        return action >= _FLEE;
    }
}
