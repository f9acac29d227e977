import { computed, signal } from "@preact/signals";
import type { Addresses } from "duello";
import { catalogue } from "duello/catalogue";
import { route } from "../router.ts";

/** Deployment that this page can show, as `deployment.json` beside it lists them. */
export interface Deployment {
  readonly chainId: number;
  /** Block from which events are read. */
  readonly block: number;
  readonly addresses: Addresses;
  /** URLs of the chain's nodes, the best first. */
  readonly rpc: readonly string[];
  /** Name of the chain for people. */
  readonly name?: string;
  /** Hash of the chain's first block. */
  readonly genesis?: string;
  /** Symbol of the chain's coin. */
  readonly coin?: string;
  /** Programs that take challenges, by address, with their policies. */
  readonly agents?: readonly string[];
  readonly policies?: Readonly<Record<string, unknown>>;
}

/** Deployments of this page; undefined until they are read, empty for a page of practice alone. */
export const deployments = signal<readonly Deployment[] | undefined>(undefined);

/** Reads which deployments there are. A page without the file has none, and is for practice. */
export async function readDeployments(): Promise<void> {
  try {
    const answer = await fetch("./deployment.json", { cache: "no-cache" });
    const { deployments: listed } = (await answer.json()) as { deployments: Deployment[] };
    deployments.value = listed.map((deployment) => ({ ...deployment, addresses: knownOf(deployment.addresses) }));
  } catch {
    deployments.value = [];
  }
}

/** The deployment that is shown: the one that the address names, else the first. */
export const deployment = computed(() => {
  const listed = deployments.value ?? [];
  const chain = route.value.params.get("chain");
  return listed.find(({ chainId }) => String(chainId) === chain) ?? listed[0];
});

/** Selects the addresses of the core and of the games of the catalogue: nothing else is read or trusted. */
function knownOf(addresses: Addresses): Addresses {
  const core = ["Arena", "FightToken", "Fighters", "GuardianCards"];
  const names = new Set([...core, ...catalogue.map(({ contract }) => contract)]);
  return Object.fromEntries(Object.entries(addresses).filter(([name]) => names.has(name))) as Addresses;
}

/** Tells if a chain is a local one for tests, whose accounts anybody may play as. */
export function isTestChain({ chainId, rpc }: Deployment): boolean {
  const isLocal = (url: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url, location.href).hostname);
  return chainId === 31_337 && rpc.every(isLocal);
}
