// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC721} from "solady/src/tokens/ERC721.sol";

/// @title What all characters share: minters, ids that count from 1, and traits in one word each
/// @notice Traits are set at minting, never change, and stay readable after a character is burned.
///
/// Warning: a minter chooses traits freely; look at who may mint before you buy.
abstract contract Characters is ERC721, Ownable2Step {
    /// @notice `minter` may, or may no longer, make characters.
    event MinterChanged(address indexed minter, bool allowed);

    /// @notice Only a minter makes characters.
    error NotAMinter(address caller);

    /// @notice No coins are taken here.
    error CoinsSent(uint256 value);

    uint256 private _lastId;
    mapping(address minter => bool allowed) private _minters;
    string private _name;
    string private _symbol;

    modifier onlyMinter() {
        if (!_minters[msg.sender]) revert NotAMinter(msg.sender);
        _;
    }

    /// @param owner Who names the minters; hands over in two steps.
    constructor(string memory name_, string memory symbol_, address owner) Ownable(owner) {
        (_name, _symbol) = (name_, symbol_);
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    /// @inheritdoc ERC721
    function approve(address account, uint256 id) public payable override {
        _refuseCoins();
        super.approve(account, id);
    }

    /// @notice Burns a character; its owner or who is approved for it only, else `NotOwnerNorApproved`.
    function burn(uint256 id) external {
        _burn(msg.sender, id);
    }

    /// @notice The owner and the traits of a character; the owner is zero if it is burned, both if it was never made.
    function characterOf(uint256 id) external view returns (address owner, uint256 word) {
        return (_ownerOf(id), _getExtraData(id));
    }

    /// @notice Allows or stops a minter; the owner only, else `OwnableUnauthorizedAccount`.
    function setMinter(address minter, bool allowed) external onlyOwner {
        _minters[minter] = allowed;
        emit MinterChanged(minter, allowed);
    }

    /// @dev The receiver is not called: it could undo the minting of a character it does not like and try again.
    /// @param word Its traits, never zero.
    function _make(address to, uint256 word) internal returns (uint256 id) {
        id = ++_lastId;
        _mintAndSetExtraDataUnchecked(to, id, uint96(word));
    }

    /// @dev The standard calls transfers and approvals payable, but coins would stay here for ever.
    function _beforeTokenTransfer(address, address, uint256) internal override {
        _refuseCoins();
    }

    function _refuseCoins() private {
        if (msg.value != 0) revert CoinsSent(msg.value);
    }

    /// @dev Zero if it was never made.
    function _wordOf(uint256 id) internal view returns (uint256) {
        return _getExtraData(id);
    }
}
