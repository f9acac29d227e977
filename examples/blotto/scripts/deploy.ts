import { readFileSync } from "node:fs";
import { modesToRegister } from "duello";
import hre from "hardhat";
import { blotto } from "../src/blotto.js";

const { ethers } = await hre.network.create();
const { chainId } = await ethers.provider.getNetwork();
const deployment = new URL(import.meta.resolve(`duello-contracts/deployments/${chainId}.json`));
const { addresses } = JSON.parse(readFileSync(deployment, "utf8")) as { addresses: Record<string, string> };

const game = await ethers.deployContract(blotto.contract, [addresses.Arena]);
for (const { content } of modesToRegister(blotto)) await (await game.registerMode(content)).wait();
console.log(`"${blotto.contract}": "${await game.getAddress()}"`);
