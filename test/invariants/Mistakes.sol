// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IArena, Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {IGame, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {IHouse} from "../../contracts/interfaces/IHouse.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {Cast} from "./Cast.sol";
import {Handler} from "./Handler.sol";
import {Random} from "./Random.sol";
import {Model} from "./Model.sol";

/// @title Handler of forbidden actions
/// @notice Each mistake is refused with a specific error and its values. The model does not change, so that the
/// invariants find any trace of the mistake in the arena.
contract Mistakes is Handler {
    struct Mistake {
        address sender;
        uint256 value;
        bytes data;
        bytes refusal;
    }

    uint256 private constant _ANY = 15;
    uint256 private constant _IN_PLAY = 8;
    uint256 private constant _STRANGER = 4;

    error NotRefusedSo(bytes data, bytes answer, bytes expected);

    constructor(Cast cast, Model model) Handler(cast, model) {}

    function breakRules(uint256 seed) external {
        Random memory random = _begin("breakRules", seed);
        uint256 id = _model.find(_ANY, random.roll(4) == 0, random.roll(8));
        if (id == 0) return;
        (Match memory m, , ) = _model.matchOf(id);
        if (_model.time() > m.deadline) _refused(_late(random, id, m));
        else if (m.status < Status.AllDeposited) _refused(_offered(random, id, m));
        else _refused(_taken(random, id, m));
        _done("breakRules");
    }

    /// @notice Calls a match that has ended or does not exist.
    function callFinished(uint256 seed) external {
        Random memory random = _begin("callFinished", seed);
        uint256 id = 1 + random.roll(_model.matchCount() + 1);
        (Match memory m, , bytes32 hash) = _model.matchOf(id);
        if (id <= _model.matchCount() && m.status <= Status.AllJoined) return;
        bytes[7] memory calls = [
            abi.encodeCall(IArena.fund, (id, hash)),
            abi.encodeCall(IArena.join, (id, hash, "")),
            abi.encodeCall(IArena.act, (id, "")),
            abi.encodeCall(IArena.resign, (id)),
            abi.encodeCall(IArena.cancel, (id)),
            abi.encodeCall(IArena.timeout, (id)),
            abi.encodeCall(IArena.decline, (id))
        ];
        bytes memory refusal =
            id > _model.matchCount()
                ? abi.encodeWithSelector(IArena.UnknownMatch.selector, id)
                : abi.encodeWithSelector(IArena.WrongStatus.selector, id, m.status);
        uint256 which = random.roll(calls.length);
        // `cancel` checks its caller before the status, so only player 1 reaches the check of the status.
        address sender = which == 4 && m.player1 != address(0) ? m.player1 : _anyone(random);
        _refused(Mistake(sender, 0, calls[which], refusal));
        _done("callFinished");
    }

    function overreach(uint256 seed) external {
        Random memory random = _begin("overreach", seed);
        _refused(random.coin() ? _greedy(random) : _presumptuous(random));
        _done("overreach");
    }

    /// @notice Lets a game return a step that is not allowed.
    function lie(uint256 seed) external {
        Random memory random = _begin("lie", seed);
        uint256 id = _model.find(_IN_PLAY, false, random.roll(8));
        if (id == 0) return;
        (Match memory m, Terms memory terms, ) = _model.matchOf(id);
        Step memory step = Step(Seat(1 + random.roll(2)), Seat(random.roll(3)), Seat(1 + random.roll(2)), 0);
        if (random.coin()) (step.winner, step.taker) = (step.taker, step.winner);
        bytes memory action = _script(terms.game, step);
        _refused(
            Mistake(
                _mover(m),
                0,
                abi.encodeCall(IArena.act, (id, action)),
                abi.encodeWithSelector(IArena.BadStep.selector, id, step)
            )
        );
        _done("lie");
    }

    /// @dev Picks an action after the deadline.
    function _late(Random memory random, uint256 id, Match memory m) private view returns (Mistake memory) {
        (, , bytes32 hash) = _model.matchOf(id);
        bytes memory refusal = abi.encodeWithSelector(IArena.TooLate.selector, id, m.deadline, _model.time());
        address second = m.player2 == address(0) ? _other(random, m.player1) : m.player2;
        if (m.status < Status.AllDeposited && m.player2 != address(0) && random.coin()) {
            return Mistake(m.player2, 0, abi.encodeCall(IArena.decline, (id)), refusal);
        }
        if (m.status == Status.Created) return Mistake(m.player1, 0, abi.encodeCall(IArena.fund, (id, hash)), refusal);
        if (m.status == Status.P1Deposited) return Mistake(second, 0, abi.encodeCall(IArena.fund, (id, hash)), refusal);
        if (m.status == Status.AllDeposited) {
            return Mistake(second, 0, abi.encodeCall(IArena.join, (id, hash, "")), refusal);
        }
        if (random.coin()) return Mistake(m.player1, 0, abi.encodeCall(IArena.resign, (id)), refusal);
        address player = m.turn == Seat.One ? m.player1 : m.player2;
        return Mistake(player, 0, abi.encodeCall(IArena.act, (id, "")), refusal);
    }

    /// @dev Picks a mistake with an offer that can still be taken.
    function _offered(Random memory random, uint256 id, Match memory m) private view returns (Mistake memory) {
        (, , bytes32 hash) = _model.matchOf(id);
        bytes memory fund = abi.encodeCall(IArena.fund, (id, hash));
        bytes memory cancel = abi.encodeCall(IArena.cancel, (id));
        uint256 which = random.roll(6);
        if (which == 0) return _early(random, id, m);
        if (which == 5) return _notTheirsToDecline(random, id, m);
        if (which == 1) {
            bytes memory wrong = abi.encodeCall(IArena.fund, (id, bytes32(id)));
            return Mistake(m.player1, 0, wrong, abi.encodeWithSelector(IArena.WrongOffer.selector, id, id, hash));
        }
        if (which == 2) {
            bytes memory refusal = abi.encodeWithSelector(IArena.OfferIsFirm.selector, id, m.deadline);
            return m.firm ? Mistake(m.player1, 0, cancel, refusal) : _notTheChallenger(id, m, cancel);
        }
        if (m.status == Status.Created) return _notTheChallenger(id, m, fund);
        if (which == 3) {
            return Mistake(m.player1, 0, fund, abi.encodeWithSelector(IArena.OwnOpponent.selector, m.player1));
        }
        return _notForThem(id, m, hash);
    }

    function _notTheChallenger(uint256 id, Match memory m, bytes memory data) private view returns (Mistake memory) {
        address stranger = _accounts[_STRANGER];
        bytes4 selector = IArena.NotTheChallenger.selector;
        return Mistake(stranger, 0, data, abi.encodeWithSelector(selector, id, m.player1, stranger));
    }

    /// @dev Declines an offer as player 1 or a stranger, neither of whom may decline it.
    function _notTheirsToDecline(
        Random memory random,
        uint256 id,
        Match memory m
    ) private view returns (Mistake memory) {
        address other = random.coin() ? m.player1 : _accounts[_STRANGER];
        bytes memory refusal =
            m.player2 == address(0)
                ? abi.encodeWithSelector(IArena.OfferIsOpen.selector, id)
                : abi.encodeWithSelector(IArena.NotTheOpponent.selector, id, m.player2, other);
        return Mistake(other, 0, abi.encodeCall(IArena.decline, (id)), refusal);
    }

    function _notForThem(uint256 id, Match memory m, bytes32 hash) private view returns (Mistake memory) {
        address stranger = _accounts[_STRANGER];
        bytes memory refusal =
            m.player2 == address(0)
                ? abi.encodeWithSelector(IArena.FundFirst.selector, id)
                : abi.encodeWithSelector(IArena.NotTheOpponent.selector, id, m.player2, stranger);
        return Mistake(stranger, 0, abi.encodeCall(IArena.join, (id, hash, "")), refusal);
    }

    /// @dev Picks a mistake with a match whose seats are both taken.
    function _taken(Random memory random, uint256 id, Match memory m) private view returns (Mistake memory) {
        (, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        uint256 which = random.roll(5);
        bytes memory wrongStatus = abi.encodeWithSelector(IArena.WrongStatus.selector, id, m.status);
        if (which == 0) return _early(random, id, m);
        if (which == 1) return Mistake(m.player1, 0, abi.encodeCall(IArena.cancel, (id)), wrongStatus);
        if (which == 2) return Mistake(m.player2, 0, abi.encodeCall(IArena.fund, (id, hash)), wrongStatus);
        if (which == 3) return Mistake(m.player2, 0, abi.encodeCall(IArena.decline, (id)), wrongStatus);
        if (m.status == Status.AllJoined) return random.coin() ? _notAPlayer(id) : _notYourTurn(random, id, m);
        uint256 fundedAt = m.deadline - terms.clock;
        if (_model.time() > fundedAt) return Mistake(m.player2, 0, abi.encodeCall(IArena.resign, (id)), wrongStatus);
        bytes memory tooSoon = abi.encodeWithSelector(IArena.JoinTooSoon.selector, id, fundedAt, _model.time());
        return Mistake(m.player2, 0, abi.encodeCall(IArena.join, (id, hash, "")), tooSoon);
    }

    function _notAPlayer(uint256 id) private view returns (Mistake memory) {
        address stranger = _accounts[_STRANGER];
        bytes memory refusal = abi.encodeWithSelector(IArena.NotAPlayer.selector, id, stranger);
        return Mistake(stranger, 0, abi.encodeCall(IArena.resign, (id)), refusal);
    }

    /// @dev Acts as the player out of turn, unless that player is the operator of the player in turn.
    function _notYourTurn(Random memory random, uint256 id, Match memory m) private view returns (Mistake memory) {
        (address player, address other) = m.turn == Seat.One ? (m.player1, m.player2) : (m.player2, m.player1);
        if (_model.operators(player, other) >= _model.time()) return _early(random, id, m);
        bytes memory refusal = abi.encodeWithSelector(IArena.NotYourTurn.selector, id, player, other);
        return Mistake(other, 0, abi.encodeCall(IArena.act, (id, "")), refusal);
    }

    function _early(Random memory random, uint256 id, Match memory m) private view returns (Mistake memory) {
        bytes memory refusal = abi.encodeWithSelector(IArena.TooEarly.selector, id, m.deadline, _model.time());
        return Mistake(_anyone(random), 0, abi.encodeCall(IArena.timeout, (id)), refusal);
    }

    /// @dev Picks a mistake that claims more money than there is.
    function _greedy(Random memory random) private view returns (Mistake memory) {
        (address token, address player, uint256 more) = (_token(random), _anyone(random), 1 + random.roll(100));
        uint256 purse = _model.accountOf(player, token).purse;
        if (random.coin()) {
            bytes memory data = abi.encodeCall(IPurse.withdraw, (token, purse + more, player));
            bytes4 selector = IPurse.PurseTooLow.selector;
            return Mistake(player, 0, data, abi.encodeWithSelector(selector, player, token, purse, purse + more));
        }
        if (random.coin()) {
            uint256 value = token == address(0) ? more - 1 : more;
            uint256 expected = token == address(0) ? more : 0;
            bytes memory data = abi.encodeCall(IPurse.deposit, (token, more, player));
            return Mistake(player, value, data, abi.encodeWithSelector(IPurse.WrongValue.selector, value, expected));
        }
        // The puppet poses as a token, of which the arena holds none.
        address fake = address(_puppet);
        bytes memory refusal = abi.encodeWithSelector(IPurse.NotReceived.selector, fake, 0, more);
        return Mistake(fake, 0, _notice(player, more, ""), refusal);
    }

    /// @dev Picks a misuse of the owner's functions, or an offer that is not allowed.
    function _presumptuous(Random memory random) private view returns (Mistake memory) {
        (address owner, address player) = (_arena.owner(), _player(random));
        uint256 which = random.roll(4);
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, player);
        if (which == 0) return Mistake(player, 0, abi.encodeCall(IHouse.setFeeBps, (0)), refusal);
        if (which == 1) return Mistake(player, 0, abi.encodeCall(IHouse.setTreasury, (player)), refusal);
        if (which == 2) {
            uint16 feeBps = uint16(2001 + random.roll(60_000));
            refusal = abi.encodeWithSelector(IHouse.FeeTooHigh.selector, feeBps, 2000);
            return Mistake(owner, 0, abi.encodeCall(IHouse.setFeeBps, (feeBps)), refusal);
        }
        Terms memory terms = Terms(IGame(_scripted), 1, address(0), 1, 0, 1 hours, _model.feeBps(), false);
        if (random.coin()) {
            terms.feeBps += 1;
            refusal = abi.encodeWithSelector(IArena.WrongFee.selector, terms.feeBps, _model.feeBps());
            return Mistake(player, 0, abi.encodeCall(IArena.create, (terms, address(0), 0, "")), refusal);
        }
        refusal = abi.encodeWithSelector(IArena.OwnOpponent.selector, player);
        return Mistake(player, 0, abi.encodeCall(IArena.create, (terms, player, 0, "")), refusal);
    }

    function _refused(Mistake memory mistake) private {
        (bool ok, bytes memory answer) = _cast.attempt(mistake.sender, address(_arena), mistake.value, mistake.data);
        if (ok || keccak256(answer) != keccak256(mistake.refusal)) {
            revert NotRefusedSo(mistake.data, answer, mistake.refusal);
        }
    }
}
