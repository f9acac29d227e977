import { RelayTransport, relayUrl } from "../../../sdk/player/away/relay-transport.js";
import type { Transport } from "../../../sdk/player/away/transport.js";
import type { Deployment } from "../../../sdk/chain/deployment.js";
import type { AwayMatch } from "../../../sdk/protocol/away/signatures.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { deploymentFile } from "../node/deployment.js";
import { FolderTransport } from "./folder-transport.js";

/** Relays of a match, at most. */
const MAX_RELAYS = 8;

/** Sources of a command's relays, of which the first that names any counts. */
export interface RelaySource {
  readonly options: { readonly relay?: string };
  readonly deployment: Pick<Deployment, "relay">;
  readonly chainId: number;
}

/** Relays that a command is told of, and who tells. */
interface Named {
  names: string;
  path: string;
}

/**
 * Reads names of relays, separated by commas: their addresses, and folders that both players can write to.
 * @param path Names the source in errors.
 * @throws InputError for what is neither, or too many.
 */
export function readRelays(names: string, path: string): readonly string[] {
  const parts = [...new Set(names.split(",").filter((name) => name !== ""))];
  if (parts.length > MAX_RELAYS) throw new InputError(path, `more than ${MAX_RELAYS} relays`);
  for (const name of parts) {
    if (isRelayAddress(name)) relayUrl(name, path);
    else if (!/^[./]/.test(name)) {
      throw new InputError(
        path,
        `${name} is neither an address like http://127.0.0.1:8546 nor a folder like ./messages`,
      );
    }
  }
  return parts;
}

/** Reads the names of the relays of a command; none if nobody names any. @throws InputError as `readRelays` */
export function relaysOf(context: RelaySource): readonly string[] {
  const { names, path } = namedIn(context);
  return readRelays(names, path);
}

/**
 * Opens the ways on which messages of a match go: none if nobody names any. Where a name cannot be read there is one that
 * fails, as a relay that is down: what is done on the chain depends on neither.
 */
export function transportsOf(
  context: RelaySource,
  match: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
): readonly Transport[] {
  try {
    return relaysOf(context).map((name) =>
      isRelayAddress(name) ? new RelayTransport(name, match) : new FolderTransport(name, match),
    );
  } catch (error) {
    if (!isKind(error, InputError)) throw error;
    const fail = () => Promise.reject(error);
    return [{ name: namedIn(context).path, put: fail, after: fail }];
  }
}

/** Returns whether the name of a relay is an address, and not a folder. */
export function isRelayAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

function namedIn({ options, deployment, chainId }: RelaySource): Named {
  if (options.relay !== undefined) return { names: options.relay, path: "--relay" };
  if (process.env.DUELLO_RELAY !== undefined) return { names: process.env.DUELLO_RELAY, path: "DUELLO_RELAY" };
  return { names: deployment.relay ?? "", path: `${deploymentFile(chainId)}: relay` };
}
