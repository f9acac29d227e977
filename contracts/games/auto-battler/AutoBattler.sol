// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Memory} from "@openzeppelin/contracts/utils/Memory.sol";
import {LibBytes} from "solady/src/utils/LibBytes.sol";
import {IArena, Status} from "../../interfaces/IArena.sol";
import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {BPS} from "../../libraries/BasisPoints.sol";
import {Fighters, Traits, packTraits} from "../../tokens/Fighters.sol";
import {AutoBattle, Combatant, Rules} from "./AutoBattle.sol";
import {Fighter, FighterRecord} from "./FighterRecords.sol";
import {Game} from "../Game.sol";
import {CommitReveal} from "../CommitReveal.sol";
import {Sides} from "../Sides.sol";

// Number of fighters in a team, and bytes of each id.
uint256 constant _TEAM_SIZE = 5;
uint256 constant _ID_BYTES = 16;
uint256 constant _TEAM_BYTES = _TEAM_SIZE * _ID_BYTES;

/// @notice Returns the id of the fighter in a slot of a team.
function _fighterId(bytes calldata team, uint256 slot) pure returns (uint256) {
    unchecked {
        return uint256(LibBytes.loadCalldata(team, slot * _ID_BYTES)) >> (256 - 8 * _ID_BYTES);
    }
}

/// @dev A mode, decoded.
struct Mode {
    Rules rules;
    /// Values of the tiers 1, 2, 3 by stat, 16 bits each from the highest.
    uint256[6] values;
    uint256 cooldownSecs;
}

