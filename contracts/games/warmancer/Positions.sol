// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibBit} from "solady/src/utils/LibBit.sol";
import {Boards} from "./Boards.sol";

/// @title The position of a game of Warmancer, as bytes
/// @notice Players bring the position, the chain keeps its hash. Packed, for n pawns a side, r = ceil(n / 2):
///
///     0    passable 32 | army 12 | budget 2 | flags 1 | cap on turns 2                     as in the mode
///     49   turn 2, from 1 | phase 1 | mover 1 | proved 1 | moves 2 + 2 | n 1
///     59   side of player 1, then side of player 2:
///          root 32 | occupied 32 | still 32 | alive 8 | moved 8 | moved far 8 | tiles n | ranks r
///
/// Tiles are y * 16 + x, sets of tiles have a bit per tile, sets of pawns a bit per slot. `still` holds the tiles of
/// living pawns recorded as Throne or Trap. A dead pawn keeps its last tile. Ranks are nibbles, the first one high:
/// rank + 1, or 0 where none is recorded. What phase, mover, proved and moves mean is the game's.
library Positions {
    /// @dev In place of the rank of a pawn of which none is recorded.
    uint256 internal constant UNKNOWN = 15;
    /// @dev No slot.
    uint256 internal constant NOBODY = 64;
    uint256 internal constant THRONE = 0;
    uint256 internal constant SCOUT = 2;
    uint256 internal constant TRAP = 11;

    /// @dev Bytes of position and mode that are the same: army, budget, flags, cap.
    uint256 internal constant RULES_BYTES = 17;
    uint256 private constant _RULES = 32;
    uint256 private constant _BUDGET = 44;
    uint256 private constant _FLAGS = 46;
    uint256 private constant _CAP = 47;
    uint256 private constant _TURN = 49;
    uint256 private constant _PHASE = 51;
    uint256 private constant _MOVER = 52;
    uint256 private constant _PROVED = 53;
    uint256 private constant _MOVES = 54;
    uint256 private constant _COUNT = 58;
    uint256 private constant _HEAD_BYTES = 59;

    uint256 private constant _OCCUPIED = 32;
    uint256 private constant _STILL = 64;
    uint256 private constant _ALIVE = 96;
    uint256 private constant _MOVED = 104;
    uint256 private constant _MOVED_FAR = 112;
    uint256 private constant _TILES = 120;

    uint256 private constant _EACH_BYTE = 0x0101010101010101010101010101010101010101010101010101010101010101;
    uint256 private constant _LOW_BITS = ~(_EACH_BYTE << 7);
    uint256 private constant _EACH_NIBBLE = 0x1111111111111111111111111111111111111111111111111111111111111111;
    uint256 private constant _NO_CAP = 2000;

    /// @notice The number in `width` bytes from `offset` on.
    function read(bytes memory data, uint256 offset, uint256 width) internal pure returns (uint256 value) {
        // A position is changed in place: a turn touches few of its fields, which a struct would all take apart and
        // put together again.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            value := and(mload(add(data, add(offset, width))), sub(shl(shl(3, width), 1), 1))
        }
    }

    /// @notice Puts a number into `width` bytes from `offset` on, in which it must fit.
    function write(bytes memory data, uint256 offset, uint256 width, uint256 value) internal pure {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let at := add(data, add(offset, width))
            mstore(at, or(and(mload(at), not(sub(shl(shl(3, width), 1), 1))), value))
        }
    }

    /// @notice The length of a position with `count` pawns a side.
    function lengthFor(uint256 count) internal pure returns (uint256) {
        unchecked {
            return _HEAD_BYTES + 2 * (_TILES + count + (count + 1) / 2);
        }
    }

    /// @notice The length of the position that bytes start with, by its own count; of its head if they are shorter.
    function lengthIn(bytes calldata data) internal pure returns (uint256) {
        return data.length < _HEAD_BYTES ? _HEAD_BYTES : lengthFor(uint8(data[_COUNT]));
    }

    /// @notice The position before the first turn, without roots and ranks.
    /// @param mode The content of a mode.
    function start(bytes memory mode) internal pure returns (bytes memory p) {
        uint256 count = Boards.count(read(mode, 32, 32));
        p = new bytes(lengthFor(count));
        write(p, 0, 32, read(mode, 0, 32));
        write(p, _RULES, RULES_BYTES, read(mode, 96, RULES_BYTES));
        write(p, _TURN, 2, 1);
        write(p, _MOVER, 1, 1);
        write(p, _COUNT, 1, count);
        for (uint256 side = 0; side < 2; ++side) {
            uint256 tiles = read(mode, 32 + 32 * side, 32);
            uint256 base = _sideOf(p, side);
            write(p, base + _OCCUPIED, 32, tiles);
            write(p, base + _ALIVE, 8, (1 << count) - 1);
            for (uint256 slot = 0; slot < count; ++slot) {
                write(p, base + _TILES + slot, 1, Boards.lowest(tiles));
                tiles &= tiles - 1;
            }
        }
    }

    function passable(bytes memory p) internal pure returns (uint256) {
        return read(p, 0, 32);
    }

    /// @notice How many pawns of a rank there are in the army.
    function armyOf(bytes memory p, uint256 rank) internal pure returns (uint256) {
        return read(p, _RULES + rank, 1);
    }

    function budget(bytes memory p) internal pure returns (uint256) {
        return read(p, _BUDGET, 2);
    }

    /// @notice Bit 0 casual, 1 always hidden, 2 sequential.
    function flags(bytes memory p) internal pure returns (uint256) {
        return read(p, _FLAGS, 1);
    }

    /// @notice After how many turns the game is a draw.
    function cap(bytes memory p) internal pure returns (uint256 turns) {
        turns = read(p, _CAP, 2);
        if (turns == 0) turns = _NO_CAP;
    }

    function turn(bytes memory p) internal pure returns (uint256) {
        return read(p, _TURN, 2);
    }

    function setTurn(bytes memory p, uint256 value) internal pure {
        write(p, _TURN, 2, value);
    }

    function phase(bytes memory p) internal pure returns (uint256) {
        return read(p, _PHASE, 1);
    }

    function setPhase(bytes memory p, uint256 value) internal pure {
        write(p, _PHASE, 1, value);
    }

    /// @notice The seat of the mover, 1 or 2.
    function mover(bytes memory p) internal pure returns (uint256) {
        return read(p, _MOVER, 1);
    }

    function setMover(bytes memory p, uint256 value) internal pure {
        write(p, _MOVER, 1, value);
    }

    /// @notice What waits for the other player: the mover's ranks proved in this turn (rank + 1, or 0; the moving
    /// pawn's in the high nibble, the attacked one's in the low), and both moves.
    function pending(bytes memory p) internal pure returns (uint256 proved, uint256[2] memory moves) {
        return (read(p, _PROVED, 1), [read(p, _MOVES, 2), read(p, _MOVES + 2, 2)]);
    }

    function setPending(bytes memory p, uint256 proved, uint256[2] memory moves) internal pure {
        write(p, _PROVED, 5, (proved << 32) | (moves[0] << 16) | moves[1]);
    }

    /// @notice How many pawns a side started with.
    function pawns(bytes memory p) internal pure returns (uint256) {
        return read(p, _COUNT, 1);
    }

    function root(bytes memory p, uint256 side) internal pure returns (bytes32) {
        return bytes32(read(p, _sideOf(p, side), 32));
    }

    function setRoot(bytes memory p, uint256 side, bytes32 value) internal pure {
        write(p, _sideOf(p, side), 32, uint256(value));
    }

    /// @notice The tiles of a side's living pawns.
    function occupied(bytes memory p, uint256 side) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _OCCUPIED, 32);
        }
    }

    /// @notice The tiles of a side's living pawns that are known never to move.
    function still(bytes memory p, uint256 side) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _STILL, 32);
        }
    }

    function hasMoved(bytes memory p, uint256 side, uint256 slot) internal pure returns (bool) {
        unchecked {
            return _has(p, _sideOf(p, side) + _MOVED, slot);
        }
    }

    function hasMovedFar(bytes memory p, uint256 side, uint256 slot) internal pure returns (bool) {
        unchecked {
            return _has(p, _sideOf(p, side) + _MOVED_FAR, slot);
        }
    }

    /// @notice Remembers that a pawn has moved, and whether by more than one tile.
    function markMoved(bytes memory p, uint256 side, uint256 slot, bool far) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            _add(p, base + _MOVED, slot);
            if (far) _add(p, base + _MOVED_FAR, slot);
        }
    }

    function tileOf(bytes memory p, uint256 side, uint256 slot) internal pure returns (uint256) {
        unchecked {
            return read(p, _sideOf(p, side) + _TILES + slot, 1);
        }
    }

    /// @notice The slot of a side's living pawn on a tile, or NOBODY.
    function slotAt(bytes memory p, uint256 side, uint256 tile) internal pure returns (uint256 found) {
        unchecked {
            uint256 base = _sideOf(p, side);
            if ((read(p, base + _OCCUPIED, 32) >> tile) & 1 == 0) return NOBODY;
            uint256 alive = read(p, base + _ALIVE, 8);
            // It is on the board; of the dead with the same last tile only the living one counts.
            for (uint256 first = 0; ; first += 32) {
                // The bytes that are the tile, by their highest bits. Behind the tiles come slots that nobody has.
                uint256 differences = _wordAt(p, base + _TILES + first) ^ (tile * _EACH_BYTE);
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

    /// @notice Takes a living pawn to another tile.
    function put(bytes memory p, uint256 side, uint256 slot, uint256 tile) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            uint256 from = read(p, base + _TILES + slot, 1);
            write(p, base + _OCCUPIED, 32, read(p, base + _OCCUPIED, 32) ^ (1 << from) ^ (1 << tile));
            write(p, base + _TILES + slot, 1, tile);
        }
    }

    /// @notice Takes a living pawn off the board.
    function kill(bytes memory p, uint256 side, uint256 slot) internal pure {
        unchecked {
            uint256 base = _sideOf(p, side);
            uint256 others = ~(1 << read(p, base + _TILES + slot, 1));
            write(p, base + _OCCUPIED, 32, read(p, base + _OCCUPIED, 32) & others);
            write(p, base + _STILL, 32, read(p, base + _STILL, 32) & others);
            write(p, base + _ALIVE, 8, read(p, base + _ALIVE, 8) ^ (1 << slot));
        }
    }

    /// @notice The recorded rank of a pawn, or UNKNOWN.
    function rankOf(bytes memory p, uint256 side, uint256 slot) internal pure returns (uint256) {
        unchecked {
            uint256 nibbles = read(p, _ranksOf(p, side) + slot / 2, 1);
            // One less than what is kept; of nothing, 15.
            return ((slot % 2 == 0 ? nibbles >> 4 : nibbles) + 15) & 15;
        }
    }

    /// @notice Records the rank of a pawn that none is recorded of.
    function record(bytes memory p, uint256 side, uint256 slot, uint256 rank) internal pure {
        unchecked {
            uint256 offset = _ranksOf(p, side) + slot / 2;
            write(p, offset, 1, read(p, offset, 1) | ((rank + 1) << (slot % 2 == 0 ? 4 : 0)));
            if (rank != THRONE && rank != TRAP) return;
            uint256 base = _sideOf(p, side);
            uint256 tile = 1 << read(p, base + _TILES + slot, 1);
            write(p, base + _STILL, 32, read(p, base + _STILL, 32) | tile);
        }
    }

    /// @notice How many pawns of a side are recorded to have a rank.
    function recordedOf(bytes memory p, uint256 side, uint256 rank) internal pure returns (uint256) {
        unchecked {
            uint256 ranks = _wordAt(p, _ranksOf(p, side)) >> (256 - 8 * ((pawns(p) + 1) / 2));
            uint256 differences = ranks ^ ((rank + 1) * _EACH_NIBBLE);
            differences |= differences >> 2;
            return Boards.count(~(differences | (differences >> 1)) & _EACH_NIBBLE);
        }
    }

    /// @dev The 32 bytes from `offset` on, which may reach beyond the end.
    function _wordAt(bytes memory p, uint256 offset) private pure returns (uint256) {
        return read(p, offset, 32);
    }

    function _has(bytes memory p, uint256 offset, uint256 slot) private pure returns (bool) {
        return (read(p, offset, 8) >> slot) & 1 == 1;
    }

    function _add(bytes memory p, uint256 offset, uint256 slot) private pure {
        write(p, offset, 8, read(p, offset, 8) | (1 << slot));
    }

    function _ranksOf(bytes memory p, uint256 side) private pure returns (uint256) {
        unchecked {
            return _sideOf(p, side) + _TILES + pawns(p);
        }
    }

    function _sideOf(bytes memory p, uint256 side) private pure returns (uint256) {
        unchecked {
            return side == 0 ? _HEAD_BYTES : (_HEAD_BYTES + p.length) / 2;
        }
    }
}
