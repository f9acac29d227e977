// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice A log entry that is being read.
struct LogEntry {
    /// Place in the log.
    uint256 index;
    uint256 value;
    /// Bits that no field has taken so far; taken bits are 0.
    uint256 rest;
}

using LogEntries for LogEntry global;

/// @title Reader of packed log entries
/// @notice Reads fields one by one. Bits left at the end belong to no field, so they must be 0.
library LogEntries {
    /// @notice The game never packs this value into its log; `index` is its place among the entries.
    error NotALogEntry(uint256 index, uint256 value);

    /// @notice Starts to read an entry.
    function entryAt(uint256[] calldata logEntries, uint256 index) internal pure returns (LogEntry memory) {
        return LogEntry(index, logEntries[index], logEntries[index]);
    }

    /// @notice Takes the number in `width` bits from bit `start` on.
    function take(LogEntry memory self, uint256 start, uint256 width) internal pure returns (uint256 number) {
        uint256 mask = (1 << width) - 1;
        number = (self.rest >> start) & mask;
        self.rest &= ~(mask << start);
    }

    /// @notice Takes the flag at bit `start`.
    function takeFlag(LogEntry memory self, uint256 start) internal pure returns (bool) {
        return self.take(start, 1) == 1;
    }

    /// @notice Ends reading. Reverts unless the fields are possible, and nothing else is in the entry.
    function end(LogEntry memory self, bool isPossible) internal pure {
        if (!isPossible || self.rest != 0) revert NotALogEntry(self.index, self.value);
    }
}
