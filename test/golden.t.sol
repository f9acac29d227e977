// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {VM} from "./Vm.sol";
import {CommitRevealHarness} from "./mocks/CommitRevealHarness.sol";

/// @title Golden vectors of the protocol, as the contracts compute them
/// @notice The TypeScript tests read the same file.
contract GoldenTest {
    string private _json;
    CommitRevealHarness private _game;

    error Differs(string what, bytes32 actual, bytes32 expected);
    error TooFew(uint256 rounds);

    function setUp() public {
        _json = VM.readFile(string.concat(VM.projectRoot(), "/test/golden/protocol.json"));
        VM.chainId(_uint(".chainId"));
        VM.prank(VM.parseJsonAddress(_json, ".deployer.address"));
        _game = new CommitRevealHarness();
        _same("game", _word(address(_game)), _word(VM.parseJsonAddress(_json, ".game")));
    }

    function testEveryRoundGoesAsItsVectorSays() public {
        uint256 round = 0;
        while (VM.keyExistsJson(_json, _at("rounds", round, "name"))) {
            _commitAndAnswer(round);
            _reveal(round);
            ++round;
        }
        if (round < 4) revert TooFew(round);
    }

    function testEveryModeHasTheHashItsVectorSays() public view {
        uint256 i = 0;
        while (VM.keyExistsJson(_json, _at("modes", i, "mode"))) {
            _same("mode", keccak256(_bytes(_at("modes", i, "content"))), _bytes32(_at("modes", i, "mode")));
            ++i;
        }
        if (i == 0) revert TooFew(i);
    }

    function testEveryOfferHasTheHashItsVectorSays() public view {
        uint256 i = 0;
        while (VM.keyExistsJson(_json, _at("offers", i, "offerHash"))) {
            bytes5 fingerprint = bytes5(keccak256(_bytes(_at("offers", i, "data"))));
            _same("fingerprint", fingerprint, bytes5(_bytes(_at("offers", i, "fingerprint"))));
            address player1 = VM.parseJsonAddress(_json, _at("offers", i, "player1"));
            bytes32 offerHash = keccak256(abi.encode(_bytes32(_at("offers", i, "termsHash")), player1, fingerprint));
            _same("offerHash", offerHash, _bytes32(_at("offers", i, "offerHash")));
            ++i;
        }
        if (i == 0) revert TooFew(i);
    }

    function _commitAndAnswer(uint256 i) private {
        uint256 matchId = _uint(_at("rounds", i, "matchId"));
        _game.putCommitment(
            matchId,
            _uint(_at("rounds", i, "round")),
            _bytes32(_at("rounds", i, "state")),
            _bytes(_at("rounds", i, "committed"))
        );
        _same("stateHashCommitted", _game.stateHashOf(matchId), _bytes32(_at("rounds", i, "stateHashCommitted")));
        _game.takeAnswer(matchId, _bytes(_at("rounds", i, "answer")), _bytes(_at("rounds", i, "answerMove")).length);
        _same("stateHashAnswered", _game.stateHashOf(matchId), _bytes32(_at("rounds", i, "stateHashAnswered")));
    }

    function _reveal(uint256 i) private {
        uint256 matchId = _uint(_at("rounds", i, "matchId"));
        address committer = VM.parseJsonAddress(_json, _at("rounds", i, "committer"));
        bytes memory data = _bytes(_at("rounds", i, "reveal"));
        uint256 length1 = _bytes(_at("rounds", i, "move")).length;
        uint256 length2 = _bytes(_at("rounds", i, "answerMove")).length;
        (bytes32 seed, , bytes memory move, , bytes memory next) = _game.takeReveal(
            matchId,
            committer,
            data,
            length1,
            length2
        );
        _same("seed", seed, _bytes32(_at("rounds", i, "seed")));
        _same("move", keccak256(move), keccak256(_bytes(_at("rounds", i, "move"))));
        for (uint256 n = 0; n < 3; ++n) {
            string memory die = string.concat(_at("rounds", i, "dice["), VM.toString(n), "]");
            uint256 word = _game.diceWord(seed, _uint(string.concat(die, ".n")));
            _same("dice", bytes32(word), _bytes32(string.concat(die, ".word")));
        }
        if (next.length == 0) return;
        _game.revealAndCommitNext(matchId, committer, data, length1, length2, _bytes32(_at("rounds", i, "nextState")));
        _same("stateHashNext", _game.stateHashOf(matchId), _bytes32(_at("rounds", i, "stateHashNext")));
    }

    function _same(string memory what, bytes32 actual, bytes32 expected) private pure {
        if (actual != expected) revert Differs(what, actual, expected);
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _uint(string memory key) private view returns (uint256) {
        return VM.parseJsonUint(_json, key);
    }

    function _bytes(string memory key) private view returns (bytes memory) {
        return VM.parseJsonBytes(_json, key);
    }

    function _bytes32(string memory key) private view returns (bytes32) {
        return VM.parseJsonBytes32(_json, key);
    }

    function _at(string memory list, uint256 i, string memory field) private pure returns (string memory) {
        return string.concat(".", list, "[", VM.toString(i), "].", field);
    }
}
