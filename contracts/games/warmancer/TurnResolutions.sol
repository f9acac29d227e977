// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DynamicArrayLib} from "solady/src/utils/DynamicArrayLib.sol";
import {Armies} from "./Armies.sol";
import {Boards} from "./Boards.sol";
import {Positions} from "./Positions.sol";

/// @dev What a move leads to, as the board stands before the turn.
enum Target {
    None,
    Empty,
    /// An enemy that stays.
    Staying,
    /// The tile that the enemy's mover is leaving.
    Leaving
}

/// @dev What a side does in a turn, and what comes over it.
struct Part {
    /// The pawn on the move, if there is one, its tile and its target.
    uint256 slot;
    uint256 from;
    uint256 to;
    Target target;
    /// The slot of the pawn that stays and is attacked, or NOBODY.
    uint256 attacked;
    /// Ranks of the moving and of the attacked pawn in battles, as far as they are known.
    uint256 moverRank;
    uint256 attackedRank;
    /// Whether the Throne is lost.
    bool dethroned;
}

/// @dev A turn as it unfolds.
struct TurnResolution {
    /// By side.
    Part[2] parts;
    /// Whether the movers battle each other.
    bool clash;
    uint256 turn;
    uint256[] log;
    uint256 logged;
}

/// @title Moves and battles of Warmancer
/// @notice One move, or two simultaneous ones, judged on the board before the turn. Log, a word per operation:
///
///     bits 0-2 op, 3 side, 4-9 slot, 32-47 turn
///     1 MOVE     10-17 from, 18-25 to
///     2 REVEAL   10-17 tile, 26-29 rank
///     3 BATTLE   10-17 defender's slot, 18-25 tile, 26-29 kind (0 same tile, 1 swap, 2 attack), 30-31 winner (0 none)
///     4 KILL     10-17 tile
///     5 RESULT   30-31 winner (0 a draw)
library TurnResolutions {
    using DynamicArrayLib for uint256[];
    using Positions for bytes;
    using TurnResolutions for TurnResolution;

    /// @dev A move in place of which a player says that it has none.
    uint256 internal constant STUCK = 0xffff;
    uint256 internal constant DRAW = 0;
    /// @dev In place of a winner while the game goes on.
    uint256 internal constant GOES_ON = 3;
    uint256 private constant _MOVE = 1;
    uint256 private constant _REVEAL = 2;
    uint256 private constant _BATTLE = 3;
    uint256 private constant _KILL = 4;
    uint256 private constant _RESULT = 5;
    uint256 private constant _SAME_TILE = 0;
    uint256 private constant _SWAP = 1;
    uint256 private constant _ATTACK = 2;
    uint256 private constant _ALWAYS_HIDDEN = 2;
    /// @dev Two battles with two reveals, two kills and a move each, and the result.
    uint256 internal constant MAX_ENTRIES = 13;

    /// @notice No living pawn of the player stands there.
    error NoOwnPawn(uint256 from);

    /// @notice No pawn can stand there.
    error Impassable(uint256 to);

    /// @notice A pawn of the player's own stands there.
    error OwnPawnThere(uint256 to);

    /// @notice Pawns move up, down, left or right.
    error NotInLine(uint256 from, uint256 to);

    /// @notice Something is in the way.
    error Blocked(uint256 from, uint256 to, uint256 tile);

    /// @notice Refuses a move that the pawn cannot make.
    /// @param move from << 8 | to
    /// @param ranks The side's ranks, a byte each by slot; empty: as recorded, where a pawn of which no rank is may do
    /// what any that moves could.
    /// @return slot The pawn's.
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
        if (!Armies.isMobile(rank)) revert Armies.RankCannotMove(slot, rank);
        if (!isFar(move)) return slot;
        if (rank != Positions.SCOUT && rank != Positions.UNKNOWN) revert Armies.RankCannotMoveFar(slot, rank);
        _checkPath(from, to, passable & ~(own | p.occupied(1 - side)));
    }

    /// @notice Whether a move in a line is by more than one tile.
    function isFar(uint256 move) internal pure returns (bool) {
        unchecked {
            (uint256 from, uint256 to) = (move >> 8, move & 255);
            uint256 distance = from > to ? from - to : to - from;
            return distance != 1 && distance != 16;
        }
    }

    /// @notice The slots of the pawns that moves are of; 0 for who does not move.
    function slotsOf(bytes memory p, uint256[2] memory moves) internal pure returns (uint256[2] memory slots) {
        unchecked {
            for (uint256 side = 0; side < 2; ++side) {
                if (moves[side] != 0) slots[side] = p.slotAt(side, moves[side] >> 8);
            }
        }
    }

    /// @notice What two moves, or one, lead to.
    /// @param moves By side, as `check` accepts them; 0: the side does not move.
    /// @param slots Of the pawns that move.
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
                (first.target == Target.Leaving || (first.target == Target.Empty && first.to == second.to));
            for (uint256 side = 0; side < 2; ++side) {
                Part memory part = resolution.parts[side];
                if (resolution.isMoverInBattle(part)) part.moverRank = p.rankOf(side, part.slot);
                if (part.attacked != Positions.NOBODY) part.attackedRank = p.rankOf(side, part.attacked);
            }
            resolution.turn = p.turn();
            resolution.log = new uint256[](MAX_ENTRIES);
        }
    }

    /// @notice The pawns of a side whose ranks are to be proved: in a battle, and not recorded; ascending slots, NOBODY
    /// behind them.
    function hidden(
        TurnResolution memory resolution,
        uint256 side
    ) internal pure returns (uint256 first, uint256 second) {
        Part memory part = resolution.parts[side];
        first = part.moverRank == Positions.UNKNOWN ? part.slot : Positions.NOBODY;
        second = part.attackedRank == Positions.UNKNOWN ? part.attacked : Positions.NOBODY;
        if (first > second) (first, second) = (second, first);
    }

    /// @notice Whether a side has ranks to prove.
    function isHidden(TurnResolution memory resolution, uint256 side) internal pure returns (bool) {
        (uint256 first, ) = resolution.hidden(side);
        return first != Positions.NOBODY;
    }

    /// @notice Makes the rank of a pawn in a battle known.
    function learn(TurnResolution memory resolution, uint256 side, uint256 slot, uint256 rank) internal pure {
        Part memory part = resolution.parts[side];
        if (part.attacked == slot) part.attackedRank = rank;
        else part.moverRank = rank;
    }

    /// @notice What waits for the other player: a side's ranks that are known by now but not recorded, as the position
    /// keeps them.
    function proved(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side
    ) internal pure returns (uint256 ranks) {
        unchecked {
            Part memory part = resolution.parts[side];
            if (resolution.isMoverInBattle(part) && p.rankOf(side, part.slot) == Positions.UNKNOWN) {
                ranks = (part.moverRank + 1) << 4;
            }
            if (part.attacked != Positions.NOBODY && p.rankOf(side, part.attacked) == Positions.UNKNOWN) {
                ranks |= part.attackedRank + 1;
            }
        }
    }

    /// @notice Makes what the position kept known again.
    function recall(TurnResolution memory resolution, uint256 side, uint256 kept) internal pure {
        unchecked {
            Part memory part = resolution.parts[side];
            if (kept >> 4 != 0) part.moverRank = (kept >> 4) - 1;
            if (kept & 15 != 0) part.attackedRank = (kept & 15) - 1;
        }
    }

    /// @notice Carries out a turn, every rank in a battle being known, and judges the board after it.
    /// @return winner 1, 2, DRAW, or GOES_ON.
    /// @return logEntries The log.
    function resolve(
        TurnResolution memory resolution,
        bytes memory p
    ) internal pure returns (uint256 winner, uint256[] memory logEntries) {
        unchecked {
            (Target first, Target second) = (resolution.parts[0].target, resolution.parts[1].target);
            if (resolution.clash) {
                resolution.fight(p, 0, first == Target.Empty ? _SAME_TILE : _SWAP);
            } else {
                if (first == Target.Empty) resolution.walk(p, 0);
                if (second == Target.Empty) resolution.walk(p, 1);
                if (first == Target.Staying) resolution.fight(p, 0, _ATTACK);
                if (second == Target.Staying) resolution.fight(p, 1, _ATTACK);
                if (first == Target.Leaving) resolution.walk(p, 0);
                if (second == Target.Leaving) resolution.walk(p, 1);
            }
            winner = _judge(resolution, p);
            if (winner != GOES_ON) resolution.add(_RESULT | (winner << 30));
            logEntries = resolution.log.truncate(resolution.logged);
        }
    }

    /// @notice The log of a game that ends with this turn, and without a move.
    /// @param winner 1, 2 or DRAW.
    function resultOf(uint256 turn, uint256 winner) internal pure returns (uint256[] memory logEntries) {
        logEntries = new uint256[](1);
        logEntries[0] = _RESULT | (winner << 30) | (turn << 32);
    }

    /// @notice Whether a side has a pawn that might move: not known as Throne or Trap, and beside a passable tile that
    /// no own pawn stands on.
    function mightMove(bytes memory p, uint256 side) internal pure returns (bool) {
        uint256 own = p.occupied(side);
        return Boards.around(own & ~p.still(side)) & p.passable() & ~own != 0;
    }

    function isMoverInBattle(TurnResolution memory resolution, Part memory part) internal pure returns (bool) {
        return resolution.clash || part.target == Target.Staying;
    }

    /// @dev Takes a side's mover to its target, which is free by now.
    function walk(TurnResolution memory resolution, bytes memory p, uint256 side) internal pure {
        Part memory part = resolution.parts[side];
        resolution.add(_MOVE | (side << 3) | (part.slot << 4) | (part.from << 10) | (part.to << 18));
        p.put(side, part.slot, part.to);
    }

    /// @dev A battle of a side's mover with the other side's, or with the pawn that it attacks.
    function fight(TurnResolution memory resolution, bytes memory p, uint256 side, uint256 kind) internal pure {
        unchecked {
            uint256 other = 1 - side;
            (Part memory own, Part memory others) = (resolution.parts[side], resolution.parts[other]);
            (uint256 slot, uint256 rank) = kind == _ATTACK
                ? (others.attacked, others.attackedRank)
                : (others.slot, others.moverRank);
            uint256 better = Armies.battle(own.moverRank, rank);
            bool all = p.flags() & _ALWAYS_HIDDEN == 0;
            if (all || better != 1) resolution.reveal(p, side, own.slot, own.moverRank);
            if (all || better != 2) resolution.reveal(p, other, slot, rank);
            resolution.add(
                _BATTLE |
                    (side << 3) |
                    (own.slot << 4) |
                    (slot << 10) |
                    (own.to << 18) |
                    (kind << 26) |
                    ((better == 0 ? 0 : (better == 1 ? side : other) + 1) << 30)
            );
            if (better != 1) resolution.kill(p, side, own.slot, own.moverRank);
            if (better != 2) resolution.kill(p, other, slot, rank);
            if (better == 1) resolution.walk(p, side);
            else if (better == 2 && kind != _ATTACK) resolution.walk(p, other);
        }
    }

    /// @dev Records the rank of a pawn, if none is.
    function reveal(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side,
        uint256 slot,
        uint256 rank
    ) internal pure {
        if (p.rankOf(side, slot) != Positions.UNKNOWN) return;
        p.record(side, slot, rank);
        resolution.add(_REVEAL | (side << 3) | (slot << 4) | (p.tileOf(side, slot) << 10) | (rank << 26));
    }

    /// @dev Takes a pawn of a rank off the board.
    function kill(
        TurnResolution memory resolution,
        bytes memory p,
        uint256 side,
        uint256 slot,
        uint256 rank
    ) internal pure {
        resolution.add(_KILL | (side << 3) | (slot << 4) | (p.tileOf(side, slot) << 10));
        p.kill(side, slot);
        if (rank == Positions.THRONE) resolution.parts[side].dethroned = true;
    }

    function add(TurnResolution memory resolution, uint256 entry) internal pure {
        unchecked {
            resolution.log.set(resolution.logged++, entry | (resolution.turn << 32));
        }
    }

    /// @dev How the game stands after a turn.
    function _judge(TurnResolution memory resolution, bytes memory p) private pure returns (uint256 winner) {
        winner = _winnerByLosses(resolution.parts[0].dethroned, resolution.parts[1].dethroned);
        if (winner == GOES_ON) winner = _winnerByLosses(!mightMove(p, 0), !mightMove(p, 1));
        if (winner == GOES_ON && p.turn() >= p.cap()) winner = DRAW;
    }

    /// @dev Who has won when these have lost.
    function _winnerByLosses(bool first, bool second) private pure returns (uint256 winner) {
        if (first) return second ? DRAW : 2;
        return second ? 1 : GOES_ON;
    }

    /// @dev What a side's move leads to; the other side's pawn there may be leaving or attacked.
    function _aim(
        bytes memory p,
        uint256 side,
        uint256 move,
        uint256 others,
        Part memory part,
        Part memory other
    ) private pure {
        unchecked {
            if (move == 0) return;
            (part.from, part.to, part.target) = (move >> 8, move & 255, Target.Empty);
            if ((p.occupied(1 - side) >> part.to) & 1 == 0) return;
            part.target = others != 0 && others >> 8 == part.to ? Target.Leaving : Target.Staying;
            if (part.target == Target.Staying) other.attacked = p.slotAt(1 - side, part.to);
        }
    }

    /// @dev Refuses a line of several steps over a tile that is not free.
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
