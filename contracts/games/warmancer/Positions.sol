// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibBit} from "solady/src/utils/LibBit.sol";
import {Seat} from "../../interfaces/IGame.sol";
import {Boards} from "./Boards.sol";

/// @title Modes and positions of Warmancer, as bytes
/// @notice Players submit the position; the chain stores its hash. Tiles are y * 16 + x, sets of tiles have a bit per
/// tile, sets of pawns a bit per slot. A mode:
///
///     bytes 0-31     passable: tiles that pawns can enter
///     bytes 32-63    setup 1: setup tiles of player 1
///     bytes 64-95    setup 2: setup tiles of player 2
///     bytes 96-107   army: pawns by rank, a byte each
///     bytes 108-109  budget; 0: nothing is bought
///     byte  110      flags: bit 0 casual, bit 1 always hidden, bit 2 sequential
///     bytes 111-112  max turns; 0 means 2000
///
/// A position starts with a head:
///
///     bytes 0-31     passable, as in the mode
///     bytes 32-43    army, as in the mode
///     bytes 44-45    budget, as in the mode
///     byte  46       flags, as in the mode
///     bytes 47-48    max turns, as in the mode
///     bytes 49-50    turn, from 1
///     byte  51       phase
///     byte  52       mover: seat of the committer, or of the player who moves
///     byte  53       proved: ranks that the mover has proved in this turn
///     bytes 54-55    move 1: player 1's move that waits for the other player
///     bytes 56-57    move 2: player 2's
///     byte  58       pawns: number n of pawns that each side started with
///
/// After the head come the sides of player 1 and player 2, each of 120 + n + ceil(n / 2) bytes:
///
///     bytes 0-31     root of the setup; zero in a casual match
///     bytes 32-63    occupied: tiles of living pawns
///     bytes 64-95    still: tiles of living pawns recorded as Throne or Trap
///     bytes 96-103   alive: living pawns
///     bytes 104-111  moved: pawns that have moved
///     bytes 112-119  moved far: pawns that have moved more than one tile at once
///     n bytes        tile of each pawn; a dead pawn keeps its last tile
///     ceil(n / 2)    recorded ranks, a nibble each, the first one high: rank + 1, or 0 if not recorded
library Positions {
    /// @dev Rank of a pawn without a recorded rank.
    uint256 internal constant UNKNOWN = 15;
    /// @dev Maximum number of pawns of a side.
    uint256 internal constant MAX_PAWNS = 64;
    /// @dev Slot that stands for no pawn.
    uint256 internal constant NOBODY = MAX_PAWNS;
    uint256 internal constant THRONE = 0;
    uint256 internal constant SCOUT = 2;
    uint256 internal constant TRAP = 11;
    /// @dev Flags of a mode.
    uint256 internal constant CASUAL = 1;
    uint256 internal constant ALWAYS_HIDDEN = 2;
    uint256 internal constant SEQUENTIAL = 4;
    /// @dev Maximum number of turns of any mode, and the default of a mode that sets none.
    uint256 internal constant MAX_TURNS = 2000;

    uint256 internal constant MODE_BYTES = 113;
    uint256 private constant _MODE_PASSABLE_AT = 0;
    uint256 private constant _MODE_SETUP_1_AT = 32;
    uint256 private constant _MODE_SETUP_2_AT = 64;
    uint256 private constant _MODE_ARMY_AT = 96;
    uint256 private constant _MODE_BUDGET_AT = 108;
    uint256 internal constant MODE_FLAGS_AT = 110;
    uint256 internal constant MODE_MAX_TURNS_AT = 111;

    uint256 private constant _POSITION_PASSABLE_AT = 0;
    uint256 private constant _POSITION_ARMY_AT = 32;
    uint256 private constant _POSITION_BUDGET_AT = 44;
    uint256 private constant _POSITION_FLAGS_AT = 46;
    uint256 private constant _POSITION_MAX_TURNS_AT = 47;
    uint256 private constant _POSITION_TURN_AT = 49;
    uint256 private constant _POSITION_PHASE_AT = 51;
    uint256 private constant _POSITION_MOVER_AT = 52;
    uint256 private constant _POSITION_PROVED_AT = 53;
    uint256 private constant _POSITION_MOVE_1_AT = 54;
    uint256 private constant _POSITION_MOVE_2_AT = 56;
    uint256 private constant _POSITION_PAWNS_AT = 58;
    uint256 private constant _HEAD_BYTES = 59;
    /// @dev Bytes from the army to the end of max turns, which are the same in mode and position.
    uint256 private constant _RULES_BYTES = 17;

    uint256 private constant _SIDE_ROOT_AT = 0;
    uint256 private constant _SIDE_OCCUPIED_AT = 32;
    uint256 private constant _SIDE_STILL_AT = 64;
    uint256 private constant _SIDE_ALIVE_AT = 96;
    uint256 private constant _SIDE_MOVED_AT = 104;
    uint256 private constant _SIDE_MOVED_FAR_AT = 112;
    /// @dev Length of a side before the tiles of its pawns.
    uint256 private constant _SIDE_HEAD_BYTES = 120;

    uint256 private constant _EACH_BYTE = 0x0101010101010101010101010101010101010101010101010101010101010101;
    uint256 private constant _LOW_BITS = ~(_EACH_BYTE << 7);
    uint256 private constant _EACH_NIBBLE = 0x1111111111111111111111111111111111111111111111111111111111111111;

    /// @notice Returns the number in `width` bytes from `offset` on.
    function read(bytes memory data, uint256 offset, uint256 width) internal pure returns (uint256 value) {
        // A position is changed in place: a turn touches few of its fields, while a struct would have to decode and
        // encode them all.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            value := and(mload(add(data, add(offset, width))), sub(shl(shl(3, width), 1), 1))
        }
    }

    /// @notice Writes a number into `width` bytes from `offset` on; it must fit.
    function write(bytes memory data, uint256 offset, uint256 width, uint256 value) internal pure {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let at := add(data, add(offset, width))
            mstore(at, or(and(mload(at), not(sub(shl(shl(3, width), 1), 1))), value))
        }
    }

    /// @notice Returns the length of a position with `count` pawns a side.
    function lengthFor(uint256 count) internal pure returns (uint256) {
        unchecked {
            return _HEAD_BYTES + 2 * (_SIDE_HEAD_BYTES + count + (count + 1) / 2);
        }
    }

    /// @notice Returns the length of the position at the start of bytes, from its number of pawns; the length of the
    /// head if the bytes are too short.
    function lengthIn(bytes calldata data) internal pure returns (uint256) {
        return data.length < _HEAD_BYTES ? _HEAD_BYTES : lengthFor(uint8(data[_POSITION_PAWNS_AT]));
    }

    /// @notice Returns the position before the first turn, without roots and ranks.
    /// @param mode The content of a mode.
    function start(bytes memory mode) internal pure returns (bytes memory p) {
        uint256 count = Boards.count(setupIn(mode, 0));
        p = new bytes(lengthFor(count));
        write(p, _POSITION_PASSABLE_AT, 32, passableIn(mode));
        write(p, _POSITION_ARMY_AT, _RULES_BYTES, read(mode, _MODE_ARMY_AT, _RULES_BYTES));
        setTurn(p, 1);
        setMover(p, Seat.One);
        write(p, _POSITION_PAWNS_AT, 1, count);
        for (uint256 side = 0; side < 2; ++side) {
            uint256 tiles = setupIn(mode, side);
            uint256 base = _sideOf(p, side);
            write(p, base + _SIDE_OCCUPIED_AT, 32, tiles);
            write(p, base + _SIDE_ALIVE_AT, 8, (1 << count) - 1);
            for (uint256 slot = 0; slot < count; ++slot) {
                write(p, base + _SIDE_HEAD_BYTES + slot, 1, Boards.lowest(tiles));
                tiles &= tiles - 1;
            }
        }
    }

    /// @notice Returns the passable tiles of a mode.
    function passableIn(bytes memory mode) internal pure returns (uint256) {
        return read(mode, _MODE_PASSABLE_AT, 32);
    }

    /// @notice Returns the setup tiles of a side in a mode.
    function setupIn(bytes memory mode, uint256 side) internal pure returns (uint256) {
        return read(mode, side == 0 ? _MODE_SETUP_1_AT : _MODE_SETUP_2_AT, 32);
    }

    /// @notice Returns the flags of a mode: CASUAL, ALWAYS_HIDDEN and SEQUENTIAL.
    function flagsIn(bytes memory mode) internal pure returns (uint256) {
        return read(mode, MODE_FLAGS_AT, 1);
    }

    /// @notice Returns the passable tiles.
    function passable(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_PASSABLE_AT, 32);
    }

    /// @notice Returns the number of pawns of a rank in the mode's army.
    function armyOf(bytes memory p, uint256 rank) internal pure returns (uint256) {
        return read(p, _POSITION_ARMY_AT + rank, 1);
    }

    /// @notice Returns the budget of the mode.
    function budget(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_BUDGET_AT, 2);
    }

    /// @notice Returns the flags of the mode: CASUAL, ALWAYS_HIDDEN and SEQUENTIAL.
    function flags(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_FLAGS_AT, 1);
    }

    /// @notice Returns the number of turns after which the game is a draw.
    function maxTurns(bytes memory p) internal pure returns (uint256 turns) {
        turns = read(p, _POSITION_MAX_TURNS_AT, 2);
        if (turns == 0) turns = MAX_TURNS;
    }

    /// @notice Returns the number of the turn, from 1.
    function turn(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_TURN_AT, 2);
    }

    /// @notice Sets the number of the turn.
    function setTurn(bytes memory p, uint256 value) internal pure {
        write(p, _POSITION_TURN_AT, 2, value);
    }

    /// @notice Returns the phase, as `Warmancer` lists them.
    function phase(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_PHASE_AT, 1);
    }

    /// @notice Sets the phase.
    function setPhase(bytes memory p, uint256 value) internal pure {
        write(p, _POSITION_PHASE_AT, 1, value);
    }

    /// @notice Returns whether a side is the mover.
    function isMover(bytes memory p, uint256 side) internal pure returns (bool) {
        // Measured: `Sides.seatOf` costs 80 gas more per action.
        return read(p, _POSITION_MOVER_AT, 1) == (side == 0 ? uint256(Seat.One) : uint256(Seat.Two));
    }

    /// @notice Makes the player in a seat the mover.
    function setMover(bytes memory p, Seat seat) internal pure {
        write(p, _POSITION_MOVER_AT, 1, uint256(seat));
    }

    /// @notice Returns the proved ranks and the moves that wait for the other player.
    /// @return proved Ranks that the mover has proved in this turn, each as rank + 1, or 0 for none: that of its moving
    /// pawn in the high nibble, that of its attacked pawn in the low one.
    /// @return moves Moves by side; 0 for none.
    function pending(bytes memory p) internal pure returns (uint256 proved, uint256[2] memory moves) {
        return (read(p, _POSITION_PROVED_AT, 1), [read(p, _POSITION_MOVE_1_AT, 2), read(p, _POSITION_MOVE_2_AT, 2)]);
    }

    /// @notice Stores ranks and moves as `pending` returns them.
    function setPending(bytes memory p, uint256 proved, uint256[2] memory moves) internal pure {
        // Both moves are right after the ranks.
        write(p, _POSITION_PROVED_AT, 5, (proved << 32) | (moves[0] << 16) | moves[1]);
    }

    /// @notice Clears the ranks and moves that waited for the other player.
    function clearPending(bytes memory p) internal pure {
        write(p, _POSITION_PROVED_AT, 5, 0);
    }

    /// @notice Returns the number of pawns that a side started with.
    function pawns(bytes memory p) internal pure returns (uint256) {
        return read(p, _POSITION_PAWNS_AT, 1);
    }

    /// @notice Returns the root that the player of a side gave.
    function root(bytes memory p, uint256 side) internal pure returns (bytes32) {
        return bytes32(read(p, _sideOf(p, side) + _SIDE_ROOT_AT, 32));
    }

    /// @notice Sets the root that the player of a side gave.
    function setRoot(bytes memory p, uint256 side, bytes32 value) internal pure {
        write(p, _sideOf(p, side) + _SIDE_ROOT_AT, 32, uint256(value));
    }

    /// @notice Returns the tiles of a side's living pawns.
    function occupied(bytes memory p, uint256 side) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _SIDE_OCCUPIED_AT, 32);
        }
    }

    /// @notice Returns the tiles of a side's living pawns that are recorded as Throne or Trap.
    function still(bytes memory p, uint256 side) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _SIDE_STILL_AT, 32);
        }
    }

    /// @notice Returns whether a pawn has moved.
    function hasMoved(bytes memory p, uint256 side, uint256 slot) internal pure returns (bool) {
        unchecked {
            return _has(p, _sideOf(p, side) + _SIDE_MOVED_AT, slot);
        }
    }

    /// @notice Returns whether a pawn has moved more than one tile at once.
    function hasMovedFar(bytes memory p, uint256 side, uint256 slot) internal pure returns (bool) {
        unchecked {
            return _has(p, _sideOf(p, side) + _SIDE_MOVED_FAR_AT, slot);
        }
    }

    /// @notice Records that a pawn has moved.
    /// @param far True if it has moved more than one tile.
    function markMoved(bytes memory p, uint256 side, uint256 slot, bool far) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            _add(p, base + _SIDE_MOVED_AT, slot);
            if (far) _add(p, base + _SIDE_MOVED_FAR_AT, slot);
        }
    }

    /// @notice Returns the tile of a pawn; for a dead pawn, its last tile.
    function tileOf(bytes memory p, uint256 side, uint256 slot) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _SIDE_HEAD_BYTES + slot, 1);
        }
    }

    /// @notice Returns the slot of a side's living pawn on a tile, or NOBODY.
    function slotAt(bytes memory p, uint256 side, uint256 tile) internal pure returns (uint256 found) {
        unchecked {
            uint256 base = _sideOf(p, side);
            if ((read(p, base + _SIDE_OCCUPIED_AT, 32) >> tile) & 1 == 0) return NOBODY;
            uint256 alive = read(p, base + _SIDE_ALIVE_AT, 8);
            // A living pawn is on the tile; dead pawns may have the same last tile, so only the living one counts.
            for (uint256 first = 0; ; first += 32) {
                // Sets the top bit of each byte equal to the tile. Bytes after the tiles belong to no pawn.
                uint256 differences = _wordAt(p, base + _SIDE_HEAD_BYTES + first) ^ (tile * _EACH_BYTE);
                uint256 hits = ~(((differences & _LOW_BITS) + _LOW_BITS) | differences | _LOW_BITS);
                while (hits != 0) {
                    uint256 bit = LibBit.fls(hits);
                    uint256 slot = first + 31 - (bit >> 3);
                    if ((alive >> slot) & 1 == 1) return slot;
                    hits ^= 1 << bit;
                }
            }
        }
    }

    /// @notice Moves a living pawn to another tile.
    function put(bytes memory p, uint256 side, uint256 slot, uint256 tile) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            uint256 from = read(p, base + _SIDE_HEAD_BYTES + slot, 1);
            write(p, base + _SIDE_OCCUPIED_AT, 32, read(p, base + _SIDE_OCCUPIED_AT, 32) ^ (1 << from) ^ (1 << tile));
            write(p, base + _SIDE_HEAD_BYTES + slot, 1, tile);
        }
    }

    /// @notice Takes a living pawn off the board.
    function kill(bytes memory p, uint256 side, uint256 slot) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            uint256 others = ~(1 << read(p, base + _SIDE_HEAD_BYTES + slot, 1));
            write(p, base + _SIDE_OCCUPIED_AT, 32, read(p, base + _SIDE_OCCUPIED_AT, 32) & others);
            write(p, base + _SIDE_STILL_AT, 32, read(p, base + _SIDE_STILL_AT, 32) & others);
            write(p, base + _SIDE_ALIVE_AT, 8, read(p, base + _SIDE_ALIVE_AT, 8) ^ (1 << slot));
        }
    }

    /// @notice Returns the recorded rank of a pawn, or UNKNOWN.
    function rankOf(bytes memory p, uint256 side, uint256 slot) internal pure returns (uint256) {
        unchecked {
            uint256 nibbles = read(p, _ranksOf(p, side) + slot / 2, 1);
            // One less than the stored nibble; 15 if that is 0.
            return ((slot % 2 == 0 ? nibbles >> 4 : nibbles) + 15) & 15;
        }
    }

    /// @notice Records the rank of a pawn without a recorded rank.
    function record(bytes memory p, uint256 side, uint256 slot, uint256 rank) internal pure {
        unchecked {
            uint256 offset = _ranksOf(p, side) + slot / 2;
            write(p, offset, 1, read(p, offset, 1) | ((rank + 1) << (slot % 2 == 0 ? 4 : 0)));
            if (isMobile(rank)) return;
            uint256 base = _sideOf(p, side);
            uint256 tile = 1 << read(p, base + _SIDE_HEAD_BYTES + slot, 1);
            write(p, base + _SIDE_STILL_AT, 32, read(p, base + _SIDE_STILL_AT, 32) | tile);
        }
    }

    /// @notice Returns whether pawns of a rank can move.
    function isMobile(uint256 rank) internal pure returns (bool) {
        return rank != THRONE && rank != TRAP;
    }

    /// @notice Returns the number of pawns of a side that are recorded with a rank.
    function recordedOf(bytes memory p, uint256 side, uint256 rank) internal pure returns (uint256) {
        unchecked {
            uint256 ranks = _wordAt(p, _ranksOf(p, side)) >> (256 - 8 * ((pawns(p) + 1) / 2));
            uint256 differences = ranks ^ ((rank + 1) * _EACH_NIBBLE);
            differences |= differences >> 2;
            return Boards.count(~(differences | (differences >> 1)) & _EACH_NIBBLE);
        }
    }

    /// @dev Returns the 32 bytes from `offset` on, which may reach beyond the end.
    function _wordAt(bytes memory p, uint256 offset) private pure returns (uint256) {
        return read(p, offset, 32);
    }

    /// @dev Returns whether the set of pawns at `offset` has a slot.
    function _has(bytes memory p, uint256 offset, uint256 slot) private pure returns (bool) {
        return (read(p, offset, 8) >> slot) & 1 == 1;
    }

    /// @dev Adds a slot to the set of pawns at `offset`.
    function _add(bytes memory p, uint256 offset, uint256 slot) private pure {
        write(p, offset, 8, read(p, offset, 8) | (1 << slot));
    }

    /// @dev Returns where the recorded ranks of a side start.
    function _ranksOf(bytes memory p, uint256 side) private pure returns (uint256) {
        unchecked {
            return _sideOf(p, side) + _SIDE_HEAD_BYTES + pawns(p);
        }
    }

    /// @dev Returns where a side starts.
    function _sideOf(bytes memory p, uint256 side) private pure returns (uint256) {
        unchecked {
            return side == 0 ? _HEAD_BYTES : (_HEAD_BYTES + p.length) / 2;
        }
    }
}
