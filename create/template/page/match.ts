import {
  amountText,
  Client,
  History,
  mismatchText,
  ownToken,
  outcomeText,
  readDeployment,
  replay,
  Seat,
  settledOutcome,
  Status,
  statusText,
  takeTurn,
  walletSecretStore,
  type Frame,
  type SecretStore,
  type Turn,
} from "duello";
import { JsonRpcProvider, parseEther, ZeroHash } from "ethers";
import { brink } from "../src/brink.js";

/** Number of the player's account on the local chain. */
const PLAYER = 2;
const STAKE = parseEther("10");
/** Thinking time of each player, in seconds. */
const CLOCK = 3600n;

/** A match that is over. */
export interface Played {
  frames: readonly Frame[];
  /** Log of the contract, entry by entry, as JSON. */
  log: string[];
  /** Result, payment and comparison with the TypeScript engine, a sentence each. */
  result: string[];
}

/** A player at the arena, with the program as its opponent. */
export class Table {
  private constructor(
    private readonly client: Client,
    private readonly opponent: string,
    /** The player's first turn, before there is a match. */
    readonly turn: Turn,
    readonly secretStore: SecretStore,
  ) {}

  /** Connects as an account of the local chain, whose node signs for it. */
  static async open(): Promise<Table> {
    const file = await fetch("deployment.json");
    const { addresses, agents, block, chainId, rpc } = readDeployment(await file.json(), "deployment.json");
    const provider = new JsonRpcProvider(rpc, chainId, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 100;
    const client = await Client.connect(addresses, [brink], await provider.getSigner(PLAYER));
    const game = addresses[brink.contract];
    const history = new History(provider, addresses, block);
    const turn = { seat: Seat.One, player: client.address, game, mode: ZeroHash, history };
    return new Table(client, agents![0], turn, await walletSecretStore(client, game));
  }

  /** Plays a staked match against the program. @param report Called with a sentence for each step. */
  async play(move: unknown, report: (text: string) => void): Promise<Played> {
    const { client, opponent, turn, secretStore } = this;
    const { game, mode, history } = turn;
    const token = client.addresses.FightToken;
    const terms = { game, mode, token, stake1: STAKE, stake2: STAKE, clock: CLOCK, rated: true };
    const data = await brink.moves.create(move, turn, secretStore);
    const { matchId } = await client.create({ terms, opponent, data });
    report(`Match ${matchId}: you stake ${this.amount(STAKE)}, and have committed to your move.`);
    const status = await this.answered(matchId);
    if (status !== Status.AllJoined) throw new Error(`The program does not play: ${statusText[String(status)]}.`);
    report("The program has answered, so your move can be revealed.");
    await takeTurn(client, history, matchId, { secretStore, move: async () => undefined });
    const { record, mismatch } = await replay(history, client.games, matchId);
    const outcome = outcomeText(settledOutcome(record.settlement!, terms, Seat.One));
    return {
      frames: await brink.frames!(record, history),
      log: (await brink.decodeLog(record, history)).map((entry) => JSON.stringify(entry)),
      result: [
        `${outcome} You receive ${this.amount(record.settlement!.paid1)}.`,
        mismatch ? mismatchText(mismatch) : "The TypeScript engine computes the same match.",
      ],
    };
  }

  /** Returns the money in the player's purse, as text. */
  async purse(): Promise<string> {
    return this.amount(await this.client.arena.purseOf(this.client.address, this.client.addresses.FightToken));
  }

  /** Waits until the program has answered or declined an offer. @returns the status of the match. */
  private async answered(matchId: bigint): Promise<bigint> {
    for (;;) {
      const { status } = await this.client.arena.matchOf(matchId);
      if (status !== Status.P1Deposited && status !== Status.AllDeposited) return status;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  private amount(amount: bigint): string {
    const { addresses } = this.client;
    return amountText(amount, ownToken(addresses, addresses.FightToken)!);
  }
}
