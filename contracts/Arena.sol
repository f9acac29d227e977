// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {SSTORE2} from "solady/src/utils/SSTORE2.sol";
import {House} from "./House.sol";
import {Ladder} from "./Ladder.sol";
import {Purse} from "./Purse.sol";
import {IArena, Match, Status, Terms} from "./interfaces/IArena.sol";
import {Channels} from "./Channels.sol";
import {IChannelArena} from "./interfaces/IChannelArena.sol";
import {Duel, Seat, Step} from "./interfaces/IGame.sol";
import {EncodedTerms} from "./libraries/EncodedTerms.sol";
import {Matches, StoredMatch} from "./libraries/Matches.sol";
import {Payouts} from "./libraries/Payouts.sol";

/// @title Referee of duels
/// @dev Every function first checks, then writes the state that a game may read, then calls the game at most once.
/// After that it only changes balances and records, and stores the position. The lock keeps the whole arena unchanged
/// during the call.
contract Arena is IArena, IChannelArena, Purse, Ladder, House {
    using Matches for StoredMatch;
    using EncodedTerms for Terms;

    uint256 private constant _MIN_CLOCK = 1 minutes;
    uint256 private constant _MAX_CLOCK = 30 days;
    uint256 private constant _OFFER_LIFE = 30 days;
    /// @dev Each action adds the clock divided by this number to the time of the seat that acts.
    uint256 private constant _INCREMENT_DIVISOR = 32;
    /// @dev Position that accepts no action: the game is over, and the seat in turn can only resign.
    bytes32 private constant _OVER = bytes32(type(uint256).max);
    /// @dev Position of the channels contract among the contracts that the arena creates.
    uint256 private constant _CHANNELS_NUMBER = 1;

    // These share a slot with treasury and house fee, so that `create` reads and writes that slot once.
    uint40 private _matchCount;
    uint40 private _termsCount;

    mapping(uint256 matchId => StoredMatch m) private _matches;
    mapping(bytes32 termsHash => uint256 termsId) private _termsIds;
    mapping(address player => mapping(address operator => uint40 until)) private _operators;

    /// @inheritdoc IArena
    address public immutable channels;

    modifier onlyChannels() {
        if (msg.sender != channels) revert NotTheChannels(msg.sender);
        _;
    }

    constructor(address owner, address treasury) House(owner, treasury) {
        channels = address(new Channels(address(this)));
        _checkPlace(_CHANNELS_NUMBER, channels);
    }

    /// @inheritdoc IArena
    function create(
        Terms memory terms,
        address opponent,
        uint40 firmUntil,
        bytes calldata data
    ) external payable nonReentrant returns (uint256 matchId) {
        if (opponent == msg.sender) revert OwnOpponent(msg.sender);
        if (terms.feeBps != feeBps()) revert WrongFee(terms.feeBps, feeBps());
        (uint256 termsId, bytes32 termsHash) = _register(terms);
        _receiveCoin(terms.token);
        bool funded = _tryDebit(msg.sender, terms.token, terms.stake1);
        matchId = ++_matchCount;
        Match memory m = Match({
            player1: msg.sender,
            deadline: _offerEnd(firmUntil),
            reserve: 0,
            status: funded ? Status.P1Deposited : Status.Created,
            turn: Seat.None,
            player2: opponent,
            termsId: uint40(termsId),
            firm: firmUntil != 0,
            byTransfer: false,
            fingerprint: bytes5(EfficientHashLib.hashCalldata(data)),
            posted: false
        });
        StoredMatch storage stored = _matches[matchId];
        stored.store(m);
        emit Created(matchId, msg.sender, opponent, termsHash, firmUntil, funded, data);

        Duel memory duel = Duel(matchId, terms.mode, terms.rated, msg.sender, address(0), 0);
        Step memory step = terms.game.create(duel, data);
        if (step.turn != Seat.Two || step.winner != Seat.None || step.taker != Seat.None) revert BadStep(matchId, step);
        stored.position = step.position;
    }

    /// @inheritdoc IArena
    function fund(uint256 matchId, bytes32 offerHash) external payable nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        Terms memory terms = _termsNumbered(m.termsId);
        _checkOffer(matchId, m, terms, offerHash);
        _receiveCoin(terms.token);
        _fund(matchId, m, terms, msg.sender);
    }

    /// @inheritdoc IArena
    function join(uint256 matchId, bytes32 offerHash, bytes calldata data) external payable nonReentrant {
        StoredMatch storage stored = _matches[matchId];
        Match memory m = stored.load(matchId);
        Terms memory terms = _termsNumbered(m.termsId);
        _checkOffer(matchId, m, terms, offerHash);
        _receiveCoin(terms.token);
        if (m.status == Status.P1Deposited) {
            _checkOpponent(matchId, m, msg.sender);
            if (!m.firm || m.player2 == address(0)) revert FundFirst(matchId);
            _checkInTime(matchId, m);
            _debit(msg.sender, terms.token, terms.stake2);
        } else {
            _checkStatus(matchId, m, Status.AllDeposited);
            _checkOpponent(matchId, m, msg.sender);
            _checkInTime(matchId, m);
            uint256 fundedAt = m.deadline - terms.clock;
            if (block.timestamp <= fundedAt) revert JoinTooSoon(matchId, fundedAt, block.timestamp);
        }
        m.status = Status.AllJoined;
        m.deadline = uint40(block.timestamp + terms.clock);
        m.reserve = terms.clock;
        stored.storePlay(m);
        emit Joined(matchId, msg.sender, data);

        Duel memory duel = Duel(matchId, terms.mode, terms.rated, m.player1, m.player2, stored.position);
        Step memory step = terms.game.join(duel, data);
        _advance(stored, matchId, m, terms, step);
    }

    /// @inheritdoc IArena
    function act(uint256 matchId, bytes calldata data) external nonReentrant {
        StoredMatch storage stored = _matches[matchId];
        Match memory m = stored.load(matchId);
        _checkStatus(matchId, m, Status.AllJoined);
        _checkInTime(matchId, m);
        Seat seat = m.turn;
        address player = seat == Seat.One ? m.player1 : m.player2;
        if (msg.sender != player && block.timestamp > _operators[player][msg.sender]) {
            revert NotYourTurn(matchId, player, msg.sender);
        }
        if (m.posted) {
            // The player who acts accepts the position: from now on nothing supersedes it.
            m.posted = false;
            if (stored.position == _OVER) revert MatchIsOver(matchId);
        }
        Terms memory terms = _termsNumbered(m.termsId);
        emit Acted(matchId, seat, data);

        Duel memory duel = Duel(matchId, terms.mode, terms.rated, m.player1, m.player2, stored.position);
        Step memory step = terms.game.act(duel, seat, data);
        Seat next = step.turn;
        if (next != Seat.None) _punchClock(m, terms.clock, next != seat);
        _advance(stored, matchId, m, terms, step);
    }

    /// @inheritdoc IArena
    function resign(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        _checkStatus(matchId, m, Status.AllJoined);
        _checkInTime(matchId, m);
        Seat seat = _seatOf(matchId, m, msg.sender);
        // If the challenger could resign here, its stake would be missing, so a newer balance would be refused.
        if (m.posted && seat != m.turn) revert MatchWaits(matchId);
        Seat winner = seat == Seat.One ? Seat.Two : Seat.One;
        _settle(matchId, m, _termsNumbered(m.termsId), winner, winner, false);
    }

    /// @inheritdoc IArena
    function timeout(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        if (m.status > Status.AllJoined) revert WrongStatus(matchId, m.status);
        if (block.timestamp <= m.deadline) revert TooEarly(matchId, m.deadline, block.timestamp);
        Terms memory terms = _termsNumbered(m.termsId);
        if (m.status < Status.AllDeposited) return _refund(matchId, m, terms);
        Seat winner = m.turn == Seat.One ? Seat.Two : Seat.One;
        if (m.byTransfer && m.status == Status.AllDeposited) {
            // A hostile token could seat anyone: a player whom a token seated and who never joined has not agreed to a
            // rating.
            terms.rated = false;
        }
        _settle(matchId, m, terms, winner, winner, true);
    }

    /// @inheritdoc IArena
    function cancel(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        if (msg.sender != m.player1) revert NotTheChallenger(matchId, m.player1, msg.sender);
        if (m.status > Status.P1Deposited) revert WrongStatus(matchId, m.status);
        if (m.firm) revert OfferIsFirm(matchId, m.deadline);
        _refund(matchId, m, _termsNumbered(m.termsId));
    }

    /// @inheritdoc IArena
    function decline(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        if (m.status > Status.P1Deposited) revert WrongStatus(matchId, m.status);
        if (m.player2 == address(0)) revert OfferIsOpen(matchId);
        if (msg.sender != m.player2) revert NotTheOpponent(matchId, m.player2, msg.sender);
        _checkInTime(matchId, m);
        emit Declined(matchId, msg.sender);
        _refund(matchId, m, _termsNumbered(m.termsId));
    }

    /// @inheritdoc IArena
    function allow(address operator, uint40 until) external nonReentrant {
        _operators[msg.sender][operator] = until;
        emit OperatorAllowed(msg.sender, operator, until);
    }

    /// @inheritdoc IArena
    function matchOf(uint256 matchId) external view returns (Match memory) {
        return _matches[matchId].load(matchId);
    }

    /// @inheritdoc IArena
    function statusOf(uint256 matchId) external view returns (Status) {
        return _matches[matchId].statusOf(matchId);
    }

    /// @inheritdoc IArena
    function positionOf(uint256 matchId) external view returns (bytes32 position) {
        return _matches[matchId].positionOf(matchId);
    }

    /// @inheritdoc IArena
    function matchCount() external view returns (uint256) {
        return _matchCount;
    }

    /// @inheritdoc IArena
    function termsOf(uint256 termsId) external view returns (Terms memory) {
        if (termsId == 0 || termsId > _termsCount) revert UnknownTerms(termsId);
        return _termsNumbered(termsId);
    }

    /// @inheritdoc IArena
    function termsIdOf(bytes32 termsHash) external view returns (uint256 termsId) {
        return _termsIds[termsHash];
    }

    /// @inheritdoc IArena
    function operatorUntil(address player, address operator) external view returns (uint40 until) {
        return _operators[player][operator];
    }

    /// @inheritdoc IChannelArena
    function postedOf(uint256 matchId) external view returns (bool posted, uint256 code) {
        return _matches[matchId].postedOf(matchId);
    }

    /// @inheritdoc IChannelArena
    function lock(
        address player1,
        uint256 amount1,
        address player2,
        uint256 amount2,
        address token
    ) external onlyChannels nonReentrant {
        _debit(player1, token, amount1);
        _debit(player2, token, amount2);
        _credit(msg.sender, token, amount1 + amount2);
    }

    /// @inheritdoc IChannelArena
    function release(
        address player1,
        uint256 amount1,
        address player2,
        uint256 amount2,
        address token,
        uint256 house
    ) external onlyChannels nonReentrant {
        _debit(msg.sender, token, amount1 + amount2 + house);
        _credit(player1, token, amount1);
        _credit(player2, token, amount2);
        _credit(treasury(), token, house);
    }

    /// @inheritdoc IChannelArena
    function rate(
        Terms memory terms,
        address player1,
        address player2,
        Seat winner,
        bool forfeit,
        uint256 paid1,
        uint256 paid2
    ) external onlyChannels nonReentrant returns (uint256 rating1, uint256 rating2) {
        return _record(terms, player1, player2, winner, forfeit, paid1, paid2);
    }

    /// @inheritdoc IChannelArena
    function start(
        uint256 matchId,
        Terms memory terms,
        address player1,
        address player2,
        Seat turn,
        bytes32 position,
        uint256 code
    ) external onlyChannels nonReentrant {
        (uint256 termsId, ) = _register(terms);
        _debit(msg.sender, terms.token, uint256(terms.stake1) + terms.stake2);
        StoredMatch storage stored = _matches[matchId];
        stored.store(
            Match({
                player1: player1,
                deadline: uint40(block.timestamp + terms.clock),
                reserve: terms.clock,
                status: Status.AllJoined,
                turn: turn,
                player2: player2,
                termsId: uint40(termsId),
                firm: false,
                byTransfer: false,
                fingerprint: bytes5(uint40(code)),
                posted: true
            })
        );
        stored.position = position;
        emit Started(matchId, player1, player2, termsId, turn, position);
    }

    /// @inheritdoc IChannelArena
    function void(uint256 matchId) external onlyChannels nonReentrant returns (uint256 stake1, uint256 stake2) {
        StoredMatch storage stored = _matches[matchId];
        Match memory m = stored.load(matchId);
        if (m.status != Status.AllJoined || !m.posted) revert NotWaiting(matchId);
        _checkInTime(matchId, m);
        Terms memory terms = _termsNumbered(m.termsId);
        (m.status, m.turn, m.posted) = (Status.P1Canceled, Seat.None, false);
        stored.storePlay(m);
        delete stored.position;
        (stake1, stake2) = (terms.stake1, terms.stake2);
        _credit(msg.sender, terms.token, stake1 + stake2);
        emit Voided(matchId);
    }

    /// @inheritdoc Purse
    function _fundByTransfer(
        address token,
        address player,
        uint256 value,
        uint256 matchId,
        bytes32 offerHash
    ) internal override {
        Match memory m = _matches[matchId].load(matchId);
        Terms memory terms = _termsNumbered(m.termsId);
        _checkOffer(matchId, m, terms, offerHash);
        if (token != terms.token) revert WrongToken(matchId, token, terms.token);
        uint256 stake = m.status == Status.Created ? terms.stake1 : terms.stake2;
        m.byTransfer = m.status == Status.P1Deposited;
        _fund(matchId, m, terms, player);
        if (value < stake) revert TransferTooSmall(matchId, value, stake);
    }

    function _fund(uint256 matchId, Match memory m, Terms memory terms, address player) private {
        if (m.status == Status.Created) {
            if (player != m.player1) revert NotTheChallenger(matchId, m.player1, player);
            _checkInTime(matchId, m);
            m.status = Status.P1Deposited;
            _takeStake(matchId, Seat.One, player, terms.token, terms.stake1);
        } else {
            _checkStatus(matchId, m, Status.P1Deposited);
            _checkOpponent(matchId, m, player);
            _checkInTime(matchId, m);
            m.status = Status.AllDeposited;
            m.player2 = player;
            m.deadline = uint40(block.timestamp + terms.clock);
            _takeStake(matchId, Seat.Two, player, terms.token, terms.stake2);
        }
        _matches[matchId].store(m);
    }

    function _takeStake(uint256 matchId, Seat seat, address player, address token, uint256 stake) private {
        _debit(player, token, stake);
        emit Funded(matchId, seat, player);
    }

    /// @dev Returns the number and the hash of terms, and stores the terms if they are new. Takes the terms from
    /// memory, since each encoding from calldata would check all fields again.
    function _register(Terms memory terms) private returns (uint256 termsId, bytes32 termsHash) {
        termsHash = terms.hash();
        termsId = _termsIds[termsHash];
        if (termsId == 0) {
            if (terms.clock < _MIN_CLOCK || terms.clock > _MAX_CLOCK) {
                revert ClockOutOfBounds(terms.clock, _MIN_CLOCK, _MAX_CLOCK);
            }
            if (address(terms.game).code.length == 0) revert NotAContract(address(terms.game));
            termsId = ++_termsCount;
            _termsIds[termsHash] = termsId;
            _checkPlace(_CHANNELS_NUMBER + termsId, SSTORE2.write(abi.encode(terms)));
            emit TermsAdded(termsId, terms);
        }
    }

    /// @dev Returns stored terms. Terms are stored as the code of contracts that the arena creates, numbered in the
    /// order of their creation: every action reads terms, and reading code costs a third of reading as much storage.
    function _termsNumbered(uint256 termsId) private view returns (Terms memory terms) {
        terms.copyFrom(_placeOf(_CHANNELS_NUMBER + termsId));
    }

    /// @dev Reverts unless a contract that the arena has created is where `_placeOf` expects it.
    function _checkPlace(uint256 number, address actual) private view {
        address expected = _placeOf(number);
        if (actual != expected) revert CreatedElsewhere(number, actual, expected);
    }

    /// @dev The n-th contract that an account creates has an address that follows from the account and n. The arena
    /// first creates its channels contract, then one contract for each set of terms.
    function _placeOf(uint256 number) private view returns (address) {
        return LibRLP.computeAddress(address(this), number);
    }

    /// @dev Carries out the step that the game returned; the clock is set already.
    function _advance(
        StoredMatch storage stored,
        uint256 matchId,
        Match memory m,
        Terms memory terms,
        Step memory step
    ) private {
        if (step.turn == Seat.None) {
            delete stored.position;
            _settle(matchId, m, terms, step.winner, step.taker, false);
        } else {
            if (step.winner != Seat.None || step.taker != Seat.None) revert BadStep(matchId, step);
            m.turn = step.turn;
            stored.storePlay(m);
            stored.position = step.position;
        }
    }

    /// @dev Stops the clock of the seat that acted, as on a chess clock. `deadline` then belongs to the seat in turn,
    /// and `reserve` is the time left to the other seat.
    function _punchClock(Match memory m, uint256 clock, bool turnChanged) private view {
        unchecked {
            // Cannot underflow: the deadline has not passed.
            uint256 rest = Math.min(clock, m.deadline - block.timestamp + clock / _INCREMENT_DIVISOR);
            if (turnChanged) (m.deadline, m.reserve) = (uint40(block.timestamp + m.reserve), uint32(rest));
            else m.deadline = uint40(block.timestamp + rest);
        }
    }

    /// @dev Ends an offer that nobody has taken.
    function _refund(uint256 matchId, Match memory m, Terms memory terms) private {
        uint256 paid = m.status == Status.P1Deposited ? terms.stake1 : 0;
        m.status = Status.P1Canceled;
        _matches[matchId].storePlay(m);
        _credit(m.player1, terms.token, paid);
        emit Settled(matchId, Status.P1Canceled, paid, 0, 0, 0, 0);
    }

    /// @dev Settles a match that was played: pays and rates, and calls no other contract.
    /// @param winner Seat that won, for the ladder; None is a draw.
    /// @param taker Seat that takes the pot; None gives each player its own stake.
    /// @param forfeit True if the clock ran out.
    function _settle(
        uint256 matchId,
        Match memory m,
        Terms memory terms,
        Seat winner,
        Seat taker,
        bool forfeit
    ) private {
        Status status = _statusFor(winner, forfeit);
        (m.status, m.turn, m.posted) = (status, Seat.None, false);
        _matches[matchId].storePlay(m);
        (uint256 paid1, uint256 paid2, uint256 house) = Payouts.split(terms, taker, forfeit);
        _credit(m.player1, terms.token, paid1);
        _credit(m.player2, terms.token, paid2);
        if (house != 0) _credit(treasury(), terms.token, house);
        (uint256 rating1, uint256 rating2) = _record(terms, m.player1, m.player2, winner, forfeit, paid1, paid2);
        emit Settled(matchId, status, paid1, paid2, house, rating1, rating2);
    }

    /// @dev Adds a match to the ladder if it is rated; returns the new ratings, or zeros if unrated.
    function _record(
        Terms memory terms,
        address player1,
        address player2,
        Seat winner,
        bool forfeit,
        uint256 paid1,
        uint256 paid2
    ) private returns (uint256 rating1, uint256 rating2) {
        if (!terms.rated) return (0, 0);
        (rating1, rating2) = _rate(address(terms.game), player1, player2, winner, forfeit);
        _addStakes(player1, terms.token, terms.stake1, paid1);
        _addStakes(player2, terms.token, terms.stake2, paid2);
    }

    function _checkOffer(uint256 matchId, Match memory m, Terms memory terms, bytes32 expected) private pure {
        bytes32 actual = EfficientHashLib.hash(terms.hash(), bytes32(uint256(uint160(m.player1))), m.fingerprint);
        if (actual != expected) revert WrongOffer(matchId, expected, actual);
    }

    function _offerEnd(uint256 firmUntil) private view returns (uint40) {
        uint256 latest = block.timestamp + _OFFER_LIFE;
        if (firmUntil == 0) return uint40(latest);
        if (firmUntil <= block.timestamp || firmUntil > latest) {
            revert FirmUntilOutOfBounds(firmUntil, block.timestamp, latest);
        }
        return uint40(firmUntil);
    }

    function _checkInTime(uint256 matchId, Match memory m) private view {
        if (block.timestamp > m.deadline) revert TooLate(matchId, m.deadline, block.timestamp);
    }

    function _checkStatus(uint256 matchId, Match memory m, Status status) private pure {
        if (m.status != status) revert WrongStatus(matchId, m.status);
    }

    function _checkOpponent(uint256 matchId, Match memory m, address player) private pure {
        if (player == m.player1) revert OwnOpponent(player);
        if (m.player2 != address(0) && m.player2 != player) revert NotTheOpponent(matchId, m.player2, player);
    }

    function _seatOf(uint256 matchId, Match memory m, address player) private pure returns (Seat) {
        if (player == m.player1) return Seat.One;
        if (player == m.player2) return Seat.Two;
        revert NotAPlayer(matchId, player);
    }

    function _statusFor(Seat winner, bool forfeit) private pure returns (Status) {
        if (winner == Seat.None) return Status.Draw;
        if (winner == Seat.One) return forfeit ? Status.P1WinInactive : Status.P1Win;
        return forfeit ? Status.P2WinInactive : Status.P2Win;
    }
}
