// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {LibBytes} from "solady/src/utils/LibBytes.sol";
import {Positions} from "./Positions.sol";

/// @notice Result of a battle between two ranks.
enum BattleResult {
    BothDie,
    FirstWins,
    SecondWins
}

/// @title Ranks and armies of Warmancer, and committed setups
/// @notice The Merkle root over 64 leaves commits to a setup, the ranks by slot. Leaves after the last slot are zero. A
/// leaf's place, not the order of hashes, picks left and right:
///
///     leaf = keccak256(abi.encode(address player, uint256 slot, uint256 rank, keccak256(abi.encode(secret, slot))))
///     node = keccak256(abi.encode(left, right))
library Armies {
    using LibBytes for bytes;
    using Positions for bytes;

    uint256 internal constant RANKS = 12;
    /// @dev Length of a proof, 2 + _WORD * (1 + _DEPTH). Measured: computing it each time costs 200 gas per battle.
    uint256 internal constant PROOF_BYTES = 226;
    uint256 private constant _ASSASSIN = 1;
    uint256 private constant _SEER = 3;
    uint256 private constant _WARLORD = 10;
    uint256 private constant _LEAVES = 1 << _DEPTH;
    uint256 private constant _DEPTH = 6;
    uint256 private constant _WORD = 32;
    /// @dev Maximum number of pawns of a rank that can be bought, except for Throne and Trap.
    uint256 private constant _MAX_BOUGHT = 8;
    /// @dev Prices by rank, a nibble each from the lowest.
    uint256 private constant _PRICES = 0x4a9876544360;

    /// @notice Ranks are 0 to 11.
    error UnknownRank(uint256 slot, uint256 rank);

    /// @notice An army has too few or too many pawns of a rank.
    error WrongArmy(uint256 rank, uint256 count, uint256 min, uint256 max);

    /// @notice An army of Thrones and Traps cannot play.
    error NoPawnMoves();

    /// @notice The army does not fill its setup tiles.
    error ArmySize(uint256 count, uint256 slots);

    /// @notice An army costs more than the mode allows.
    error OverBudget(uint256 price, uint256 budget);

    /// @notice Thrones and Traps never move; this pawn has moved, or is about to move.
    error RankCannotMove(uint256 slot, uint256 rank);

    /// @notice Only Scouts move more than one tile; this pawn has moved farther, or is about to.
    error RankCannotMoveFar(uint256 slot, uint256 rank);

    /// @notice The setup does not hash to the root that the player gave.
    error WrongSetup(bytes32 root, bytes32 expected);

    /// @notice The pawn in slot `expected` must prove its rank now.
    error ProofNotDue(uint256 slot, uint256 expected);

    /// @notice The proof does not lead to the root that the player gave.
    error WrongProof(uint256 slot, bytes32 root, bytes32 expected);

    /// @notice More pawns of a rank have been shown than there can be.
    error TooManyOfRank(uint256 rank, uint256 count, uint256 max);

    /// @notice Decides a battle between two ranks.
    function battle(uint256 first, uint256 second) internal pure returns (BattleResult) {
        if (first == second) return BattleResult.BothDie;
        if (_beatsHigher(first, second)) return BattleResult.FirstWins;
        if (_beatsHigher(second, first)) return BattleResult.SecondWins;
        return first > second ? BattleResult.FirstWins : BattleResult.SecondWins;
    }

    /// @notice Reverts unless counts by rank are an army: the mode's own army if nothing is bought, otherwise an army
    /// that the budget covers.
    /// @param p A position of the mode.
    function checkArmy(bytes memory p, uint256[RANKS] memory counts) internal pure {
        unchecked {
            uint256 budget = p.budget();
            uint256 price = 0;
            uint256 mobile = 0;
            for (uint256 rank = 0; rank < RANKS; ++rank) {
                uint256 max = maxOf(p, rank);
                uint256 min = budget == 0 || rank == Positions.THRONE ? max : 0;
                if (counts[rank] < min || counts[rank] > max) revert WrongArmy(rank, counts[rank], min, max);
                price += counts[rank] * priceOf(rank);
                if (Positions.isMobile(rank)) mobile += counts[rank];
            }
            if (mobile == 0) revert NoPawnMoves();
            if (budget != 0 && price > budget) revert OverBudget(price, budget);
        }
    }

    /// @notice Reverts unless a mode's army fills the setup tiles and, if the mode has a budget, could be bought.
    /// @param p The position before the first turn.
    function checkMode(bytes memory p) internal pure {
        uint256[RANKS] memory counts;
        uint256 sum = 0;
        for (uint256 rank = 0; rank < RANKS; ++rank) {
            counts[rank] = p.armyOf(rank);
            sum += counts[rank];
        }
        if (counts[Positions.THRONE] != 1) revert WrongArmy(Positions.THRONE, counts[Positions.THRONE], 1, 1);
        checkArmy(p, counts);
        if (sum != p.pawns()) revert ArmySize(sum, p.pawns());
    }

    /// @notice Returns the maximum number of pawns of a rank in an army.
    function maxOf(bytes memory p, uint256 rank) internal pure returns (uint256) {
        bool bought = p.budget() != 0 && Positions.isMobile(rank);
        return bought ? _MAX_BOUGHT : p.armyOf(rank);
    }

    /// @notice Returns the price of a pawn.
    function priceOf(uint256 rank) internal pure returns (uint256) {
        return (_PRICES >> (4 * rank)) & 15;
    }

    /// @notice Reverts unless ranks, a byte each by slot, are an army.
    function checkRanks(bytes memory p, bytes calldata ranks) internal pure {
        uint256[RANKS] memory counts;
        for (uint256 slot = 0; slot < ranks.length; ++slot) {
            uint256 rank = uint8(ranks[slot]);
            if (rank >= RANKS) revert UnknownRank(slot, rank);
            ++counts[rank];
        }
        checkArmy(p, counts);
    }

    /// @notice Reverts unless a setup is an army, has the root that its player gave, and fits what the game has shown.
    /// @param setup secret 32 || ranks, a byte each by slot
    function checkSetup(bytes memory p, uint256 side, address player, bytes calldata setup) internal pure {
        bytes calldata ranks = setup[_WORD:];
        checkRanks(p, ranks);
        bytes32 root = rootOf(player, bytes32(setup[:_WORD]), ranks);
        if (root != p.root(side)) revert WrongSetup(root, p.root(side));
        // Proved ranks led to the same root in the same slots, so they cannot differ from the setup.
        for (uint256 slot = 0; slot < ranks.length; ++slot) checkFacts(p, side, slot, uint8(ranks[slot]));
    }

    /// @notice Reverts if a pawn of this rank could not have moved as the pawn in the slot has.
    function checkFacts(bytes memory p, uint256 side, uint256 slot, uint256 rank) internal pure {
        if (p.hasMoved(side, slot) && !Positions.isMobile(rank)) revert RankCannotMove(slot, rank);
        if (p.hasMovedFar(side, slot) && rank != Positions.SCOUT) revert RankCannotMoveFar(slot, rank);
    }

    /// @notice Returns the root of a setup.
    /// @param ranks A byte each by slot.
    function rootOf(address player, bytes32 secret, bytes calldata ranks) internal pure returns (bytes32) {
        unchecked {
            uint256 width = ranks.length;
            bytes32[] memory nodes = new bytes32[](width);
            for (uint256 slot = 0; slot < width; ++slot) {
                nodes[slot] = _leaf(player, slot, uint8(ranks[slot]), Hashes.efficientKeccak256(secret, bytes32(slot)));
            }
            // After the last slot all leaves, and all nodes of a level, are the same.
            bytes32 empty = 0;
            for (uint256 leaves = _LEAVES; leaves > 1; leaves /= 2) {
                for (uint256 i = 0; i < width; i += 2) {
                    nodes[i / 2] = Hashes.efficientKeccak256(nodes[i], i + 1 < width ? nodes[i + 1] : empty);
                }
                empty = Hashes.efficientKeccak256(empty, empty);
                width = (width + 1) / 2;
            }
            return nodes[0];
        }
    }

    /// @notice Returns the rank that a proof shows, and reverts unless it is the proof that is due.
    /// @param expected Slot of the pawn whose rank must be proved.
    /// @param proof slot 1 || rank 1 || salt of the leaf 32 || 6 siblings 192, PROOF_BYTES in all.
    function checkProof(
        bytes memory p,
        uint256 side,
        address player,
        uint256 expected,
        bytes calldata proof
    ) internal pure returns (uint256 rank) {
        uint256 slot = uint8(proof[0]);
        rank = uint8(proof[1]);
        if (slot != expected) revert ProofNotDue(slot, expected);
        if (rank >= RANKS) revert UnknownRank(slot, rank);
        // Measured: slices cost 3,000 gas more, as each word of a turn's proofs is checked.
        bytes32 node = _leaf(player, slot, rank, proof.loadCalldata(2));
        unchecked {
            for (uint256 i = 0; i < _DEPTH; ++i) {
                bytes32 sibling = proof.loadCalldata(2 + _WORD * (i + 1));
                bool left = (slot >> i) & 1 == 0;
                node = left ? Hashes.efficientKeccak256(node, sibling) : Hashes.efficientKeccak256(sibling, node);
            }
        }
        if (node != p.root(side)) revert WrongProof(slot, node, p.root(side));
        checkFacts(p, side, slot, rank);
    }

    function _leaf(address player, uint256 slot, uint256 rank, bytes32 salt) private pure returns (bytes32) {
        return EfficientHashLib.hash(bytes32(uint256(uint160(player))), bytes32(slot), bytes32(rank), salt);
    }

    /// @dev Returns whether a rank beats another one by a special rule, even if it is lower.
    function _beatsHigher(uint256 rank, uint256 other) private pure returns (bool) {
        return (rank == _SEER && other == Positions.TRAP) || (rank == _ASSASSIN && other == _WARLORD);
    }
}
