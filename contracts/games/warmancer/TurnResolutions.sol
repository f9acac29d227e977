// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DynamicArrayLib} from "solady/src/utils/DynamicArrayLib.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Sides} from "../Sides.sol";
import {Armies, BattleResult} from "./Armies.sol";
import {Boards} from "./Boards.sol";
import {Positions} from "./Positions.sol";

// Operations in the log.
uint256 constant _OP_MOVE = 1;
uint256 constant _OP_REVEAL = 2;
uint256 constant _OP_BATTLE = 3;
uint256 constant _OP_KILL = 4;
uint256 constant _OP_RESULT = 5;

// Kinds of battles.
uint256 constant _SAME_TILE = 0;
uint256 constant _SWAP = 1;
uint256 constant _ATTACK = 2;

// Targets of moves on the board before the turn: no move; a tile without an enemy; an enemy that stays; an enemy that
// leaves in this turn. An enum would be checked at every read.
uint256 constant _NOWHERE = 0;
uint256 constant _EMPTY = 1;
uint256 constant _STAYING = 2;
uint256 constant _LEAVING = 3;

// Bits at which the fields of a log entry start, from the lowest: those of all entries, then those of each operation.
uint256 constant _ENTRY_OP_AT = 0;
uint256 constant _ENTRY_SIDE_AT = 3;
uint256 constant _ENTRY_SLOT_AT = 4;
uint256 constant _ENTRY_TURN_AT = 32;
uint256 constant _MOVE_FROM_AT = 10;
uint256 constant _MOVE_TO_AT = 18;
uint256 constant _REVEAL_TILE_AT = 10;
uint256 constant _REVEAL_RANK_AT = 26;
uint256 constant _BATTLE_DEFENDER_AT = 10;
uint256 constant _BATTLE_TILE_AT = 18;
uint256 constant _BATTLE_KIND_AT = 26;
uint256 constant _BATTLE_WINNER_AT = 30;
uint256 constant _KILL_TILE_AT = 10;
uint256 constant _RESULT_WINNER_AT = 30;

/// @dev One side's part in a turn.
struct Part {
    /// Slot of the pawn that moves, if one does, the tiles of its move, and its target.
    uint256 slot;
    uint256 from;
    uint256 to;
    uint256 target;
    /// Slot of the pawn that stays and is attacked, or NOBODY.
    uint256 attacked;
    /// Ranks of the moving pawn and the attacked pawn in battles, UNKNOWN until they are recorded or proved.
    uint256 movingRank;
    uint256 attackedRank;
    /// True once the side has lost its Throne.
    bool dethroned;
}

/// @dev A turn being resolved: first its moves are known, then all ranks in its battles, then it is carried out.
struct TurnResolution {
    /// Parts of both sides.
    Part[2] parts;
    /// True if both moving pawns battle each other.
    bool clash;
    /// Number of the turn.
    uint256 turn;
    /// Log entries so far, in the first `logged` places.
    uint256[] log;
    uint256 logged;
}

