// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Arena} from "../../contracts/Arena.sol";
import {Terms} from "../../contracts/interfaces/IArena.sol";
import {IPurse} from "../../contracts/interfaces/IPurse.sol";
import {Seat} from "../../contracts/interfaces/IGame.sol";
import {FightToken} from "../../contracts/tokens/FightToken.sol";
import {Artifacts, VM} from "../Vm.sol";
import {LadderHarness} from "../mocks/LadderHarness.sol";
import {ScriptedGame} from "../mocks/ScriptedGame.sol";
import {ratingChange} from "./Ratings.sol";

/// @title Arithmetic of money and ratings, for any numbers
contract MoneyTest {
    uint256 private constant _BPS = 10_000;
    uint256 private constant _MAX_FEE_BPS = 2000;

    Arena private _arena;
    FightToken private _token;
    ScriptedGame private _game;
    LadderHarness private _ladder;
    // Derived from names: under coverage the fuzzer would pick the address of the coverage recorder.
    address private _alice = address(uint160(uint256(keccak256("alice"))));
    address private _bob = address(uint160(uint256(keccak256("bob"))));
    address private _treasury = address(uint160(uint256(keccak256("treasury"))));

    error NotPaid(address player, uint256 paid, uint256 expected);
    error NotRefused(uint256 amount, uint256 purse);
    error ChangeDiffers(uint256 change, uint256 expected);

    function setUp() external {
        _arena = Arena(Artifacts.deploy("Arena", abi.encode(this, _treasury)));
        _token = FightToken(Artifacts.deploy("FightToken", abi.encode(this)));
        _game = ScriptedGame(Artifacts.deploy("ScriptedGame", abi.encode(_arena)));
        _ladder = LadderHarness(Artifacts.deploy("LadderHarness", ""));
        _token.mint(address(this), type(uint128).max);
        _token.approve(address(_arena), type(uint256).max);
    }

    /// @notice Checks that prize and house fee add up to the pot, with the fee rounded down to the unit.
    function testFuzzATakenPotIsPrizeAndFee(uint96 stake1, uint96 stake2, uint16 feeBps, bool first, bool by) external {
        feeBps = uint16(feeBps % (_MAX_FEE_BPS + 1));
        (address taker, address other) = first ? (_alice, _bob) : (_bob, _alice);
        uint8 seat = uint8(first ? Seat.One : Seat.Two);
        if (by) {
            _play(stake1, stake2, feeBps, abi.encodePacked(uint8(0), uint8(3 - seat), seat));
        } else {
            _play(stake1, stake2, feeBps, hex"010000");
            VM.prank(other);
            _arena.resign(1);
        }
        uint256 pot = uint256(stake1) + stake2;
        uint256 house = _paid(_treasury);
        if (house * _BPS > pot * feeBps || (house + 1) * _BPS <= pot * feeBps) {
            revert NotPaid(_treasury, house, (pot * feeBps) / _BPS);
        }
        _expect(taker, pot - house);
        _expect(other, 0);
    }

    /// @notice Checks that returned stakes are whole, for any fee and any winner.
    function testFuzzOwnStakesComeBackWhole(uint96 stake1, uint96 stake2, uint16 feeBps, uint8 winner) external {
        _play(stake1, stake2, uint16(feeBps % (_MAX_FEE_BPS + 1)), abi.encodePacked(uint8(0), winner % 3, uint8(0)));
        _expect(_alice, stake1);
        _expect(_bob, stake2);
        _expect(_treasury, 0);
    }

    /// @notice Checks that a win by the clock pays the full pot, without a house fee.
    function testFuzzAForfeitPaysTheFullPot(uint96 stake1, uint96 stake2, uint16 feeBps, bool first) external {
        uint256 deadline = _play(
            stake1,
            stake2,
            uint16(feeBps % (_MAX_FEE_BPS + 1)),
            abi.encodePacked(uint8(first ? Seat.Two : Seat.One), uint16(0))
        );
        VM.warp(deadline + 1);
        _arena.timeout(1);
        _expect(first ? _alice : _bob, uint256(stake1) + stake2);
        _expect(first ? _bob : _alice, 0);
        _expect(_treasury, 0);
    }

    /// @notice Checks that a purse pays all that is in it and no more.
    function testFuzzAPursePaysWhatIsInIt(uint96 amount, uint96 more, uint96 asked) external {
        _arena.deposit(address(_token), amount, _alice);
        _arena.deposit(address(_token), more, _alice);
        uint256 purse = uint256(amount) + more;
        _expect(_alice, purse);
        VM.prank(_alice);
        try _arena.withdraw(address(_token), asked, _bob) {
            if (asked > purse) revert NotRefused(asked, purse);
            _expect(_alice, purse - asked);
            if (_token.balanceOf(_bob) != asked) revert NotPaid(_bob, _token.balanceOf(_bob), asked);
        } catch (bytes memory data) {
            if (asked <= purse || bytes4(data) != IPurse.PurseTooLow.selector) revert NotRefused(asked, purse);
        }
    }

    /// @notice Checks that, once a token has taken balance from the arena, withdrawals are paid in the order in which
    /// they come, and that no deposit fills the gap.
    function testFuzzAGapIsTheLastOnes(
        uint96 amount,
        uint96 more,
        uint96 taken,
        uint96 asked,
        uint96 brought
    ) external {
        _arena.deposit(address(_token), amount, _alice);
        _arena.deposit(address(_token), more, _bob);
        uint256 gap = Math.min(taken, uint256(amount) + more);
        uint256 left = uint256(amount) + more - gap;
        VM.prank(address(_arena));
        _token.transfer(_treasury, gap);
        asked = uint96(asked % (uint256(amount) + 1));
        VM.prank(_alice);
        try _arena.withdraw(address(_token), asked, _alice) {
            if (asked > left) revert NotRefused(asked, left);
            if (_token.balanceOf(_alice) != asked) revert NotPaid(_alice, _token.balanceOf(_alice), asked);
        } catch {
            if (asked <= left) revert NotPaid(_alice, 0, asked);
        }
        try _arena.deposit(address(_token), brought, _bob) {
            if (gap != 0 && brought != 0) revert NotRefused(brought, gap);
            _expect(_bob, uint256(more) + brought);
        } catch (bytes memory data) {
            if (gap == 0 || bytes4(data) != IPurse.NotReceived.selector) revert NotPaid(_bob, 0, brought);
        }
    }

    /// @notice Checks that ratings change by the published formula, computed in signed numbers.
    function testFuzzRatingsChangeAsPublished(uint32 own, int16 gap) external view {
        int256 opponent = int256(uint256(own)) + gap;
        _sameChange(own, opponent < 0 ? 0 : uint256(opponent));
        _sameChange(own, uint32(uint256(keccak256(abi.encode(own, gap)))));
    }

    /// @dev Plays a match in which player 2 joins with `answer`, and returns the deadline.
    function _play(uint96 stake1, uint96 stake2, uint16 feeBps, bytes memory answer) private returns (uint256) {
        _arena.setFeeBps(feeBps);
        _arena.deposit(address(_token), stake1, _alice);
        _arena.deposit(address(_token), stake2, _bob);
        Terms memory terms = Terms(_game, stake1, address(_token), stake2, 0, 1 hours, feeBps, true);
        VM.prank(_alice);
        _arena.create(terms, _bob, uint40(block.timestamp + 1), "");
        VM.prank(_bob);
        bytes5 nothing = bytes5(keccak256(""));
        _arena.join(1, keccak256(abi.encode(keccak256(abi.encode(terms)), _alice, nothing)), answer);
        return _arena.matchOf(1).deadline;
    }

    function _paid(address player) private view returns (uint256) {
        return _arena.purseOf(player, address(_token));
    }

    function _expect(address player, uint256 expected) private view {
        if (_paid(player) != expected) revert NotPaid(player, _paid(player), expected);
    }

    function _sameChange(uint256 own, uint256 opponent) private view {
        (uint256 change, uint256 expected) = (_ladder.ratingChange(own, opponent), ratingChange(own, opponent));
        if (change != expected) revert ChangeDiffers(change, expected);
    }
}
