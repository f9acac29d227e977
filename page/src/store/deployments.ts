import { computed, signal } from "@preact/signals";
import { CORE, readDeployments, type Addresses, type PageDeployment } from "duello";
import { catalogue } from "duello/catalogue";
import { route } from "../router.ts";

/** Deployments of this page; undefined until they are read, empty for a page of practice alone. */
export const deployments = signal<readonly PageDeployment[] | undefined>(undefined);

/** Tells what is wrong with the file of deployments. */
export const fault = signal<string | undefined>(undefined);

/** Reads which deployments there are. A page without the file has none, and is for practice. */
export async function findDeployments(): Promise<void> {
  try {
    const answer = await fetch("./deployment.json", { cache: "no-cache" });
    const { deployments: listed } = answer.ok
      ? readDeployments(await answer.json(), "deployment.json")
      : { deployments: [] };
    deployments.value = listed.map((deployment) => ({ ...deployment, addresses: knownOf(deployment.addresses) }));
  } catch (error) {
    fault.value = error instanceof Error ? error.message : String(error);
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
  const names = new Set<string>([...CORE, ...catalogue.map(({ contract }) => contract)]);
  return Object.fromEntries(Object.entries(addresses).filter(([name]) => names.has(name))) as Addresses;
}

/** Tells if a chain is a local one for tests, whose accounts anybody may play as. */
export function isTestChain({ chainId, rpc }: PageDeployment): boolean {
  const isLocal = (url: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url, location.href).hostname);
  return chainId === 31_337 && rpc.every(isLocal);
}
