// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Ratings} from "./Ratings.sol";

/// @notice Money of an account in one token.
struct Account {
    uint256 purse;
    /// Sum that the account and the opponents of its matches put in, plus house fees from its time as the treasury.
    uint256 brought;
    /// Sum that the account has withdrawn.
    uint256 taken;
    /// Stakes of the account in open matches.
    uint256 staked;
}

/// @title Model of the arena
/// @notice Computes the expected purses, matches and records from the calls that the arena accepted. It never queries
/// the arena. Only `_pay` lowers a purse: for a stake or withdrawal of its own player.
contract Model is Ratings {
    uint256 public time = 1_800_000_000;
    uint16 public feeBps = 2000;
    address public treasury;
    uint256 public matchCount;
    uint256 public termsCount;
    /// @notice Match and token of the latest call, and status of the match before the call.
    uint256 public latest;
    address public latestToken;
    Status public statusBefore;
    uint256 public changedAt;

    /// @notice Amount of a token that the arena owes.
    mapping(address token => uint256 amount) public total;
    /// @notice Amount of a token that arrived without a deposit and belongs to nobody.
    mapping(address token => uint256 amount) public surplus;
    mapping(address player => mapping(address operator => uint40 until)) public operators;
    mapping(uint256 matchId => bytes32 position) public positions;
    mapping(address who => mapping(address token => Account account)) private _accounts;
    mapping(uint256 matchId => Match m) private _matches;
    mapping(uint256 termsId => Terms terms) private _terms;
    mapping(bytes32 termsHash => uint256 termsId) private _termsIds;
    uint256[] private _open;

    constructor(address treasury_) {
        treasury = treasury_;
    }

    function setTime(uint256 time_) external {
        time = time_;
    }

    function setFeeBps(uint16 feeBps_) external {
        feeBps = feeBps_;
    }

    function setTreasury(address treasury_) external {
        treasury = treasury_;
    }

    function setSurplus(address token, uint256 amount) external {
        (surplus[token], latestToken) = (amount, token);
    }

    function allow(address player, address operator, uint40 until) external {
        operators[player][operator] = until;
    }

    function deposit(address token, address player, uint256 amount) external {
        _accounts[player][token].purse += amount;
        _accounts[player][token].brought += amount;
        total[token] += amount;
        latestToken = token;
    }

    function withdraw(address token, address player, uint256 amount) external {
        _pay(player, token, amount);
        _accounts[player][token].taken += amount;
        total[token] -= amount;
        latestToken = token;
    }

    function create(
        Terms calldata terms,
        address player,
        address opponent,
        uint40 firmUntil,
        bytes calldata data,
        Step calldata step
    ) external {
        uint256 id = ++matchCount;
        bytes32 hash = keccak256(abi.encode(terms));
        if (_termsIds[hash] == 0) {
            _termsIds[hash] = ++termsCount;
            _terms[termsCount] = terms;
        }
        Match storage m = _matches[id];
        (m.player1, m.player2, m.termsId) = (player, opponent, uint40(_termsIds[hash]));
        m.fingerprint = bytes5(keccak256(data));
        positions[id] = step.position;
        (m.firm, m.deadline) = firmUntil == 0 ? (false, uint40(time + 30 days)) : (true, firmUntil);
        _open.push(id);
        _touch(id);
        if (_accounts[player][terms.token].purse >= terms.stake1) fund(id, player, false);
    }

    function join(uint256 id, address player, Step calldata step) external {
        Match storage m = _matches[id];
        Terms storage terms = _terms[m.termsId];
        _touch(id);
        if (m.status == Status.P1Deposited) _takeStake(m, player, m.player1, terms.stake2);
        (m.status, m.deadline, m.reserve) = (Status.AllJoined, uint40(time + terms.clock), terms.clock);
        _advance(id, m, step);
    }

    function act(uint256 id, Step calldata step) external {
        Match storage m = _matches[id];
        uint256 clock = _terms[m.termsId].clock;
        _touch(id);
        uint256 rest = m.deadline - time + clock / 32;
        if (rest > clock) rest = clock;
        if (step.turn == Seat.None) return _advance(id, m, step);
        else if (step.turn == m.turn) m.deadline = uint40(time + rest);
        else (m.deadline, m.reserve) = (uint40(time + m.reserve), uint32(rest));
        _advance(id, m, step);
    }

    function resign(uint256 id, address player) external {
        Match storage m = _matches[id];
        _touch(id);
        Seat winner = player == m.player1 ? Seat.Two : Seat.One;
        _settle(id, m, winner == Seat.One ? Status.P1Win : Status.P2Win, winner, winner);
    }

    function cancel(uint256 id) external {
        _touch(id);
        _refund(id, _matches[id]);
    }

    function decline(uint256 id) external {
        _touch(id);
        _refund(id, _matches[id]);
    }

    function timeout(uint256 id) external {
        Match storage m = _matches[id];
        _touch(id);
        if (m.status < Status.AllDeposited) _refund(id, m);
        else if (m.turn == Seat.One) _settle(id, m, Status.P2WinInactive, Seat.Two, Seat.Two);
        else _settle(id, m, Status.P1WinInactive, Seat.One, Seat.One);
    }

    /// @notice Finds an open match with one of the statuses in `mask`, past its deadline if `overdue`, otherwise not;
    /// zero if there is no such match.
    /// @param mask Bits by the number of the status.
    function find(uint256 mask, bool overdue, uint256 start) external view returns (uint256 id) {
        for (uint256 i = 0; i < _open.length; ++i) {
            id = _open[((start % _open.length) + i) % _open.length];
            Match storage m = _matches[id];
            if ((mask >> uint8(m.status)) & 1 == 1 && (time > m.deadline) == overdue) return id;
        }
        return 0;
    }

    function open() external view returns (uint256[] memory ids) {
        return _open;
    }

    function matchOf(uint256 id) external view returns (Match memory m, Terms memory terms, bytes32 offerHash) {
        m = _matches[id];
        terms = _terms[m.termsId];
        offerHash = keccak256(abi.encode(keccak256(abi.encode(terms)), m.player1, m.fingerprint));
    }

    function accountOf(address who, address token) external view returns (Account memory account) {
        return _accounts[who][token];
    }

    function accountsOf(address[] calldata all, address token) external view returns (Account[] memory accounts) {
        accounts = new Account[](all.length);
        for (uint256 i = 0; i < all.length; ++i) accounts[i] = _accounts[all[i]][token];
    }

    function fund(uint256 id, address player, bool byTransfer) public {
        Match storage m = _matches[id];
        Terms storage terms = _terms[m.termsId];
        _touch(id);
        if (m.status == Status.Created) {
            m.status = Status.P1Deposited;
            _takeStake(m, player, address(0), terms.stake1);
        } else {
            (m.status, m.player2, m.byTransfer) = (Status.AllDeposited, player, byTransfer);
            m.deadline = uint40(time + terms.clock);
            _takeStake(m, player, m.player1, terms.stake2);
        }
    }

    function _advance(uint256 id, Match storage m, Step calldata step) private {
        positions[id] = step.turn == Seat.None ? bytes32(0) : step.position;
        if (step.turn != Seat.None) {
            m.turn = step.turn;
            return;
        }
        Status status = step.winner == Seat.None ? Status.Draw : Status.P2Win;
        _settle(id, m, step.winner == Seat.One ? Status.P1Win : status, step.winner, step.taker);
    }

    function _refund(uint256 id, Match storage m) private {
        Terms storage terms = _terms[m.termsId];
        if (m.status == Status.P1Deposited) _return(m.player1, terms.token, terms.stake1, terms.stake1);
        _close(id, m, Status.P1Canceled);
    }

    function _settle(uint256 id, Match storage m, Status status, Seat winner, Seat taker) private {
        Terms memory terms = _terms[m.termsId];
        bool forfeit = status == Status.P1WinInactive || status == Status.P2WinInactive;
        uint256 pot = uint256(terms.stake1) + terms.stake2;
        uint256 house = forfeit || taker == Seat.None ? 0 : (pot * terms.feeBps) / 10_000;
        uint256 paid1 =
            taker == Seat.None
                ? terms.stake1
                : taker == Seat.One
                    ? pot - house
                    : 0;
        uint256 paid2 = pot - house - paid1;
        _return(m.player1, terms.token, terms.stake1, paid1);
        _return(m.player2, terms.token, terms.stake2, paid2);
        _accounts[treasury][terms.token].purse += house;
        _accounts[treasury][terms.token].brought += house;
        bool unaware = m.status == Status.AllDeposited && m.byTransfer;
        if (terms.rated && !unaware) {
            _rate(address(terms.game), m.player1, m.player2, winner, forfeit, time);
            _addStakes(m.player1, terms.token, terms.stake1, paid1);
            _addStakes(m.player2, terms.token, terms.stake2, paid2);
        }
        _close(id, m, status);
    }

    function _close(uint256 id, Match storage m, Status status) private {
        (m.status, m.turn) = (status, Seat.None);
        for (uint256 i = 0; i < _open.length; ++i) {
            if (_open[i] == id) _open[i] = _open[_open.length - 1];
        }
        _open.pop();
    }

    /// @dev Takes a stake. Seat 2 has player 1 as its opponent; when player 1 pays, seat 2 is not taken yet, and
    /// `opponent` is zero.
    function _takeStake(Match storage m, address player, address opponent, uint256 stake) private {
        Terms storage terms = _terms[m.termsId];
        _pay(player, terms.token, stake);
        _accounts[player][terms.token].staked += stake;
        if (opponent == address(0)) return;
        _accounts[opponent][terms.token].brought += stake;
        _accounts[player][terms.token].brought += terms.stake1;
    }

    function _return(address player, address token, uint256 stake, uint256 paid) private {
        _accounts[player][token].staked -= stake;
        _accounts[player][token].purse += paid;
    }

    function _pay(address player, address token, uint256 amount) private {
        _accounts[player][token].purse -= amount;
    }

    function _touch(uint256 id) private {
        Match storage m = _matches[id];
        (latest, latestToken, statusBefore, changedAt) = (id, _terms[m.termsId].token, m.status, time);
    }
}
