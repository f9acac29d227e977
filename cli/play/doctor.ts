import { traitsOf } from "../../sdk/chain/traits.js";
import { constants, existsSync, statSync } from "node:fs";
import { access, mkdir, statfs } from "node:fs/promises";
import type { Command } from "commander";
import { formatEther, ZeroAddress } from "ethers";
import { latestBlock } from "../../sdk/chain/source.js";
import { explain } from "../../sdk/player/errors.js";
import { timeText } from "../../sdk/protocol/text.js";
import type { Flags } from "../shared/command/command.js";
import { openIndex } from "../shared/match/command-index.js";
import { deploymentFile } from "../shared/node/deployment.js";
import { fileProblem } from "../shared/files/file-problem.js";
import { print } from "../shared/command/output.js";
import { openProfile, profileFile } from "../shared/command/profile.js";
import { addExamples } from "../shared/command/program.js";
import { MultiNodeProvider } from "../shared/node/provider.js";
import { channelRelaysOf, checkRelay } from "../shared/channels/relays.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { followEvents } from "../shared/node/event-feed.js";
import { nodesOf, CommandContext, type Options } from "../shared/command/context.js";
import { tableOf } from "../shared/command/table.js";
import { Vault } from "../shared/files/vault.js";
import { isNamed } from "../shared/wallet/wallet.js";

/** Maximum difference between the machine's clock and the chain's clock, and maximum age of a block, in seconds. */
const MAX_AHEAD = 30;
const MAX_AGE = 600;

/** Bytes that must be free for keys, secrets and logs. */
const MIN_FREE = 100 * 2 ** 20;

/** Result of a check. */
interface Finding {
  part: string;
  isWell: boolean;
  /** Result of the check; for a problem, also its remedy. */
  text: string;
}

/** Adds the command that checks what other commands require. Problems that stop other commands do not stop it. */
export function addDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .description("check node, deployment, clock, account, files, relays and index, and say what mends them")
    .option("--index <url>", "an index to check; DUELLO_INDEX by default");
  addExamples(command, ["doctor", "doctor --network mychain --keystore me.json"]);
  command.action(async () => {
    const flags = command.optsWithGlobals<Flags>();
    const findings = await examine(flags, typeof flags.index === "string" ? flags.index : process.env.DUELLO_INDEX);
    const rows = findings.map(({ part, isWell, text }) => [isWell ? "ok" : "wrong", part, text]);
    print({ data: findings, text: tableOf(rows) }, flags.json);
    const wrong = findings.filter(({ isWell }) => !isWell).length;
    if (wrong > 0) throw new Error(`${wrong} of ${findings.length} checks found something wrong.`);
  });
}

/** Checks everything that commands with these options need. */
async function examine(options: Options, index = ""): Promise<Finding[]> {
  const findings = [
    await found("profile", async () => {
      await openProfile();
      return existsSync(profileFile()) ? profileFile() : `none at ${profileFile()}, which is fine`;
    }),
    await found("files", filesText),
  ];
  const { urls, feeds } = await nodesOf(options);
  for (const url of urls.split(",")) findings.push(await found("node", () => nodeText(url)));
  for (const url of feeds) findings.push(await found("node", () => feedText(url)));
  let context: CommandContext | undefined;
  const opened = await found("deployment", async () => {
    context = await CommandContext.open(options);
    return deploymentText(context);
  });
  findings.push(opened);
  if (context === undefined) return findings;
  try {
    return [...findings, ...(await examineSession(context, index))];
  } finally {
    context.close();
  }
}

async function examineSession(context: CommandContext, index: string): Promise<Finding[]> {
  return [
    await found("history", () => historyText(context)),
    await found("clock", () => clockText(context)),
    await found("account", () => accountText(context)),
    ...(await relayFindings(context)),
    await found("index", () => indexText(context, index)),
  ];
}

/** Runs a check. @param check Returns a description if everything is fine, or throws the problem. */
async function found(part: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { part, isWell: true, text: await check() };
  } catch (error) {
    return { part, isWell: false, text: explain(error) };
  }
}

/** Checks the folder of keys and secrets, and the space on its disk. */
async function filesText(): Promise<string> {
  const { folder } = new Vault();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${folder}: ${fileProblem(error)}; name another folder by DUELLO_HOME`, { cause: error });
  }
  if (process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0) {
    throw new Error(`${folder} can be opened by other users of this machine: chmod 700 ${folder}`);
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${Math.floor(free / 2 ** 20)} MB are free in ${folder}`;
  if (free < MIN_FREE) throw new Error(`${text}: make room, or name another folder by DUELLO_HOME`);
  return text;
}

