// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Channel, ChannelState, IChannels, Transcript} from "../../contracts/interfaces/IChannels.sol";
import {IArena} from "../../contracts/interfaces/IArena.sol";
import {IChannelArena} from "../../contracts/interfaces/IChannelArena.sol";
import {Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {VM} from "../Vm.sol";
import {Random} from "./Random.sol";
import {Sitters} from "./Sitters.sol";

/// @title Handler of what channels forbid
/// @notice Each call is refused with a specific error and its values, or does nothing. The model does not change, so
/// that the invariants find any trace of the call.
contract Trespasses is Sitters {
    uint24 private constant _OPENING = 16_384;

    /// @notice Balance with its signatures.
    struct Balance {
        uint24 nonce;
        uint96 amount1;
        uint96 amount2;
        bool close;
        uint32 until;
        address signer1;
        address signer2;
    }

    /// @inheritdoc Sitters
    function _trespass(uint256 i, Random memory random) internal override {
        if (random.roll(8) == 0) return _intrude(i);
        if (_states[i].until == 0) return _openWrong(i, random);
        if (_isPosted(i) && _brought[i].deadline < _time) return _supersedeLate(i, random);
        if (_time > _states[i].until || random.roll(4) == 0) return _endEarly(i);
        if (random.coin()) _balanceWrong(i, random);
        else if (_isPosted(i)) _bringBeside(i, random);
        else _bringWrong(i, random);
        ++done["trespass"];
    }

    /// @dev Calls functions that only the channels contract may call.
    function _intrude(uint256 i) private {
        address token = _channels[i].token;
        bytes[4] memory tries = [
            abi.encodeCall(IChannelArena.lock, (players[0], 1, players[1], 0, token)),
            abi.encodeCall(IChannelArena.release, (_STRANGER, 1, _STRANGER, 0, token, 0)),
            abi.encodeCall(IChannelArena.void, (channels.matchIdOf(idOf(i), _brought[i].nonce))),
            abi.encodeCall(IChannelArena.rate, (_brought[i].terms, players[0], players[1], Seat.One, false, 0, 0))
        ];
        bytes memory refusal = abi.encodeWithSelector(IChannelArena.NotTheChannels.selector, _STRANGER);
        for (uint256 n = 0; n < tries.length; ++n) _refused(_STRANGER, address(arena), tries[n], refusal);
    }

    /// @dev Opens a channel without one of the consents, or with an end that has passed.
    function _openWrong(uint256 i, Random memory random) private {
        Channel memory c = _channels[i];
        uint24 nonce = channels.firstNonceOf(idOf(i));
        bool isLate = random.coin();
        uint32 until = uint32(isLate ? _time : _time + 1 days);
        bytes32 digest = _openDigest(i, nonce, 1, 1, until);
        (address signer1, address signer2) = (c.player1, c.player2);
        bytes memory refusal = abi.encodeWithSelector(IChannels.Expired.selector, until, _time);
        if (!isLate) {
            if (random.coin()) signer1 = c.player2;
            else signer2 = c.player1;
            refusal = _notSigned(signer1 == c.player1 ? c.player2 : c.player1);
        }
        bytes memory data = abi.encodeCall(
            IChannels.open,
            (c, 1, 1, until, _signed(signer1, digest), _signed(signer2, digest))
        );
        _refused(_STRANGER, address(channels), data, refusal);
    }

    /// @dev Tries to supersede a match whose clock has run out.
    function _supersedeLate(uint256 i, Random memory random) private {
        Signed memory m = _ended(i, random);
        --m.nonce;
        uint256 id = channels.matchIdOf(idOf(i), m.nonce);
        _playRefused(i, m, abi.encodeWithSelector(IArena.TooLate.selector, id, _brought[i].deadline, _time));
    }

    /// @dev Closes a channel before its end, or while a match waits, or opens it again.
    function _endEarly(uint256 i) private {
        ChannelState memory s = _states[i];
        Channel memory c = _channels[i];
        bytes memory refusal = abi.encodeWithSelector(IChannels.StillOpen.selector, s.until, _time);
        if (_time > s.until) {
            if (!_isPosted(i)) return;
            uint256 id = channels.matchIdOf(idOf(i), _brought[i].nonce);
            refusal = abi.encodeWithSelector(IChannels.MatchPosted.selector, id);
        }
        _refused(_STRANGER, address(channels), abi.encodeCall(IChannels.expire, (c)), refusal);
        bytes memory opens = abi.encodeCall(IChannels.open, (c, 0, 0, uint32(_time + 1), "", ""));
        _refused(_STRANGER, address(channels), opens, abi.encodeWithSelector(IChannels.AlreadyOpen.selector, idOf(i)));
    }

    /// @dev Submits an invalid balance.
    function _balanceWrong(uint256 i, Random memory random) private {
        ChannelState memory s = _states[i];
        Channel memory c = _channels[i];
        uint256 held = uint256(s.amount1) + s.amount2;
        Balance memory b = Balance(s.nonce + 1, 0, 0, random.coin(), uint32(_time), c.key1, c.key2);
        uint256 which = random.roll(6);
        if (which == 0) {
            b.until = uint32(_time - 1);
            return _balanceRefused(i, b, abi.encodeWithSelector(IChannels.Expired.selector, b.until, _time));
        }
        if (which == 1) {
            b.signer1 = c.key2;
            return _balanceRefused(i, b, _notSigned(c.key1));
        }
        if (which == 2) {
            b.signer2 = c.key1;
            return _balanceRefused(i, b, _notSigned(c.key2));
        }
        if (which == 3) {
            // Number of an opening before or after this one.
            b.nonce = random.coin() ? b.nonce - _OPENING : b.nonce + _OPENING;
            return _balanceRefused(i, b, abi.encodeWithSelector(IChannels.WrongNonce.selector, b.nonce, s.nonce));
        }
        if (which == 4) {
            if (_isPosted(i)) held += uint256(_brought[i].terms.stake1) + _brought[i].terms.stake2;
            (b.amount1, b.amount2) = (uint96(held), 1);
            return _balanceRefused(i, b, abi.encodeWithSelector(IChannels.AmountsTooHigh.selector, held + 1, held));
        }
        // An old balance that closes the channel is refused; any other old balance does nothing.
        if (s.nonce % _OPENING == 0) return;
        b.nonce = s.nonce - 1;
        b.amount1 = uint96(random.roll(held + 1));
        if (b.close) {
            return _balanceRefused(i, b, abi.encodeWithSelector(IChannels.WrongNonce.selector, b.nonce, s.nonce));
        }
        _ignored(_balanceCall(i, b));
    }

    /// @dev Settles another match while one waits in the arena, resigns there out of turn, or acts after the end.
    function _bringBeside(uint256 i, Random memory random) private {
        Signed memory m = _ended(i, random);
        uint256 id = channels.matchIdOf(idOf(i), m.nonce - 1);
        _playRefused(i, m, abi.encodeWithSelector(IChannels.MatchPosted.selector, id));
        bytes memory resign = abi.encodeCall(IArena.resign, (id));
        _refused(_brought[i].by, address(arena), resign, abi.encodeWithSelector(IArena.MatchWaits.selector, id));
        if (!_brought[i].over) return;
        address inTurn = _playerAt(i, _brought[i].swapped, _brought[i].turn);
        bytes memory act = abi.encodeCall(IArena.act, (id, hex"000000"));
        _refused(inTurn, address(arena), act, abi.encodeWithSelector(IArena.MatchIsOver.selector, id));
    }

    /// @dev Submits an invalid match.
    function _bringWrong(uint256 i, Random memory random) private {
        ChannelState memory s = _states[i];
        Signed memory m = _ended(i, random);
        uint256 which = random.roll(9);
        if (which == 0) {
            ++m.nonce;
            return _playRefused(i, m, abi.encodeWithSelector(IChannels.WrongNonce.selector, m.nonce, s.nonce));
        }
        if (which == 1) {
            m.until = uint32(_time - 1);
            return _playRefused(i, m, abi.encodeWithSelector(IChannels.Expired.selector, m.until, _time));
        }
        if (which == 2) {
            (m.terms.stake1, m.terms.stake2) = (s.amount1 + s.amount2 + 1, 0);
            if (random.coin()) (m.terms.stake1, m.terms.stake2) = (m.terms.stake2, m.terms.stake1);
            (uint96 stake1, uint96 stake2) = m.swapped
                ? (m.terms.stake2, m.terms.stake1)
                : (m.terms.stake1, m.terms.stake2);
            bytes4 tooHigh = IChannels.StakesTooHigh.selector;
            return _playRefused(i, m, abi.encodeWithSelector(tooHigh, m.nonce, stake1, stake2));
        }
        if (which == 3) {
            // Signed by one player only.
            Transcript memory t = _transcript(i, m);
            t.signature1 = t.signature2;
            return _transcriptRefused(i, m, t, _notSigned(_channels[i].key1));
        }
        if (which == 4) {
            m.terms.feeBps -= 1;
            bytes4 selector = IChannels.WrongChannelTerms.selector;
            return _playRefused(i, m, abi.encodeWithSelector(selector, m.terms.token, m.terms.feeBps));
        }
        if (which == 5) {
            // Settling a match that is settled already does nothing.
            if (m.nonce % _OPENING == 0) return;
            --m.nonce;
            return _ignored(_playCall(i, m, _transcript(i, m)));
        }
        if (which == 8) {
            // A final match needs no challenge.
            address mover = _playerAt(i, m.swapped, _moverOf(m));
            return _challengeRefused(i, m, mover, abi.encodeWithSelector(IChannels.IsFinal.selector, m.nonce));
        }
        m.seen = false;
        m.steps = new Step[](which == 6 ? 1 : 3);
        m.steps[0].turn = Seat.One;
        if (which == 6) {
            // The match is not over.
            _playRefused(i, m, abi.encodeWithSelector(IChannels.NotFinal.selector, m.nonce, Seat.One));
            (address sender, address mover) = (_playerAt(i, m.swapped, Seat.One), _playerAt(i, m.swapped, Seat.Two));
            bytes4 selector = IChannels.NotTheMover.selector;
            return _challengeRefused(i, m, sender, abi.encodeWithSelector(selector, m.nonce, mover, sender));
        }
        // The mover of this match could have ended it in another way.
        m.steps[1].turn = Seat.One;
        m.steps[2] = _end(Seat(random.roll(3)), Seat(random.roll(3)));
        _playRefused(i, m, abi.encodeWithSelector(IChannels.NotFinal.selector, m.nonce, Seat.None));
    }

    function _challengeRefused(uint256 i, Signed memory m, address sender, bytes memory refusal) private {
        bytes memory data = abi.encodeCall(IChannels.challenge, (_channels[i], m.nonce, m.terms, _transcript(i, m)));
        _refused(sender, address(channels), data, refusal);
    }

    function _playRefused(uint256 i, Signed memory m, bytes memory refusal) private {
        _transcriptRefused(i, m, _transcript(i, m), refusal);
    }

    function _transcriptRefused(uint256 i, Signed memory m, Transcript memory t, bytes memory refusal) private {
        _refused(_STRANGER, address(channels), _playCall(i, m, t), refusal);
    }

    function _playCall(uint256 i, Signed memory m, Transcript memory t) private view returns (bytes memory) {
        Transcript[] memory transcripts = new Transcript[](1);
        transcripts[0] = t;
        return abi.encodeCall(IChannels.play, (_channels[i], m.nonce, m.terms, transcripts));
    }

    function _balanceRefused(uint256 i, Balance memory b, bytes memory refusal) private {
        _refused(_STRANGER, address(channels), _balanceCall(i, b), refusal);
    }

    function _balanceCall(uint256 i, Balance memory b) private view returns (bytes memory) {
        bytes32 digest = _balanceDigest(i, b.nonce, b.amount1, b.amount2, b.close, b.until);
        (bytes memory signature1, bytes memory signature2) = (_signed(b.signer1, digest), _signed(b.signer2, digest));
        return
            abi.encodeCall(
                IChannels.checkpoint,
                (_channels[i], b.nonce, b.amount1, b.amount2, b.close, b.until, signature1, signature2)
            );
    }

    function _ignored(bytes memory data) private {
        VM.prank(_STRANGER);
        // solhint-disable-next-line avoid-low-level-calls
        (bool ok, bytes memory answer) = address(channels).call(data);
        if (!ok) revert NotRefusedSo(data, answer, "");
    }

    function _notSigned(address signer) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IChannels.NotSignedBy.selector, signer);
    }
}
