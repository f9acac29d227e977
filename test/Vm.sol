// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Cheat codes that the Solidity tests use
interface IVm {
    function warp(uint256 time) external;
    function deal(address account, uint256 coins) external;
    function prank(address sender) external;
    function chainId(uint256 id) external;
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function getCode(string calldata artifact) external view returns (bytes memory);
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

/// @title Deployment from artifacts
/// @notice `new` would compile a contract again as a part of each contract that deploys it.
library Artifacts {
    error NotDeployed(string name);

    /// @notice Deploys the contract of that name; `args` are the ABI-encoded arguments of its constructor.
    function deploy(string memory name, bytes memory args) internal returns (address payable deployed) {
        bytes memory code = bytes.concat(VM.getCode(name), args);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 32), mload(code))
        }
        if (deployed == address(0)) revert NotDeployed(name);
    }
}
