// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Cheat codes that the Solidity tests use
interface IVm {
    function warp(uint256 time) external;
    function deal(address account, uint256 coins) external;
    function prank(address sender) external;
    function chainId(uint256 id) external;
    function projectRoot() external view returns (string memory);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function toString(uint256 value) external pure returns (string memory);
}

IVm constant VM = IVm(address(uint160(uint256(keccak256("hevm cheat code")))));
