import { readdirSync, readFileSync } from "node:fs";
import { createPublicClient, http, toEventSelector, toFunctionSelector } from "viem";
import arena from "duello-contracts/abi/Arena.json" with { type: "json" };
import local from "duello-contracts/deployments/31337.json" with { type: "json" };

const folder = new URL("node_modules/duello-contracts/abi/", import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  for (const entry of JSON.parse(readFileSync(new URL(file, folder), "utf8"))) {
    if (entry.type === "function") toFunctionSelector(entry);
    if (entry.type === "event") toEventSelector(entry);
  }
}

const client = createPublicClient({ transport: http(process.argv[2]) });
const view = { address: local.addresses.Arena, abi: arena };
const { player1, status } = await client.readContract({ ...view, functionName: "matchOf", args: [1n] });
console.log(player1, status, await client.readContract({ ...view, functionName: "feeBps" }));
