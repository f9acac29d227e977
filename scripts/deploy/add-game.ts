import type { HardhatEthers, HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import {
  ContractFactory,
  formatEther,
  getCreateAddress,
  type ContractTransactionResponse,
  type InterfaceAbi,
} from "ethers";
import hre from "hardhat";
import { codeMismatch, type Artifact } from "../../sdk/chain/code.js";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import { gameNamed } from "../../sdk/games/list.js";
import { modeHash, modesToRegister } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Game__factory } from "../../typechain-types/index.js";
import { costOf } from "../../cli/shared/cost.js";
import { deploymentFile, readDeployment, writeDeployment, type Deployment } from "../../cli/shared/deployment.js";
import { loadGames } from "../../cli/shared/games.js";
import { askToSend } from "./confirm.js";
import type { Options } from "./options.js";
import { planLines } from "./plan.js";

/** A contract that a game needs. */
interface Part {
  contract: string;
  abi: InterfaceAbi;
  artifact: Artifact;
  args: readonly string[];
}

/**
 * Adds a game to a deployment that stands, whoever made it: deploys the game and its decoder for the deployment's arena,
 * registers its modes, and writes the addresses down. What an earlier run has done is not done again.
 * @throws InputError if nothing is deployed on the chain, or the game brings no code to deploy.
 */
export async function addGame(options: Options, ethers: HardhatEthers, signer: HardhatEthersSigner): Promise<void> {
  const { chainId } = options;
  const file = deploymentFile(chainId);
  const deployment = await readDeployment(chainId);
  if (!deployment) throw new InputError(file, `nothing is known to be deployed on chain ${chainId}`);
  const game = gameNamed(options.game!, await loadGames(options.games));
  const { Arena } = deployment.addresses;
  if ((await ethers.provider.getCode(Arena)) === "0x") throw new InputError(file, `there is no contract at ${Arena}`);
  const parts = await partsOf(game, deployment);
  const left = parts.filter(({ contract }) => !Object.hasOwn(deployment.addresses, contract));
  for (const { contract, artifact } of parts.filter((part) => !left.includes(part))) {
    const address = deployment.addresses[contract];
    const mismatch = await codeMismatch(ethers.provider, address, artifact);
    if (mismatch)
      throw new Error(
        `${contract} at ${address} ${mismatch} than the game brings; take it out of ${file} to deploy anew.`,
      );
    console.log(`${contract.padEnd(15)}stands at ${address}`);
  }
  if (left.length > 0) await confirm(options, ethers, signer, left);
  for (const part of left) {
    const address = await deployed(part, signer);
    deployment.addresses = { ...deployment.addresses, [part.contract]: address };
    await writeDeployment(deployment);
    console.log(`${part.contract.padEnd(15)}${address}`);
  }
  await registerModes(game, deployment.addresses[game.contract], signer);
  console.log(`Written down in ${file}`);
}

/** Lists the contract of a game and its decoder, as far as the game brings their code. */
async function partsOf(game: GameModule, { addresses }: Deployment): Promise<Part[]> {
  const { contract, abi, characters, decoder, trust } = game;
  const artifactOf = (name: string): Promise<Artifact> => hre.artifacts.readArtifact(name);
  const artifact = trust === "stock" ? await artifactOf(contract) : game.artifact;
  if (artifact?.bytecode === undefined) {
    throw new InputError(
      game.name,
      `its module brings no bytecode: deploy ${contract} yourself, and write its address into addresses.${contract}`,
    );
  }
  const args = [addresses.Arena, ...(characters ? [addresses[characters.contract]] : [])];
  const own = { contract, abi, artifact, args };
  if (trust !== "stock" || !decoder) return [own];
  const log = { contract: decoder.contract, abi: decoder.abi, artifact: await artifactOf(decoder.contract) };
  return [own, { ...log, args: decoder.characters ? [addresses[decoder.characters]] : [] }];
}

/** Prints what is to be deployed and its cost, and has it confirmed on public chains. */
async function confirm(
  options: Options,
  { provider }: HardhatEthers,
  { address }: HardhatEthersSigner,
  parts: readonly Part[],
): Promise<void> {
  const steps = await Promise.all(
    parts.map(async (part) => {
      const { data } = await factoryOf(part).getDeployTransaction(...part.args);
      return { name: part.contract, data, gas: await provider.estimateGas({ from: address, data }) };
    }),
  );
  const gas = steps.reduce((sum, step) => sum + step.gas, 0n);
  const cost = await costOf(
    provider,
    gas,
    steps.map(({ data }) => ({ data, count: 1 })),
  );
  for (const line of planLines({ steps, ...cost })) console.log(line);
  const balance = await provider.getBalance(address);
  if (balance < cost.reserve) {
    throw new Error(
      `The deployer ${address} has ${formatEther(balance)} coin, less than ${formatEther(cost.reserve)}.`,
    );
  }
  if (BigInt(options.chainId) !== TEST_CHAIN && !options.yes) await askToSend(options.network);
}

function factoryOf({ abi, artifact }: Part): ContractFactory {
  return new ContractFactory(abi, artifact.bytecode!);
}

/** Deploys a contract. @returns its address. */
async function deployed(part: Part, signer: HardhatEthersSigner): Promise<string> {
  const contract = await factoryOf(part)
    .connect(signer)
    .deploy(...part.args);
  const { hash, nonce } = contract.deploymentTransaction()!;
  // Whoever interrupts the wait knows where to look.
  console.log(`${part.contract} is sent, for ${getCreateAddress({ from: signer.address, nonce })}: ${hash}`);
  await contract.waitForDeployment();
  return contract.getAddress();
}

async function registerModes(game: GameModule, address: string, signer: HardhatEthersSigner): Promise<void> {
  const contract = Game__factory.connect(address, signer);
  for (const { name, content } of modesToRegister(game)) {
    // A mode that nobody has registered is refused.
    if (await contract.modeOf(modeHash(content)).catch(() => undefined)) continue;
    const sent: ContractTransactionResponse = await contract.registerMode(content);
    await sent.wait();
    console.log(`Mode ${name} is registered.`);
  }
}
