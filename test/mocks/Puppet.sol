// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Reentrant} from "./Reentrant.sol";

// solhint-disable no-inline-assembly

/// @title Player that is a contract and receives coins in a chosen manner
contract Puppet is Reentrant {
    enum Manner {
        Accepts,
        Reverts,
        BurnsGas,
        RevertsWithBlob,
        ReturnsBlob
    }

    Manner private _manner;

    error NoThanks();

    function behave(Manner manner) external {
        _manner = manner;
    }

    /// @dev Makes the puppet look like a token, for a call that claims to come from a token.
    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        _reenter("onERC721Received");
        return this.onERC721Received.selector;
    }

    function onTransferReceived(address, address, uint256, bytes calldata) external returns (bytes4) {
        _reenter("onTransferReceived");
        return this.onTransferReceived.selector;
    }

    receive() external payable override {
        if (_manner == Manner.Accepts) _reenter("receive");
        else if (_manner == Manner.Reverts) revert NoThanks();
        else _misbehave(_manner);
    }

    function _misbehave(Manner manner) private pure {
        assembly ("memory-safe") {
            switch manner
            case 2 {
                invalid()
            }
            case 3 {
                revert(0, 300000)
            }
            default {
                return(0, 300000)
            }
        }
    }
}
