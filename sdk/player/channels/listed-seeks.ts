import { listUpTo, object } from "../../protocol/input.js";
import { askAll, type RelayClient } from "./relay-client.js";

/** Searches of an answer, at most. */
const MAX_SEEKS = 256;

const readSeeks = object({ seeks: listUpTo((value) => value, MAX_SEEKS) });

/**
 * Reads the searches that relays list for a player, unchecked: `RelayLobby` checks their signatures, for which it needs
 * far more code.
 * @throws RelayTrouble
 */
export async function listedSeeks(relays: readonly RelayClient[], player: string): Promise<unknown[]> {
  const answers = await askAll(relays, (relay) => relay.ask(`lobby?player=${player}`, readSeeks));
  return answers.flatMap(({ seeks }) => seeks);
}
