import { traitsOf } from "../../sdk/chain/traits.js";
import { rm } from "node:fs/promises";
import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import hre from "hardhat";
import { duelloModule, type DuelloModule } from "../../ignition/modules/Duello.js";
import { games } from "../../sdk/games/index.js";
import { addressesWith, gameNamed } from "../../sdk/games/list.js";
import { explain } from "../../sdk/player/errors.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { addGame } from "./add-game.js";
import { requireOwnBlockNumbers } from "./block-numbers.js";
import { confirmGame, confirmPlan } from "./confirm.js";
import { equalAddresses, requireAddresses, requireFactory, requireFree, type Parameters } from "./create2.js";
import { firstBlock, journalFolder, readJournal } from "./journal.js";
import { requireOpcodes, requireSeconds, requireStoredCode } from "./machine.js";
import { readOptions, type Options } from "./options.js";
import { requireOurs, requireOwners, requireTokens, statusLines } from "./status.js";
import { loadGames } from "../../cli/shared/command/games.js";
import { isHelped } from "../../cli/shared/command/program.js";
import { unlock } from "../../cli/shared/wallet/wallet.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import {
  addressesOf,
  deploymentFile,
  readDeploymentAt,
  readDeploymentFile,
  writeDeployment,
} from "../../cli/shared/node/deployment.js";

type Connection = Awaited<ReturnType<typeof connect>>;

const HELP = `Usage: npm run deploy -- --network NAME [options]

Deploy everything to a chain, and write the deployment file. It can be interrupted and run again.

Options:
  --network <name>      localhost, sepolia, baseSepolia, or a network of deployments/networks.json
  --url <url>           URL of the node, if not the network's
  --keystore <file>     the deployer's encrypted keystore, if not the network's account
  --game <name>         only this game, for a deployment that stands, whoever made it
  --games <file>        a module that exports games of your own list, one of which --game names
  --owner <address>     owner of the contracts, e.g. a multisig; the deployer by default
  --treasury <address>  recipient of the house fee; the owner by default
  --tokens <file>       the deployment file of an earlier arena of the chain, to go on with its tokens
  --create2 <name>      addresses that are equal on all chains with the factory CreateX, by a name of your own
  --yes                 don't ask before sending to a public chain
  --reset               forget an earlier local chain and begin again
  -h, --help            display this help`;

/** Runs the deploy command. @returns its exit code */
export async function deploy(args: string[]): Promise<number> {
  try {
    if (isHelped(args, HELP)) return 0;
    const options = await readOptions(args);
    const connection = await connect(options);
    try {
      await run(options, connection);
    } finally {
      await connection.close();
    }
    return 0;
  } catch (error) {
    // Hardhat's first line is the summary; the causes follow below.
    console.error(oneLine(HardhatError.isHardhatError(error) ? error.message : explain(error, { games })));
    return 1;
  }
}

async function connect({ network, url, keystore }: Options) {
  const accounts = keystore === undefined ? {} : { accounts: [(await unlock(keystore)).privateKey] };
  return await hre.network.create({ network, override: { ...(url === undefined ? {} : { url }), ...accounts } });
}

async function run(options: Options, connection: Connection): Promise<void> {
  const { network, chainId, owner, treasury, create2 } = options;
  const { provider } = connection.ethers;
  const { chainId: actual } = await provider.getNetwork();
  if (actual !== BigInt(chainId)) throw new Error(`${network} is chain ${chainId}, the node serves chain ${actual}.`);
  if (options.game !== undefined) return addOne(options, connection.ethers);
  if (options.reset) await forget(chainId);
  console.log(`Duello on ${network}, chain ${chainId}`);
  const earlier = await readDeploymentFile(chainId);
  const kept = options.tokens === undefined ? undefined : await readDeploymentAt(options.tokens, chainId);
  if (earlier) {
    // A deployment may have games that this build does not contain.
    await requireOurs(provider, chainId, addressesWith(games, earlier.addresses));
    await requireOwners(provider, earlier.addresses, { owner, treasury });
    if (kept) requireTokens(earlier.addresses, kept.addresses);
    if (create2 !== undefined) {
      const { create2: planned } = await accountsOf(options, connection.ethers, duelloModule(kept?.addresses));
      requireAddresses(earlier.addresses, planned!.addresses);
    }
    const missing = games.filter((game) => !Object.hasOwn(earlier.addresses, game.contract));
    for (const { name, contract } of missing) console.log(`${contract.padEnd(17)}is not there; --game ${name} adds it`);
    if (missing.length === 0) console.log("Everything stands: there is nothing to send.");
  }
  const { addresses } = earlier ?? (await deployAll(options, connection, kept));
  for (const line of await statusLines(provider, addresses)) console.log(line);
  console.log(`Written down in ${deploymentFile(chainId)}`);
}

