// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// solhint-disable avoid-low-level-calls, no-inline-assembly

/// @title Contract that calls back when it is called
/// @notice Makes its prepared calls at the named moment, and stores their results. A static call cannot store results;
/// it reverts unless every call back was refused with the expected error.
abstract contract Reentrant {
    struct Answer {
        bool ok;
        bytes data;
    }

    string private _moment;
    address private _target;
    bytes4 private _expected;
    bytes[] private _calls;
    Answer[] private _answers;

    error Reentered(uint256 index, bytes answer);

    receive() external payable virtual {}

    function arm(string calldata moment, address target, bytes[] calldata calls, bytes4 expected) external {
        (_moment, _target, _calls, _expected) = (moment, target, calls, expected);
        delete _answers;
    }

    function answers() external view returns (Answer[] memory) {
        return _answers;
    }

    /// @notice Makes a call as this contract, and returns or reverts as the call does.
    function run(address target, uint256 value, bytes memory data) public payable returns (bytes memory result) {
        bool ok;
        (ok, result) = target.call{value: value}(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
    }

    /// @notice Makes several calls in one transaction, at one timestamp.
    function runAll(address target, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) run(target, 0, calls[i]);
    }

    /// @notice Makes several calls, each of which may revert on its own, and keeps their changes.
    function tryAll(address target, bytes[] calldata calls) external returns (Answer[] memory results) {
        results = new Answer[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) (results[i].ok, results[i].data) = target.call(calls[i]);
    }

    function _reenter(string memory moment) internal {
        if (!_isArmed(moment)) return;
        // Disarms first, so that a call back does not call back again.
        _moment = "";
        for (uint256 i = 0; i < _calls.length; ++i) {
            (bool ok, bytes memory data) = _target.call(_calls[i]);
            _answers.push(Answer(ok, data));
        }
    }

    function _reenterStatic(string memory moment) internal view {
        if (!_isArmed(moment)) return;
        for (uint256 i = 0; i < _calls.length; ++i) {
            (bool ok, bytes memory data) = _target.staticcall(_calls[i]);
            if (ok || bytes4(data) != _expected) revert Reentered(i, data);
        }
    }

    function _isArmed(string memory moment) private view returns (bool) {
        return bytes(moment).length == bytes(_moment).length && keccak256(bytes(moment)) == keccak256(bytes(_moment));
    }
}
