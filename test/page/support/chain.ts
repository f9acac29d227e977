import { JsonRpcProvider, type JsonRpcSigner } from "ethers";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localPolicy } from "../../../cli/agent/local-agent.js";
import { ChainServer } from "../../../scripts/chain-server.js";
import { giveAll } from "../../../scripts/local-chain.js";
import type { PageDeployment } from "../../../sdk/chain/deployment.js";
import { deployAll } from "../../../scripts/soak/world.js";
import { games } from "../../../sdk/games/index.js";
import { Client } from "../../../sdk/player/client.js";
import { Arena__factory } from "../../../typechain-types/index.js";
import { startScript, type Running } from "../../support/running.js";

/** Account of the agent, after those of owner, treasury and players. */
const AGENT = 8;
/** Accounts that play, each with the money and characters that `npm start` gives. */
const PLAYERS = [2, 3, 4, 5, 6, 7, AGENT];

/** Start time of a chain that replaces an ended chain. */
const LATER = "2100-01-01T00:00:00Z";

/** An in-process chain of Hardhat, with everything deployed, that listens on 127.0.0.1. */
export class TestChain {
  private agent?: { running: Running; folder: string };
  private hasEnded = false;

  private constructor(
    readonly url: string,
    private readonly server: ChainServer,
    readonly provider: JsonRpcProvider,
    /** Deployment in the form that the page reads. */
    readonly deployment: PageDeployment,
  ) {}

  /**
   * Starts a new chain.
   * @param players Accounts that get money and characters.
   * @param port Port of an earlier chain that has ended; defaults to any free port.
   */
  static async start(players: readonly number[] = PLAYERS, port?: number): Promise<TestChain> {
    // All chains of one process have the same first block, unless they start at different times.
    const override = port === undefined ? {} : { initialDate: new Date(LATER) };
    const server = await ChainServer.start(port ?? 0, override);
    const { url } = server;
    const provider = new JsonRpcProvider(url, 31_337, { staticNetwork: true, cacheTimeout: -1, batchStallTime: 0 });
    provider.pollingInterval = 50;
    const signers = await Promise.all([0, 1, ...players].map((number) => provider.getSigner(number)));
    const addresses = await deployAll({ signers });
    const [owner, , ...receivers] = signers;
    const agent = await provider.getSigner(AGENT);
    await giveAll(
      owner,
      addresses,
      receivers.map(({ address }) => address),
      agent.address,
    );
    const genesis = (await provider.getBlock(0))!.hash!;
    const policies = { [agent.address]: await localPolicy() };
    const about = { chainId: 31_337, block: 0, name: "Test chain", genesis, agents: [agent.address], policies };
    return new TestChain(url, server, provider, { ...about, addresses, rpc: [url] });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get addresses() {
    return this.deployment.addresses;
  }

  get arena() {
    return Arena__factory.connect(this.addresses.Arena, this.provider);
  }

  /** Returns the account of a number, from 2 to 7 for players. */
  account(number: number): Promise<JsonRpcSigner> {
    return this.provider.getSigner(number);
  }

  /** Returns the client of an account, for actions outside the page. */
  async client(number: number): Promise<Client> {
    return Client.connect(this.addresses, games, await this.account(number));
  }

  /** Lets seconds pass, and mines a block. */
  async pass(seconds: number): Promise<void> {
    await this.provider.send("evm_increaseTime", [seconds]);
    await this.provider.send("evm_mine", []);
  }

  /** Takes a snapshot of the state. @returns a function that reverts the chain to it, like a reorganisation. */
  async snapshot(): Promise<() => Promise<void>> {
    const id: unknown = await this.provider.send("evm_snapshot", []);
    return async () => {
      await this.provider.send("evm_revert", [id]);
      // The time is not part of the state.
      await this.provider.send("evm_setAutomine", [true]);
    };
  }

  /** Starts an agent as in `npm start`. @param relay Its relay. @returns its address */
  async startAgent(relay?: string): Promise<string> {
    const { address } = await this.account(AGENT);
    if (this.agent) return address;
    const folder = await mkdtemp(join(tmpdir(), "duello-"));
    const { chainId, block, addresses, rpc } = this.deployment;
    await writeFile(join(folder, "31337.json"), JSON.stringify({ chainId, block, addresses, rpc: rpc[0] }));
    const client = await this.client(AGENT);
    await client.deposit(this.addresses.FightToken, 500n * 10n ** 18n);
    const config = join("cli", "agent", "local.json");
    const running = startScript(
      "cli/agent/main.ts",
      ["--rpc", this.url, "--account", String(AGENT), "--config", config, ...(relay ? ["--relay", relay] : [])],
      { DUELLO_DEPLOYMENTS: folder, DUELLO_HOME: folder },
    );
    this.agent = { running, folder };
    return address;
  }

  /** Ends the agent. */
  async stopAgent(): Promise<void> {
    const { agent } = this;
    this.agent = undefined;
    agent?.running.child.kill("SIGTERM");
    await agent?.running.ended;
    if (agent) await rm(agent.folder, { recursive: true });
  }

  /** Ends the chain, and the programs next to it. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    await this.stopAgent();
    this.provider.destroy();
    await this.server.close();
  }
}
