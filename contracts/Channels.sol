// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {IArena, Terms} from "./interfaces/IArena.sol";
import {IChannelArena} from "./interfaces/IChannelArena.sol";
import {Base, Channel, ChannelState, IChannels, Transcript} from "./interfaces/IChannels.sol";
import {Duel, IGame, Seat, Step} from "./interfaces/IGame.sol";
import {EncodedTerms} from "./libraries/EncodedTerms.sol";
import {Payouts} from "./libraries/Payouts.sol";

/// @notice State of a match while its transcript is carried out.
struct Progress {
    /// Seat that acts next; None when the game is over.
    Seat turn;
    Seat winner;
    Seat taker;
    /// Seat that acted last.
    Seat mover;
    /// True if the game refused an action: its sender loses, and later messages only serve as signatures.
    bool forfeit;
    /// True if the mover's opponent signed that it has seen the end, or sends the transaction.
    bool agreed;
    /// Turn of the base from which the transcript starts; None if it starts from the offer.
    Seat startTurn;
    /// Position from which the transcript starts.
    bytes32 start;
    bytes32 position;
    /// Number of messages of the match that waits in the arena; zero if it does not wait.
    uint256 posted;
    /// True if player 1 of the channel challenged the match that waits.
    bool postedBy1;
    /// Number of messages after the offer.
    uint256 count;
    /// Number of seat One's last message.
    uint256 count1;
    /// Number of seat Two's last message.
    uint256 count2;
    /// Struct hash of the last message.
    bytes32 last;
    /// Struct hash of seat One's last message.
    bytes32 last1;
    /// Struct hash of seat Two's last message.
    bytes32 last2;
}

