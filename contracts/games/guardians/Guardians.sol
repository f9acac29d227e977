// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel, IGame, Seat, Step} from "../../interfaces/IGame.sol";
import {Card, GuardianCards, packCard, Stats} from "../../tokens/GuardianCards.sol";
import {Game} from "../Game.sol";
import {GuardianBattle, Mode} from "./GuardianBattle.sol";
import {CommitReveal} from "../CommitReveal.sol";

/// @title Guardians
/// @notice Player 1 commits to a team of its cards, player 2 answers in the open with a team of its cards, player 1
/// reveals, and the teams fight on their own. Cards do not tire: they may be in any number of matches. Source: Protocol
/// Guardians, "Battle Formulas".
///
/// A team is teamSize token ids of 16 bytes, from slot 0 on. A mode is 5 bytes:
///
///     byte  0    teamSize 1..5
///     bytes 1-2  maxTurns 1..500
///     bytes 3-4  dodgeCap 0..1000, of 1000
///
/// Warning: keep a committed team's cards until you reveal the team: a player who sells or moves one of them cannot
/// reveal, and loses by the clock.
contract Guardians is CommitReveal {
    uint256 private constant _SLOTS = 5;
    uint256 private constant _ID_BYTES = 16;
    uint256 private constant _MODE_BYTES = 5;
    uint256 private constant _MODE_TEAM_SIZE_AT = 0;
    uint256 private constant _MODE_MAX_TURNS_AT = 1;
    uint256 private constant _MODE_DODGE_CAP_AT = 3;
    /// @dev Teams of 3, 50 turns, dodges capped at 750.
    bytes private constant _DEFAULT_MODE = hex"03003202ee";

    /// @notice Token contract of the cards.
    GuardianCards public immutable cards;

    /// @notice The card belongs to somebody other than the player.
    error CardNotOwned(uint256 cardId, address owner, address player);

    /// @notice The team has a card twice.
    error SameCardTwice(uint256 cardId);

    /// @notice A team to preview does not have as many cards as the mode says.
    error WrongTeamSize(uint256 size, uint256 expected);

    constructor(address arena_, GuardianCards cards_) CommitReveal(arena_) {
        cards = cards_;
    }

    /// @inheritdoc IGame
    function create(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        _requireMode(duel.mode);
        step.turn = Seat.Two;
        step.position = _withCommitment(1, 0, data);
    }

    /// @inheritdoc IGame
    function join(Duel calldata duel, bytes calldata data) external view onlyArena returns (Step memory step) {
        uint256 size = _decode(modeOf(duel.mode)).teamSize;
        (, , bytes calldata team, bytes32 next) = _takeAnswer(duel, data, size * _ID_BYTES);
        for (uint256 slot = 0; slot < size; ++slot) _ownCard(team, slot, duel.player2);
        step.turn = Seat.One;
        step.position = next;
    }

    /// @inheritdoc IGame
    function act(Duel calldata duel, Seat, bytes calldata data) external onlyArena returns (Step memory step) {
        Mode memory mode = _decode(modeOf(duel.mode));
        uint256 length = mode.teamSize * _ID_BYTES;
        (bytes32 seed, , bytes calldata team1, bytes calldata team2, ) = _takeReveal(duel, data, length, length);
        // Stats stay readable for ever, so nothing that player 2 has done with its cards can block player 1.
        Card[2 * _SLOTS] memory fighting;
        for (uint256 slot = 0; slot < mode.teamSize; ++slot) {
            fighting[slot] = _ownCard(team1, slot, duel.player1);
            fighting[_SLOTS + slot] = cards.cardOf(_cardId(team2, slot));
        }
        uint256 order = GuardianBattle.order(seed, mode.teamSize, fighting);
        uint256[] memory logEntries;
        (step.winner, logEntries) = GuardianBattle.fight(seed, mode, order, fighting);
        step.taker = step.winner;
        _log(duel.id, 1, logEntries);
    }

    /// @notice Runs the engine without a match. Reverts with `WrongTeamSize` unless both teams have as many cards as
    /// the mode says.
    /// @param seed Seed of the dice.
    /// @param mode Content of a mode; empty for the default.
    /// @param team1 Player 1's cards by slot.
    /// @param team2 Player 2's cards by slot.
    /// @return winner Seat that has won; None is a draw.
    /// @return order Cards in the order in which they act, as side * 5 + slot.
    /// @return hp Final hp of player 1's cards, then of player 2's.
    /// @return logEntries Log, an entry per attack.
    function preview(
        bytes32 seed,
        bytes calldata mode,
        Stats[] calldata team1,
        Stats[] calldata team2
    ) external pure returns (Seat winner, uint256[] memory order, uint256[] memory hp, uint256[] memory logEntries) {
        Mode memory decoded = _decode(_previewMode(mode));
        uint256 size = decoded.teamSize;
        if (team1.length != size) revert WrongTeamSize(team1.length, size);
        if (team2.length != size) revert WrongTeamSize(team2.length, size);
        Card[2 * _SLOTS] memory fighting;
        for (uint256 slot = 0; slot < size; ++slot) {
            fighting[slot] = packCard(team1[slot]);
            fighting[_SLOTS + slot] = packCard(team2[slot]);
        }
        uint256 places = GuardianBattle.order(seed, size, fighting);
        (winner, logEntries) = GuardianBattle.fight(seed, decoded, places, fighting);
        (order, hp) = (new uint256[](2 * size), new uint256[](2 * size));
        for (uint256 i = 0; i < 2 * size; ++i) order[i] = (places >> (4 * i)) & 0xf;
        for (uint256 slot = 0; slot < size; ++slot) {
            hp[slot] = fighting[slot].hp();
            hp[size + slot] = fighting[_SLOTS + slot].hp();
        }
    }

    /// @dev Returns a card of a team; reverts if an earlier slot has the same card, or if the player does not own it.
    function _ownCard(bytes calldata team, uint256 slot, address player) private view returns (Card) {
        uint256 cardId = _cardId(team, slot);
        for (uint256 other = 0; other < slot; ++other) {
            if (_cardId(team, other) == cardId) revert SameCardTwice(cardId);
        }
        (address owner, uint256 word) = cards.characterOf(cardId);
        if (owner != player) revert CardNotOwned(cardId, owner, player);
        return Card.wrap(word);
    }

    /// @inheritdoc Game
    function _checkMode(bytes calldata content) internal pure override {
        _checkLength(content, _MODE_BYTES, _MODE_BYTES);
        _checkField(content, _MODE_TEAM_SIZE_AT, 1, 1, _SLOTS);
        _checkField(content, _MODE_MAX_TURNS_AT, 2, 1, 500);
        _checkField(content, _MODE_DODGE_CAP_AT, 2, 0, 1000);
    }

    /// @inheritdoc Game
    function _defaultMode() internal pure override returns (bytes memory) {
        return _DEFAULT_MODE;
    }

    function _decode(bytes memory content) private pure returns (Mode memory) {
        bytes5 packed = bytes5(content);
        return
            Mode({
                teamSize: uint8(bytes1(packed << (8 * _MODE_TEAM_SIZE_AT))),
                maxTurns: uint16(bytes2(packed << (8 * _MODE_MAX_TURNS_AT))),
                dodgeCap: uint16(bytes2(packed << (8 * _MODE_DODGE_CAP_AT)))
            });
    }

    function _cardId(bytes calldata team, uint256 slot) private pure returns (uint256) {
        return uint128(bytes16(team[slot * _ID_BYTES:]));
    }
}