/** Adds the game that the options name to the existing deployment. */
async function addOne(options: Options, ethers: Connection["ethers"]): Promise<void> {
  const { network, chainId } = options;
  const [deployment, file] = [await readDeploymentFile(chainId), deploymentFile(chainId)];
  if (!deployment) throw new InputError(file, `nothing is known to be deployed on chain ${chainId}`);
  const game = gameNamed(options.game!, await loadGames(options.games));
  const { Arena } = deployment.addresses;
  if ((await ethers.provider.getCode(Arena)) === "0x") throw new InputError(file, `there is no contract at ${Arena}`);
  const signer = await deployerOn(network, ethers);
  const genesis = deployment.genesis ?? (await ethers.provider.getBlock(0))?.hash ?? undefined;
  await addGame(game, { ...deployment, genesis }, signer, (steps) => confirmGame(options, signer, steps));
  console.log(`Written down in ${file}`);
}

/** Removes the files of an earlier local chain. */
async function forget(chainId: number): Promise<void> {
  await rm(journalFolder(chainId), { recursive: true, force: true });
  await rm(deploymentFile(chainId), { force: true });
}

/** Sends the transactions that earlier runs have not sent, and writes the deployment file. */
async function deployAll(options: Options, { ethers, ignition }: Connection, kept?: Deployment): Promise<Deployment> {
  const { chainId } = options;
  const module = duelloModule(kept?.addresses);
  const { provider } = ethers;
  await requireOpcodes(provider);
  await requireStoredCode(provider);
  await requireSeconds(provider);
  await requireOwnBlockNumbers(provider);
  const journal = await readJournal(chainId, provider, module);
  await requireOurs(provider, chainId, journal.addresses);
  const { deployer, parameters, create2 } = await accountsOf(options, ethers, module);
  if (create2) {
    await requireFactory(provider, chainId);
    requireAddresses(journal.addresses, create2.addresses);
    await requireFree(provider, journal, create2.addresses);
  } else if (journal.isCreate2) {
    throw new InputError("--create2", "earlier runs of this deployment used it: repeat it with the same name");
  }
  await confirmPlan(options, { ethers, module, deployer, ...parameters, journal, create2 });
  // A local chain mines at once, so the default polling of a second would only delay.
  const config = traitsOf(chainId).minesOnDemand ? { blockPollingInterval: 20 } : {};
  const strategy = create2 && ({ strategy: "create2", strategyConfig: { salt: create2.salt } } as const);
  const addresses = await addressesOf(
    await ignition.deploy(module, { parameters: { Duello: { ...parameters } }, config, ...strategy }),
  );
  await requireOurs(provider, chainId, { ...addresses });
  const genesis = (await provider.getBlock(0))?.hash ?? undefined;
  // Kept tokens have events from before the deployment.
  const block = Math.min(await firstBlock(chainId), kept?.block ?? Infinity);
  const deployment = { chainId, block, addresses, genesis };
  await writeDeployment(deployment);
  return deployment;
}

/** Returns the deployer, the owner, the receiver of the fees, and the addresses if they are equal on all chains. */
async function accountsOf(
  { network, owner, treasury, create2 }: Options,
  ethers: Connection["ethers"],
  module: DuelloModule,
) {
  const { address: deployer } = await deployerOn(network, ethers);
  const parameters: Parameters = { owner: owner ?? deployer, treasury: treasury ?? owner ?? deployer };
  const planned = create2 === undefined ? undefined : await equalAddresses(module, deployer, create2, parameters);
  return { deployer, parameters, create2: planned };
}

async function deployerOn(network: string, ethers: Connection["ethers"]): Promise<HardhatEthersSigner> {
  const [signer] = await ethers.getSigners().catch((error: unknown) => {
    throw new Error(`The accounts of ${network} cannot be used: ${explain(error, { games })}`);
  });
  if (signer === undefined) throw new Error(`The node of ${network} has no account to deploy from.`);
  return signer;
}
