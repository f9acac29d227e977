// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title House fee and treasury, which are all that the owner controls
interface IHouse {
    /// @notice House fee of future matches set to `feeBps` basis points.
    event FeeChanged(uint16 feeBps);

    /// @notice House fees are paid to `treasury` from now on.
    event TreasuryChanged(address indexed treasury);

    /// @notice The house fee is above its maximum of a fifth, 2000 basis points.
    error FeeTooHigh(uint256 feeBps, uint256 max);

    /// @notice The treasury is the zero address or the arena, neither of which could ever spend its purse.
    error BadTreasury(address treasury);

    /// @notice Sets the house fee of future matches in basis points, at most 2000; existing offers keep their fee. Only
    /// the owner may call it.
    function setFeeBps(uint16 feeBps) external;

    /// @notice Sets the receiver of all future house fees, including open matches. Only the owner may call it.
    function setTreasury(address treasury) external;

    /// @notice Returns the house fee of future matches, in basis points.
    function feeBps() external view returns (uint16);

    /// @notice Returns the receiver of house fees.
    function treasury() external view returns (address);
}
