import { COIN } from "../../sdk/protocol/terms.js";
import { Arena__factory } from "../../typechain-types/index.js";
import type { Sent } from "../../scripts/soak/chain.js";
import type { World } from "../../scripts/soak/world.js";
import { games } from "../../sdk/games/index.js";

const arena = Arena__factory.createInterface();

/** The compared fields of every transaction, in this order: its data, then its results. */
const FIELDS = ["from", "to", "data", "value", "block", "time", "status", "logs", "gasUsed"] as const;

/** Returns the first difference between the transactions of two chains or their results; undefined if equal. */
export function mismatchOf(
  names: readonly [string, string],
  one: readonly Sent[],
  other: readonly Sent[],
): string | undefined {
  for (const [i, sent] of one.entries()) {
    if (other[i] === undefined) break;
    for (const field of FIELDS) {
      const [here, there] = [textOf(sent[field]), textOf(other[i][field])];
      if (here !== there)
        return `transaction ${i + 1}, ${what(sent)}: ${field} is ${here} on ${names[0]}, ${there} on ${names[1]}`;
    }
  }
  if (one.length === other.length) return undefined;
  return `${one.length} transactions on ${names[0]}, ${other.length} on ${names[1]}`;
}

/** Returns everybody's purses by token and records by game. */
export async function standOf({ arena, people, addresses }: World): Promise<object[]> {
  return Promise.all(
    people.map(async (player) => ({
      address: player.address,
      purses: await Promise.all([COIN, addresses.FightToken].map((token) => player.purseOf(token))),
      stakes: String(await arena.stakesOf(player.address, addresses.FightToken)),
      records: await Promise.all(
        games.map(async ({ contract }) => String(await arena.recordOf(addresses[contract], player.address))),
      ),
    })),
  );
}

function what({ data, to }: Sent): string {
  return (to === null ? "a deployment" : arena.parseTransaction({ data })?.name) ?? `a call of ${to}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}
