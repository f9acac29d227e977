import { ContractFactory } from "ethers";
import hre from "hardhat";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { arenaAt } from "../../sdk/chain/arena.js";
import { besideArgs, besides, gameArgs } from "../../sdk/games/constructor-args.js";
import { games as allGames } from "../../sdk/games/index.js";
import { tokensWith } from "../../sdk/games/list.js";
import { modesToRegister } from "../../sdk/games/modes.js";
import { Fighters__factory, FightToken__factory, type Arena, type FightToken } from "../../typechain-types/index.js";
import { giveAll } from "../local-chain.js";
import type { Chain } from "./chain.js";
import { EventFeed } from "./event-feed.js";
import type { Random } from "./random.js";
import { Player } from "./player.js";

const SEATS = 8;
/** Golden fighters of each player; they never cool down. */
const TEAM = 5;
const GOLDEN = [1, 2, 3, 2, 1, 3] as const;

/** A chain with a whole deployment, and all its players. */
export class World {
  /** Number of occurrences by fault. */
  readonly faults = new Map<string, number>();

  readonly arena: Arena;
  readonly fight: FightToken;
  readonly owner: Player;
  readonly treasury: Player;
  readonly players: readonly Player[];
  readonly stranger: Player;
  readonly operator: Player;

  /** @param people All people who may own tokens. */
  private constructor(
    readonly chain: Chain,
    readonly random: Random,
    readonly addresses: Addresses,
    readonly people: readonly Player[],
  ) {
    this.arena = arenaAt(addresses.Arena, chain.signers[1]);
    this.fight = FightToken__factory.connect(addresses.FightToken, chain.signers[1]);
    [this.owner, this.treasury] = people;
    this.players = people.slice(2, 2 + SEATS);
    [this.stranger, this.operator] = people.slice(2 + SEATS);
  }

  static async on(chain: Chain, random: Random): Promise<World> {
    const addresses = await deployAll(chain);
    const feed = new EventFeed(chain, addresses);
    const people = await Promise.all(chain.signers.map((signer) => Player.with(signer, addresses, feed, random)));
    const world = new World(chain, random, addresses, people);
    const players = world.players.map(({ address }) => address);
    await giveAll(chain.signers[0], addresses, players);
    const fighters = Fighters__factory.connect(addresses.Fighters, chain.signers[0]);
    for (const player of players) {
      for (let i = 0; i < TEAM; i++) await fighters.mint(player, 1, [...GOLDEN], true);
    }
    return world;
  }

  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }
}

/** Deploys the same contracts as `npm run deploy`, in the same order on every chain. */
export async function deployAll({ signers }: Pick<Chain, "signers">): Promise<Addresses> {
  const [owner, treasury] = signers;
  const addresses: Record<string, string> = {};
  const deploy = async (name: string, ...args: unknown[]) => {
    const { abi, bytecode } = await hre.artifacts.readArtifact(name);
    const contract = await new ContractFactory(abi, bytecode, owner).deploy(...args);
    addresses[name] = await contract.getAddress();
    return contract;
  };
  await deploy("Arena", owner, treasury);
  for (const token of tokensWith(allGames)) await deploy(token, owner);
  for (const module of allGames) {
    const game = await deploy(module.contract, ...gameArgs(module, addresses));
    for (const { content } of modesToRegister(module)) await game.getFunction("registerMode")(content);
  }
  for (const beside of allGames.flatMap(besides)) await deploy(beside.contract, ...besideArgs(beside, addresses));
  return addresses as unknown as Addresses;
}
