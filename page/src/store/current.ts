import { computed } from "@preact/signals";
import { chainOf } from "./chain.ts";
import { deployment } from "./deployments.ts";

/** The chain that is shown; undefined for a page of practice alone. */
export const chain = computed(() => (deployment.value ? chainOf(deployment.value) : undefined));
