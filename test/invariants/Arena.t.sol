// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arena} from "../../contracts/Arena.sol";
import {Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {Artifacts} from "../Vm.sol";
import {ACCOUNTS, TOKENS, Cast} from "./Cast.sol";
import {Account, Model} from "./Model.sol";
import {Rehearsal} from "./Rehearsal.sol";

/// @title Invariants of the arena
/// @notice After every call the invariants check the match, token and records of the call and one more of each; after
/// every run they check all. Changes by the checks are undone before the next call. To run only the invariants, build
/// everything and run `hardhat test solidity --grep ^invariant`: if built alone, they have no handlers.
contract ArenaInvariants {
    /// @dev Percentage of calls that must succeed.
    uint256 private constant _MOSTLY = 80;
    /// @dev Number of calls after which all matches are ended; in between, only the latest match is ended.
    uint256 private constant _ALL = 16;

    Cast private _cast;
    Model private _model;
    Arena private _arena;
    Rehearsal private _rehearsal;
    address[] private _accounts;
    address[] private _tokens;
    address[] private _handlers;

    error MoneyHeldIsNotMoneyOwed(address token, uint256 held, uint256 surplus, uint256 owed);
    error PursesAndStakesAreNotTheTotal(address token, uint256 sum, uint256 total);
    error PurseDiffers(address token, address player, uint256 purse, uint256 expected);
    error TookMoreThanWasBrought(address token, address player, uint256 took, uint256 brought);
    error MatchDiffers(uint256 matchId, Match m, Match expected);
    error PositionDiffers(uint256 matchId, bytes32 position, bytes32 expected);
    error NoSuchEdge(uint256 matchId, Status from, Status to);
    error SeatsAreOfOnePlayer(uint256 matchId, address player);
    error NoDeadlineWasSet(uint256 matchId, uint256 deadline, uint256 changedAt);
    error HouseDiffers(uint256 feeBps, address treasury);
    error RecordDiffers(address game, address player);
    error StakesDiffer(address player, address token);
    error TooFewSuccesses(uint256 successes, uint256 calls);
    error NeverDone(string what);

    function setUp() external {
        _cast = Cast(Artifacts.deploy("Cast", ""));
        _arena = _cast.arena();
        _model = Model(Artifacts.deploy("Model", abi.encode(_arena.treasury())));
        _rehearsal = Rehearsal(Artifacts.deploy("Rehearsal", abi.encode(_cast, _model)));
        for (uint256 i = 0; i < ACCOUNTS; ++i) _accounts.push(_cast.accounts(i));
        for (uint256 i = 0; i < TOKENS; ++i) _tokens.push(_cast.tokens(i));
        _handlers.push(Artifacts.deploy("Players", abi.encode(_cast, _model)));
        _handlers.push(Artifacts.deploy("Purses", abi.encode(_cast, _model)));
        _handlers.push(Artifacts.deploy("Rogues", abi.encode(_cast, _model)));
        _handlers.push(Artifacts.deploy("Mistakes", abi.encode(_cast, _model)));
    }

    function targetContracts() external view returns (address[] memory) {
        return _handlers;
    }

    /// @notice Checks money, ratings and matches in one run: three invariants would need three runs of as many calls.
    /// The matches come last, because the changes of their rehearsal stay until the next call.
    function invariantMoneyRatingsAndMatchesAreAsTheModelSays() external {
        _checkMoneyIsWhereItBelongs();
        _checkRatingsMoveOncePerRatedMatch();
        _checkMatchesMoveAsDrawn();
    }

    /// @notice Checks that either player alone, or any stranger, can end any match after its deadline with one call,
    /// without help and against all resistance. When all matches have ended and all players have withdrawn, only the
    /// money of the house is left.
    function invariantEveryMatchCanBeEnded() external {
        if (_model.matchCount() == 0) return;
        if (_cast.calls() % _ALL == 0) _rehearsal.endAll();
        else _rehearsal.endOne(_model.latest(), _cast.calls());
    }

    function afterInvariant() external virtual {
        _checkCounts();
        _checkEnd();
    }

    /// @dev Checks everything, and ends all matches.
    function _checkEnd() internal {
        for (uint256 i = 0; i < _tokens.length; ++i) _checkMoney(_tokens[i]);
        for (uint256 id = 1; id <= _model.matchCount(); ++id) _checkMatch(id);
        for (uint256 i = 0; i < _accounts.length; ++i) {
            for (uint256 j = 0; j < _tokens.length; ++j) {
                _checkRecord(address(_cast.scripted()), _accounts[i], _tokens[j]);
                _checkRecord(address(_cast.wild()), _accounts[i], _tokens[j]);
            }
        }
        _rehearsal.endAll();
    }

    /// @dev The arena holds exactly the purses, the stakes in open matches and the surplus. Prize and house fee add up
    /// to the pot; returned stakes are whole; no call lowers the purse of another player; no account, not even the
    /// owner, takes out more than it and the opponents of its matches put in.
    function _checkMoneyIsWhereItBelongs() private view {
        _checkMoney(_model.latestToken());
    }

    /// @dev Ratings change once per settled rated match, and at no other time.
    function _checkRatingsMoveOncePerRatedMatch() private view {
        if (_model.matchCount() == 0) return;
        (Match memory m, Terms memory terms, ) = _model.matchOf(_model.latest());
        _checkRecord(address(terms.game), m.player1, terms.token);
        _checkRecord(address(terms.game), m.player2, terms.token);
        _checkRecord(address(terms.game), _accounts[_cast.calls() % _accounts.length], terms.token);
    }

    /// @dev The status of a match moves only along the edges of the state diagram; its seats belong to two players and
    /// never change; its deadline is set with its status; other matches do not change. At the deadline acting works and
    /// timing out does not; a second later it is the reverse.
    function _checkMatchesMoveAsDrawn() private {
        uint256 count = _model.matchCount();
        if (_arena.feeBps() != _model.feeBps() || _arena.treasury() != _model.treasury()) {
            revert HouseDiffers(_arena.feeBps(), _arena.treasury());
        }
        if (count == 0) return;
        _checkMatch(1 + (_cast.calls() % count));
        uint256 id = _model.latest();
        _checkMatch(id);
        _checkChange(id);
        if (_arena.statusOf(id) <= Status.AllJoined) _rehearsal.tryAround(id, _cast.calls() % 2 == 0);
    }

    function _checkMoney(address token) private view {
        uint256 total = _arena.totalOf(token);
        uint256 held = _cast.balanceOf(address(_arena), token);
        if (held != total + _model.surplus(token)) {
            revert MoneyHeldIsNotMoneyOwed(token, held, _model.surplus(token), total);
        }
        Account[] memory expected = _model.accountsOf(_accounts, token);
        uint256 sum = 0;
        for (uint256 i = 0; i < _accounts.length; ++i) {
            address player = _accounts[i];
            uint256 purse = _arena.purseOf(player, token);
            if (purse != expected[i].purse) revert PurseDiffers(token, player, purse, expected[i].purse);
            uint256 took = purse + expected[i].staked + expected[i].taken;
            if (took > expected[i].brought) revert TookMoreThanWasBrought(token, player, took, expected[i].brought);
            sum += purse + expected[i].staked;
        }
        if (sum != total) revert PursesAndStakesAreNotTheTotal(token, sum, total);
    }

    function _checkMatch(uint256 id) private view {
        Match memory m = _arena.matchOf(id);
        (Match memory expected, , ) = _model.matchOf(id);
        if (keccak256(abi.encode(m)) != keccak256(abi.encode(expected))) revert MatchDiffers(id, m, expected);
        bytes32 position = _arena.positionOf(id);
        if (position != _model.positions(id)) revert PositionDiffers(id, position, _model.positions(id));
    }

    /// @dev Checks the change of a match by the latest call, without the model.
    function _checkChange(uint256 id) private view {
        Match memory m = _arena.matchOf(id);
        Status from = _model.statusBefore();
        if (m.player1 == m.player2) revert SeatsAreOfOnePlayer(id, m.player1);
        if (m.status == from) return;
        if ((_edges(from) >> uint8(m.status)) & 1 == 0) revert NoSuchEdge(id, from, m.status);
        if (m.status <= Status.AllJoined && m.deadline < _model.changedAt()) {
            revert NoDeadlineWasSet(id, m.deadline, _model.changedAt());
        }
    }

    /// @dev Returns the statuses that may follow a status, as bits. One step can join a firm offer, or end a game.
    function _edges(Status from) private pure returns (uint256) {
        uint256 ends = (1 << uint8(Status.P1Win)) | (1 << uint8(Status.P2Win)) | (1 << uint8(Status.Draw));
        uint256 canceled = 1 << uint8(Status.P1Canceled);
        uint256 joined = (1 << uint8(Status.AllJoined)) | ends;
        if (from == Status.Created) return (1 << uint8(Status.P1Deposited)) | canceled;
        if (from == Status.P1Deposited) return (1 << uint8(Status.AllDeposited)) | joined | canceled;
        if (from == Status.AllDeposited) return joined | (1 << uint8(Status.P1WinInactive));
        if (from != Status.AllJoined) return 0;
        return ends | (1 << uint8(Status.P1WinInactive)) | (1 << uint8(Status.P2WinInactive));
    }

    function _checkRecord(address game, address player, address token) private view {
        bytes32 record = keccak256(abi.encode(_arena.recordOf(game, player)));
        if (record != keccak256(abi.encode(_model.recordOf(game, player)))) revert RecordDiffers(game, player);
        bytes32 stakes = keccak256(abi.encode(_arena.stakesOf(player, token)));
        if (stakes != keccak256(abi.encode(_model.stakesOf(player, token)))) revert StakesDiffer(player, token);
    }

    /// @dev Rarer actions are not listed: they may not occur in 500 calls.
    function _checkCounts() private view {
        (uint256 calls, uint256 successes) = (_cast.calls(), _cast.successes());
        if (successes * 100 < calls * _MOSTLY) revert TooFewSuccesses(successes, calls);
        string[21] memory kinds = [
            "create",
            "fund",
            "join",
            "decline",
            "resign",
            "timeout",
            "sleep",
            "allow",
            "deposit",
            "depositLessFee",
            "withdraw",
            "transferAndCall",
            "force",
            "forge",
            "govern",
            "refuse",
            "arm",
            "reenter",
            "breakRules",
            "callFinished",
            "overreach"
        ];
        for (uint256 i = 0; i < kinds.length; ++i) {
            if (_cast.successesOf(bytes32(bytes(kinds[i]))) == 0) revert NeverDone(kinds[i]);
        }
    }
}
