import { listUpTo, object } from "../../protocol/input.js";
import { askAll, type RelayClient } from "./relay-client.js";

/** Maximum number of searches in an answer. */
const MAX_SEEKS = 256;

const readSeeks = object({ seeks: listUpTo((value) => value, MAX_SEEKS) });

/**
 * Reads the searches that relays list for a player, unchecked. `RelayLobby` also checks the signatures, which takes far
 * more code.
 * @throws RelayTrouble if no relay answers.
 * @example
 * ```ts
 * import { listedSeeks, RelayClient } from "duello";
 *
 * const clients = relays.map((url) => new RelayClient(url, channelsAt));
 * const unchecked = await listedSeeks(clients, alice);
 * ```
 */
export async function listedSeeks(relays: readonly RelayClient[], player: string): Promise<unknown[]> {
  const answers = await askAll(relays, (relay) => relay.ask(`lobby?player=${player}`, readSeeks));
  return answers.flatMap(({ seeks }) => seeks);
}
