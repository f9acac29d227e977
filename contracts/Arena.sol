// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {LibRLP} from "solady/src/utils/LibRLP.sol";
import {SSTORE2} from "solady/src/utils/SSTORE2.sol";
import {House} from "./House.sol";
import {Ladder} from "./Ladder.sol";
import {Purse} from "./Purse.sol";
import {Signatures} from "./Signatures.sol";
import {IArena, Match, Status, Terms} from "./interfaces/IArena.sol";
import {Duel, Seat, Step} from "./interfaces/IGame.sol";
import {ISignatures} from "./interfaces/ISignatures.sol";
import {BPS} from "./libraries/BasisPoints.sol";
import {Matches, StoredMatch} from "./libraries/Matches.sol";

/// @title Referee of duels
/// @dev Every function first checks, then writes the state that a game may read during its call, calls the game at most
/// once, and after that only moves numbers and stores the position. The lock keeps the whole arena unchanged during the
/// call.
contract Arena is IArena, Signatures, Purse, Ladder, House {
    using Matches for StoredMatch;

    uint256 private constant _MIN_CLOCK = 1 minutes;
    uint256 private constant _MAX_CLOCK = 30 days;
    uint256 private constant _OFFER_LIFE = 30 days;
    /// @dev Time that a match waits for either player.
    uint256 private constant _AWAY_TIME = 30 days;
    /// @dev Each action gives back the clock divided by this.
    uint256 private constant _INCREMENT_DIVISOR = 32;
    uint256 private constant _TERMS_BYTES = 256;
    /// @dev Length of the prefix of stored code, a STOP that keeps the code from running.
    uint256 private constant _CODE_START = 1;

    // These share a slot with treasury and house fee, so that `create` reads and writes it once.
    uint40 private _matchCount;
    uint40 private _termsCount;

    mapping(uint256 matchId => StoredMatch m) private _matches;
    mapping(bytes32 termsHash => uint256 termsId) private _termsIds;
    mapping(address player => mapping(address operator => uint40 until)) private _operators;

    constructor(address owner, address treasury) House(owner, treasury) {}

    /// @inheritdoc IArena
    function create(
        Terms calldata terms,
        address opponent,
        uint40 firmUntil,
        bytes calldata data
    ) external payable nonReentrant returns (uint256 matchId) {
        if (opponent == msg.sender) revert OwnOpponent(msg.sender);
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
            fingerprint: bytes5(EfficientHashLib.hashCalldata(data))
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
        uint256 deadline = m.deadline;
        if (seat == Seat.Either) {
            // No operators: one that serves both players would act for whichever it likes.
            seat = _seatOf(matchId, m, msg.sender);
            // No clock has run: both are full.
            deadline = type(uint40).max;
        } else {
            address player = seat == Seat.One ? m.player1 : m.player2;
            if (msg.sender != player && block.timestamp > _operators[player][msg.sender]) {
                revert NotYourTurn(matchId, player, msg.sender);
            }
        }
        Terms memory terms = _termsNumbered(m.termsId);
        emit Acted(matchId, seat, data);

        Duel memory duel = Duel(matchId, terms.mode, terms.rated, m.player1, m.player2, stored.position);
        Step memory step = terms.game.act(duel, seat, data);
        Seat next = step.turn;
        if (next != Seat.None) _punchClock(m, deadline, terms.clock, next != seat);
        _advance(stored, matchId, m, terms, step);
    }

    /// @inheritdoc IArena
    function resign(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        _checkStatus(matchId, m, Status.AllJoined);
        _checkInTime(matchId, m);
        Seat winner = _seatOf(matchId, m, msg.sender) == Seat.One ? Seat.Two : Seat.One;
        _settle(matchId, m, _termsNumbered(m.termsId), winner, winner, false);
    }

    /// @inheritdoc IArena
    function settle(
        uint256 matchId,
        bytes32 termsHash,
        Seat winner,
        uint40 until,
        bytes32 record,
        bytes calldata signature1,
        bytes calldata signature2
    ) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        _checkStatus(matchId, m, Status.AllJoined);
        _checkInTime(matchId, m);
        if (block.timestamp > until) revert TooLate(matchId, until, block.timestamp);
        if (winner == Seat.Either) revert BadWinner(matchId, winner);
        Terms memory terms = _termsNumbered(m.termsId);
        bytes32 actual = keccak256(abi.encode(terms));
        if (actual != termsHash) revert WrongTerms(matchId, termsHash, actual);
        bytes32 digest = _agreementDigest(matchId, termsHash, winner, until, record);
        _checkSigned(matchId, Seat.One, m.player1, digest, signature1);
        _checkSigned(matchId, Seat.Two, m.player2, digest, signature2);
        emit Agreed(matchId, winner, until, record, signature1, signature2);
        _settle(matchId, m, terms, winner, winner, false);
    }

    /// @inheritdoc ISignatures
    function pledge(uint256 matchId, address key) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        _checkStatus(matchId, m, Status.AllJoined);
        _pledge(matchId, _seatOf(matchId, m, msg.sender), key);
    }

    /// @inheritdoc IArena
    function timeout(uint256 matchId) external nonReentrant {
        Match memory m = _matches[matchId].load(matchId);
        if (m.status > Status.AllJoined) revert WrongStatus(matchId, m.status);
        if (block.timestamp <= m.deadline) revert TooEarly(matchId, m.deadline, block.timestamp);
        Terms memory terms = _termsNumbered(m.termsId);
        if (m.status < Status.AllDeposited) return _refund(matchId, m, terms);
        Seat winner = m.turn == Seat.One ? Seat.Two : Seat.One;
        if (m.turn == Seat.Either) {
            // Nobody's clock ran, so nobody has lost.
            (winner, terms.rated) = (Seat.None, false);
        } else if (m.byTransfer && m.status == Status.AllDeposited) {
            // A hostile token could seat anybody: a player seated by its token that never joins has not agreed to a
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

    /// @inheritdoc ISignatures
    function checkSigned(uint256 matchId, Seat seat, bytes32 digest, bytes calldata signature) external view {
        Match memory m = _matches[matchId].load(matchId);
        address player;
        if (seat == Seat.One) player = m.player1;
        if (seat == Seat.Two) player = m.player2;
        _checkSigned(matchId, seat, player, digest, signature);
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

    /// @dev Returns the number and the hash of terms, and stores the terms if they are new.
    function _register(Terms calldata terms) private returns (uint256 termsId, bytes32 termsHash) {
        if (terms.feeBps != feeBps()) revert WrongFee(terms.feeBps, feeBps());
        termsHash = keccak256(abi.encode(terms));
        termsId = _termsIds[termsHash];
        if (termsId == 0) {
            if (terms.clock < _MIN_CLOCK || terms.clock > _MAX_CLOCK) {
                revert ClockOutOfBounds(terms.clock, _MIN_CLOCK, _MAX_CLOCK);
            }
            if (address(terms.game).code.length == 0) revert NotAContract(address(terms.game));
            termsId = ++_termsCount;
            _termsIds[termsHash] = termsId;
            address deployed = SSTORE2.write(abi.encode(terms));
            address expected = _termsAddress(termsId);
            if (deployed != expected) revert TermsElsewhere(termsId, deployed, expected);
            emit TermsAdded(termsId, terms);
        }
    }

    /// @dev Returns stored terms. Terms are stored as the code of contracts that the arena creates, numbered in the
    /// order of their creation: every action reads terms, and reading code costs a third of reading as much storage.
    function _termsNumbered(uint256 termsId) private view returns (Terms memory terms) {
        address source = _termsAddress(termsId);
        // In memory the fields of a struct are the words of its encoding, and the arena wrote no other code.
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            extcodecopy(source, terms, _CODE_START, _TERMS_BYTES)
        }
    }

    /// @dev The n-th contract that an account creates has an address that follows from the account and n.
    function _termsAddress(uint256 termsId) private view returns (address) {
        return LibRLP.computeAddress(address(this), termsId);
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
            if (step.winner == Seat.Either || step.taker == Seat.Either) revert BadStep(matchId, step);
            delete stored.position;
            _settle(matchId, m, terms, step.winner, step.taker, false);
        } else {
            if (step.winner != Seat.None || step.taker != Seat.None) revert BadStep(matchId, step);
            Seat turn = step.turn;
            // Both clocks stand, full, while the match waits for either player.
            if (turn == Seat.Either) (m.deadline, m.reserve) = (uint40(block.timestamp + _AWAY_TIME), terms.clock);
            m.turn = turn;
            stored.storePlay(m);
            stored.position = step.position;
        }
    }

    /// @dev Stops the clock of the seat that acted, as on a chess clock: `deadline` is that of the seat in turn,
    /// `reserve` is the time left to the other seat.
    /// @param deadline Deadline of the seat that acted.
    function _punchClock(Match memory m, uint256 deadline, uint256 clock, bool turnChanged) private view {
        unchecked {
            // The deadline has not passed.
            uint256 rest = Math.min(clock, deadline - block.timestamp + clock / _INCREMENT_DIVISOR);
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
        m.status = status;
        m.turn = Seat.None;
        _matches[matchId].storePlay(m);
        (uint256 paid1, uint256 paid2, uint256 house) = _split(terms, taker, forfeit);
        _credit(m.player1, terms.token, paid1);
        _credit(m.player2, terms.token, paid2);
        if (house != 0) _credit(treasury(), terms.token, house);
        uint256 rating1;
        uint256 rating2;
        if (terms.rated) {
            (rating1, rating2) = _rate(address(terms.game), m.player1, m.player2, winner, forfeit);
            _addStakes(m.player1, terms.token, terms.stake1, paid1);
            _addStakes(m.player2, terms.token, terms.stake2, paid2);
        }
        emit Settled(matchId, status, paid1, paid2, house, rating1, rating2);
    }

    /// @dev Divides the stakes. The house gets nothing when own stakes go back, nor when a player lost by the clock.
    function _split(
        Terms memory terms,
        Seat taker,
        bool forfeit
    ) private pure returns (uint256 paid1, uint256 paid2, uint256 house) {
        if (taker == Seat.None) return (terms.stake1, terms.stake2, 0);
        unchecked {
            // Stakes have 96 bits.
            uint256 pot = uint256(terms.stake1) + terms.stake2;
            if (!forfeit) house = (pot * terms.feeBps) / BPS;
            if (taker == Seat.One) paid1 = pot - house;
            else paid2 = pot - house;
        }
    }

    function _checkOffer(uint256 matchId, Match memory m, Terms memory terms, bytes32 expected) private pure {
        bytes32 actual = EfficientHashLib.hash(
            keccak256(abi.encode(terms)),
            bytes32(uint256(uint160(m.player1))),
            m.fingerprint
        );
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
