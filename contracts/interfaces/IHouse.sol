// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The house share and who receives it: all that the owner decides, for future matches only
interface IHouse {
    /// @notice The house share of future matches, of 10 000.
    event ShareChanged(uint16 share);

    /// @notice Who receives the house share from now on.
    event TreasuryChanged(address indexed treasury);

    /// @notice The owner asked for more than a fifth.
    error ShareTooHigh(uint256 share, uint256 most);

    /// @notice The treasury cannot be the zero address or the arena, which could never spend its purse.
    error BadTreasury(address treasury);

    /// @notice Sets the house share of future matches, of 10 000; at most 2000. Owner only.
    function setShare(uint16 share) external;

    /// @notice Sets who receives the house share. Owner only.
    function setTreasury(address treasury) external;

    /// @notice The house share of future matches, of 10 000.
    function share() external view returns (uint16);

    /// @notice Who receives the house share.
    function treasury() external view returns (address);
}
