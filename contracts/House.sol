// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IHouse} from "./interfaces/IHouse.sol";

/// @title House: fee, treasury and ownership
/// @dev The arena's lock guards all functions that write, including those that change the owner.
abstract contract House is IHouse, Ownable2Step, ReentrancyGuardTransient {
    uint16 private constant _MAX_FEE_BPS = 2000;

    address private _treasury;
    uint16 private _feeBps = _MAX_FEE_BPS;

    constructor(address owner, address treasury_) Ownable(owner) {
        _setTreasury(treasury_);
        emit FeeChanged(_feeBps);
    }

    /// @inheritdoc IHouse
    function setFeeBps(uint16 feeBps_) external onlyOwner nonReentrant {
        if (feeBps_ > _MAX_FEE_BPS) revert FeeTooHigh(feeBps_, _MAX_FEE_BPS);
        _feeBps = feeBps_;
        emit FeeChanged(feeBps_);
    }

    /// @inheritdoc IHouse
    function setTreasury(address treasury_) external onlyOwner nonReentrant {
        _setTreasury(treasury_);
    }

    /// @inheritdoc Ownable2Step
    function transferOwnership(address newOwner) public override nonReentrant {
        super.transferOwnership(newOwner);
    }

    /// @inheritdoc Ownable2Step
    function acceptOwnership() public override nonReentrant {
        super.acceptOwnership();
    }

    /// @inheritdoc Ownable
    function renounceOwnership() public override nonReentrant {
        super.renounceOwnership();
    }

    /// @inheritdoc IHouse
    function feeBps() public view returns (uint16) {
        return _feeBps;
    }

    /// @inheritdoc IHouse
    function treasury() public view returns (address) {
        return _treasury;
    }

    function _setTreasury(address treasury_) private {
        if (treasury_ == address(0) || treasury_ == address(this)) revert BadTreasury(treasury_);
        _treasury = treasury_;
        emit TreasuryChanged(treasury_);
    }
}
