// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC721} from "solady/src/tokens/ERC721.sol";

/// @title Base of all characters: minters, ids from 1 on, and traits in one word each
/// @notice Traits are set at minting, never change, and stay readable after a character is burned.
///
/// Warning: a minter chooses traits freely; look at who may mint before you buy.
abstract contract Characters is ERC721, Ownable2Step {
    /// @notice Minter changed: from now on `minter` can make characters only if `allowed`.
    event MinterChanged(address indexed minter, bool allowed);

    /// @notice Only a minter may make characters.
    error NotAMinter(address caller);

    /// @notice This contract takes no coins.
    error CoinsSent(uint256 value);

    uint256 private _lastId;
    mapping(address minter => bool allowed) private _minters;
    string private _name;
    string private _symbol;

    modifier onlyMinter() {
        if (!_minters[msg.sender]) revert NotAMinter(msg.sender);
        _;
    }

    /// @param owner Account that allows minters; ownership is handed over in two steps.
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

    /// @notice Burns a character. Reverts with `NotOwnerNorApproved` unless the caller owns it or is approved.
    function burn(uint256 id) external {
        _burn(msg.sender, id);
    }

    /// @notice Returns owner and traits of a character. The owner is zero if it is burned; both are zero if it was
    /// never minted.
    function characterOf(uint256 id) external view returns (address owner, uint256 word) {
        return (_ownerOf(id), _getExtraData(id));
    }

    /// @notice Returns the card of a character as a data URI: JSON with its traits and an SVG drawing; nothing is
    /// stored elsewhere.
    /// @dev Reverts with `TokenDoesNotExist` if the character was never minted or is burned, as the standard requires.
    function tokenURI(uint256 id) public view override returns (string memory) {
        if (!_exists(id)) revert TokenDoesNotExist();
        return _card(id, _getExtraData(id));
    }

    /// @notice Allows or stops a minter. Reverts with `OwnableUnauthorizedAccount` unless the caller is the owner.
    function setMinter(address minter, bool allowed) external onlyOwner {
        _minters[minter] = allowed;
        emit MinterChanged(minter, allowed);
    }

    /// @dev Mints a character. Does not call the receiver: it could otherwise revert the minting of a character that it
    /// does not like, and try again.
    /// @param word Traits of the character, never zero.
    function _make(address to, uint256 word) internal returns (uint256 id) {
        id = ++_lastId;
        _mintAndSetExtraDataUnchecked(to, id, uint96(word));
    }

    /// @dev The standard makes transfers and approvals payable, but coins would stay here for ever.
    function _beforeTokenTransfer(address, address, uint256) internal override {
        _refuseCoins();
    }

    function _refuseCoins() private {
        if (msg.value != 0) revert CoinsSent(msg.value);
    }

    /// @dev Returns the card of a character as a data URI.
    /// @param word Traits of the character.
    function _card(uint256 id, uint256 word) internal pure virtual returns (string memory);
}