/// @title Moves and battles of Warmancer
/// @notice One move, or two simultaneous ones, judged on the board before the turn. The log has an entry per operation:
///
///     bits 0-2 op, bit 3 side, bits 4-9 slot, bits 32-47 turn
///
///     op 1 MOVE     bits 10-17 from, bits 18-25 to
///     op 2 REVEAL   bits 10-17 tile, bits 26-29 rank
///     op 3 BATTLE   bits 10-17 slot of the defender, bits 18-25 tile, bits 26-29 kind (0 same tile, 1 swap, 2 attack),
///                   bits 30-31 winner (0 if both die)
///     op 4 KILL     bits 10-17 tile
///     op 5 RESULT   bits 30-31 winner (0 for a draw); side and slot are 0
library TurnResolutions {
    using DynamicArrayLib for uint256[];
    using Positions for bytes;
    using TurnResolutions for TurnResolution;

    /// @dev Move of a player who has no legal move.
    uint256 internal constant STUCK = 0xffff;
    /// @dev Move of a side that does not move in this turn.
    uint256 internal constant NONE = 0;
    /// @dev Most log entries that a turn has: two battles with two reveals, two kills and a move each, and the result.
    uint256 internal constant MAX_ENTRIES = 13;

    /// @notice No living pawn of the player stands there.
    error NoOwnPawn(uint256 from);

    /// @notice No pawn can stand there.
    error Impassable(uint256 to);

    /// @notice The player's own pawn stands there.
    error OwnPawnThere(uint256 to);

    /// @notice Pawns move up, down, left or right.
    error NotInLine(uint256 from, uint256 to);

    /// @notice Something is in the way.
    error Blocked(uint256 from, uint256 to, uint256 tile);

    /// @notice Reverts unless a move is legal.
    /// @param move from << 8 | to
    /// @param ranks Ranks of the side, a byte each by slot; if empty, the recorded ranks decide, and a pawn without a
    /// recorded rank may move like a pawn of any mobile rank.
    /// @return slot Slot of the pawn that moves.
    function check(
        bytes memory p,
        uint256 side,
        uint256 move,
        bytes memory ranks
    ) internal pure returns (uint256 slot) {
        (uint256 from, uint256 to) = (move >> 8, move & 255);
        slot = p.slotAt(side, from);
        if (slot == Positions.NOBODY) revert NoOwnPawn(from);
        uint256 passable = p.passable();
        if ((passable >> to) & 1 == 0) revert Impassable(to);
        uint256 own = p.occupied(side);
        if ((own >> to) & 1 == 1) revert OwnPawnThere(to);
        if (from >> 4 != to >> 4 && (from ^ to) & 15 != 0) revert NotInLine(from, to);
        uint256 rank = ranks.length == 0 ? p.rankOf(side, slot) : uint8(ranks[slot]);
        if (!Positions.isMobile(rank)) revert Armies.RankCannotMove(slot, rank);
        if (!isFar(move)) return slot;
        if (rank != Positions.SCOUT && rank != Positions.UNKNOWN) revert Armies.RankCannotMoveFar(slot, rank);
        _checkPath(from, to, passable & ~(own | p.occupied(Sides.otherSide(side))));
    }

    /// @notice Returns whether a move in a line is by more than one tile.
    function isFar(uint256 move) internal pure returns (bool) {
        unchecked {
            (uint256 from, uint256 to) = (move >> 8, move & 255);
            uint256 distance = from > to ? from - to : to - from;
            return distance != 1 && distance != 16;
        }
    }

    /// @notice Returns the slots of the pawns that make moves, by side; 0 for a side that does not move.
    function slotsOf(bytes memory p, uint256[2] memory moves) internal pure returns (uint256[2] memory slots) {
        unchecked {
            for (uint256 side = 0; side < 2; ++side) {
                if (moves[side] != NONE) slots[side] = p.slotAt(side, moves[side] >> 8);
            }
        }
    }

    /// @notice Starts the resolution of a turn of one or two moves.
    /// @param moves Moves by side, as `check` accepts them; NONE for a side that does not move.
    /// @param slots Slots of the pawns that move, by side.
    function plan(
        bytes memory p,
        uint256[2] memory moves,
        uint256[2] memory slots
    ) internal pure returns (TurnResolution memory resolution) {
        unchecked {
            (Part memory first, Part memory second) = (resolution.parts[0], resolution.parts[1]);
            (first.attacked, second.attacked) = (Positions.NOBODY, Positions.NOBODY);
            (first.slot, second.slot) = (slots[0], slots[1]);
            _aim(p, 0, moves[0], moves[1], first, second);
            _aim(p, 1, moves[1], moves[0], second, first);
            resolution.clash =
                first.target == second.target &&
                (first.target == _LEAVING || (first.target == _EMPTY && first.to == second.to));
            for (uint256 side = 0; side < 2; ++side) {
                Part memory part = resolution.parts[side];
                if (resolution.isMovingPawnInBattle(part)) part.movingRank = p.rankOf(side, part.slot);
                if (part.attacked != Positions.NOBODY) part.attackedRank = p.rankOf(side, part.attacked);
            }
            resolution.turn = p.turn();
            resolution.log = new uint256[](MAX_ENTRIES);
        }
    }

    /// @notice Returns the slots of a side that must prove their ranks: those in a battle without a recorded rank,
    /// ascending, then NOBODY.
    function dueSlots(
        TurnResolution memory resolution,
        uint256 side
    ) internal pure returns (uint256 first, uint256 second) {
        Part memory part = resolution.parts[side];
        first = part.movingRank == Positions.UNKNOWN ? part.slot : Positions.NOBODY;
        second = part.attackedRank == Positions.UNKNOWN ? part.attacked : Positions.NOBODY;
        if (first > second) (first, second) = (second, first);
    }

    /// @notice Returns whether a side has ranks to prove.
    function mustProve(TurnResolution memory resolution, uint256 side) internal pure returns (bool) {
        (uint256 first, ) = resolution.dueSlots(side);
        return first != Positions.NOBODY;
    }

    /// @notice Makes the rank of a pawn in a battle known.
    function learn(TurnResolution memory resolution, uint256 side, uint256 slot, uint256 rank) internal pure {
        Part memory part = resolution.parts[side];
        if (part.attacked == slot) part.attackedRank = rank;
        else part.movingRank = rank;
    }

    /// @notice Returns the ranks of a side that are known by now but not recorded, as `Positions.pending` has them.
    function proved(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side
    ) internal pure returns (uint256 ranks) {
        unchecked {
            Part memory part = resolution.parts[side];
            if (resolution.isMovingPawnInBattle(part) && p.rankOf(side, part.slot) == Positions.UNKNOWN) {
                ranks = (part.movingRank + 1) << 4;
            }
            if (part.attacked != Positions.NOBODY && p.rankOf(side, part.attacked) == Positions.UNKNOWN) {
                ranks |= part.attackedRank + 1;
            }
        }
    }

    /// @notice Makes known the ranks that `proved` returned.
    function recall(TurnResolution memory resolution, uint256 side, uint256 proved_) internal pure {
        unchecked {
            Part memory part = resolution.parts[side];
            if (proved_ >> 4 != 0) part.movingRank = (proved_ >> 4) - 1;
            if (proved_ & 15 != 0) part.attackedRank = (proved_ & 15) - 1;
        }
    }

    /// @notice Carries out a turn once every rank in a battle is known, and judges the board after it.
    /// @return over True if the game is over.
    /// @return winner Winner of a game that is over; None for a draw.
    /// @return logEntries Log of the turn.
    function resolve(
        TurnResolution memory resolution,
        bytes memory p
    ) internal pure returns (bool over, Seat winner, uint256[] memory logEntries) {
        unchecked {
            (uint256 first, uint256 second) = (resolution.parts[0].target, resolution.parts[1].target);
            if (resolution.clash) {
                resolution.fight(p, 0, first == _EMPTY ? _SAME_TILE : _SWAP);
            } else {
                if (first == _EMPTY) resolution.walk(p, 0);
                if (second == _EMPTY) resolution.walk(p, 1);
                if (first == _STAYING) resolution.fight(p, 0, _ATTACK);
                if (second == _STAYING) resolution.fight(p, 1, _ATTACK);
                if (first == _LEAVING) resolution.walk(p, 0);
                if (second == _LEAVING) resolution.walk(p, 1);
            }
            (over, winner) = _judge(resolution, p);
            if (over) resolution.add(_resultEntry(winner));
            logEntries = resolution.log.truncate(resolution.logged);
        }
    }

    /// @notice Returns the log of a turn that ends the game without a move.
    /// @param winner None for a draw.
    function resultLog(uint256 turn, Seat winner) internal pure returns (uint256[] memory logEntries) {
        logEntries = new uint256[](1);
        logEntries[0] = _resultEntry(winner) | (turn << _ENTRY_TURN_AT);
    }

    /// @notice Returns whether a side has a pawn that might move: not known as Throne or Trap, and beside a passable
    /// tile without a pawn of its own side.
    function mightMove(bytes memory p, uint256 side) internal pure returns (bool) {
        uint256 own = p.occupied(side);
        return Boards.around(own & ~p.still(side)) & p.passable() & ~own != 0;
    }

    /// @notice Returns whether the pawn that a side moves is in a battle.
    function isMovingPawnInBattle(TurnResolution memory resolution, Part memory part) internal pure returns (bool) {
        return resolution.clash || part.target == _STAYING;
    }

    /// @dev Moves a side's pawn to its target, which is free by now.
    function walk(TurnResolution memory resolution, bytes memory p, uint256 side) internal pure {
        Part memory part = resolution.parts[side];
        uint256 entry = _entry(_OP_MOVE, side, part.slot);
        resolution.add(entry | (part.from << _MOVE_FROM_AT) | (part.to << _MOVE_TO_AT));
        p.put(side, part.slot, part.to);
    }

    /// @dev Lets the moving pawn of a side battle the moving pawn of the other side or, in an attack, the pawn that it
    /// attacks.
    function fight(TurnResolution memory resolution, bytes memory p, uint256 side, uint256 kind) internal pure {
        unchecked {
            uint256 other = Sides.otherSide(side);
            (Part memory own, Part memory others) = (resolution.parts[side], resolution.parts[other]);
            (uint256 slot, uint256 rank) = kind == _ATTACK
                ? (others.attacked, others.attackedRank)
                : (others.slot, others.movingRank);
            BattleResult result = Armies.battle(own.movingRank, rank);
            bool ownDies = result != BattleResult.FirstWins;
            bool otherDies = result != BattleResult.SecondWins;
            bool revealsAll = p.flags() & Positions.ALWAYS_HIDDEN == 0;
            if (revealsAll || ownDies) resolution.reveal(p, side, own.slot, own.movingRank);
            if (revealsAll || otherDies) resolution.reveal(p, other, slot, rank);
            Seat winner =
                !ownDies
                    ? Sides.seatOf(side)
                    : otherDies
                        ? Seat.None
                        : Sides.seatOf(other);
            resolution.add(
                _entry(_OP_BATTLE, side, own.slot) |
                    (slot << _BATTLE_DEFENDER_AT) |
                    (own.to << _BATTLE_TILE_AT) |
                    (kind << _BATTLE_KIND_AT) |
                    (uint256(winner) << _BATTLE_WINNER_AT)
            );
            if (ownDies) resolution.kill(p, side, own.slot, own.movingRank);
            if (otherDies) resolution.kill(p, other, slot, rank);
            if (!ownDies)
                resolution.walk(p, side);
                // A pawn that stays does not move when it wins.
            else if (!otherDies && kind != _ATTACK) resolution.walk(p, other);
        }
    }

    /// @dev Records the rank of a pawn, if none is recorded. Reverts if the number is not a rank.
    function reveal(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side,
        uint256 slot,
        uint256 rank
    ) internal pure {
        if (p.rankOf(side, slot) != Positions.UNKNOWN) return;
        // No game leads here, but players can sign any position off-chain, and logs must stay readable.
        if (rank >= Armies.RANKS) revert Armies.UnknownRank(slot, rank);
        p.record(side, slot, rank);
        uint256 entry = _entry(_OP_REVEAL, side, slot);
        resolution.add(entry | (p.tileOf(side, slot) << _REVEAL_TILE_AT) | (rank << _REVEAL_RANK_AT));
    }

    /// @dev Takes a pawn of a rank off the board.
    function kill(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side,
        uint256 slot,
        uint256 rank
    ) internal pure {
        resolution.add(_entry(_OP_KILL, side, slot) | (p.tileOf(side, slot) << _KILL_TILE_AT));
        p.kill(side, slot);
        if (rank == Positions.THRONE) resolution.parts[side].dethroned = true;
    }

    /// @dev Adds the turn to an entry, and the entry to the log.
    function add(TurnResolution memory resolution, uint256 entry) internal pure {
        unchecked {
            resolution.log.set(resolution.logged++, entry | (resolution.turn << _ENTRY_TURN_AT));
        }
    }

    /// @dev Packs the fields that all entries except the result have.
    function _entry(uint256 op, uint256 side, uint256 slot) private pure returns (uint256) {
        return (op << _ENTRY_OP_AT) | (side << _ENTRY_SIDE_AT) | (slot << _ENTRY_SLOT_AT);
    }

    /// @dev Packs a result without its turn.
    function _resultEntry(Seat winner) private pure returns (uint256) {
        return (_OP_RESULT << _ENTRY_OP_AT) | (uint256(winner) << _RESULT_WINNER_AT);
    }

    /// @dev Judges the game after a turn: by lost Thrones, then by who might still move, then by the limit of turns.
    function _judge(TurnResolution memory resolution, bytes memory p) private pure returns (bool over, Seat winner) {
        (bool lost1, bool lost2) = (resolution.parts[0].dethroned, resolution.parts[1].dethroned);
        if (!lost1 && !lost2) (lost1, lost2) = (!mightMove(p, 0), !mightMove(p, 1));
        if (lost1 && lost2) return (true, Seat.None);
        if (lost1) return (true, Seat.Two);
        if (lost2) return (true, Seat.One);
        return (p.turn() >= p.maxTurns(), Seat.None);
    }

    /// @dev Finds the target of a side's move; an opposing pawn there may leave or be attacked.
    function _aim(
        bytes memory p,
        uint256 side,
        uint256 move,
        uint256 others,
        Part memory part,
        Part memory other
    ) private pure {
        unchecked {
            if (move == NONE) return;
            (part.from, part.to, part.target) = (move >> 8, move & 255, _EMPTY);
            if ((p.occupied(Sides.otherSide(side)) >> part.to) & 1 == 0) return;
            part.target = others != NONE && others >> 8 == part.to ? _LEAVING : _STAYING;
            if (part.target == _STAYING) other.attacked = p.slotAt(Sides.otherSide(side), part.to);
        }
    }

    /// @dev Reverts if a line of several steps leads over a tile that is not free.
    function _checkPath(uint256 from, uint256 to, uint256 free) private pure {
        unchecked {
            uint256 step = from >> 4 == to >> 4 ? 1 : 16;
            uint256 tile = from;
            while (true) {
                tile = from < to ? tile + step : tile - step;
                if (tile == to) return;
                if ((free >> tile) & 1 == 0) revert Blocked(from, to, tile);
            }
        }
    }
}
