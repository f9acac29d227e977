// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";

/// @title What all characters share: minters, ids that count from 1, and traits in one word each
/// @notice Traits are set at minting, never change, and stay readable after a character is burned.
///
/// Warning: a minter chooses traits freely; look at who may mint before you buy.
abstract contract Characters is ERC721Burnable, Ownable2Step {
    /// @notice `minter` may, or may no longer, make characters.
    event MinterChanged(address indexed minter, bool allowed);

    /// @notice Only a minter makes characters.
    error NotAMinter(address caller);

    uint256 private _lastId;
    mapping(address minter => bool allowed) private _minters;
    mapping(uint256 id => uint256 word) private _words;

    modifier onlyMinter() {
        if (!_minters[msg.sender]) revert NotAMinter(msg.sender);
        _;
    }

    /// @param owner Who names the minters; hands over in two steps.
    constructor(string memory name, string memory symbol, address owner) ERC721(name, symbol) Ownable(owner) {}

    /// @notice Allows or stops a minter; the owner only, else `OwnableUnauthorizedAccount`.
    function setMinter(address minter, bool allowed) external onlyOwner {
        _minters[minter] = allowed;
        emit MinterChanged(minter, allowed);
    }

    /// @dev The receiver is not called: it could undo the minting of a character it does not like and try again.
    /// @param word Its traits, never zero.
    function _make(address to, uint256 word) internal returns (uint256 id) {
        id = ++_lastId;
        _words[id] = word;
        _mint(to, id);
    }

    /// @dev Zero if it was never made.
    function _wordOf(uint256 id) internal view returns (uint256) {
        return _words[id];
    }
}
