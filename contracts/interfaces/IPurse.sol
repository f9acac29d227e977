// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Who owns which money inside the arena
/// @notice Amounts are in a token's smallest unit; token zero is the chain's coin.
///
/// Warning: deposit ERC-20 tokens only. Anything else, an NFT for example, may get in and never out.
/// Warning: tokens that rebase downwards or take back balances break their own purses, and no others: whoever withdraws
/// first is served, and nothing is deposited until the gap is filled.
interface IPurse {
    /// @notice `amount` of `token` came in from outside and was credited to `player`.
    event Deposited(address indexed token, address indexed player, uint256 amount);

    /// @notice `amount` of `token` left the purse of `player` for `to`.
    event Withdrawn(address indexed token, address indexed player, address indexed to, uint256 amount);

    /// @notice A purse does not cover what is asked of it.
    error PurseTooLow(address player, address token, uint256 balance, uint256 needed);

    /// @notice Less than the named amount has arrived: the token took a fee, lied, or nothing was sent.
    error NotReceived(address token, uint256 received, uint256 amount);

    /// @notice A withdrawal took more from the arena than what was withdrawn: the token charges its sender.
    error Overdrawn(address token, uint256 taken, uint256 amount);

    /// @notice There is no contract at this address.
    error NotAContract(address account);

    /// @notice The coin sent is not the amount that was named (zero for tokens).
    error WrongValue(uint256 value, uint256 expected);

    /// @notice Money cannot be credited or sent to this address.
    error BadReceiver(address receiver);

    /// @notice The data behind an ERC-1363 transfer is neither empty nor (matchId, offerHash).
    error BadTransferData(uint256 length);

    /// @notice Only the owner of the tokens may send them straight into a match.
    error NotTheOwner(address operator, address owner);

    /// @notice Pays `amount` of `token` from the caller into the purse of `player`.
    /// @dev Coin: `msg.value` must equal `amount`. Tokens: needs the caller's allowance.
    function deposit(address token, uint256 amount, address player) external payable;

    /// @notice As `deposit` into the caller's own purse, with a signed ERC-2612 permit in place of an allowance.
    /// @dev A permit that somebody else used up first does no harm: the allowance it gave still stands.
    function depositWithPermit(address token, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Pays `amount` of `token` from the caller's purse to `to`.
    function withdraw(address token, uint256 amount, address to) external;

    /// @notice What `player` owns of `token`, stakes in open matches not included.
    function purseOf(address player, address token) external view returns (uint256 amount);

    /// @notice What the arena owes of `token`: all purses and all stakes in open matches.
    function totalOf(address token) external view returns (uint256 amount);
}
