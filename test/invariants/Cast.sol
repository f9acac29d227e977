// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Arena} from "../../contracts/Arena.sol";
import {FightToken} from "../../contracts/tokens/FightToken.sol";
import {Artifacts, VM} from "../Vm.sol";
import {OddToken} from "../mocks/OddToken.sol";
import {Puppet} from "../mocks/Puppet.sol";
import {Reentrant} from "../mocks/Reentrant.sol";
import {ScriptedGame} from "../mocks/ScriptedGame.sol";
import {TollToken} from "../mocks/TollToken.sol";
import {WildGame} from "../mocks/WildGame.sol";

// solhint-disable avoid-low-level-calls, no-inline-assembly

uint256 constant PLAYERS = 4;
uint256 constant ACCOUNTS = 8;
uint256 constant TOKENS = 5;

/// @title Cast: an arena, its games and tokens, and all accounts with a purse
/// @notice Players are two ordinary accounts, a contract that may refuse coins, and a game. The other accounts are two
/// strangers, the owner and the first treasury. Addresses are derived from names, so the fuzzer never picks them.
contract Cast {
    uint256 private constant _RICHES = 1e40;

    Arena public immutable arena;
    FightToken public immutable fight;
    /// @notice Token that calls the arena back.
    OddToken public immutable caller;
    /// @notice Token that can block receivers.
    OddToken public immutable blocker;
    /// @notice Token that takes fees and tolls.
    TollToken public immutable toll;
    ScriptedGame public immutable scripted;
    /// @notice Game that plays, calls back and lies.
    WildGame public immutable wild;
    Puppet public immutable puppet;

    address[ACCOUNTS] public accounts;
    address[TOKENS] public tokens;

    /// @notice Numbers of handler calls, and of successful handler calls, in total and by name.
    uint256 public calls;
    uint256 public successes;
    mapping(bytes32 name => uint256 count) public callsOf;
    mapping(bytes32 name => uint256 count) public successesOf;

    bool public puppetRefuses;
    mapping(address account => bool blocked) public isBlocked;

    mapping(Reentrant mock => bool armed) private _isArmed;

    error LetIn(bytes answer);

    constructor() {
        address owner = _named("owner");
        arena = Arena(Artifacts.deploy("Arena", abi.encode(owner, _named("treasury"))));
        scripted = ScriptedGame(Artifacts.deploy("ScriptedGame", abi.encode(arena)));
        wild = WildGame(Artifacts.deploy("WildGame", ""));
        puppet = Puppet(Artifacts.deploy("Puppet", ""));
        fight = FightToken(Artifacts.deploy("FightToken", abi.encode(this)));
        caller = OddToken(Artifacts.deploy("OddToken", ""));
        blocker = OddToken(Artifacts.deploy("OddToken", ""));
        toll = TollToken(Artifacts.deploy("TollToken", ""));
        tokens = [address(0), address(fight), address(caller), address(blocker), address(toll)];
        accounts = [
            _named("alice"),
            _named("bob"),
            address(puppet),
            address(wild),
            _named("stranger 1"),
            _named("stranger 2"),
            owner,
            arena.treasury()
        ];
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            for (uint256 j = 1; j < TOKENS; ++j) {
                FightToken token = FightToken(tokens[j]);
                token.mint(accounts[i], _RICHES);
                VM.prank(accounts[i]);
                token.approve(address(arena), type(uint256).max);
            }
        }
    }

    function begin(bytes32 name) external returns (uint256 number) {
        ++callsOf[name];
        return ++calls;
    }

    function done(bytes32 name) external {
        ++successesOf[name];
        ++successes;
    }

    /// @notice Makes a call as `sender`; reverts as the call does.
    function send(address sender, address target, uint256 value, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory result) = attempt(sender, target, value, data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        _checkReentries();
        return result;
    }

    /// @notice Makes `mock` call the arena back at `moment`.
    function arm(Reentrant mock, string calldata moment, bytes[] calldata back) external {
        mock.arm(moment, address(arena), back, ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        _isArmed[mock] = true;
    }

    /// @notice Sets how the puppet receives coins.
    function setManner(Puppet.Manner manner) external {
        puppet.behave(manner);
        puppetRefuses = manner != Puppet.Manner.Accepts && manner != Puppet.Manner.ReturnsBlob;
    }

    /// @notice Makes the blocker refuse transfers to `account`, or accept them again.
    function setBlocked(address account, bool blocked) external {
        blocker.blockAccount(account, blocked);
        isBlocked[account] = blocked;
    }

    /// @notice Gives an account unrequested money.
    function give(address account, address token, uint256 amount) external {
        if (token == address(0)) VM.deal(account, account.balance + amount);
        else FightToken(token).mint(account, amount);
    }

    /// @notice Returns the amount of a token that an account really holds.
    function balanceOf(address account, address token) external view returns (uint256) {
        if (token == address(0)) return account.balance;
        // A token armed at balanceOf would mistake this call for one by the arena.
        if (token == address(caller)) return caller.trueBalanceOf(account);
        return FightToken(token).balanceOf(account);
    }

    /// @notice Makes a call as `sender`, and returns whether it succeeded.
    function attempt(
        address sender,
        address target,
        uint256 value,
        bytes calldata data
    ) public returns (bool ok, bytes memory result) {
        if (value != 0) VM.deal(sender, sender.balance + value);
        VM.prank(sender);
        return target.call{value: value}(data);
    }

    function _checkReentries() private {
        Reentrant[3] memory mocks = [Reentrant(wild), caller, puppet];
        for (uint256 i = 0; i < mocks.length; ++i) {
            if (!_isArmed[mocks[i]]) continue;
            Reentrant.Answer[] memory answers = mocks[i].answers();
            if (answers.length == 0) continue;
            for (uint256 j = 0; j < answers.length; ++j) {
                bytes4 selector = bytes4(answers[j].data);
                if (answers[j].ok || selector != ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector) {
                    revert LetIn(answers[j].data);
                }
            }
            successesOf["reenter"] += answers.length;
            _isArmed[mocks[i]] = false;
        }
    }

    function _named(string memory name) private pure returns (address) {
        return address(uint160(uint256(keccak256(bytes(name)))));
    }
}
