import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type JsonRpcProvider, type Signer, keccak256, parseEther, toUtf8Bytes, getBytes } from "ethers";
import { hashOf } from "../sdk/chain/source.js";
import { TEST_CHAIN } from "../sdk/chain/traits.js";
import type { Addresses } from "../sdk/chain/addresses.js";
import { Fighters__factory, FightToken__factory, GuardianCards__factory } from "../typechain-types/index.js";
import { HOST } from "../cli/shared/server/port.js";
import type { Deployment } from "../sdk/chain/deployment.js";
import { addressesOf, deploymentFile, readDeploymentFile, writeDeployment } from "../cli/shared/node/deployment.js";

const CHARACTERS = 12;
/** Overrides for each mint: more gas than a mint needs, so that no estimate is required. */
const MINTED = { gasLimit: 500_000n };
/** Milliseconds to wait for the answer of another local chain. */
const TIMEOUT = 10_000;
const GIFT = parseEther("1000");
const FIGHTERS_EACH = 7;
/** Golden fighters never tire, so that there are teams for any number of battles. */
const GOLDEN_EACH = 10;
/** Golden fighters of a program that plays many battles in parallel: no fighter can be in two battles. */
const GOLDEN_OF_AGENT = 53;
const CARDS_EACH = 7;

/** Returns the URL of the local chain on a port. */
export function urlOf(port: number): string {
  return `http://${HOST}:${port}`;
}

/**
 * Deploys everything to a local chain. Writes the deployment file, unless it describes another local chain that still
 * runs. The first test account owns the contracts, the second is the treasury.
 * @param policies Policies of the agents that will take challenges there, by address.
 * @returns the deployment that the file describes.
 * @throws Error if the other chain has other addresses.
 */
export async function deployTo(
  provider: JsonRpcProvider,
  port: number,
  policies?: Readonly<Record<string, unknown>>,
): Promise<Deployment> {
  const other = await runningBeside(port);
  // Loaded late, so that rejected options and requests for help do not wait for these modules.
  const [{ default: hre }, { default: Duello }, { journalFolder }] = await Promise.all([
    import("hardhat"),
    import("../ignition/modules/Duello.js"),
    import("./deploy/journal.js"),
  ]);
  // Ignition would trust the journal of an earlier chain, whose contracts are gone.
  await rm(journalFolder(Number(TEST_CHAIN)), { recursive: true, force: true });
  const connection = await hre.network.create({ network: "localhost", override: { url: urlOf(port) } });
  const treasury = (await provider.getSigner(1)).address;
  const parameters = { Duello: { treasury } };
  // Blocks are mined at once, so the default polling of a second would only delay.
  const contracts = await connection.ignition.deploy(Duello, { parameters, config: { blockPollingInterval: 20 } });
  const addresses = await addressesOf(contracts);
  await connection.close();
  const agents = policies && Object.keys(policies);
  const genesis = await hashOf(provider, 0);
  const deployment = { chainId: Number(TEST_CHAIN), block: 0, addresses, genesis, agents, policies, rpc: urlOf(port) };
  if (!other) {
    await writeDeployment(deployment);
    return deployment;
  }
  if (!isDeepStrictEqual(other.addresses, addresses)) {
    throw new Error(
      `${deploymentFile(TEST_CHAIN)} is of the chain at ${other.rpc}, which has other addresses: stop that one.`,
    );
  }
  return other;
}

/** Returns the deployment on a local chain at another port, if that chain still answers. */
async function runningBeside(port: number): Promise<Deployment | undefined> {
  const written = await readDeploymentFile(TEST_CHAIN).catch(() => undefined);
  if (written?.rpc === undefined || written.rpc === urlOf(port)) return undefined;
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "eth_getCode",
    params: [written.addresses.Arena, "latest"],
  });
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(TIMEOUT);
  const answer: unknown = await fetch(written.rpc, { method: "POST", body, headers, signal })
    .then((response) => response.json())
    .catch(() => undefined);
  return ((answer as { result?: string } | undefined)?.result ?? "0x") === "0x" ? undefined : written;
}

/**
 * Gives each player 1000 FIGHT, seven cards, seven fighters and ten golden ones, the same on every new chain.
 * @param agent Player who gets sixty fighters in total.
 */
export async function giveAll(
  owner: Signer,
  addresses: Addresses,
  players: readonly string[],
  agent?: string,
): Promise<void> {
  const fight = FightToken__factory.connect(addresses.FightToken, owner);
  const fighters = Fighters__factory.connect(addresses.Fighters, owner);
  const cards = GuardianCards__factory.connect(addresses.GuardianCards, owner);
  const mintFighter = async (player: string, name: string, isGolden: (bytes: Uint8Array) => boolean) => {
    const bytes = hashBytes(`${player} ${name}`);
    const tiers = [...bytes.subarray(0, 6)].map((byte) => 1 + (byte % 3)) as Tiers;
    await fighters.mint(player, 1 + (bytes[6] % CHARACTERS), tiers, isGolden(bytes), MINTED);
  };
  // The local chain mines a transaction before it answers, so nothing is awaited here.
  for (const token of [fighters, cards]) await token.setMinter(owner, true);
  for (const player of players) {
    await fight.mint(player, GIFT, MINTED);
    for (let i = 0; i < FIGHTERS_EACH; i++) await mintFighter(player, String(i), (bytes) => bytes[7] < 32);
    for (let i = 0; i < CARDS_EACH; i++) await cards.mint(player, statsFrom(hashBytes(`${player} card ${i}`)), MINTED);
  }
  // Minted last, since the documentation shows ids of the others.
  for (const player of players) {
    const golden = player === agent ? GOLDEN_OF_AGENT : GOLDEN_EACH;
    for (let i = 0; i < golden; i++) await mintFighter(player, `golden ${i}`, () => true);
  }
}

type Tiers = [number, number, number, number, number, number];

/** Derives a card of roughly average value. */
function statsFrom(bytes: Uint8Array) {
  const [power, defense, hp, speed, critical, luck] = [400, 200, 1000, 90, 180, 80].map(
    (min, i) => min + Math.floor((bytes[i] * min) / 512),
  );
  return { power, defense, hp, speed, critical, luck, cardType: bytes[6] % 8 };
}

function hashBytes(of: string): Uint8Array {
  return getBytes(keccak256(toUtf8Bytes(of)));
}
