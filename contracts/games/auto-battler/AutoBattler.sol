// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Memory} from "@openzeppelin/contracts/utils/Memory.sol";
import {LibBytes} from "solady/src/utils/LibBytes.sol";
import {IArena, Status} from "../../interfaces/IArena.sol";
import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Fighters, Traits, packTraits} from "../../tokens/Fighters.sol";
import {AutoBattle, Combatant, Rules} from "./AutoBattle.sol";
import {Fighter, FighterRecord} from "./FighterRecords.sol";
import {Game} from "../Game.sol";
import {CommitReveal} from "../CommitReveal.sol";

/// @dev A mode, decoded.
struct Mode {
    Rules rules;
    /// By stat: the values of tiers 1, 2, 3, 16 bits each from the highest.
    uint256[6] values;
    uint256 cooldownSecs;
}

/// @title Auto-battler
/// @notice Player 1 commits to a team of five of its fighters, player 2 answers with five of its own in the open,
/// player 1 opens, and the teams fight on their own. Player 2's fighters are busy until the match is over; after a
/// battle all ten but the golden ones cool down. Source: WAX Duel, "Game Mechanics".
///
/// A team is five token ids of 16 bytes, slots 0..4. A mode is 52 bytes:
///
///     bytes 0-1    dodgeMaxRandom 2..1000       bytes 10-11  comboFactor 10000..60000, of 10 000
///     bytes 2-3    comboMaxRandom 1..1000       bytes 12-47  values of tiers 1, 2, 3 of attack, defense, health, speed
///     bytes 4-9    rangeFactors[3], of 10 000                (from 1), range, combo (from 0): 2 bytes each
///                  (falling)                    bytes 48-51  cooldownSecs, up to 30 days
///
/// Warning: keep a committed team's fighters until it is opened: who sells or moves one cannot open and loses by the
/// clock.
/// Warning: in a mode in which nobody can be eliminated player 1 wins after 100 rounds.
contract AutoBattler is CommitReveal {
    using LibBytes for bytes;
    using Memory for Memory.Slice;

    uint256 private constant _TEAM = 5;
    uint256 private constant _ID_BYTES = 16;
    uint256 private constant _TEAM_BYTES = _TEAM * _ID_BYTES;
    uint256 private constant _MODE_BYTES = 52;
    uint256 private constant _VALUES = 12;
    uint256 private constant _STATS = 6;
    /// @dev The first four stats' values start at 1, the others at 0.
    uint256 private constant _STATS_FROM_1 = 4;
    uint256 private constant _MAX_COOLDOWN = 30 days;
    uint256 private constant _BPS = 10_000;
    bytes private constant _DEFAULTS =
        hex"000a000a1d4c138809c4445c"
        hex"000100020004000100020004000400080010000100020004000100020004000100020004"
        hex"00015180";

    /// @notice The fighters that may be brought.
    Fighters public immutable fighters;

    mapping(uint256 fighterId => FighterRecord fighter) private _fighters;

    /// @notice The fighter belongs to somebody else.
    error NotOwned(uint256 fighterId, address owner, address player);

    /// @notice The fighter is in a match that is not over.
    error Busy(uint256 fighterId, uint256 matchId);

    /// @notice The fighter may fight again from `until` on.
    error CoolingDown(uint256 fighterId, uint256 until, uint256 time);

    /// @notice A team has five different fighters.
    error SameFighterTwice(uint256 fighterId);

    constructor(address arena_, Fighters fighters_) CommitReveal(arena_) {
        fighters = fighters_;
    }

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory step) {
        _requireMode(duel.mode);
        _putCommitment(duel.id, 1, 0, data);
        step.turn = Seat.Two;
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external onlyArena returns (Step memory step) {
        (, , bytes calldata team) = _takeAnswer(duel.id, data, _TEAM_BYTES);
        _checkDifferent(team);
        for (uint256 slot = 0; slot < _TEAM; ++slot) {
            uint256 fighterId = _fighterId(team, slot);
            (FighterRecord fighter, ) = _checkReady(fighterId, duel.player2);
            _fighters[fighterId] = fighter.withMatch(duel.id);
        }
        step.turn = Seat.One;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory step) {
        (bytes32 seed, , bytes calldata team1, bytes calldata team2, ) = _takeReveal(
            duel.id,
            duel.player1,
            data,
            _TEAM_BYTES,
            _TEAM_BYTES
        );
        _end(duel.id);
        _checkDifferent(team1);
        Traits[2 * _TEAM] memory traits;
        for (uint256 slot = 0; slot < _TEAM; ++slot) {
            (, traits[2 * slot]) = _checkReady(_fighterId(team1, slot), duel.player1);
            traits[2 * slot + 1] = fighters.traitsOf(_fighterId(team2, slot));
        }
        step.winner = _battle(duel, seed, team1, team2, traits);
        step.taker = step.winner;
    }

    /// @notice What a fighter has been through; `UnknownFighter` if it was never made.
    function fighterOf(uint256 fighterId) external view returns (Fighter memory) {
        fighters.traitsOf(fighterId);
        return _fighters[fighterId].unpack();
    }

    /// @notice What keeps a fighter from fighting, for buyers too; `UnknownFighter` if it was never made.
    /// @return matchId The match it is in, or zero.
    /// @return until The second from which on it may fight if it is in no match; not in the future if it may fight now.
    function busyUntil(uint256 fighterId) external view returns (uint256 matchId, uint256 until) {
        fighters.traitsOf(fighterId);
        FighterRecord fighter = _fighters[fighterId];
        return (_isInPlay(fighter.matchId()) ? fighter.matchId() : 0, fighter.cooldownEnd());
    }

    /// @notice Runs the engine without a match.
    /// @param mode A mode's content; empty for the default.
    /// @param team1 Tiers of player 1's fighters by slot: attack, defense, health, speed, range, combo, 1..3 each.
    /// @return winner The winner.
    /// @return hp Final hp of player 1's five fighters, then of player 2's.
    /// @return logEntries The log.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        uint8[6][5] calldata team1,
        uint8[6][5] calldata team2
    ) external pure returns (Seat winner, uint256[] memory hp, uint256[] memory logEntries) {
        if (mode.length != 0) _checkMode(mode);
        Mode memory decoded = _decode(mode.length == 0 ? _DEFAULTS : mode);
        Combatant[2 * _TEAM] memory combatants;
        for (uint256 seat = 0; seat < 2 * _TEAM; ++seat) {
            uint256 slot = seat / 2;
            combatants[seat] = _muster(decoded, packTraits(0, seat % 2 == 0 ? team1[slot] : team2[slot], false), slot);
        }
        uint256 side;
        (side, logEntries) = AutoBattle.fight(seed, decoded.rules, combatants);
        winner = side == 0 ? Seat.One : Seat.Two;
        hp = new uint256[](2 * _TEAM);
        for (uint256 i = 0; i < 2 * _TEAM; ++i) hp[i] = combatants[2 * (i % _TEAM) + i / _TEAM].hp();
    }

    /// @dev Reads both teams' traits, fights, logs and keeps the fighters' counters. Traits stay readable for ever, so
    /// nothing that has become of player 2's fighters since can hold player 1 up.
    function _battle(
        Duel calldata duel,
        bytes32 seed,
        bytes calldata team1,
        bytes calldata team2,
        Traits[2 * _TEAM] memory traits
    ) private returns (Seat winner) {
        Mode memory mode = _decode(modeOf(duel.mode));
        Combatant[2 * _TEAM] memory combatants;
        for (uint256 seat = 0; seat < 2 * _TEAM; ++seat) {
            combatants[seat] = _muster(mode, traits[seat], seat / 2);
        }
        (uint256 side, uint256[] memory logEntries) = AutoBattle.fight(seed, mode.rules, combatants);
        for (uint256 seat = 0; seat < 2 * _TEAM; ++seat) {
            uint256 cooldown = traits[seat].isGolden() ? 0 : mode.cooldownSecs;
            _keepScore(_fighterId(seat % 2 == 0 ? team1 : team2, seat / 2), combatants[seat], cooldown);
        }
        _log(duel.id, 1, logEntries);
        return side == 0 ? Seat.One : Seat.Two;
    }

    function _keepScore(uint256 fighterId, Combatant combatant, uint256 cooldown) private {
        FighterRecord fighter = _fighters[fighterId].withMatch(0);
        if (cooldown != 0) fighter = fighter.withCooldownEnd(block.timestamp + cooldown);
        _fighters[fighterId] = fighter.withBattle(combatant);
    }

    /// @dev Owned by the player, in no match, and rested.
    function _checkReady(
        uint256 fighterId,
        address player
    ) private view returns (FighterRecord fighter, Traits traits) {
        (address owner, uint256 word) = fighters.characterOf(fighterId);
        if (owner != player) revert NotOwned(fighterId, owner, player);
        fighter = _fighters[fighterId];
        if (_isInPlay(fighter.matchId())) revert Busy(fighterId, fighter.matchId());
        uint256 end = fighter.cooldownEnd();
        if (block.timestamp < end) revert CoolingDown(fighterId, end, block.timestamp);
        traits = Traits.wrap(word);
    }

    /// @dev A match that ended without a battle never told this game: the arena knows.
    function _isInPlay(uint256 matchId) private view returns (bool) {
        return matchId != 0 && IArena(arena).statusOf(matchId) == Status.AllJoined;
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        _checkField(content, 0, 2, 2, 1000);
        _checkField(content, 2, 2, 1, 1000);
        uint256 max = _BPS;
        for (uint256 offset = 4; offset < 10; offset += 2) max = _checkField(content, offset, 2, 0, max);
        _checkField(content, 10, 2, _BPS, 60_000);
        for (uint256 stat = 0; stat < _STATS; ++stat) {
            uint256 min = stat < _STATS_FROM_1 ? 1 : 0;
            uint256 start = _VALUES + 6 * stat;
            for (uint256 offset = start; offset < start + 6; offset += 2) {
                min = _checkField(content, offset, 2, min, type(uint16).max);
            }
        }
        _checkField(content, 48, 4, 0, _MAX_COOLDOWN);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULTS;
    }

    function _decode(bytes memory content) private pure returns (Mode memory mode) {
        Memory.Slice slice = Memory.asSlice(content);
        uint256 head = uint256(slice.load(0)) >> 160;
        mode.rules = Rules({
            dodgeRolls: uint256(uint16(head >> 80)) + 1,
            comboRolls: uint256(uint16(head >> 64)) + 1,
            // The engine's index 0 is no penalty.
            rangeFactors: _BPS |
                (uint256(uint16(head >> 48)) << 16) |
                (uint256(uint16(head >> 32)) << 32) |
                (uint256(uint16(head >> 16)) << 48),
            comboFactor: uint16(head)
        });
        for (uint256 stat = 0; stat < _STATS; ++stat) {
            mode.values[stat] = uint256(slice.load(_VALUES + 6 * stat)) >> 208;
        }
        mode.cooldownSecs = uint256(slice.load(48)) >> 224;
    }

    /// @dev A fighter with the mode's values for its tiers.
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
        for (uint256 slot = 1; slot < _TEAM; ++slot) {
            uint256 fighterId = _fighterId(team, slot);
            for (uint256 other = 0; other < slot; ++other) {
                if (_fighterId(team, other) == fighterId) revert SameFighterTwice(fighterId);
            }
        }
    }

    function _fighterId(bytes calldata team, uint256 slot) private pure returns (uint256) {
        unchecked {
            return uint256(team.loadCalldata(slot * _ID_BYTES)) >> (256 - 8 * _ID_BYTES);
        }
    }
}
