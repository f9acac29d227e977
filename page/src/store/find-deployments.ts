import { CORE, readDeployments, type Addresses } from "duello";
import { catalogue } from "../catalogue.ts";
import { deployments, fault } from "./deployments.ts";

/** Reads the list of deployments. A page without the file has no deployments, and is for practice only. */
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

/** Selects the addresses of the core and of the games of the catalogue: nothing else is read or trusted. */
function knownOf(addresses: Addresses): Addresses {
  const names = new Set<string>([
    ...CORE,
    ...catalogue.flatMap(({ contract, characters }) => [contract, characters?.contract ?? []].flat()),
  ]);
  return Object.fromEntries(Object.entries(addresses).filter(([name]) => names.has(name))) as Addresses;
}
