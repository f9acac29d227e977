// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Dice} from "../../libraries/Dice.sol";
import {DuelState, Duelling} from "./Duelling.sol";
import {Game} from "../Game.sol";
import {Archetype, HonourRecord, Standing, StoredHonour} from "./Honour.sol";
import {CommitReveal, _ROUND_BYTES} from "../CommitReveal.sol";
import {Side, Strikes} from "./Strikes.sol";

/// @title Pistols
/// @notice Two duelists walk up to ten paces, turn and shoot; if both survive, they cross blades. Player 1 commits to
/// its paces and, when it reveals them, to its blades; player 2 answers both in the open. The honours of a player's
/// duels make up its record, which gives it strength. Source: Pistols, "Advanced Guide".
///
/// Moves; only the default mode 0 exists:
///
///     round 1   paces 1 (1..10)
///     round 2   slot 1 1 || slot 2 1: 0 Idle, 1 Light, 2 Heavy, 3 Block, 4 Flee, 5 Steal, 6 Seppuku
///
/// State of a round. In the answer of round 1 it has only player 1's archetype and strength; joining adds those of
/// player 2, and the reveal has all four. Health and paces are zero in round 1:
///
///     bits 0-1    archetype of player 1
///     bits 2-8    strength of player 1
///     bits 9-10   archetype of player 2
///     bits 11-17  strength of player 2
///     bits 18-19  health of player 1
///     bits 20-21  health of player 2
///     bits 22-25  paces of player 1
///     bits 26-29  paces of player 2
///     bit  30     1 in a channel: the offer's state names all four
///
/// Archetype and strength are frozen from the records at the start of a block: player 1's when the match is created,
/// player 2's when it joins. A duel that ends earlier in that block changes nothing. In a channel both players sign
/// them as they are at the time of the offer, and the contract reads no records. `DuelLog` has the layout of the log.
///
/// Warning: a duel that is resigned or timed out, or not rated, changes nobody's honour. Two accounts of one owner can
/// farm honour.
contract Pistols is CommitReveal {
    uint256 private constant _MAX_PACES = 10;
    bytes private constant _DEFAULT_MODE = hex"00";

    uint256 private constant _STATE_ARCHETYPE_1_AT = 0;
    uint256 private constant _STATE_STRENGTH_1_AT = 2;
    uint256 private constant _STATE_ARCHETYPE_2_AT = 9;
    uint256 private constant _STATE_STRENGTH_2_AT = 11;
    uint256 private constant _STATE_HEALTH_1_AT = 18;
    uint256 private constant _STATE_HEALTH_2_AT = 20;
    uint256 private constant _STATE_PACES_1_AT = 22;
    uint256 private constant _STATE_PACES_2_AT = 26;
    uint256 private constant _STATE_SIGNED_AT = 30;
    uint256 private constant _ARCHETYPE_MASK = 0x3;
    uint256 private constant _STRENGTH_MASK = 0x7f;
    uint256 private constant _HEALTH_MASK = 0x3;
    uint256 private constant _PACES_MASK = 0xf;

    mapping(address player => StoredHonour honour) private _honours;

    /// @notice A duelist walks `min` to `max` paces.
    error PacesOutOfBounds(uint256 paces, uint256 min, uint256 max);

    /// @notice These two slots are not one of the thirteen moves of round 2.
    error NoSuchBlades(uint256 slot1, uint256 slot2);

    /// @notice The game has only the default mode.
    error OnlyTheDefaultMode();

    constructor(address arena_) CommitReveal(arena_) {}

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        _requireMode(duel.mode);
        (Archetype archetype, uint256 strength) = _honours[duel.player1].frozen();
        uint256 state = uint256(archetype) << _STATE_ARCHETYPE_1_AT;
        state |= strength << _STATE_STRENGTH_1_AT;
        step.turn = Seat.Two;
        step.position = _withCommitment(1, bytes32(state), data);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        uint256 added = 0;
        if (!_isSigned(data)) {
            (Archetype archetype, uint256 strength) = _honours[duel.player2].frozen();
            added = uint256(archetype) << _STATE_ARCHETYPE_2_AT;
            added |= strength << _STATE_STRENGTH_2_AT;
        }
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, data, 1, bytes32(added));
        _pacesIn(move);
        step.turn = Seat.One;
        step.position = next;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat seat, bytes calldata data) external onlyArena returns (Step memory step) {
        if (seat == Seat.One) return _roundOf(data) == 1 ? _pistols(duel, data) : _blades(duel, data);
        (, , bytes calldata move, bytes32 next) = _takeAnswer(duel, data, 2);
        _bladesIn(move);
        step.turn = Seat.One;
        step.position = next;
    }

    /// @notice Refuses every content with `OnlyTheDefaultMode`.
    function registerMode(bytes calldata) external pure override returns (bytes32) {
        revert OnlyTheDefaultMode();
    }

    /// @notice Returns the record of a player's finished rated duels, and the standing that follows from it. Both are
    /// all zero for a player without such duels.
    function duelistOf(address player) external view returns (HonourRecord memory record, Standing memory standing) {
        StoredHonour honour = _honours[player];
        return (honour.record(), honour.standing());
    }

    /// @notice Runs the engine without a match. All pairs are by side, player 1's first.
    /// @param seeds The seed of each round.
    /// @param strengths The strength of both archetypes, 0..100.
    /// @param blades The two slots of round 2; used only if both survive round 1.
    /// @return winner The winner of the duel; None is a draw.
    /// @return taker The taker of the pot; None gives each player its own stake back.
    /// @return rounds The number of rounds that were played.
    /// @return health Final health.
    /// @return honour The duel honours that the duel adds to both records.
    /// @return logEntries The log of all rounds.
    function preview(
        bytes32[2] calldata seeds,
        Archetype[2] calldata archetypes,
        uint8[2] calldata strengths,
        uint8[2] calldata paces,
        uint8[2][2] calldata blades
    )
        external
        pure
        returns (
            Seat winner,
            Seat taker,
            uint256 rounds,
            uint256[2] memory health,
            uint256[2] memory honour,
            uint256[] memory logEntries
        )
    {
        DuelState memory duelState;
        uint256[2] memory moves;
        for (uint256 side = 0; side < 2; ++side) {
            _checkPaces(paces[side]);
            moves[side] = _checkedBlades(blades[side][0], blades[side][1]);
            duelState.sides[side] = Side(uint256(archetypes[side]), strengths[side], Strikes.FULL_HEALTH, 0);
        }
        rounds = duelState.shoot(Dice.word(seeds[0], 0), [uint256(paces[0]), paces[1]]) ? 1 : 2;
        if (rounds == 2) duelState.fight(_diceOf(seeds[1]), moves);
        duelState.logResult();
        health = [duelState.sides[0].health, duelState.sides[1].health];
        honour = [duelState.sides[0].honour, duelState.sides[1].honour];
        return (duelState.winner, duelState.taker, rounds, health, honour, duelState.logEntries());
    }

    /// @notice Returns the standing of a player after duels of these honours, 0..100 each, oldest first.
    function previewStanding(uint8[] calldata honours) external view returns (Standing memory standing) {
        StoredHonour honour;
        for (uint256 i = 0; i < honours.length; ++i) honour = honour.add(honours[i]);
        return honour.standing();
    }

    /// @dev Plays round 1: the shots and, unless they end the duel, the commitment of round 2.
    function _pistols(Duel calldata duel, bytes calldata data) private returns (Step memory step) {
        (bytes32 seed, bytes32 state_, bytes calldata move1, bytes calldata move2, bytes calldata next) = _takeReveal(
            duel,
            data,
            1,
            1
        );
        uint256[2] memory paces = [_pacesIn(move1), _pacesIn(move2)];
        uint256 state = uint256(state_);
        DuelState memory duelState = _duelStateFrom(state, Strikes.FULL_HEALTH, Strikes.FULL_HEALTH);
        if (duelState.shoot(Dice.word(seed, 0), paces)) {
            _finish(duel, 1, duelState, step);
            return step;
        }
        state |= duelState.sides[0].health << _STATE_HEALTH_1_AT;
        state |= duelState.sides[1].health << _STATE_HEALTH_2_AT;
        state |= paces[0] << _STATE_PACES_1_AT;
        state |= paces[1] << _STATE_PACES_2_AT;
        _log(duel.id, 1, duelState.logEntries());
        step.turn = Seat.Two;
        step.position = _withCommitment(2, bytes32(state), next);
    }

    /// @dev Plays round 2: the blades, which always end the duel.
    function _blades(Duel calldata duel, bytes calldata data) private returns (Step memory step) {
        (bytes32 seed, bytes32 state_, bytes calldata move1, bytes calldata move2, ) = _takeReveal(duel, data, 2, 2);
        uint256 state = uint256(state_);
        DuelState memory duelState = _duelStateFrom(
            state,
            (state >> _STATE_HEALTH_1_AT) & _HEALTH_MASK,
            (state >> _STATE_HEALTH_2_AT) & _HEALTH_MASK
        );
        duelState.sides[0].honour = 10 * ((state >> _STATE_PACES_1_AT) & _PACES_MASK);
        duelState.sides[1].honour = 10 * ((state >> _STATE_PACES_2_AT) & _PACES_MASK);
        duelState.fight(_diceOf(seed), [_bladesIn(move1), _bladesIn(move2)]);
        _finish(duel, 2, duelState, step);
    }

    /// @dev Logs the result, adds the duel to both records if it is rated and not from a channel, and writes the result
    /// into the step.
    function _finish(Duel calldata duel, uint256 round, DuelState memory duelState, Step memory step) private {
        if (duel.rated && !_isOfChannel(duel.id)) {
            _honours[duel.player1] = _honours[duel.player1].add(duelState.sides[0].honour);
            _honours[duel.player2] = _honours[duel.player2].add(duelState.sides[1].honour);
        }
        duelState.logResult();
        _log(duel.id, round, duelState.logEntries());
        (step.winner, step.taker) = (duelState.winner, duelState.taker);
    }

    /// @inheritdoc Game
    // No mode can be registered, so there is nothing to check.
    // solhint-disable-next-line no-empty-blocks
    function _checkMode(bytes calldata) internal pure override {}

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULT_MODE;
    }

    /// @dev Builds a duel from the duelists in a state, and their health.
    function _duelStateFrom(
        uint256 state,
        uint256 health1,
        uint256 health2
    ) private pure returns (DuelState memory duelState) {
        duelState.sides[0] = Side(
            (state >> _STATE_ARCHETYPE_1_AT) & _ARCHETYPE_MASK,
            (state >> _STATE_STRENGTH_1_AT) & _STRENGTH_MASK,
            health1,
            0
        );
        duelState.sides[1] = Side(
            (state >> _STATE_ARCHETYPE_2_AT) & _ARCHETYPE_MASK,
            (state >> _STATE_STRENGTH_2_AT) & _STRENGTH_MASK,
            health2,
            0
        );
    }

    /// @dev Returns the words of dice that round 2 may need.
    function _diceOf(bytes32 seed) private pure returns (uint256[3] memory) {
        return [Dice.word(seed, 1), Dice.word(seed, 2), Dice.word(seed, 3)];
    }

    /// @dev Returns whether the state in an answer has the standings of both players, which `create` never produces.
    /// The length of the data is checked later.
    function _isSigned(bytes calldata data) private pure returns (bool) {
        return data.length > _ROUND_BYTES && (uint256(bytes32(data[_ROUND_BYTES:])) >> _STATE_SIGNED_AT) & 1 == 1;
    }

    function _pacesIn(bytes calldata move) private pure returns (uint256 paces) {
        paces = uint8(move[0]);
        _checkPaces(paces);
    }

    function _bladesIn(bytes calldata move) private pure returns (uint256 blades) {
        return _checkedBlades(uint8(move[0]), uint8(move[1]));
    }

    function _checkPaces(uint256 paces) private pure {
        if (paces == 0 || paces > _MAX_PACES) revert PacesOutOfBounds(paces, 1, _MAX_PACES);
    }

    function _checkedBlades(uint256 slot1, uint256 slot2) private pure returns (uint256 blades) {
        if (!Duelling.isMove(slot1, slot2)) revert NoSuchBlades(slot1, slot2);
        return (slot1 << 8) | slot2;
    }
}
