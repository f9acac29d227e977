import { keccak256, ZeroHash } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { InputError } from "../protocol/input.js";
import { autoBattler } from "./auto-battler/index.js";
import { guardians } from "./guardians/index.js";
import { warmancer } from "./warmancer/index.js";
import { ticTacToe } from "./tic-tac-toe/index.js";
import { miniGames } from "./mini-games/index.js";
import type { GameModule, StockMode } from "./module.js";
import { pistolsGame } from "./pistols/index.js";
import type { Hex } from "../protocol/hex.js";

/** All games; a new game adds its line here. */
export const games: readonly GameModule[] = [autoBattler, guardians, miniGames, pistolsGame, ticTacToe, warmancer];

/** Names of all contracts of a deployment. */
export const contractNames: readonly (keyof Addresses)[] = [
  "Arena",
  "FightToken",
  "Fighters",
  "GuardianCards",
  ...games.map(({ contract }) => contract),
  ...games.map(({ decoder }) => decoder.contract),
];

/** Mode that a deployment registers. */
export interface ModeToRegister {
  readonly name: string;
  readonly content: Hex;
}

/** Lists the modes of a game that a deployment registers: all published ones but the default. */
export function modesToRegister({ modes }: GameModule): ModeToRegister[] {
  const published = Object.entries(modes).map(([name, { content }]) => ({ name, content }));
  return published.filter(({ content }) => content !== "0x");
}

/** Returns the game of a name. @throws InputError that lists the names of all games. */
export function gameNamed(name: string): GameModule {
  const game = games.find((candidate) => candidate.name === name);
  if (!game) throw new InputError(name, `no such game; there are ${games.map((each) => each.name).join(", ")}`);
  return game;
}

/** Finds the game at an address of a deployment; undefined if it is none of its games. */
export function findGame(address: string, addresses: Addresses): GameModule | undefined {
  return games.find(({ contract }) => addresses[contract] === address);
}

/** Returns the game at an address of a deployment. @throws InputError if it is none of its games. */
export function gameAt(address: string, addresses: Addresses): GameModule {
  const game = findGame(address, addresses);
  if (!game) throw new InputError(address, "not a game of this deployment");
  return game;
}

/** Returns the mode in which a game is shown. */
export function demoOf({ modes, demo }: GameModule): StockMode {
  return demo === undefined ? Object.values(modes)[0] : modes[demo];
}

/** Returns the hash by which terms name a mode: of its content; zero for the game's default, whose content is empty. */
export function modeHash(content: Hex): Hex {
  return content === "0x" ? ZeroHash : keccak256(content);
}
