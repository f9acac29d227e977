import { ContractFactory } from "ethers";
import hre from "hardhat";
import { playMatch } from "../../../scripts/demo-match.js";
import { History } from "../../../sdk/chain/history.js";
import { games } from "../../../sdk/games/index.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { Client } from "../../../sdk/player/client.js";
import { sticks } from "../../support/sticks.js";
import type { TestChain } from "./chain.js";
import { standingChain } from "./harness.js";

/** Accounts that play these matches. */
const PLAYERS = [4, 5] as const;

let played: Promise<ReadonlyMap<string, bigint>> | undefined;

/**
 * Makes two players play a match of each game on the shared chain once, before the tests.
 * @returns their numbers by game
 */
export function playedMatches(): Promise<ReadonlyMap<string, bigint>> {
  return (played ??= playAll());
}

async function playAll(): Promise<ReadonlyMap<string, bigint>> {
  const chain = await standingChain();
  const matches = new Map<string, bigint>();
  for (const game of games) matches.set(game.name, await playOne(chain, game, chain.addresses));
  return matches;
}

/** Deploys a game that stock pages do not know, and lets two players play it. @param artifact Name of its contract. */
export async function playForeign(chain: TestChain, game: GameModule = sticks, artifact = game.contract) {
  const { abi, bytecode } = await hre.artifacts.readArtifact(artifact);
  const factory = new ContractFactory(abi, bytecode, await chain.account(PLAYERS[0]));
  const contract = await factory.deploy(chain.addresses.Arena);
  await contract.waitForDeployment();
  const addresses = { ...chain.addresses, [game.contract]: await contract.getAddress() };
  return { matchId: await playOne(chain, game, addresses), addresses };
}

async function playOne(
  chain: TestChain,
  game: GameModule,
  addresses: TestChain["addresses"] & Record<string, string>,
): Promise<bigint> {
  const known = games.includes(game) ? games : [...games, game];
  const connect = async (account: number) => Client.connect(addresses, known, await chain.account(account));
  const [alice, bob] = await Promise.all(PLAYERS.map(connect));
  const { matchId } = await playMatch(game, alice, bob, new History(chain.provider, addresses), () => undefined);
  return matchId;
}