/// @title Channels of one arena
/// @dev The arena deploys this contract. It holds no money and calls no token. It calls the arena, the games of matches
/// and, to open a channel, the wallets of its players.
contract Channels is IChannels, EIP712, Multicall, ReentrancyGuardTransient {
    using EncodedTerms for Terms;

    bytes32 private constant _OPEN_TYPEHASH = keccak256(
        "Open(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,uint32 until)"
    );
    bytes32 private constant _OFFER_TYPEHASH = keccak256(
        "Offer(bytes32 channel,uint24 nonce,bytes32 terms,bool swapped,bytes32 position,uint32 until)"
    );
    bytes32 private constant _MOVE_TYPEHASH = keccak256(
        "Move(bytes32 offer,uint32 count,bytes32 prev,bytes action,bytes32 place)"
    );
    bytes32 private constant _BALANCE_TYPEHASH = keccak256(
        "Balance(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,bool close,uint32 until)"
    );
    /// @dev Bits of a nonce that count the matches of one opening. The bits above count openings, so that no message of
    /// one opening is valid in another.
    uint256 private constant _MATCH_BITS = 14;
    /// @dev Position of a match whose end only the player who acted last has signed: the arena accepts no action there.
    bytes32 private constant _OVER = bytes32(type(uint256).max);
    /// @dev With this much gas, a refusal is the fault of the action: by the laws of games, 4,000,000 gas suffices for
    /// any action, and a call passes on 63/64.
    uint256 private constant _FORFEIT_GAS = 4_500_000;
    /// @dev Number of actions of a match that ends with its only reveal.
    uint256 private constant _ONE_ROUND = 2;

    uint256 private constant _CODE_TAKER_AT = 2;
    uint256 private constant _CODE_FORFEIT_AT = 4;
    uint256 private constant _CODE_SWAPPED_AT = 5;
    uint256 private constant _CODE_TURN_AT = 6;
    uint256 private constant _CODE_NONCE_AT = 8;
    uint256 private constant _CODE_RATING_1_AT = 32;
    uint256 private constant _CODE_RATING_2_AT = 64;
    /// @dev Bytes of an action's length in a transcript.
    uint256 private constant _LENGTH_BYTES = 2;

    address private immutable _arena;

    mapping(bytes32 channelId => ChannelState state) private _states;
    mapping(address token => uint256 amount) private _shares;

    constructor(address arena_) EIP712("Duello Channels", "1") {
        _arena = arena_;
    }

    /// @inheritdoc IChannels
    function open(
        Channel calldata channel,
        uint96 amount1,
        uint96 amount2,
        uint32 until,
        bytes calldata signature1,
        bytes calldata signature2
    ) external nonReentrant {
        bytes32 id = keccak256(abi.encode(channel));
        ChannelState memory s = _states[id];
        if (s.until != 0) revert AlreadyOpen(id);
        if (until <= block.timestamp) revert Expired(until, block.timestamp);
        if (channel.player1 == channel.player2) revert SamePlayer(channel.player1);
        uint256 feeBps = IArena(_arena).feeBps();
        if (channel.feeBps != feeBps) revert WrongChannelFee(channel.feeBps, feeBps);
        // Either player may win both amounts, so their sum must fit.
        uint256 sum = uint256(amount1) + amount2;
        if (sum > type(uint96).max) revert AmountsTooHigh(sum, type(uint96).max);
        s = ChannelState(amount1, amount2, _firstNonce(id, s.nonce), false, until);
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(_OPEN_TYPEHASH, id, s.nonce, amount1, amount2, until)));
        _checkWallet(channel.player1, digest, signature1);
        _checkWallet(channel.player2, digest, signature2);
        _states[id] = s;
        emit Opened(
            id,
            channel.player1,
            channel.player2,
            channel.key1,
            channel.key2,
            channel.token,
            channel.feeBps,
            amount1,
            amount2,
            s.nonce,
            until
        );
        if (sum != 0) IChannelArena(_arena).lock(channel.player1, amount1, channel.player2, amount2, channel.token);
    }

    /// @inheritdoc IChannels
    function play(
        Channel calldata channel,
        uint24 nonce,
        Terms calldata terms,
        Transcript[] calldata transcripts
    ) external nonReentrant {
        bytes32 id = keccak256(abi.encode(channel));
        ChannelState memory s = _openState(id);
        (Terms memory loaded, bytes32 termsHash) = _load(channel, terms);
        uint256 house = 0;
        bool settled = false;
        for (uint256 i = 0; i < transcripts.length; ++i) {
            uint256 n = uint256(nonce) + i;
            // Do not revert: the opponent may have settled this match first, and later matches may follow.
            if (_wasSettled(id, s, n)) continue;
            if (!settled) _logTerms(id, loaded);
            Transcript calldata t = transcripts[i];
            Progress memory p = _carryOut(channel, id, s, n, loaded, termsHash, t);
            if (!_isFinal(p, t)) revert NotFinal(n, p.turn);
            house += _settle(channel, id, s, n, loaded, t, p);
            settled = true;
        }
        if (!settled) return;
        _states[id] = s;
        if (house != 0) _shares[channel.token] += house;
    }

    /// @inheritdoc IChannels
    function challenge(
        Channel calldata channel,
        uint24 nonce,
        Terms calldata terms,
        Transcript calldata transcript
    ) external nonReentrant {
        bytes32 id = keccak256(abi.encode(channel));
        ChannelState memory s = _openState(id);
        (Terms memory loaded, bytes32 termsHash) = _load(channel, terms);
        Progress memory p = _carryOut(channel, id, s, nonce, loaded, termsHash, transcript);
        if (p.turn == p.mover) revert StillInTurn(nonce, p.mover);
        // The challenger acted last, so the opponent can have agreed only with a message.
        p.agreed = transcript.seen;
        if (p.forfeit || p.agreed || _isFinal(p, transcript) || _hasLost(p)) revert IsFinal(nonce);
        _checkMover(channel, nonce, transcript.swapped, p.mover);
        // Without this signature in an event, the opponent could not sign that it has seen the end.
        bytes calldata signature = _moverSignature(p, transcript);
        if (p.turn == Seat.None) {
            if (signature.length == 0) revert NotSignedBy(msg.sender);
            emit EndShown(id, nonce, transcript.places, signature);
        }
        _takeStakes(s, loaded, transcript.swapped, nonce);
        (s.nonce, s.challenged) = (_nextNonce(id, nonce), true);
        _states[id] = s;
        uint256 matchId = matchIdOf(id, nonce);
        emit Challenged(id, matchId, _codeOf(p, nonce, transcript.swapped), p.start, transcript.actions);
        (address one, address two) = _seats(channel, transcript.swapped);
        bytes32 position = p.turn == Seat.None ? _OVER : p.position;
        uint256 code =
            (p.count << 2) | (SafeCast.toUint(p.mover == Seat.Two) << 1) | SafeCast.toUint(transcript.swapped);
        IChannelArena(_arena).start(matchId, loaded, one, two, _otherThan(p.mover), position, code);
    }

    /// @inheritdoc IChannels
    function checkpoint(
        Channel calldata channel,
        uint24 nonce,
        uint96 amount1,
        uint96 amount2,
        bool close,
        uint32 until,
        bytes calldata signature1,
        bytes calldata signature2
    ) external nonReentrant {
        bytes32 id = keccak256(abi.encode(channel));
        ChannelState memory s = _openState(id);
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(_BALANCE_TYPEHASH, id, nonce, amount1, amount2, close, until))
        );
        _checkKey(channel.player1, channel.key1, digest, signature1);
        _checkKey(channel.player2, channel.key2, digest, signature2);
        if (block.timestamp > until) revert Expired(until, block.timestamp);
        // No message of another opening is valid in this one, even if its number is higher than the current one.
        if (nonce >> _MATCH_BITS != s.nonce >> _MATCH_BITS) revert WrongNonce(nonce, s.nonce);
        if (s.challenged && nonce >= s.nonce) _voidPosted(id, s);
        if (nonce <= s.nonce && !(close && nonce == s.nonce)) {
            if (close) revert WrongNonce(nonce, s.nonce);
            // Return instead of reverting: the opponent may have been faster, and a later match may follow.
            return;
        }
        uint256 held = uint256(s.amount1) + s.amount2;
        uint256 sum = uint256(amount1) + amount2;
        if (sum > held) revert AmountsTooHigh(sum, held);
        (s.nonce, s.challenged) = (nonce, false);
        if (close) {
            _pay(channel, id, s, amount1, amount2, held - sum);
        } else {
            (s.amount1, s.amount2) = (amount1, amount2);
            _states[id] = s;
            if (held != sum) _shares[channel.token] += held - sum;
            emit Balanced(id, nonce, amount1, amount2, held - sum, false);
        }
    }

    /// @inheritdoc IChannels
    function expire(Channel calldata channel) external nonReentrant {
        bytes32 id = keccak256(abi.encode(channel));
        ChannelState memory s = _openState(id);
        if (block.timestamp <= s.until) revert StillOpen(s.until, block.timestamp);
        _checkNonePosted(id, s);
        _pay(channel, id, s, s.amount1, s.amount2, 0);
    }

    /// @inheritdoc IChannels
    function collect(address token) external nonReentrant {
        uint256 amount = _shares[token];
        _shares[token] = 0;
        emit Collected(token, amount);
        IChannelArena(_arena).release(address(0), 0, address(0), 0, token, amount);
    }

    /// @inheritdoc IChannels
    function stateOf(bytes32 channelId) external view returns (ChannelState memory) {
        return _states[channelId];
    }

    /// @inheritdoc IChannels
    function firstNonceOf(bytes32 channelId) external view returns (uint24) {
        return _firstNonce(channelId, _states[channelId].nonce);
    }

    /// @inheritdoc IChannels
    function sharesOf(address token) external view returns (uint256) {
        return _shares[token];
    }

    /// @inheritdoc IChannels
    function matchIdOf(bytes32 channelId, uint256 nonce) public pure returns (uint256) {
        return uint256(EfficientHashLib.hash(channelId, bytes32(nonce)));
    }

    /// @dev Closes a channel and pays what it holds.
    function _pay(
        Channel calldata channel,
        bytes32 id,
        ChannelState memory s,
        uint256 amount1,
        uint256 amount2,
        uint256 house
    ) private {
        (s.amount1, s.amount2, s.until, s.challenged) = (0, 0, 0, false);
        _states[id] = s;
        emit Balanced(id, s.nonce, amount1, amount2, house, true);
        IChannelArena(_arena).release(channel.player1, amount1, channel.player2, amount2, channel.token, house);
    }

    function _openState(bytes32 id) private view returns (ChannelState memory s) {
        s = _states[id];
        if (s.until == 0) revert NotOpen(id);
    }

    /// @dev Returns whether a match was settled in the channel, or is irrevocably in play in the arena.
    function _wasSettled(bytes32 id, ChannelState memory s, uint256 nonce) private view returns (bool) {
        if (nonce >= s.nonce) return false;
        if (nonce + 1 != s.nonce || !s.challenged) return true;
        (bool posted, ) = IChannelArena(_arena).postedOf(matchIdOf(id, nonce));
        return !posted;
    }

    function _checkNonePosted(bytes32 id, ChannelState memory s) private view {
        if (!s.challenged) return;
        uint256 last = matchIdOf(id, s.nonce - 1);
        (bool posted, ) = IChannelArena(_arena).postedOf(last);
        if (posted) revert MatchPosted(last);
    }

    /// @dev Withdraws the last challenged match, if it still waits in the arena for its first action.
    /// @return count Number of its messages; zero if it does not wait.
    /// @return by1 True if player 1 of the channel challenged it.
    function _voidPosted(bytes32 id, ChannelState memory s) private returns (uint256 count, bool by1) {
        uint256 matchId = matchIdOf(id, s.nonce - 1);
        (bool posted, uint256 code) = IChannelArena(_arena).postedOf(matchId);
        if (!posted) return (0, false);
        (uint256 stake1, uint256 stake2) = IChannelArena(_arena).void(matchId);
        // The lowest bit is set if seats are swapped, the next one if seat Two acted last.
        if (code & 1 == 1) (stake1, stake2) = (stake2, stake1);
        s.amount1 += uint96(stake1);
        s.amount2 += uint96(stake2);
        --s.nonce;
        (count, by1) = (code >> 2, code & 3 == 0 || code & 3 == 3);
    }

    /// @dev Carries out a transcript, and checks that both players signed it.
    function _carryOut(
        Channel calldata channel,
        bytes32 id,
        ChannelState memory s,
        uint256 nonce,
        Terms memory terms,
        bytes32 termsHash,
        Transcript calldata t
    ) private returns (Progress memory p) {
        if (s.challenged && nonce + 1 == s.nonce) {
            (p.posted, p.postedBy1) = _voidPosted(id, s);
            if (p.posted == 0) revert WrongNonce(nonce, s.nonce);
        } else {
            if (nonce != s.nonce) revert WrongNonce(nonce, s.nonce);
            // If two matches waited in the arena, nothing could supersede the first one.
            _checkNonePosted(id, s);
            if (block.timestamp > t.until) revert Expired(t.until, block.timestamp);
        }
        bytes32 offer = keccak256(abi.encode(_OFFER_TYPEHASH, id, nonce, termsHash, t.swapped, t.position, t.until));
        _begin(p, nonce, offer, t);
        (address one, address two) = _seats(channel, t.swapped);
        Duel memory duel = Duel(matchIdOf(id, nonce), terms.mode, terms.rated, one, two, p.position);
        _act(p, nonce, terms.game, duel, offer, t);
        if (t.seen) {
            bytes32 seen = _moveHash(offer, ++p.count, p.last, keccak256(""), 0);
            if (p.mover == Seat.One) (p.last2, p.count2) = (seen, p.count);
            else (p.last1, p.count1) = (seen, p.count);
        }
        if (p.posted != 0) _checkNewer(p, nonce, t.swapped);
        _checkSigned(channel, p, t);
    }

    /// @dev Reverts unless a transcript is new enough to supersede the match that waits in the arena.
    function _checkNewer(Progress memory p, uint256 nonce, bool swapped) private pure {
        // Otherwise a seat that acts several times in a row could replace what it sent before the challenger acted.
        uint256 signed = p.postedBy1 != swapped ? p.count1 : p.count2;
        if (p.count <= p.posted || signed < p.posted) revert NotNewer(nonce, p.count, signed, p.posted);
    }

    /// @dev Sets a match to the offer or the base of a transcript.
    function _begin(Progress memory p, uint256 nonce, bytes32 offer, Transcript calldata t) private pure {
        (p.turn, p.position, p.last) = (Seat.Two, t.position, offer);
        if (t.base.length != 0) {
            if (t.base.length != 1) revert BadTranscript(nonce);
            Base calldata base = t.base[0];
            (p.turn, p.startTurn, p.position, p.count) = (base.turn, base.turn, base.position, base.count);
            (p.count1, p.count2) = (p.count, p.count);
            if (p.count == 0) revert BadTranscript(nonce);
            bytes32 place = EfficientHashLib.hash(bytes32(uint256(base.turn)), base.position);
            p.last = _moveHash(offer, p.count, base.prev, base.actionHash, place);
        }
        // If a seat has not acted since, its last signed message is the offer or the base.
        (p.start, p.last1, p.last2) = (p.position, p.last, p.last);
    }

    /// @dev Passes the actions of a transcript to the game, one after another.
    function _act(
        Progress memory p,
        uint256 nonce,
        IGame game,
        Duel memory duel,
        bytes32 offer,
        Transcript calldata t
    ) private {
        bytes calldata actions = t.actions;
        bytes32[] calldata places = t.places;
        if (actions.length == 0) revert BadTranscript(nonce);
        uint256 index = 0;
        uint256 end = 0;
        while (end < actions.length) {
            uint256 start = end + _LENGTH_BYTES;
            if (start > actions.length) revert BadTranscript(nonce);
            end = start + uint16(bytes2(actions[start - _LENGTH_BYTES:start]));
            // A message without an action only confirms the previous message, so it has no place among actions.
            if (end > actions.length || end == start) revert BadTranscript(nonce);
            bytes calldata action = actions[start:end];
            Seat seat = p.turn;
            if (seat == Seat.None) {
                if (!p.forfeit) revert PastTheEnd(nonce, index);
                // The opponent may have answered the refused action already: that answer consents to the end.
                (seat, p.agreed) = (_otherThan(p.mover), true);
            }
            bytes32 place = index < places.length ? places[index] : bytes32(0);
            p.last = _moveHash(offer, p.count + 1, p.last, keccak256(action), place);
            if (seat == Seat.One) (p.last1, p.count1) = (p.last, p.count + 1);
            else (p.last2, p.count2) = (p.last, p.count + 1);
            p.mover = seat;
            if (p.turn != Seat.None) _take(p, nonce, game, duel, action);
            ++p.count;
            ++index;
        }
        if (places.length != 0 && places.length != index) revert BadTranscript(nonce);
    }

    /// @dev Passes an action of the seat in turn to the game. If the game refuses it, the seat loses.
    function _take(Progress memory p, uint256 nonce, IGame game, Duel memory duel, bytes calldata action) private {
        uint256 gasBefore = gasleft();
        Seat seat = p.turn;
        (bool taken, Step memory step) = _try(game, duel, p.count == 0, seat, action);
        if (taken) {
            _checkStep(nonce, step);
        } else {
            // The gas that the sender chose must not decide who has lost.
            if (gasBefore < _FORFEIT_GAS) revert TooLittleGas(gasBefore, _FORFEIT_GAS);
            Seat winner = _otherThan(seat);
            step = Step(Seat.None, winner, winner, 0);
            p.forfeit = true;
        }
        (p.turn, p.winner, p.taker) = (step.turn, step.winner, step.taker);
        (p.position, duel.position) = (step.position, step.position);
    }

    /// @dev Passes an action to a game; returns false if the game refuses it.
    function _try(
        IGame game,
        Duel memory duel,
        bool joins,
        Seat seat,
        bytes calldata action
    ) private returns (bool taken, Step memory step) {
        if (joins) {
            try game.join(duel, action) returns (Step memory next) {
                return (true, next);
            } catch {
                return (false, step);
            }
        }
        try game.act(duel, seat, action) returns (Step memory next) {
            return (true, next);
        } catch {
            return (false, step);
        }
    }

    /// @dev Reverts unless a game may return the step in a channel.
    function _checkStep(uint256 nonce, Step memory step) private pure {
        if (step.turn == Seat.None || (step.winner == Seat.None && step.taker == Seat.None)) return;
        revert BadChannelStep(nonce, step);
    }

    /// @dev Checks each player's signature of its last message; each message contains the hash of the previous one.
    function _checkSigned(Channel calldata channel, Progress memory p, Transcript calldata t) private view {
        (bytes32 last1, bytes32 last2) = t.swapped ? (p.last2, p.last1) : (p.last1, p.last2);
        bool sent1 = _checkKey(channel.player1, channel.key1, _hashTypedDataV4(last1), t.signature1);
        bool sent2 = _checkKey(channel.player2, channel.key2, _hashTypedDataV4(last2), t.signature2);
        p.agreed = p.agreed || t.seen || ((p.mover == Seat.Two) != t.swapped ? sent1 : sent2);
    }

    /// @dev Returns whether the end of a match is final. Without the opponent's consent, the end is final only if the
    /// mover had no choice. Otherwise the mover could end an old match differently from what it had shown, even with a
    /// loss: the stake would then be missing for a newer match or balance.
    function _isFinal(Progress memory p, Transcript calldata t) private pure returns (bool) {
        if (p.turn != Seat.None) return false;
        bool forced = p.count == _ONE_ROUND && t.base.length == 0 && !p.forfeit;
        return p.agreed || forced;
    }

    /// @dev Returns whether a match is over and its mover lost; the opponent then settles it.
    function _hasLost(Progress memory p) private pure returns (bool) {
        return p.turn == Seat.None && p.taker != Seat.None && p.taker != p.mover;
    }

    function _moverSignature(Progress memory p, Transcript calldata t) private pure returns (bytes calldata) {
        return (p.mover == Seat.One) != t.swapped ? t.signature1 : t.signature2;
    }

    function _seats(Channel calldata channel, bool swapped) private pure returns (address one, address two) {
        return swapped ? (channel.player2, channel.player1) : (channel.player1, channel.player2);
    }

    function _otherThan(Seat seat) private pure returns (Seat) {
        return seat == Seat.One ? Seat.Two : Seat.One;
    }

    function _moveHash(
        bytes32 offer,
        uint256 count,
        bytes32 prev,
        bytes32 actionHash,
        bytes32 place
    ) private pure returns (bytes32) {
        return EfficientHashLib.hash(_MOVE_TYPEHASH, offer, bytes32(count), prev, actionHash, place);
    }

    /// @dev Loads the terms of matches in a channel, and hashes them.
    function _load(
        Channel calldata channel,
        Terms calldata terms
    ) private pure returns (Terms memory loaded, bytes32 termsHash) {
        if (terms.token != channel.token || terms.feeBps != channel.feeBps) {
            revert WrongChannelTerms(terms.token, terms.feeBps);
        }
        loaded = terms;
        termsHash = loaded.hash();
    }

    /// @dev Takes the stakes of a match from what the channel holds.
    function _takeStakes(ChannelState memory s, Terms memory terms, bool swapped, uint256 nonce) private pure {
        (uint96 stake1, uint96 stake2) = swapped ? (terms.stake2, terms.stake1) : (terms.stake1, terms.stake2);
        if (s.amount1 < stake1 || s.amount2 < stake2) revert StakesTooHigh(nonce, stake1, stake2);
        unchecked {
            s.amount1 -= stake1;
            s.amount2 -= stake2;
        }
    }

    function _logTerms(bytes32 id, Terms memory terms) private {
        emit PlayedUnder(id, address(terms.game), terms.mode, terms.stake1, terms.stake2, terms.clock, terms.rated);
    }

    /// @dev Divides the stakes of a match that is over, rates it and logs it.
    function _settle(
        Channel calldata channel,
        bytes32 id,
        ChannelState memory s,
        uint256 nonce,
        Terms memory terms,
        Transcript calldata t,
        Progress memory p
    ) private returns (uint256 house) {
        _takeStakes(s, terms, t.swapped, nonce);
        uint256 paid1;
        uint256 paid2;
        (paid1, paid2, house) = Payouts.split(terms, p.taker, p.forfeit);
        uint256 code = _codeOf(p, nonce, t.swapped);
        if (terms.rated) {
            (address one, address two) = _seats(channel, t.swapped);
            (uint256 rating1, uint256 rating2) = IChannelArena(_arena).rate(
                terms,
                one,
                two,
                p.winner,
                p.forfeit,
                paid1,
                paid2
            );
            code |= (rating1 << _CODE_RATING_1_AT) | (rating2 << _CODE_RATING_2_AT);
        }
        if (t.swapped) (paid1, paid2) = (paid2, paid1);
        // The sum of both amounts never grows, so it still fits.
        s.amount1 += uint96(paid1);
        s.amount2 += uint96(paid2);
        (s.nonce, s.challenged) = (_nextNonce(id, nonce), false);
        emit Played(id, matchIdOf(id, nonce), code, p.start, t.actions);
    }

    /// @dev Packs the `code` of a transcript for events; only its settlement adds the ratings.
    function _codeOf(Progress memory p, uint256 nonce, bool swapped) private pure returns (uint256) {
        return
            uint256(p.winner) |
            (uint256(p.taker) << _CODE_TAKER_AT) |
            (SafeCast.toUint(p.forfeit) << _CODE_FORFEIT_AT) |
            (SafeCast.toUint(swapped) << _CODE_SWAPPED_AT) |
            (uint256(p.startTurn) << _CODE_TURN_AT) |
            (nonce << _CODE_NONCE_AT);
    }

    /// @dev Reverts unless the caller is the player who acted last, its key or its operator.
    function _checkMover(Channel calldata channel, uint256 nonce, bool swapped, Seat mover) private view {
        (address player, address key) = (mover == Seat.One) != swapped
            ? (channel.player1, channel.key1)
            : (channel.player2, channel.key2);
        if (msg.sender == player || msg.sender == key) return;
        if (block.timestamp > IArena(_arena).operatorUntil(player, msg.sender)) {
            revert NotTheMover(nonce, player, msg.sender);
        }
    }

    /// @dev Reverts unless a player's key signed a digest, or the player or its key sends the transaction.
    /// @return sent True if the player or its key sends the transaction.
    function _checkKey(
        address player,
        address key,
        bytes32 digest,
        bytes calldata signature
    ) private view returns (bool sent) {
        if (signature.length == 0) {
            if (msg.sender != player && msg.sender != key) revert NotSignedBy(key);
            return true;
        }
        (address signer, , ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer == address(0) || signer != key) revert NotSignedBy(key);
    }

    /// @dev Reverts unless a player, possibly a contract, signed a digest or sends the transaction.
    function _checkWallet(address player, bytes32 digest, bytes calldata signature) private view {
        if (signature.length == 0 && msg.sender == player) return;
        if (!SignatureChecker.isValidSignatureNowCalldata(player, digest, signature)) revert NotSignedBy(player);
    }

    /// @dev Returns the number of the next match in the same opening.
    function _nextNonce(bytes32 id, uint256 nonce) private pure returns (uint24) {
        if ((nonce + 1) >> _MATCH_BITS != nonce >> _MATCH_BITS) revert NoncesUsedUp(id, nonce);
        return uint24(nonce + 1);
    }

    /// @dev Returns the number of the first match of the opening that follows this number.
    function _firstNonce(bytes32 id, uint256 nonce) private pure returns (uint24) {
        uint256 first = ((nonce >> _MATCH_BITS) + 1) << _MATCH_BITS;
        if (first > type(uint24).max) revert NoncesUsedUp(id, nonce);
        return uint24(first);
    }
}
