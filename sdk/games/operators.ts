import { Characters__factory } from "../../typechain-types/index.js";
import type { History } from "../chain/history.js";
import type { Characters } from "./module.js";

/**
 * Lists the accounts that can move all of a player's characters; undefined if the node does not report them.
 * @example
 * ```ts
 * import { approvedOperatorsOf, stockGame } from "duello";
 *
 * const operators = await approvedOperatorsOf(stockGame("auto-battler").characters!, alice, history);
 * if (operators === undefined || operators.length > 0) console.warn(operators);
 * ```
 */
export async function approvedOperatorsOf(
  { contract }: Characters,
  player: string,
  history: History,
): Promise<string[] | undefined> {
  const address = history.addresses[contract];
  const token = Characters__factory.connect(address, history.provider);
  try {
    const operators = await history.operatorsOf(player, address);
    const may = await Promise.all(operators.map((operator) => token.isApprovedForAll(player, operator)));
    return operators.filter((_, i) => may[i]);
  } catch {
    return undefined;
  }
}

/** Warns, in sentences, of accounts that can move all of a player's characters, including those of its team. */
export async function operatorChecks(kind: Characters, player: string, history: History): Promise<string[]> {
  const [operators, nouns] = [await approvedOperatorsOf(kind, player, history), `${kind.noun}s`];
  if (!operators) return [`Whether anybody may move all your ${nouns} at once cannot be told: the node does not say.`];
  return operators.map(
    (operator) => `All your ${nouns} are approved to ${operator}, who can take them before the fight.`,
  );
}
