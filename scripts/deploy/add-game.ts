import { ContractFactory, getCreateAddress, type InterfaceAbi, type Signer } from "ethers";
import hre from "hardhat";
import { codeMismatch, type Artifact } from "../../sdk/chain/code.js";
import { besideArgs, besides, gameArgs } from "../../sdk/games/constructor-args.js";
import { modesToRegister } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { Client } from "../../sdk/player/client.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { deploymentFile, writeDeployment } from "../../cli/shared/node/deployment.js";
import type { Step } from "./plan.js";

/** A contract that a game needs. */
interface Part {
  contract: string;
  abi: InterfaceAbi;
  artifact: Artifact;
  args: readonly string[];
}

/**
 * Adds a game to an existing deployment, whoever deployed it: deploys the game and its extra contracts for the
 * deployment's arena, registers its modes, and saves the addresses. Skips steps that an earlier run has done.
 * @param confirm Called with the plan before anything is sent; if it throws, nothing is sent.
 * @throws InputError if the game has no code to deploy; Error if its address holds other code.
 */
export async function addGame(
  game: GameModule,
  deployment: Deployment,
  signer: Signer,
  confirm?: (steps: readonly Step[]) => Promise<void>,
): Promise<Deployment> {
  const file = deploymentFile(deployment.chainId);
  const parts = await partsOf(game, deployment);
  const left = parts.filter(({ contract }) => !Object.hasOwn(deployment.addresses, contract));
  for (const { contract, artifact } of parts.filter((part) => !left.includes(part))) {
    const address = deployment.addresses[contract];
    const mismatch = await codeMismatch(signer.provider!, address, artifact);
    if (mismatch) throw new Error(`${contract} at ${address} has ${mismatch}; take it out of ${file} to deploy again.`);
    console.log(`${contract.padEnd(17)}stands at ${address}`);
  }
  if (left.length > 0) await confirm?.(await Promise.all(left.map((part) => stepOf(part, signer))));
  let { addresses } = deployment;
  for (const part of left) {
    const address = await deployed(part, signer);
    addresses = { ...addresses, [part.contract]: address };
    await writeDeployment({ ...deployment, addresses });
    console.log(`${part.contract.padEnd(17)}${address}`);
  }
  const client = await Client.connect(addresses, [game], signer);
  for (const { name, content } of modesToRegister(game)) {
    const { receipt } = await client.registerMode(addresses[game.contract], content);
    if (receipt) console.log(`Mode ${name} is registered.`);
  }
  return { ...deployment, addresses };
}

/** Lists the contract of a game and, for a stock game, its extra contracts. */
async function partsOf(game: GameModule, { addresses }: Deployment): Promise<Part[]> {
  const { contract, abi, trust } = game;
  const artifactOf = (name: string): Promise<Artifact> => hre.artifacts.readArtifact(name);
  const artifact = trust === "stock" ? await artifactOf(contract) : game.artifact;
  if (artifact?.bytecode === undefined) {
    throw new InputError(
      game.name,
      `its module brings no bytecode: deploy ${contract} yourself, and write its address into addresses.${contract}`,
    );
  }
  const own = { contract, abi, artifact, args: gameArgs(game, addresses) };
  if (trust !== "stock") return [own];
  const beside = besides(game).map(async (each) => ({
    contract: each.contract,
    abi: each.abi,
    artifact: await artifactOf(each.contract),
    args: besideArgs(each, addresses),
  }));
  return [own, ...(await Promise.all(beside))];
}

async function stepOf(part: Part, signer: Signer): Promise<Step> {
  const { data } = await factoryOf(part).getDeployTransaction(...part.args);
  return { name: part.contract, gas: await signer.estimateGas({ data }), data: [data] };
}

function factoryOf({ abi, artifact }: Part): ContractFactory {
  return new ContractFactory(abi, artifact.bytecode!);
}

/** Deploys a contract. @returns its address. */
async function deployed(part: Part, signer: Signer): Promise<string> {
  const contract = await factoryOf(part)
    .connect(signer)
    .deploy(...part.args);
  const { hash, from, nonce } = contract.deploymentTransaction()!;
  // If the wait is interrupted, the user knows where to look.
  console.log(`${part.contract} is sent, for ${getCreateAddress({ from, nonce })}: ${hash}`);
  await contract.waitForDeployment();
  return contract.getAddress();
}
