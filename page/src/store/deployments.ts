import { computed, signal } from "@preact/signals";
import { traitsOf, type PageDeployment } from "duello";
import { route } from "../router.ts";

/** Deployments of this page; undefined until they are read, empty on a page for practice only. */
export const deployments = signal<readonly PageDeployment[] | undefined>(undefined);

/** Describes a problem of the file of deployments. */
export const fault = signal<string | undefined>(undefined);

/** The deployment that is shown: the deployment in the address, otherwise the first. */
export const deployment = computed(() => {
  const listed = deployments.value ?? [];
  const chain = route.value.params.get("chain");
  return listed.find(({ chainId }) => String(chainId) === chain) ?? listed[0];
});

/** Returns whether a chain is a local one for tests, whose accounts anybody may use. */
export function isTestChain({ chainId, rpc }: PageDeployment): boolean {
  const isLocal = (url: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url, location.href).hostname);
  return traitsOf(chainId).isFree && rpc.every(isLocal);
}
