// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Arena} from "../../contracts/Arena.sol";
import {Channels} from "../../contracts/Channels.sol";
import {Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {Base, Channel, ChannelState, IChannels, Transcript} from "../../contracts/interfaces/IChannels.sol";
import {IGame, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Artifacts, VM} from "../Vm.sol";
import {OddToken} from "../mocks/OddToken.sol";
import {ScriptedGame} from "../mocks/ScriptedGame.sol";
import {WildGame} from "../mocks/WildGame.sol";
import {Random} from "./Random.sol";
import {Ratings} from "./Ratings.sol";

// solhint-disable avoid-low-level-calls

/// @title Handler and model of channels
/// @notice Players do everything that channels allow, with every signature. The model computes what each player then
/// has, and its rating. One token and one game call back. Whatever a lawless game decides, only the stakes of its match
/// move.
abstract contract Sitters is Ratings {
    uint256 public constant PLAYERS = 3;
    uint256 public constant CHANNELS = 4;
    uint256 public constant TOKENS = 2;
    /// @notice Seed that no random draw hits.
    uint256 public constant DRAIN = uint256(keccak256("drain"));

    uint256 private constant _RICHES = 1e12;
    uint256 private constant _START = 1_800_000_000;
    uint16 private constant _FEE_BPS = 2000;
    uint32 private constant _CLOCK = 1 hours;
    address private constant _COIN = address(0);
    /// @dev Position of a step that represents an action refused by the game.
    bytes32 private constant _REFUSED = "refused";
    address internal constant _STRANGER = address(uint160(uint256(keccak256("stranger"))));

    /// @notice Match of a channel in the arena.
    struct Brought {
        uint24 nonce;
        bool posted;
        bool swapped;
        /// True if the game is over, and the seat in turn can only resign.
        bool over;
        Seat turn;
        uint256 deadline;
        /// Number of messages in the challenge, and the player of the channel who challenged.
        uint256 count;
        address by;
        Terms terms;
    }

    /// @notice Match as both players sign it.
    struct Signed {
        uint24 nonce;
        bool swapped;
        bool seen;
        uint32 until;
        Terms terms;
        /// Answers of the game, one per action.
        Step[] steps;
    }

    Arena public immutable arena;
    Channels public immutable channels;
    ScriptedGame public immutable game;
    WildGame private immutable _wild;

    address[TOKENS] public tokens;
    address[PLAYERS] public players;
    mapping(address player => mapping(address token => uint256 amount)) public purses;
    mapping(bytes32 name => uint256 count) public done;

    uint256 public calls;

    uint256 internal _time = _START;
    Channel[CHANNELS] internal _channels;
    ChannelState[CHANNELS] internal _states;
    /// @dev At most one match of each channel is in the arena.
    Brought[CHANNELS] internal _brought;

    error LetIn(uint256 index);
    error MovedMoreThanStakes(uint256 amount1, uint256 amount2);
    error StartedOther(uint256 matchId);
    error NotGone(uint256 matchId);
    error NotRefusedSo(bytes data, bytes answer, bytes expected);

    constructor() {
        VM.warp(_time);
        arena = Arena(Artifacts.deploy("Arena", abi.encode(address(1), address(2))));
        channels = Channels(arena.channels());
        game = ScriptedGame(Artifacts.deploy("ScriptedGame", abi.encode(arena)));
        _wild = WildGame(Artifacts.deploy("WildGame", ""));
        tokens = [address(Artifacts.deploy("OddToken", "")), _COIN];
        for (uint256 i = 0; i < PLAYERS; ++i) {
            players[i] = VM.addr(i + 1);
            for (uint256 j = 0; j < TOKENS; ++j) _deposit(players[i], tokens[j]);
        }
        for (uint256 i = 0; i < CHANNELS; ++i) {
            (address one, address two) = (players[i % PLAYERS], players[(i + 1) % PLAYERS]);
            // A player may use its own address as its key.
            (address key1, address key2) = i < 2 ? (VM.addr(PLAYERS + 1), VM.addr(PLAYERS + 2)) : (one, two);
            _channels[i] = Channel(one, key1, two, key2, tokens[i % TOKENS], _FEE_BPS);
        }
    }

    /// @notice Takes one random action in one channel; given `DRAIN`, ends everything.
    function step(uint256 seed) external {
        VM.warp(_time);
        if (seed == DRAIN) return _drain();
        Random memory random = Random(uint256(keccak256(abi.encode(seed, ++calls))));
        uint256 i = random.roll(CHANNELS);
        if (random.roll(8) == 0) _wait(random.roll(2 hours));
        if (random.roll(4) == 0) _trespass(i, random);
        if (_brought[i].nonce != 0 && _brought[i].deadline < _time) return _timeout(i);
        if (_states[i].until == 0) return _open(i, random);
        if (_states[i].until < _time && !_isPosted(i)) return _expire(i);
        if (_brought[i].nonce != 0 && random.coin()) return _continue(i, random);
        uint256 die = random.roll(10);
        if (die == 0) _withdraw(random);
        else if (die < 3) _checkpoint(i, random);
        else if (die < 5 && _brought[i].nonce == 0) _challenge(i, random);
        else if (die < 7) _playWild(i, random);
        else _play(i, random);
    }

    function idOf(uint256 i) public view returns (bytes32) {
        return keccak256(abi.encode(_channels[i]));
    }

    function tokenOf(uint256 i) external view returns (address) {
        return _channels[i].token;
    }

    function stateOf(uint256 i) external view returns (ChannelState memory) {
        return _states[i];
    }

    /// @notice Returns the stakes of all matches in the arena.
    function stakedIn(address token) external view returns (uint256 staked) {
        for (uint256 i = 0; i < CHANNELS; ++i) {
            Brought memory b = _brought[i];
            if (b.nonce != 0 && _channels[i].token == token) staked += uint256(b.terms.stake1) + b.terms.stake2;
        }
    }

    /// @dev Does something that channels forbid.
    function _trespass(uint256 i, Random memory random) internal virtual;

    /// @dev Ends all matches and channels, and collects the shares of the house.
    function _drain() private {
        for (uint256 i = 0; i < CHANNELS; ++i) {
            _wait(60 days);
            if (_brought[i].nonce != 0) _timeout(i);
            if (_states[i].until != 0) _expire(i);
        }
        for (uint256 i = 0; i < TOKENS; ++i) channels.collect(tokens[i]);
    }

    function _open(uint256 i, Random memory random) private {
        Channel memory c = _channels[i];
        uint96 amount1 = uint96(random.roll(purses[c.player1][c.token] / 2 + 1));
        uint96 amount2 = uint96(random.roll(purses[c.player2][c.token] / 2 + 1));
        uint32 until = uint32(_time + 1 + random.roll(12 hours));
        uint24 nonce = channels.firstNonceOf(idOf(i));
        bytes32 digest = _openDigest(i, nonce, amount1, amount2, until);
        channels.open(c, amount1, amount2, until, _signed(c.player1, digest), _signed(c.player2, digest));
        purses[c.player1][c.token] -= amount1;
        purses[c.player2][c.token] -= amount2;
        _states[i] = ChannelState(amount1, amount2, nonce, false, until);
        ++done["open"];
    }

    /// @dev Settles one or several matches with transcripts, all with the same terms. The first one supersedes a match
    /// that waits in the arena, if the transcript is newer.
    function _play(uint256 i, Random memory random) private {
        bool isNewer = true;
        uint24 voided = 0;
        Signed memory first = _ended(i, random);
        if (_isPosted(i)) {
            --first.nonce;
            isNewer = _isNewer(i, first);
            if (isNewer) {
                voided = _takeBack(i);
                first.terms = _terms(i, random, true);
            }
        }
        uint256 count = isNewer ? 1 + random.roll(3) : 1;
        Transcript[] memory transcripts = new Transcript[](count);
        ChannelState memory s = _states[i];
        Signed memory m = first;
        for (uint256 n = 0; n < count; ++n) {
            if (n > 0) {
                m = _ended(i, random);
                (m.nonce, m.terms) = (first.nonce + uint24(n), first.terms);
            }
            transcripts[n] = _transcript(i, m);
            if (isNewer) _settle(i, s, m);
        }
        if (!isNewer) return _checkNotNewer(i, first, transcripts);
        VM.prank(_STRANGER);
        channels.play(_channels[i], first.nonce, first.terms, transcripts);
        _states[i] = s;
        _checkGone(i, voided);
        ++done["play"];
    }

    /// @dev Challenges with a match that goes on, or whose end only the player who acted last has signed.
    function _challenge(uint256 i, Random memory random) private {
        ChannelState memory s = _states[i];
        Signed memory m = _ended(i, random);
        m.seen = false;
        uint256 count = random.roll(4);
        if (count == 3) {
            m.steps = new Step[](3);
            m.steps[1].turn = Seat.One;
            m.steps[2] = _end(Seat.One, random.coin() ? Seat.One : Seat.None);
        } else if (count == 0) {
            return;
        } else {
            m.steps = new Step[](count);
            if (count == 2) m.steps[1].turn = Seat.Two;
        }
        m.steps[0].turn = Seat.One;
        Seat mover = count == 1 ? Seat.Two : Seat.One;
        address by = _playerAt(i, m.swapped, mover);
        VM.prank(random.coin() ? by : _keyOf(i, by));
        channels.challenge(_channels[i], s.nonce, m.terms, _transcript(i, m));
        Seat turn = mover == Seat.One ? Seat.Two : Seat.One;
        _brought[i] = Brought(s.nonce, true, m.swapped, count == 3, turn, _time + _CLOCK, count, by, m.terms);
        _checkStarted(i, turn);
        (uint96 stake1, uint96 stake2) = _stakes(m.terms, m.swapped);
        _states[i].amount1 -= stake1;
        _states[i].amount2 -= stake2;
        (_states[i].nonce, _states[i].challenged) = (s.nonce + 1, true);
        ++done["challenge"];
    }

    /// @dev Continues a match in the arena: an action, which may end it, or a resignation of the seat in turn.
    function _continue(uint256 i, Random memory random) private {
        Brought storage b = _brought[i];
        uint256 id = channels.matchIdOf(idOf(i), b.nonce);
        VM.prank(_playerAt(i, b.swapped, b.turn));
        if (b.over || random.roll(4) == 0) {
            arena.resign(id);
            Seat winner = b.turn == Seat.One ? Seat.Two : Seat.One;
            _endInArena(i, winner, winner, false);
            ++done["resign"];
            return;
        }
        if (random.coin()) {
            (Seat winner, Seat taker) = (Seat(random.roll(3)), Seat(random.roll(3)));
            arena.act(id, _script(_end(winner, taker)));
            _endInArena(i, winner, taker, false);
        } else {
            b.turn = b.turn == Seat.One ? Seat.Two : Seat.One;
            arena.act(id, _script(Step(b.turn, Seat.None, Seat.None, 0)));
            (b.posted, b.deadline) = (false, arena.matchOf(id).deadline);
        }
        ++done["act"];
    }

    function _timeout(uint256 i) private {
        Brought memory b = _brought[i];
        VM.prank(_STRANGER);
        arena.timeout(channels.matchIdOf(idOf(i), b.nonce));
        Seat winner = b.turn == Seat.One ? Seat.Two : Seat.One;
        _endInArena(i, winner, winner, true);
        ++done["timeout"];
    }

    /// @dev Sets a newer balance with any amounts, which may close the channel.
    function _checkpoint(uint256 i, Random memory random) private {
        uint24 voided = _isPosted(i) ? _takeBack(i) : 0;
        ChannelState memory s = _states[i];
        Channel memory c = _channels[i];
        uint256 held = uint256(s.amount1) + s.amount2;
        uint96 amount1 = uint96(random.roll(held + 1));
        uint96 amount2 = uint96(random.roll(held - amount1 + 1));
        bool close = random.roll(4) == 0;
        // A balance that closes the channel may have the number of the next match.
        uint24 nonce = s.nonce + (close && voided == 0 ? 0 : 1) + uint24(random.roll(3));
        bytes32 digest = _balanceDigest(i, nonce, amount1, amount2, close, uint32(_time));
        bytes memory signature1 = _signed(c.key1, digest);
        bytes memory signature2 = _signed(c.key2, digest);
        VM.prank(_STRANGER);
        channels.checkpoint(c, nonce, amount1, amount2, close, uint32(_time), signature1, signature2);
        _states[i] = ChannelState(amount1, amount2, nonce, false, s.until);
        if (close) _pay(i);
        _checkGone(i, voided);
        ++done[close ? bytes32("close") : bytes32("checkpoint")];
    }

    function _expire(uint256 i) private {
        channels.expire(_channels[i]);
        _pay(i);
        ++done["expire"];
    }

    /// @dev Lets a game that breaks all laws, and calls back, decide a match.
    function _playWild(uint256 i, Random memory random) private {
        if (_isPosted(i)) return;
        ChannelState memory s = _states[i];
        Signed memory m = _ended(i, random);
        Terms memory terms = m.terms;
        (terms.game, terms.rated) = (IGame(address(_wild)), false);
        (uint96 stake1, uint96 stake2) = _stakes(terms, m.swapped);
        uint256 shares = channels.sharesOf(terms.token);
        bytes[] memory tries = new bytes[](2);
        tries[0] = abi.encodeCall(IChannels.collect, (terms.token));
        tries[1] = abi.encodeCall(IChannels.expire, (_channels[i]));
        _wild.behave(
            [WildGame.Manner.Honest, WildGame.Manner.Reverts, WildGame.Manner.AnswersRaw][random.roll(3)],
            abi.encode(random.roll(4), random.roll(4), random.roll(4), random.word())
        );
        _wild.arm(random.coin() ? "join" : "act", address(channels), tries, 0);
        Transcript[] memory transcripts = new Transcript[](1);
        transcripts[0] = _transcript(i, m);
        (bool ok, ) = address(channels).call(
            abi.encodeCall(IChannels.play, (_channels[i], s.nonce, terms, transcripts))
        );
        for (uint256 n = 0; n < _wild.answers().length; ++n) if (_wild.answers()[n].ok) revert LetIn(n);
        if (!ok) return;
        ChannelState memory next = channels.stateOf(idOf(i));
        uint256 sum = uint256(next.amount1) + next.amount2 + channels.sharesOf(terms.token) - shares;
        bool isFair =
            sum == uint256(s.amount1) + s.amount2 &&
                next.amount1 + stake1 >= s.amount1 &&
                next.amount2 + stake2 >= s.amount2;
        if (!isFair || next.nonce != s.nonce + 1 || next.until != s.until) {
            revert MovedMoreThanStakes(next.amount1, next.amount2);
        }
        _states[i] = next;
        ++done["wild"];
    }

    /// @dev Withdraws and deposits again, while the token calls the channels back.
    function _withdraw(Random memory random) private {
        (address player, address token) = (players[random.roll(PLAYERS)], tokens[random.roll(TOKENS)]);
        if (purses[player][token] == 0) return;
        uint256 amount = 1 + random.roll(purses[player][token]);
        if (token == _COIN) {
            VM.prank(player);
            arena.withdraw(token, amount, player);
            VM.prank(player);
            arena.deposit{value: amount}(token, amount, player);
            return;
        }
        bytes[] memory tries = new bytes[](2);
        tries[0] = abi.encodeCall(IChannels.collect, (token));
        tries[1] = abi.encodeCall(IChannels.expire, (_channels[random.roll(CHANNELS)]));
        _odd(token).arm("transfer", address(channels), tries, 0);
        VM.prank(player);
        arena.withdraw(token, amount, player);
        for (uint256 n = 0; n < _odd(token).answers().length; ++n) {
            if (_odd(token).answers()[n].ok) revert LetIn(n);
        }
        _odd(token).arm("", address(channels), new bytes[](0), 0);
        VM.prank(player);
        arena.deposit(token, amount, player);
        ++done["withdraw"];
    }

    /// @dev Records the end of a match in the arena, which pays the purses.
    function _endInArena(uint256 i, Seat winner, Seat taker, bool forfeit) private {
        Brought memory b = _brought[i];
        (uint256 one, uint256 two) = _paid(b.terms, taker, forfeit);
        purses[_playerAt(i, b.swapped, Seat.One)][b.terms.token] += one;
        purses[_playerAt(i, b.swapped, Seat.Two)][b.terms.token] += two;
        _rateMatch(i, b.terms, b.swapped, winner, forfeit, one, two);
        delete _brought[i];
    }

    /// @dev Records the end of a match in its channel.
    function _settle(uint256 i, ChannelState memory s, Signed memory m) private {
        Step memory last = m.steps[m.steps.length - 1];
        bool forfeit = last.position == _REFUSED;
        (uint256 one, uint256 two) = _paid(m.terms, last.taker, forfeit);
        _rateMatch(i, m.terms, m.swapped, last.winner, forfeit, one, two);
        (uint96 stake1, uint96 stake2) = _stakes(m.terms, m.swapped);
        if (m.swapped) (one, two) = (two, one);
        s.amount1 = uint96(s.amount1 - stake1 + one);
        s.amount2 = uint96(s.amount2 - stake2 + two);
        (s.nonce, s.challenged) = (m.nonce + 1, false);
    }

    function _rateMatch(
        uint256 i,
        Terms memory terms,
        bool swapped,
        Seat winner,
        bool forfeit,
        uint256 one,
        uint256 two
    ) private {
        if (!terms.rated) return;
        (address player1, address player2) = (_playerAt(i, swapped, Seat.One), _playerAt(i, swapped, Seat.Two));
        _rate(address(terms.game), player1, player2, winner, forfeit, _time);
        _addStakes(player1, terms.token, terms.stake1, one);
        _addStakes(player2, terms.token, terms.stake2, two);
    }

    /// @dev Records that newer messages withdraw a match from the arena.
    function _takeBack(uint256 i) private returns (uint24 nonce) {
        nonce = _brought[i].nonce;
        (uint96 stake1, uint96 stake2) = _stakes(_brought[i].terms, _brought[i].swapped);
        _states[i].amount1 += stake1;
        _states[i].amount2 += stake2;
        --_states[i].nonce;
        delete _brought[i];
    }

    /// @dev Checks the seats and the clocks of a match that a challenge started in the arena.
    function _checkStarted(uint256 i, Seat turn) private view {
        Brought storage b = _brought[i];
        uint256 id = channels.matchIdOf(idOf(i), b.nonce);
        Match memory m = arena.matchOf(id);
        bool isSeated =
            m.player1 == _playerAt(i, b.swapped, Seat.One) && m.player2 == _playerAt(i, b.swapped, Seat.Two);
        bool isFull = m.deadline == _time + _CLOCK && m.reserve == _CLOCK;
        if (!isSeated || !isFull || m.turn != turn || !m.posted) revert StartedOther(id);
    }

    /// @dev Checks that nothing is left of a match that was withdrawn.
    function _checkGone(uint256 i, uint24 nonce) private view {
        if (nonce == 0) return;
        uint256 id = channels.matchIdOf(idOf(i), nonce);
        (bool posted, ) = arena.postedOf(id);
        if (posted || arena.positionOf(id) != 0 || arena.statusOf(id) == Status.AllJoined) revert NotGone(id);
    }

    function _pay(uint256 i) private {
        ChannelState storage s = _states[i];
        Channel memory c = _channels[i];
        purses[c.player1][c.token] += s.amount1;
        purses[c.player2][c.token] += s.amount2;
        (s.amount1, s.amount2, s.until, s.challenged) = (0, 0, 0, false);
    }

    function _isPosted(uint256 i) internal view returns (bool) {
        return _brought[i].nonce != 0 && _brought[i].posted;
    }

    function _playerAt(uint256 i, bool swapped, Seat seat) internal view returns (address) {
        return (seat == Seat.One) != swapped ? _channels[i].player1 : _channels[i].player2;
    }

    function _keyOf(uint256 i, address player) internal view returns (address) {
        return player == _channels[i].player1 ? _channels[i].key1 : _channels[i].key2;
    }

    function _terms(uint256 i, Random memory random, bool rated) internal view returns (Terms memory) {
        ChannelState memory s = _states[i];
        uint96 least = s.amount1 < s.amount2 ? s.amount1 : s.amount2;
        uint96 stake1 = uint96(random.roll(uint256(least) / 3 + 1));
        uint96 stake2 = uint96(random.roll(uint256(least) / 3 + 1));
        return Terms(game, stake1, _channels[i].token, stake2, 0, _CLOCK, _FEE_BPS, rated);
    }

    /// @dev Returns the next match of a channel, which is over and final.
    function _ended(uint256 i, Random memory random) internal view returns (Signed memory m) {
        (m.nonce, m.swapped, m.until) = (_states[i].nonce, random.coin(), uint32(_time));
        m.terms = _terms(i, random, random.coin());
        uint256 count = 1 + random.roll(3);
        // The game refuses the last action of some matches, and of every match with one action.
        bool isRefused = count == 1 || random.roll(4) == 0;
        // A match of exactly two accepted actions needs no consent.
        m.seen = isRefused || count == 3 || random.coin();
        m.steps = new Step[](count);
        Seat mover = Seat.Two;
        for (uint256 n = 0; n + 1 < count; ++n) {
            m.steps[n].turn = n == 0 || random.coin() ? Seat.One : Seat.Two;
            mover = m.steps[n].turn;
        }
        Seat other = mover == Seat.One ? Seat.Two : Seat.One;
        m.steps[count - 1] =
            isRefused ? Step(Seat.None, other, other, _REFUSED) : _end(Seat(random.roll(3)), Seat(random.roll(3)));
    }

    function _end(Seat winner, Seat taker) internal pure returns (Step memory) {
        return Step(Seat.None, winner, taker, 0);
    }

    /// @dev Returns the stakes of players 1 and 2.
    function _stakes(Terms memory terms, bool swapped) private pure returns (uint96 stake1, uint96 stake2) {
        return swapped ? (terms.stake2, terms.stake1) : (terms.stake1, terms.stake2);
    }

    /// @dev Returns what both seats get of the pot.
    function _paid(Terms memory terms, Seat taker, bool forfeit) private pure returns (uint256 one, uint256 two) {
        if (taker == Seat.None) return (terms.stake1, terms.stake2);
        uint256 prize = uint256(terms.stake1) + terms.stake2;
        if (!forfeit) prize -= (prize * _FEE_BPS) / 10_000;
        return taker == Seat.One ? (prize, uint256(0)) : (uint256(0), prize);
    }

    /// @dev Returns whether a transcript supersedes the waiting match: the transcript has more messages, and the
    /// challenger's last message is not older.
    function _isNewer(uint256 i, Signed memory m) private view returns (bool) {
        Brought storage b = _brought[i];
        (uint256 count, uint256 count1, uint256 count2) = _counts(m);
        return count > b.count && (_playerAt(i, m.swapped, Seat.One) == b.by ? count1 : count2) >= b.count;
    }

    function _checkNotNewer(uint256 i, Signed memory m, Transcript[] memory transcripts) private {
        (uint256 count, uint256 count1, uint256 count2) = _counts(m);
        Brought storage b = _brought[i];
        uint256 signed = _playerAt(i, m.swapped, Seat.One) == b.by ? count1 : count2;
        _refused(
            _STRANGER,
            address(channels),
            abi.encodeCall(IChannels.play, (_channels[i], m.nonce, m.terms, transcripts)),
            abi.encodeWithSelector(IChannels.NotNewer.selector, m.nonce, count, signed, b.count)
        );
    }

    /// @dev Returns the seat that acts last.
    function _moverOf(Signed memory m) internal pure returns (Seat) {
        return m.steps.length == 1 ? Seat.Two : m.steps[m.steps.length - 2].turn;
    }

    /// @dev Returns the number of messages, and the numbers of the last ones of seats One and Two.
    function _counts(Signed memory m) private pure returns (uint256 count, uint256 count1, uint256 count2) {
        Seat seat = Seat.Two;
        for (uint256 n = 0; n < m.steps.length; ++n) {
            if (seat == Seat.One) count1 = ++count;
            else count2 = ++count;
            if (n + 1 < m.steps.length) seat = m.steps[n].turn;
        }
        if (!m.seen) return (count, count1, count2);
        if (seat == Seat.One) count2 = ++count;
        else count1 = ++count;
    }

    /// @dev Checks that a call is refused with this error. The model does not change: invariants find any trace of it.
    function _refused(address sender, address target, bytes memory data, bytes memory refusal) internal {
        VM.prank(sender);
        (bool ok, bytes memory answer) = target.call(data);
        if (ok || keccak256(answer) != keccak256(refusal)) revert NotRefusedSo(data, answer, refusal);
    }

    function _transcript(uint256 i, Signed memory m) internal view returns (Transcript memory) {
        bytes32 offer = keccak256(
            abi.encode(
                keccak256(
                    "Offer(bytes32 channel,uint24 nonce,bytes32 terms,bool swapped,bytes32 position,uint32 until)"
                ),
                idOf(i),
                m.nonce,
                keccak256(abi.encode(m.terms)),
                m.swapped,
                bytes32("offered"),
                m.until
            )
        );
        (bytes32 last, bytes32 one, bytes32 two) = (offer, offer, offer);
        bytes memory actions = "";
        Seat seat = Seat.Two;
        for (uint32 n = 0; n < m.steps.length; ++n) {
            bytes memory action = _script(m.steps[n]);
            actions = abi.encodePacked(actions, uint16(action.length), action);
            last = _move(offer, n + 1, last, action);
            if (seat == Seat.One) one = last;
            else two = last;
            if (n + 1 < m.steps.length) seat = m.steps[n].turn;
        }
        if (m.seen) {
            last = _move(offer, uint32(m.steps.length) + 1, last, "");
            if (seat == Seat.One) two = last;
            else one = last;
        }
        (bytes32 last1, bytes32 last2) = m.swapped ? (two, one) : (one, two);
        bytes memory signature1 = _signed(_channels[i].key1, _wrapped(last1));
        bytes memory signature2 = _signed(_channels[i].key2, _wrapped(last2));
        bytes32[] memory places = new bytes32[](0);
        Base[] memory base = new Base[](0);
        return Transcript(m.swapped, m.seen, m.until, "offered", actions, base, places, signature1, signature2);
    }

    function _move(bytes32 offer, uint32 count, bytes32 prev, bytes memory action) private pure returns (bytes32) {
        bytes32 typeHash = keccak256("Move(bytes32 offer,uint32 count,bytes32 prev,bytes action,bytes32 place)");
        return keccak256(abi.encode(typeHash, offer, count, prev, keccak256(action), bytes32(0)));
    }

    function _script(Step memory s) private pure returns (bytes memory) {
        if (s.position == _REFUSED) return hex"ff";
        return abi.encodePacked(uint8(s.turn), uint8(s.winner), uint8(s.taker), s.position);
    }

    function _openDigest(
        uint256 i,
        uint24 nonce,
        uint96 amount1,
        uint96 amount2,
        uint32 until
    ) internal view returns (bytes32) {
        bytes32 typeHash = keccak256("Open(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,uint32 until)");
        return _wrapped(keccak256(abi.encode(typeHash, idOf(i), nonce, amount1, amount2, until)));
    }

    function _balanceDigest(
        uint256 i,
        uint24 nonce,
        uint96 amount1,
        uint96 amount2,
        bool close,
        uint32 until
    ) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Balance(bytes32 channel,uint24 nonce,uint96 amount1,uint96 amount2,bool close,uint32 until)"
        );
        return _wrapped(keccak256(abi.encode(typeHash, idOf(i), nonce, amount1, amount2, close, until)));
    }

    function _wrapped(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Duello Channels"),
                keccak256("1"),
                block.chainid,
                channels
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _signed(address signer, bytes32 digest) internal view returns (bytes memory) {
        uint256 key = 1;
        while ((key > PLAYERS ? VM.addr(key) : players[key - 1]) != signer) ++key;
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _odd(address token) private pure returns (OddToken) {
        return OddToken(payable(token));
    }

    function _deposit(address player, address token) private {
        purses[player][token] = _RICHES;
        if (token == _COIN) {
            VM.deal(player, _RICHES);
            VM.prank(player);
            arena.deposit{value: _RICHES}(token, _RICHES, player);
            return;
        }
        _odd(token).mint(player, _RICHES);
        VM.prank(player);
        _odd(token).approve(address(arena), type(uint256).max);
        VM.prank(player);
        arena.deposit(token, _RICHES, player);
    }

    function _wait(uint256 duration) private {
        _time += duration;
        VM.warp(_time);
    }
}
