import {
  type BaseContract,
  type BigNumberish,
  type Contract,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
} from "ethers";
import { network } from "hardhat";
import type { RoundLog } from "../../sdk/chain/record.js";
import { offerHash } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { COIN, termsHash, type Terms } from "../../sdk/protocol/terms.js";
import {
  type Arena,
  Arena__factory,
  AutoBattler__factory,
  Fighters__factory,
  FightToken__factory,
  GuardianCards__factory,
  Guardians__factory,
} from "../../typechain-types/index.js";
import { words, wordsIn } from "./words.js";

/** The only in-process chain of a test run. `loadFixture` resets it for every test. */
export const { ethers, networkHelpers } = await network.getOrCreate();
export const { loadFixture, time } = networkHelpers;
export { COIN, Seat, Status, termsHash, type Terms };

export const UNIT = 10n ** 18n;
export const HOUR = 3600n;
export const DAY = 24n * HOUR;
export const ZERO_HASH = ethers.ZeroHash;

/** Deploys one of the mocks, whose types are not generated. */
export async function deployMock(name: string, ...args: unknown[]): Promise<Contract> {
  return await ethers.deployContract(name, args);
}

export async function receiptOf(sent: Promise<ContractTransactionResponse>): Promise<ContractTransactionReceipt> {
  return (await (await sent).wait())!;
}

/** Returns the log entries of a game in a transaction, by round. */
export function logsIn(game: BaseContract, { logs }: ContractTransactionReceipt): RoundLog[] {
  return logs.flatMap((log) => {
    const event = game.interface.parseLog(log);
    return event?.name === "Log" ? [{ round: event.args.round, entries: [...event.args.logEntries] }] : [];
  });
}

/** Deploys everything that a match needs, with 1000 FIGHT in the purses and wallets of alice, bob and carol. */
export async function deployed() {
  const [owner, treasury, alice, bob, carol, stranger] = await ethers.getSigners();
  const deploy = async (name: string, ...args: unknown[]): Promise<string> => {
    const contract = (await ethers.deployContract(name, args)) as unknown as BaseContract;
    return contract.getAddress();
  };
  const arena = Arena__factory.connect(await deploy("Arena", owner, treasury), owner);
  const fight = FightToken__factory.connect(await deploy("FightToken", owner), owner);
  const fighters = Fighters__factory.connect(await deploy("Fighters", owner), owner);
  const autoBattler = AutoBattler__factory.connect(await deploy("AutoBattler", arena, fighters), owner);
  const cards = GuardianCards__factory.connect(await deploy("GuardianCards", owner), owner);
  const guardians = Guardians__factory.connect(await deploy("Guardians", arena, cards), owner);
  const scripted = await deployMock("ScriptedGame", arena);
  for (const token of [fighters, cards]) await token.setMinter(owner, true);
  for (const player of [alice, bob, carol]) {
    await fight.mint(player, 2000n * UNIT);
    await fight.connect(player).approve(arena, ethers.MaxUint256);
    await arena.connect(player).deposit(fight, 1000n * UNIT, player);
  }
  const people = { owner, treasury, alice, bob, carol, stranger };
  return { ...people, arena, fight, fighters, autoBattler, cards, guardians, scripted };
}

export type World = Awaited<ReturnType<typeof deployed>>;

/** A person of a world. */
export type Player = World["alice"];

/** Returns the time of the latest block. */
export async function now(): Promise<bigint> {
  return BigInt(await time.latest());
}

/** Calls a view whose arguments are words, and returns the words of the result. */
export async function wordsOf(
  { interface: abi, target }: BaseContract,
  view: string,
  ...args: (bigint | Hex)[]
): Promise<bigint[]> {
  const call = { to: target, data: abi.getFunction(view)!.selector + words(...args) };
  return wordsIn((await ethers.provider.send("eth_call", [call, "latest"])) as Hex);
}

/** Calls a view that returns a struct of words, and returns its fields by name. */
export async function fieldsOf(contract: BaseContract, view: string, ...args: (bigint | Hex)[]) {
  const [{ components }] = contract.interface.getFunction(view)!.outputs;
  const answer = await wordsOf(contract, view, ...args);
  return Object.fromEntries(components!.map(({ name }, i): [string, bigint] => [name, answer[i]]));
}

/** Runs a function, and then reverts the chain. */
export async function inPassing<T>(run: () => Promise<T>): Promise<T> {
  const snapshot = await networkHelpers.takeSnapshot();
  try {
    return await run();
  } finally {
    await snapshot.restore();
  }
}

/** Gives the next transaction this timestamp. */
export async function at(timestamp: bigint): Promise<void> {
  await time.setNextBlockTimestamp(timestamp);
}

/** Returns terms for 10 against 10 FIGHT in the scripted game, rated, with a clock of an hour; any field may differ. */
export async function termsFor(world: World, changes: Partial<Terms> = {}): Promise<Terms> {
  return {
    game: await world.scripted.getAddress(),
    stake1: 10n * UNIT,
    token: await world.fight.getAddress(),
    stake2: 10n * UNIT,
    mode: ZERO_HASH,
    clock: HOUR,
    feeBps: 2000n,
    rated: true,
    ...changes,
  };
}

/** Returns the hash with which `fund` and `join` identify a match in its present state on this chain. */
export async function offerHashOf(arena: Arena, matchId: BigNumberish): Promise<Hex> {
  const { player1, fingerprint, termsId } = await arena.matchOf(matchId);
  return offerHash({ terms: await arena.termsOf(termsId), player1, fingerprint });
}

/** Encodes the step that the scripted game must return. */
export function step(turn: bigint, winner: bigint = Seat.None, taker: bigint = winner): string {
  return ethers.hexlify(new Uint8Array([Number(turn), Number(winner), Number(taker)]));
}
