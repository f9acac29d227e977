// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GuardianBattle} from "../../contracts/games/guardians/GuardianBattle.sol";
import {packCard, Stats} from "../../contracts/tokens/GuardianCards.sol";

/// @title One attack of the engine of guardians, with chosen rolls
contract GuardianEngine {
    function strike(
        Stats calldata attacker,
        Stats calldata defender,
        uint256 dodgeCap,
        uint256 dodgeRoll,
        uint256 criticalRoll
    ) external pure returns (uint256 logEntry) {
        return GuardianBattle.strike(packCard(attacker), packCard(defender), dodgeCap, dodgeRoll, criticalRoll);
    }
}
