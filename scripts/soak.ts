import { hexlify, randomBytes } from "ethers";
import { parseArgs } from "node:util";
import { Chain, phraseOf } from "./soak/chain.js";
import { Luck } from "./soak/luck.js";
import { soak } from "./soak/run.js";

const { values } = parseArgs({
  options: { matches: { type: "string", default: "300" }, seed: { type: "string" }, json: { type: "boolean" } },
});
const seed = values.seed ?? hexlify(randomBytes(4)).slice(2);
const luck = new Luck(seed);
const start = performance.now();
console.log("seed", seed);
const chain = await Chain.inProcess(phraseOf(seed), () => 1 + luck.below(3));
try {
  const { world, ends } = await soak(chain, luck, { matches: Number(values.matches) });
  console.log(
    ends,
    world.mishaps,
    chain.sent.length,
    chain.sent.reduce((s, { gasUsed }) => s + gasUsed, 0n),
  );
} catch (e) {
  console.error(e);
  process.exitCode = 1;
}
console.log(((performance.now() - start) / 1000).toFixed(1), "s", chain.sent.length, "tx", process.cpuUsage());
await chain.close();
