// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Game} from "../../contracts/games/Game.sol";
import {IArena} from "../../contracts/interfaces/IArena.sol";
import {Duel, Seat, Step} from "../../contracts/interfaces/IGame.sol";

/// @notice The one law that a `LawBreaker` breaks.
enum Fault {
    None,
    AnyCaller,
    OtherFirstTurn,
    ByTime,
    BySender,
    AnyLength,
    AnyNumber,
    UnnamedError,
    StoppedByPlayer2,
    DearByPlayer2,
    ChangedByPlayer1,
    NoWayOut,
    MuchGas,
    OtherLog,
    OtherResult,
    OtherTurn,
    OtherPosition,
    ByStakes,
    ByOtherMatch,
    AnswerVoidedByOtherEnd,
    RevealVoidedByOtherEnd,
    FreeEnd,
    EndOfAnotherKind,
    ChannelRecord
}

/// @title Game that breaks one law of games
/// @notice Both players send a number up to 9 in the open, then player 1 sends its number again. Player 1 wins if its
/// number is higher. The position is both numbers.
contract LawBreaker is Game {
    uint256 private constant _MUCH = 4_000_000;

    Fault private immutable _fault;
    address private immutable _token;
    address private immutable _channelsOfArena;

    uint256 private _joined;
    /// @dev Number of matches that have ended.
    uint256 private _ended;
    mapping(uint256 matchId => uint256 ended) private _endedBefore;

    error TooHigh(uint256 number);
    error OtherNumber(uint256 number);
    error Stopped();

    constructor(address arena_, address token, Fault fault) Game(arena_) {
        (_token, _fault) = (token, fault);
        _channelsOfArena = IArena(arena_).channels();
    }

    function create(Duel calldata duel, bytes calldata data) external returns (Step memory) {
        _check(data);
        _requireMode(duel.mode);
        if (_countsEnds()) _endedBefore[duel.id] = _ended;
        return Step(_fault == Fault.OtherFirstTurn ? Seat.One : Seat.Two, Seat.None, Seat.None, bytes1(data));
    }

    function join(Duel calldata duel, bytes calldata data) external returns (Step memory) {
        _check(data);
        if (_fault == Fault.ChangedByPlayer1 && _isPoor(duel.player1)) revert Stopped();
        if (_fault == Fault.AnswerVoidedByOtherEnd && _ended != _endedBefore[duel.id]) revert Stopped();
        if (_countsEnds()) _endedBefore[duel.id] = _ended;
        if (_fault == Fault.ByOtherMatch) ++_joined;
        bytes32 answer = _fault == Fault.OtherPosition ? bytes32(bytes1(0xff)) : bytes32(bytes1(data));
        return Step(_turnAfterJoin(), Seat.None, Seat.None, duel.position | (answer >> 8));
    }

    function act(Duel calldata duel, Seat, bytes calldata action) external returns (Step memory) {
        bytes calldata data = action;
        if (_fault == Fault.EndOfAnotherKind) {
            // The first byte is a kind: 0 comes before a number; 1 without a number gives up, and returns the stakes.
            if (action.length == 1 && action[0] == 0x01) return Step(Seat.None, Seat.Two, Seat.None, 0);
            _checkLength(action, 2, 2);
            if (action[0] != 0) revert TooHigh(uint8(action[0]));
            data = action[1:];
        }
        _check(data);
        (uint256 first, uint256 second) = (uint8(duel.position[0]), uint8(duel.position[1]));
        bool other = uint8(data[0]) != first;
        if (other && _fault != Fault.FreeEnd) revert OtherNumber(uint8(data[0]));
        if (_fault == Fault.NoWayOut) revert Stopped();
        if (_fault == Fault.RevealVoidedByOtherEnd && _ended != _endedBefore[duel.id]) revert Stopped();
        if (_countsEnds()) ++_ended;
        if (_fault == Fault.ChannelRecord && _isOfChannel(duel.id)) ++_ended;
        if (_fault == Fault.StoppedByPlayer2 && _isPoor(duel.player2)) revert Stopped();
        if (_fault == Fault.DearByPlayer2 && _isPoor(duel.player2)) _burn(200_000);
        if (_fault == Fault.MuchGas) _burn(_MUCH);
        uint256[] memory logEntries = new uint256[](1);
        logEntries[0] = (first << 16) | (second << 8) | uint8(data[0]);
        if (_fault == Fault.OtherLog) ++logEntries[0];
        _log(duel.id, 1, logEntries);
        Seat winner = (first > second) != (other || _isOtherwise(duel)) ? Seat.One : Seat.Two;
        return Step(Seat.None, winner, winner, 0);
    }

    function _check(bytes calldata data) private view {
        bool isCaller = msg.sender == arena || msg.sender == _channelsOfArena;
        if (_fault != Fault.AnyCaller && !isCaller) revert NotTheArena(msg.sender, arena);
        if (_fault != Fault.AnyLength) _checkLength(data, 1, 1);
        // solhint-disable-next-line gas-custom-errors, reason-string
        require(_fault != Fault.UnnamedError || uint8(data[0]) < 10);
        if (_fault != Fault.AnyNumber && uint8(data[0]) > 9) revert TooHigh(uint8(data[0]));
    }

    function _turnAfterJoin() private view returns (Seat) {
        return _fault == Fault.OtherTurn ? Seat.Two : Seat.One;
    }

    /// @dev Returns true if the result changes because of something that must not decide it.
    function _isOtherwise(Duel calldata duel) private view returns (bool) {
        if (_fault == Fault.OtherResult) return true;
        if (_fault == Fault.ByTime) return block.number > 1000;
        // solhint-disable-next-line avoid-tx-origin
        if (_fault == Fault.BySender) return tx.origin != duel.player1;
        if (_fault == Fault.ByOtherMatch) return _joined > 1;
        if (_fault != Fault.ByStakes) return false;
        IArena from = IArena(arena);
        return from.termsOf(from.matchOf(duel.id).termsId).stake1 == 0;
    }

    /// @dev Returns true if the fault counts the matches that have ended; with other faults the game must not count.
    function _countsEnds() private view returns (bool) {
        return _fault == Fault.AnswerVoidedByOtherEnd || _fault == Fault.RevealVoidedByOtherEnd;
    }

    function _isPoor(address player) private view returns (bool) {
        return IArena(arena).purseOf(player, _token) == 0;
    }

    function _burn(uint256 gas) private view {
        uint256 end = gasleft() - gas;
        while (gasleft() > end) {}
    }

    function _checkMode(bytes calldata content) internal pure override {
        if (content.length != 1) revert ModeOutOfBounds(0, content.length, 1, 1);
    }

    function _defaultMode() internal pure override returns (bytes memory) {
        return hex"00";
    }
}

/// @title Game that takes coins
contract CoinTaker is LawBreaker {
    constructor(address arena_, address token) LawBreaker(arena_, token, Fault.None) {}

    receive() external payable {}
}
