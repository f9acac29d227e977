// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Purses: the money of each player inside the arena
/// @notice All amounts are in a token's smallest unit; token zero is the chain's coin.
///
/// Warning: deposit ERC-20 tokens only. Anything else, such as an NFT, may be accepted but can never be withdrawn.
/// Warning: a token that rebases downwards or takes back balances breaks the purses in this token, but no others: the
/// first withdrawals are paid, and deposits are refused until the gap is filled.
interface IPurse {
    /// @notice Deposit: `amount` of `token` came in from outside and was credited to the purse of `player`.
    event Deposited(address indexed token, address indexed player, uint256 amount);

    /// @notice Withdrawal: `amount` of `token` left the purse of `player` for `to`.
    event Withdrawn(address indexed token, address indexed player, address indexed to, uint256 amount);

    /// @notice A purse does not cover the amount needed.
    error PurseTooLow(address player, address token, uint256 balance, uint256 needed);

    /// @notice Less than the stated amount has arrived: the token took a fee, lied, or nothing was sent.
    error NotReceived(address token, uint256 received, uint256 amount);

    /// @notice A withdrawal took more from the arena than the amount withdrawn: the token charges its sender.
    error Overdrawn(address token, uint256 taken, uint256 amount);

    /// @notice No contract has this address.
    error NotAContract(address account);

    /// @notice The coin sent is not the stated amount, or not zero in a call about a token.
    error WrongValue(uint256 value, uint256 expected);

    /// @notice Money cannot be credited or sent to this address.
    error BadReceiver(address receiver);

    /// @notice The data of an ERC-1363 transfer is neither empty nor (matchId, offerHash).
    error BadTransferData(uint256 length);

    /// @notice Only the owner of the tokens may send them straight into a match.
    error NotTheOwner(address operator, address owner);

    /// @notice Pays `amount` of `token` from the caller into the purse of `player`.
    /// @dev For coin, `msg.value` must equal `amount`. For a token, the caller must have approved the arena.
    function deposit(address token, uint256 amount, address player) external payable;

    /// @notice Pays `amount` of `token` from the caller into its own purse, with a signed ERC-2612 permit instead of an
    /// approval.
    /// @dev If somebody else submits the permit first, this still works: the allowance exists already.
    function depositWithPermit(address token, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Pays `amount` of `token` from the caller's purse to `to`.
    function withdraw(address token, uint256 amount, address to) external;

    /// @notice Returns the amount of `token` in the purse of `player`; this excludes stakes in open matches.
    function purseOf(address player, address token) external view returns (uint256 amount);

    /// @notice Returns the amount of `token` that the arena owes: all purses and all stakes in open matches.
    function totalOf(address token) external view returns (uint256 amount);
}
