// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The house fee and who receives it: all that the owner decides, for future matches only
interface IHouse {
    /// @notice The house fee of future matches, of 10 000.
    event FeeChanged(uint16 feeBps);

    /// @notice Who receives the house fee from now on.
    event TreasuryChanged(address indexed treasury);

    /// @notice The owner asked for more than a fifth.
    error FeeTooHigh(uint256 feeBps, uint256 max);

    /// @notice The treasury cannot be the zero address or the arena, which could never spend its purse.
    error BadTreasury(address treasury);

    /// @notice Sets the house fee of future matches, of 10 000; at most 2000. Owner only.
    function setFeeBps(uint16 feeBps) external;

    /// @notice Sets who receives the house fee. Owner only.
    function setTreasury(address treasury) external;

    /// @notice The house fee of future matches, of 10 000.
    function feeBps() external view returns (uint16);

    /// @notice Who receives the house fee.
    function treasury() external view returns (address);
}
