import { readFileSync } from "node:fs";
import { modesToRegister } from "duello";
import hre from "hardhat";
import { blotto } from "../src/blotto.js";

const { ethers } = await hre.network.create();
const { chainId } = await ethers.provider.getNetwork();
const deployment = new URL(import.meta.resolve(`duello-contracts/deployments/${chainId}.json`));
const { addresses } = JSON.parse(readFileSync(deployment, "utf8")) as { addresses: { Arena: string } };
if ((await ethers.provider.getCode(addresses.Arena)) === "0x") {
  throw new Error(`There is no arena at ${addresses.Arena} on chain ${chainId}.`);
}

const game = await ethers.deployContract(blotto.contract, [addresses.Arena]);
for (const { content } of modesToRegister(blotto)) {
  const sent = await game.getFunction("registerMode")(content);
  await sent.wait();
}
console.log(`"${blotto.contract}": "${await game.getAddress()}"`);
