// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IArena, Match, Status, Terms} from "../../contracts/interfaces/IArena.sol";
import {IGame, Seat, Step} from "../../contracts/interfaces/IGame.sol";
import {Cast} from "./Cast.sol";
import {Handler} from "./Handler.sol";
import {Random} from "./Random.sol";
import {Model} from "./Model.sol";

/// @title Handler of players
/// @notice If no match is ready for an action, the handler moves a match one step closer to being ready.
contract Players is Handler {
    /// @dev Maximum number of open matches: several, but few enough that each is picked again.
    uint256 private constant _MAX_OPEN = 6;
    uint256 private constant _OFFERS = 3;
    uint256 private constant _OFFERED = 1 << uint256(Status.P1Deposited);
    uint256 private constant _TAKEN = 1 << uint256(Status.AllDeposited);
    uint256 private constant _IN_PLAY = 1 << uint256(Status.AllJoined);
    uint256 private constant _ANY = 15;

    constructor(Cast cast, Model model) Handler(cast, model) {}

    function create(uint256 seed) external {
        _create(_begin("create", seed));
    }

    function fund(uint256 seed) external {
        _fund(_begin("fund", seed));
    }

    function join(uint256 seed) external {
        _join(_begin("join", seed));
    }

    function act(uint256 seed) external {
        _act(_begin("act", seed));
    }

    function resign(uint256 seed) external {
        _resign(_begin("resign", seed));
    }

    function cancel(uint256 seed) external {
        _cancel(_begin("cancel", seed));
    }

    function decline(uint256 seed) external {
        _decline(_begin("decline", seed));
    }

    function timeout(uint256 seed) external {
        _timeout(_begin("timeout", seed));
    }

    /// @notice Lets some time pass, or all time until a deadline or the second after it.
    function sleep(uint256 seed) external {
        Random memory random = _begin("sleep", seed);
        uint256 id = _model.find(_ANY, false, random.roll(_MAX_OPEN));
        if (id != 0 && random.roll(3) == 0) {
            (Match memory m, , ) = _model.matchOf(id);
            _wait(m.deadline - _model.time() + random.roll(2));
        } else {
            _wait([uint256(1), 30, 61, 900, 3600, 20_000][random.roll(6)]);
        }
        _done("sleep");
    }

    function allow(uint256 seed) external {
        Random memory random = _begin("allow", seed);
        (address player, address operator) = (_player(random), _anyone(random));
        uint40 until = uint40(_model.time() + random.roll(7200) - 3600);
        _send(player, 0, abi.encodeCall(IArena.allow, (operator, until)));
        _model.allow(player, operator, until);
        _done("allow");
    }

    function _create(Random memory random) private {
        if (_model.open().length == _MAX_OPEN) return _timeout(random);
        address player = _player(random);
        Terms memory terms = _terms(random);
        address opponent = random.coin() ? address(0) : _other(random, player);
        uint40 firmUntil = random.coin() ? 0 : uint40(_model.time() + 1 + random.roll(random.coin() ? 3600 : 30 days));
        uint256 value = random.roll(3) == 0 ? 0 : _fill(player, terms.token, terms.stake1);
        Step memory step = Step(Seat.Two, Seat.None, Seat.None, random.word());
        bytes memory data = _script(terms.game, step);
        _send(player, value, abi.encodeCall(IArena.create, (terms, opponent, firmUntil, data)));
        _model.create(terms, player, opponent, firmUntil, data, step);
        _done("create");
    }

    function _fund(Random memory random) private {
        uint256 id = _model.find(_OFFERS, false, random.roll(_MAX_OPEN));
        if (id == 0) return _create(random);
        (Match memory m, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        bool first = m.status == Status.Created;
        address player = first ? m.player1 : _opponent(random, m);
        uint256 value = _fill(player, terms.token, first ? terms.stake1 : terms.stake2);
        _send(player, value, abi.encodeCall(IArena.fund, (id, hash)));
        _model.fund(id, player, false);
        _done("fund");
    }

    function _join(Random memory random) private {
        uint256 id = _model.find(_TAKEN, false, random.roll(_MAX_OPEN));
        if (id == 0 || random.roll(4) == 0) id = _model.find(_OFFERED, false, random.roll(_MAX_OPEN));
        (Match memory m, Terms memory terms, bytes32 hash) = _model.matchOf(id);
        if (m.status == Status.P1Deposited) {
            if (!m.firm || m.player2 == address(0)) return _fund(random);
        } else if (m.status == Status.AllDeposited) {
            if (_model.time() <= m.deadline - terms.clock) _wait(1);
        } else return _fund(random);
        uint256 value = m.status == Status.P1Deposited ? _fill(m.player2, terms.token, terms.stake2) : 0;
        Step memory step =
            random.roll(8) == 0
                ? _anyStep(random)
                : Step(Seat(1 + random.roll(2)), Seat.None, Seat.None, random.word());
        _send(m.player2, value, abi.encodeCall(IArena.join, (id, hash, _script(terms.game, step))));
        _model.join(id, m.player2, step);
        _done("join");
    }

    function _act(Random memory random) private {
        uint256 id = _model.find(_IN_PLAY, false, random.roll(_MAX_OPEN));
        if (id == 0) return _join(random);
        (Match memory m, Terms memory terms, ) = _model.matchOf(id);
        address player = _mover(m);
        address sender = _anyone(random);
        if (_model.operators(player, sender) < _model.time()) sender = player;
        Step memory step = _anyStep(random);
        _send(sender, 0, abi.encodeCall(IArena.act, (id, _script(terms.game, step))));
        _model.act(id, step);
        _done("act");
    }

    function _resign(Random memory random) private {
        uint256 id = _model.find(_IN_PLAY, false, random.roll(_MAX_OPEN));
        if (id == 0) return _join(random);
        (Match memory m, , ) = _model.matchOf(id);
        address player = random.coin() ? m.player1 : m.player2;
        _send(player, 0, abi.encodeCall(IArena.resign, (id)));
        _model.resign(id, player);
        _done("resign");
    }

    function _cancel(Random memory random) private {
        (uint256 start, bool overdue) = (random.roll(_MAX_OPEN), random.roll(4) == 0);
        uint256 id = _model.find(_OFFERS, overdue, start);
        (Match memory m, , ) = _model.matchOf(id);
        for (uint256 i = 1; i < _MAX_OPEN && m.firm; ++i) {
            id = _model.find(_OFFERS, overdue, start + i);
            (m, , ) = _model.matchOf(id);
        }
        if (id == 0 || m.firm) return _create(random);
        _send(m.player1, 0, abi.encodeCall(IArena.cancel, (id)));
        _model.cancel(id);
        _done("cancel");
    }

    function _decline(Random memory random) private {
        uint256 start = random.roll(_MAX_OPEN);
        for (uint256 i = 0; i < _MAX_OPEN; ++i) {
            uint256 id = _model.find(_OFFERS, false, start + i);
            (Match memory m, , ) = _model.matchOf(id);
            if (m.player2 == address(0)) continue;
            _send(m.player2, 0, abi.encodeCall(IArena.decline, (id)));
            _model.decline(id);
            return _done("decline");
        }
        _create(random);
    }

    /// @dev Ends a match as anyone; if none is past its deadline, first lets time pass until one is.
    function _timeout(Random memory random) private {
        uint256 id = _model.find(_ANY, true, random.roll(_MAX_OPEN));
        if (id == 0) {
            id = _model.find(_ANY, false, random.roll(_MAX_OPEN));
            if (id == 0) return _create(random);
            (Match memory m, , ) = _model.matchOf(id);
            _wait(m.deadline + 1 - _model.time());
        }
        _send(_anyone(random), 0, abi.encodeCall(IArena.timeout, (id)));
        _model.timeout(id);
        _done("timeout");
    }

    function _opponent(Random memory random, Match memory m) private view returns (address) {
        return m.player2 == address(0) ? _other(random, m.player1) : m.player2;
    }

    function _terms(Random memory random) private view returns (Terms memory) {
        return
            Terms({
                game: random.coin() ? IGame(_wild) : IGame(_scripted),
                stake1: random.roll(6) == 0 ? 0 : uint96(random.roll(1000)),
                token: _token(random),
                stake2: random.roll(6) == 0 ? 0 : uint96(random.roll(1000)),
                mode: 0,
                clock: uint32([uint256(1 minutes), 1 hours, 1 days, 30 days][random.roll(4)]),
                feeBps: _model.feeBps(),
                rated: random.roll(3) != 0
            });
    }
}
