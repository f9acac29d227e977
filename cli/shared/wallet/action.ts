import type { Interface, TransactionReceipt } from "ethers";
import { arenaAbi } from "../../../sdk/chain/arena.js";
import { eventIn, interfaceOf } from "../../../sdk/chain/events.js";
import type { Action } from "../../../sdk/player/outbox.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { games } from "../../../sdk/games/index.js";
import {
  Channels__factory,
  Characters__factory,
  FightToken__factory,
  Game__factory,
} from "../../../typechain-types/index.js";

const interfaces: Interface[] = [
  arenaAbi,
  ...[Channels__factory, FightToken__factory, Characters__factory, Game__factory].map((each) => each.createInterface()),
  ...games.flatMap(({ characters }) => (characters ? interfaceOf(characters.minted) : [])),
];

/** Builds an action on a match. */
export function actionOf(call: string, matchId: bigint, content: unknown = []): Action {
  return { call, what: `${call} ${matchId}`, matchId, content };
}

/**
 * Returns the name of the function that call data invokes, or its selector if no contract of Duello has the function.
 */
export function functionNameIn(data: Hex): string {
  const selector = data.slice(0, 10);
  return interfaces.map((each) => each.getFunction(selector)?.name).find((name) => name !== undefined) ?? selector;
}

/** Returns the number of the match that a transaction to the arena has created, if any. */
export function createdIn(receipt: TransactionReceipt): bigint | undefined {
  return eventIn(receipt, receipt.to!, "Created")?.args.matchId;
}