/// @title Auto-battler
/// @notice Player 1 commits to a team of five of its fighters, player 2 answers with five of its own in the open,
/// player 1 reveals, and the teams fight on their own. Player 2's fighters are busy until the match is over; after a
/// battle all ten but the golden ones cool down. Source: WAX Duel, "Game Mechanics".
///
/// A team is five token ids of 16 bytes, in slots 0..4. A mode is 52 bytes; factors are in basis points, and each field
/// ending in Values has 2 bytes for each of the tiers 1, 2, 3:
///
///     bytes 0-1    dodgeMaxRandom 2..1000                     bytes 24-29  healthValues, from 1, never falling
///     bytes 2-3    comboMaxRandom 1..1000                     bytes 30-35  speedValues, from 1, never falling
///     bytes 4-9    rangeFactors[3] 0..10000, never rising     bytes 36-41  rangeValues, never falling
///     bytes 10-11  comboFactor 10000..60000                   bytes 42-47  comboValues, never falling
///     bytes 12-17  attackValues, from 1, never falling        bytes 48-51  cooldownSecs, up to 30 days
///     bytes 18-23  defenseValues, from 1, never falling
///
/// Warning: keep a committed team's fighters until you reveal the team: a player who sells or moves one of them cannot
/// reveal, and loses by the clock.
/// Warning: if nobody can be eliminated in a mode, player 1 wins after 100 rounds.
contract AutoBattler is CommitReveal {
    using Memory for Memory.Slice;

    uint256 private constant _MODE_BYTES = 52;
    uint256 private constant _MODE_DODGE_MAX_RANDOM_AT = 0;
    uint256 private constant _MODE_COMBO_MAX_RANDOM_AT = 2;
    uint256 private constant _MODE_RANGE_FACTORS_AT = 4;
    uint256 private constant _MODE_COMBO_FACTOR_AT = 10;
    uint256 private constant _MODE_ATTACK_VALUES_AT = 12;
    uint256 private constant _MODE_DEFENSE_VALUES_AT = 18;
    uint256 private constant _MODE_HEALTH_VALUES_AT = 24;
    uint256 private constant _MODE_SPEED_VALUES_AT = 30;
    uint256 private constant _MODE_RANGE_VALUES_AT = 36;
    uint256 private constant _MODE_COMBO_VALUES_AT = 42;
    uint256 private constant _MODE_COOLDOWN_SECS_AT = 48;
    uint256 private constant _MAX_COOLDOWN = 30 days;
    bytes private constant _DEFAULT_MODE =
        hex"000a000a1d4c138809c4445c"
        hex"000100020004000100020004000400080010000100020004000100020004000100020004"
        hex"00015180";

    /// @notice Token contract of the fighters.
    Fighters public immutable fighters;

    mapping(uint256 fighterId => FighterRecord fighter) private _fighters;

    /// @notice The fighter belongs to somebody other than the player.
    error NotOwned(uint256 fighterId, address owner, address player);

    /// @notice The fighter is in a match that is not over.
    error Busy(uint256 fighterId, uint256 matchId);

    /// @notice The fighter may fight again from `until` on.
    error CoolingDown(uint256 fighterId, uint256 until, uint256 time);

    /// @notice The team has a fighter twice.
    error SameFighterTwice(uint256 fighterId);

    constructor(address arena_, Fighters fighters_) CommitReveal(arena_) {
        fighters = fighters_;
    }

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        _requireMode(duel.mode);
        step.turn = Seat.Two;
        step.position = _withCommitment(1, 0, data);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory step) {
        (, , bytes calldata team, bytes32 next) = _takeAnswer(duel, data, _TEAM_BYTES);
        _checkDifferent(team);
        bool kept = !_isOfChannel(duel.id);
        for (uint256 slot = 0; slot < _TEAM_SIZE; ++slot) {
            uint256 fighterId = _fighterId(team, slot);
            (FighterRecord fighter, ) = _checkReady(fighterId, duel.player2, kept);
            if (kept) _fighters[fighterId] = fighter.withMatch(duel.id);
        }
        step.turn = Seat.One;
        step.position = next;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory step) {
        (bytes32 seed, , bytes calldata team1, bytes calldata team2, ) = _takeReveal(
            duel,
            data,
            _TEAM_BYTES,
            _TEAM_BYTES
        );
        _checkDifferent(team1);
        Traits[2 * _TEAM_SIZE] memory traits;
        bool kept = !_isOfChannel(duel.id);
        for (uint256 slot = 0; slot < _TEAM_SIZE; ++slot) {
            (, traits[2 * slot]) = _checkReady(_fighterId(team1, slot), duel.player1, kept);
            traits[2 * slot + 1] = fighters.traitsOf(_fighterId(team2, slot));
        }
        step.winner = _battle(duel, seed, team1, team2, traits);
        step.taker = step.winner;
    }

    /// @notice Returns a fighter's record. Reverts with `UnknownFighter` if it was never minted.
    function fighterOf(uint256 fighterId) external view returns (Fighter memory) {
        fighters.traitsOf(fighterId);
        return _fighters[fighterId].unpack();
    }

    /// @notice Returns what keeps a fighter from fighting, which buyers may want to know. Reverts with `UnknownFighter`
    /// if it was never minted.
    /// @return matchId Match in play that the fighter is in, or zero.
    /// @return until Time from which the fighter may fight if it is in no match, in seconds since 1970; not in the
    /// future if it may fight now.
    function busyUntil(uint256 fighterId) external view returns (uint256 matchId, uint256 until) {
        fighters.traitsOf(fighterId);
        FighterRecord fighter = _fighters[fighterId];
        return (_isInPlay(fighter.matchId()) ? fighter.matchId() : 0, fighter.cooldownEnd());
    }

    /// @notice Runs the engine without a match.
    /// @param seed Seed of the dice.
    /// @param mode Content of a mode; empty for the default.
    /// @param team1 Tiers of player 1's fighters by slot: attack, defense, health, speed, range, combo, 1..3 each.
    /// @param team2 Tiers of player 2's fighters.
    /// @return winner Seat that has won.
    /// @return hp Final hp of player 1's five fighters, then of player 2's.
    /// @return logEntries Log, an entry per attack.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        uint8[6][5] calldata team1,
        uint8[6][5] calldata team2
    ) external pure returns (Seat winner, uint256[] memory hp, uint256[] memory logEntries) {
        Mode memory decoded = _decode(_previewMode(mode));
        Combatant[2 * _TEAM_SIZE] memory combatants;
        for (uint256 place = 0; place < 2 * _TEAM_SIZE; ++place) {
            uint256 slot = place / 2;
            combatants[place] = _muster(
                decoded,
                packTraits(0, place % 2 == 0 ? team1[slot] : team2[slot], false),
                slot
            );
        }
        uint256 side;
        (side, logEntries) = AutoBattle.fight(seed, decoded.rules, combatants);
        winner = Sides.seatOf(side);
        hp = new uint256[](2 * _TEAM_SIZE);
        for (uint256 i = 0; i < 2 * _TEAM_SIZE; ++i) hp[i] = combatants[2 * (i % _TEAM_SIZE) + i / _TEAM_SIZE].hp();
    }

    /// @dev Fights, logs and records the counts of all fighters. `traits` are by place. Traits stay readable for ever,
    /// so nothing that player 2 has done with its fighters since joining can keep player 1 from revealing.
    function _battle(
        Duel calldata duel,
        bytes32 seed,
        bytes calldata team1,
        bytes calldata team2,
        Traits[2 * _TEAM_SIZE] memory traits
    ) private returns (Seat winner) {
        Mode memory mode = _decode(modeOf(duel.mode));
        Combatant[2 * _TEAM_SIZE] memory combatants;
        for (uint256 place = 0; place < 2 * _TEAM_SIZE; ++place) {
            combatants[place] = _muster(mode, traits[place], place / 2);
        }
        (uint256 side, uint256[] memory logEntries) = AutoBattle.fight(seed, mode.rules, combatants);
        if (!_isOfChannel(duel.id)) {
            for (uint256 place = 0; place < 2 * _TEAM_SIZE; ++place) {
                uint256 fighterId = _fighterId(place % 2 == 0 ? team1 : team2, place / 2);
                _keepScore(fighterId, combatants[place], traits[place].isGolden() ? 0 : mode.cooldownSecs);
            }
        }
        _log(duel.id, 1, logEntries);
        return Sides.seatOf(side);
    }

    /// @dev Records a battle: frees the fighter, lets it rest for `cooldown` seconds, and adds the counts.
    function _keepScore(uint256 fighterId, Combatant combatant, uint256 cooldown) private {
        FighterRecord fighter = _fighters[fighterId].withMatch(0);
        if (cooldown != 0) fighter = fighter.withCooldownEnd(block.timestamp + cooldown);
        _fighters[fighterId] = fighter.withBattle(combatant);
    }

    /// @dev Reverts unless the player owns the fighter and, if `kept`, the fighter is in no match and rested.
    function _checkReady(
        uint256 fighterId,
        address player,
        bool kept
    ) private view returns (FighterRecord fighter, Traits traits) {
        (address owner, uint256 word) = fighters.characterOf(fighterId);
        if (owner != player) revert NotOwned(fighterId, owner, player);
        traits = Traits.wrap(word);
        if (!kept) return (fighter, traits);
        fighter = _fighters[fighterId];
        if (_isInPlay(fighter.matchId())) revert Busy(fighterId, fighter.matchId());
        uint256 end = fighter.cooldownEnd();
        if (block.timestamp < end) revert CoolingDown(fighterId, end, block.timestamp);
    }

    /// @dev Returns whether a match is in play. Asks the arena, as a match may end without a call to this game.
    function _isInPlay(uint256 matchId) private view returns (bool) {
        return matchId != 0 && IArena(arena).statusOf(matchId) == Status.AllJoined;
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        _checkField(content, _MODE_DODGE_MAX_RANDOM_AT, 2, 2, 1000);
        _checkField(content, _MODE_COMBO_MAX_RANDOM_AT, 2, 1, 1000);
        uint256 max = BPS;
        for (uint256 i = 0; i < 3; ++i) max = _checkField(content, _MODE_RANGE_FACTORS_AT + 2 * i, 2, 0, max);
        _checkField(content, _MODE_COMBO_FACTOR_AT, 2, BPS, 60_000);
        _checkValues(content, _MODE_ATTACK_VALUES_AT, 1);
        _checkValues(content, _MODE_DEFENSE_VALUES_AT, 1);
        _checkValues(content, _MODE_HEALTH_VALUES_AT, 1);
        _checkValues(content, _MODE_SPEED_VALUES_AT, 1);
        _checkValues(content, _MODE_RANGE_VALUES_AT, 0);
        _checkValues(content, _MODE_COMBO_VALUES_AT, 0);
        _checkField(content, _MODE_COOLDOWN_SECS_AT, 4, 0, _MAX_COOLDOWN);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULT_MODE;
    }

    function _decode(bytes memory content) private pure returns (Mode memory mode) {
        Memory.Slice slice = Memory.asSlice(content);
        uint256 factors = uint256(slice.load(_MODE_RANGE_FACTORS_AT));
        mode.rules = Rules({
            dodgeRolls: uint256(uint16(bytes2(slice.load(_MODE_DODGE_MAX_RANDOM_AT)))) + 1,
            comboRolls: uint256(uint16(bytes2(slice.load(_MODE_COMBO_MAX_RANDOM_AT)))) + 1,
            // The engine's penalty 0 means no penalty.
            rangeFactors: BPS |
                (uint256(uint16(factors >> 240)) << 16) |
                (uint256(uint16(factors >> 224)) << 32) |
                (uint256(uint16(factors >> 208)) << 48),
            comboFactor: uint16(bytes2(slice.load(_MODE_COMBO_FACTOR_AT)))
        });
        mode.values[0] = _values(slice, _MODE_ATTACK_VALUES_AT);
        mode.values[1] = _values(slice, _MODE_DEFENSE_VALUES_AT);
        mode.values[2] = _values(slice, _MODE_HEALTH_VALUES_AT);
        mode.values[3] = _values(slice, _MODE_SPEED_VALUES_AT);
        mode.values[4] = _values(slice, _MODE_RANGE_VALUES_AT);
        mode.values[5] = _values(slice, _MODE_COMBO_VALUES_AT);
        mode.cooldownSecs = uint32(bytes4(slice.load(_MODE_COOLDOWN_SECS_AT)));
    }

    /// @dev Reverts if the values of the tiers 1, 2, 3 start below `min`, or fall.
    function _checkValues(bytes calldata content, uint256 offset, uint256 min) private pure {
        for (uint256 i = 0; i < 3; ++i) min = _checkField(content, offset + 2 * i, 2, min, type(uint16).max);
    }

    function _values(Memory.Slice content, uint256 offset) private pure returns (uint256) {
        return uint48(bytes6(content.load(offset)));
    }

    /// @dev Packs a fighter with the mode's values for its tiers.
    function _muster(Mode memory mode, Traits traits, uint256 slot) private pure returns (Combatant) {
        return
            AutoBattle.muster(
                _value(mode, traits, 0),
                _value(mode, traits, 1),
                _value(mode, traits, 2),
                _value(mode, traits, 3),
                _value(mode, traits, 4),
                _value(mode, traits, 5),
                slot
            );
    }

    function _value(Mode memory mode, Traits traits, uint256 stat) private pure returns (uint256) {
        unchecked {
            return uint16(mode.values[stat] >> (16 * (3 - traits.tierOf(stat))));
        }
    }

    function _checkDifferent(bytes calldata team) private pure {
        for (uint256 slot = 1; slot < _TEAM_SIZE; ++slot) {
            uint256 fighterId = _fighterId(team, slot);
            for (uint256 other = 0; other < slot; ++other) {
                if (_fighterId(team, other) == fighterId) revert SameFighterTwice(fighterId);
            }
        }
    }
}