async function nodeText(url: string): Promise<string> {
  const provider = await MultiNodeProvider.connect(url);
  try {
    const { chainId } = await provider.getNetwork();
    const { number } = await latestBlock(provider);
    return `${new URL(url).host} serves chain ${chainId} up to block ${number}`;
  } finally {
    provider.destroy();
  }
}

/** Checks that a node announces events. */
async function feedText(url: string): Promise<string> {
  const stop = new AbortController();
  const trouble = await new Promise<string | undefined>((resolve) => {
    const onNews = () => resolve(undefined);
    const addresses = [ZeroAddress];
    void followEvents(url, { addresses, signal: stop.signal, onNews, onTrouble: resolve });
  });
  stop.abort();
  if (trouble !== undefined) throw new Error(trouble);
  return `${new URL(url).host} announces events`;
}

/** Checks that every contract of the deployment has code. */
async function deploymentText({ provider, deployment, chainId }: CommandContext): Promise<string> {
  const addresses = Object.entries(deployment.addresses);
  const codes = await Promise.all(addresses.map(([, address]) => provider.getCode(address)));
  const missing = addresses.filter((_, i) => codes[i] === "0x").map(([name, address]) => `${name} at ${address}`);
  const file = deploymentFile(chainId);
  if (missing.length > 0) throw new Error(`${file} names contracts that are not on the chain: ${missing.join(", ")}`);
  return `${file} names ${addresses.length} contracts, all of which are on the chain`;
}

/** Checks that the node still has the events since the deployment. */
async function historyText({ provider, deployment }: CommandContext): Promise<string> {
  const { block, addresses } = deployment;
  try {
    await provider.getLogs({ address: addresses.Arena, fromBlock: block, toBlock: block });
  } catch (error) {
    throw new Error(`the node does not return events of block ${block}: use one that keeps all (${explain(error)})`, {
      cause: error,
    });
  }
  return `the node returns events since block ${block}, the first of the deployment`;
}

/** Compares the clocks of the machine and of the chain. */
async function clockText({ provider, chainId }: CommandContext): Promise<string> {
  const { timestamp } = (await provider.getBlock("latest"))!;
  const age = Math.floor(Date.now() / 1000) - timestamp;
  const at = timeText(BigInt(timestamp));
  if (traitsOf(chainId).hasSettableClock) return `the latest block is of ${at}; a test chain has a clock of its own`;
  if (age < -MAX_AHEAD) throw new Error(`the latest block is ${-age} s in the future: set this machine's clock`);
  if (age > MAX_AGE) {
    throw new Error(`the latest block is ${age} s old: the node lags, or this machine's clock is ahead`);
  }
  return `the latest block is ${Math.max(0, age)} s old`;
}

async function accountText(context: CommandContext): Promise<string> {
  if (!isNamed(context.options))
    return "none is named; commands that send need --account, --keystore or DUELLO_PRIVATE_KEY";
  const address = await context.address();
  const coin = await context.provider.getBalance(address);
  if (coin === 0n) throw new Error(`${address} has no coin to pay for transactions: send it some`);
  return `${address} has ${formatEther(coin).replace(/\.0$/, "")} coin`;
}

async function relayFindings(context: CommandContext): Promise<Finding[]> {
  try {
    const names = channelRelaysOf(context);
    if (names.length === 0) return [{ part: "relay", isWell: true, text: "none is named, which is fine" }];
    return await Promise.all(names.map((name) => found("relay", () => relayText(context, name))));
  } catch (error) {
    return [{ part: "relay", isWell: false, text: explain(error) }];
  }
}

async function relayText({ chainId, addresses }: CommandContext, name: string): Promise<string> {
  await checkRelay(name, { chainId: BigInt(chainId), channels: channelsOf(addresses.Arena) });
  return `${name} serves this deployment`;
}

async function indexText(context: CommandContext, url: string): Promise<string> {
  if (url === "") return "none is named, which is fine";
  const block = await (await openIndex(context, url)).block();
  const { number } = await latestBlock(context.provider);
  return `${url} has read up to block ${block}, the chain is at ${number}`;
}
