import {
  COIN,
  customError,
  explain,
  firstTurn,
  isOpen,
  isPlayerSeat,
  modeHash,
  offerOf,
  otherSeat,
  Seat,
  sideOf,
  Status,
  statusText,
  takeTurn,
  turnOf,
  type Frame,
  type GameModule,
  type Hex,
  type MatchRecord,
  type OpenTurn,
  type SecretStore,
  type Turn,
} from "duello";
import { toQuantity, type TransactionReceipt } from "ethers";
import { viewOfGame, type GameView } from "../games/game.ts";
import { needsChoice } from "../parts/move-picker.tsx";
import { spanText } from "../parts/text.ts";
import { framesOf, toldFrames } from "../store/frames.ts";
import { actingLines, SNIPPETS } from "./snippets.ts";
import { callIn, coinText, eventsIn, fieldsIn, wordsIn, type Entry, type Names } from "./entries.ts";
import { openWorld, type World } from "./world.ts";

/** Names of both players. */
export const NAMES = ["Player 1", "Player 2"] as const;

/** Stake of each player in a mode with even odds: one coin. */
const STAKE = 10n ** 18n;
/** Seconds that each player has. */
const CLOCK = 3600n;

/** Attempts to break the rules, which the contracts refuse. */
export type Attempt = "withdraw" | "out of turn" | "another move" | "again" | "timeout";

/** State of the match, as the contracts have it. */
export interface OnChain {
  readonly matchId: bigint;
  readonly status: string;
  /** Hash of the position, which the arena keeps instead of the position. */
  readonly position: string;
  /** Seconds until the deadline; negative once it has passed. */
  readonly left: bigint;
  readonly isOpen: boolean;
  /** True once player 2 has joined. */
  readonly isJoined: boolean;
  /** Contents of both purses in the arena. */
  readonly purses: readonly [string, string];
}

/** Everything that the playground shows. */
export interface Shown {
  readonly module: GameModule;
  readonly view: GameView;
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly onChain?: OnChain;
  /** Steps of the match that everybody sees, and those that the player in turn sees. */
  readonly frames: readonly Frame[];
  readonly ownFrames: readonly Frame[];
  /** Next turn; undefined once the match is over. */
  readonly turn?: Turn;
  readonly isChoice: boolean;
  readonly secretStore?: SecretStore;
  readonly attempts: readonly Attempt[];
}

/** A match of a game on a chain of its own. */
export class Session {
  private readonly entries: Entry[] = [];
  private matchId?: bigint;
  /** Number of log entries that were shown. */
  private logged = 0;

  private constructor(
    private readonly world: World,
    private readonly view: GameView,
    private readonly content: Hex,
    private readonly odds: readonly [bigint, bigint],
  ) {
    const { contracts } = world;
    const gas = contracts.reduce((sum, each) => sum + each.gas, 0n);
    const note = "An empty chain started in this page, and the contracts were put on it, as on any other chain.";
    this.add({ title: "The contracts are deployed", note, block: contracts.length, gas, contracts });
  }

  /** Starts a chain for a game in a mode. */
  static async start(module: GameModule, mode: string): Promise<Session> {
    const { content, odds } = module.modes[mode];
    const [world, view] = await Promise.all([openWorld(module, content), viewOfGame(module.name)]);
    return new Session(world, view, content, odds);
  }

  /** Reads everything that is shown. */
  async shown(): Promise<Shown> {
    const { world, view, entries } = this;
    const { module, history, players } = world;
    const record = this.matchId === undefined ? undefined : await history.match(this.matchId);
    const turn = await this.turn(record);
    const { secretStore } = players[sideOf(Number(turn?.seat ?? Seat.One))];
    const framesFor = async (viewer?: { seat: bigint; secretStore: SecretStore }) =>
      record ? toldFrames(await framesOf(module, view, record, history, viewer), view, 0, NAMES) : [];
    return {
      module,
      view,
      entries: [...entries].reverse(),
      onChain: record && (await this.onChain(record.matchId)),
      frames: await framesFor(),
      ownFrames: turn ? await framesFor({ seat: turn.seat, secretStore }) : [],
      turn,
      isChoice: turn !== undefined && (await needsChoice({ module, turn, secretStore })),
      secretStore,
      attempts: await this.attempts(turn),
    };
  }

  /** Plays a move of the player in turn. @throws InputError for a move against the rules, or the contract's error */
  async play(move: unknown): Promise<void> {
    const record = this.matchId === undefined ? undefined : await this.world.history.match(this.matchId);
    const turn = (await this.turn(record))!;
    if (!record) return this.create(move, turn);
    return record.joinData === undefined ? this.join(move, record) : this.act(move, turn);
  }

  /** Tries to break a rule. The contracts refuse that, unless time makes it legal. */
  async attempt(attempt: Attempt): Promise<void> {
    const { players, history, module } = this.world;
    const matchId = this.matchId!;
    const record = await history.match(matchId);
    const turn = (await this.turn(record)) as OpenTurn;
    const mover = Number(turn.seat) as 1 | 2;
    const waiting = Number(otherSeat(turn.seat)) as 1 | 2;
    const { client, secretStore } = players[mover - 1];
    const other = players[waiting - 1].client;
    const attempts: Readonly<
      Record<Attempt, [by: 1 | 2, title: string, note: string, act: () => Promise<TransactionReceipt>]>
    > = {
      withdraw: [
        waiting,
        "withdraws the offer",
        "The offer has lapsed, and the stake is back in the purse.",
        async () => other.cancel(matchId),
      ],
      timeout: [
        waiting,
        "claims the time-out",
        `The clock of player ${mover} has run out.`,
        async () => other.timeout(matchId),
      ],
      "out of turn": [waiting, "acts out of turn", "", async () => other.act(matchId, "0x00")],
      again: [
        mover,
        "repeats the last move",
        "The rules allow this move twice.",
        async () => client.act(matchId, record.actions.at(-1)?.data ?? record.joinData!),
      ],
      "another move": [
        mover,
        "reveals another move",
        "",
        async () => client.act(matchId, await module.moves.act(undefined, turn, changing(secretStore))),
      ],
    };
    const [by, does, note, act] = attempts[attempt];
    const title = `Player ${by} ${does}`;
    try {
      await this.send(by, { title, note }, act);
    } catch (error) {
      this.add({ by, title, note: explain(error, { games: [module] }), error: "The SDK refuses to send this." });
    }
  }

  /** Lets time pass. @param seconds Number of seconds. */
  async skip(seconds: number): Promise<void> {
    const { provider } = this.world;
    await provider.send("evm_increaseTime", [toQuantity(seconds)]);
    await provider.send("evm_mine", []);
    const block = await provider.getBlockNumber();
    const title = `${upperFirst(spanText(seconds))} pass`;
    this.add({ title, note: "An empty block has a later time. The clock of the player in turn runs.", block });
  }

  private async create(move: unknown, turn: Turn): Promise<void> {
    const { module, players } = this.world;
    const [{ client, secretStore }, other] = players;
    const opponent = other.client.address;
    const [stake1, stake2] = this.odds.map((odds) => odds * STAKE);
    const { game, mode } = turn;
    const terms = { game, token: COIN, mode, stake1, stake2, clock: CLOCK, rated: true };
    const hides = module.moves.pendingCommitments !== undefined;
    const told = {
      title: "Player 1 creates the match",
      note: hides
        ? "The chain gets a hash of the move. Nobody can compute the move from it, and player 1 cannot change it any more."
        : "The stake of player 1 is locked, and the first move is on the chain.",
      code: SNIPPETS.create,
    };
    const words = await module.moves.args(move, turn);
    await this.send(1, { ...told, words }, async () => {
      const data = await module.moves.create(move, turn, secretStore);
      const offered = await client.create({ terms, opponent, data }, { value: stake1 });
      this.matchId = offered.matchId;
      return offered.receipt;
    });
  }

  private async join(move: unknown, record: MatchRecord): Promise<void> {
    const { module, players, history } = this.world;
    const { client, secretStore } = players[1];
    const told = {
      title: "Player 2 joins with an answer",
      note: "Both stakes are locked. Player 2 has answered without knowing what player 1 hides.",
      code: SNIPPETS.join,
    };
    const offer = offerOf(record);
    const turn = turnOf(record, Seat.Two, client.address, history);
    const words = await module.moves.args(move, turn);
    await this.send(2, { ...told, words }, async () => {
      const data = await module.moves.join(move, turn, secretStore);
      return client.join(offer, data, { value: offer.terms.stake2 });
    });
  }

  private async act(move: unknown, turn: Turn): Promise<void> {
    const { players, history, module } = this.world;
    const player = Number(turn.seat) as 1 | 2;
    const { client, secretStore } = players[player - 1];
    const isReveal = move === undefined;
    const told = {
      title: isReveal ? `Player ${player} reveals` : `Player ${player} moves`,
      note: isReveal
        ? "The contract hashes the revealed move again, compares it with the commitment, and plays the round."
        : "The contract checks the move against the position, and stores the hash of the new position.",
      code: actingLines(player, !isReveal),
    };
    const words = move === undefined ? undefined : await module.moves.args(move, turn);
    await this.send(player, { ...told, words }, async () =>
      takeTurn(client, history, this.matchId!, { secretStore, move: async () => move }),
    );
  }

  /**
   * Sends a transaction, and adds what it did, or why it was refused.
   * @param told What is said about it, with the move in words.
   * @throws errors that no contract has thrown
   */
  private async send(
    by: 1 | 2,
    { words, ...told }: Pick<Entry, "title" | "note" | "code"> & { words?: readonly string[] },
    sent: () => Promise<TransactionReceipt>,
  ): Promise<void> {
    const { world } = this;
    const { module, provider, addresses, names, history } = world;
    const { secretStore } = world.players[by - 1];
    const before = secretStore.kept.length;
    let receipt: TransactionReceipt;
    try {
      receipt = await sent();
    } catch (error) {
      const custom = customError(error, [module]);
      if (!custom) throw error;
      const { name, fragment, args } = custom;
      const values = fragment.inputs.map(
        (input, i) => `${input.name} ${String(names.get(String(args[i])) ?? args[i])}`,
      );
      this.add({
        by,
        title: told.title,
        note: explain(error, { games: [module] }),
        error: `${name}(${values.join(", ")})`,
      });
      return;
    }
    const [kept] = secretStore.kept.slice(before);
    const { arena } = world.players[0].client;
    const response = (await provider.getTransaction(receipt.hash))!;
    this.add({
      by,
      ...told,
      block: receipt.blockNumber,
      gas: receipt.gasUsed,
      call: callIn(arena.interface, "Arena", response, names),
      events: eventsIn(receipt.logs, addresses, names),
      words: await this.words(wordsIn(receipt.logs), await history.match(this.matchId!), names),
      secret: kept && [...(words ? [{ name: "in words", text: words.join(" ") }] : []), ...fieldsIn(kept[1], names)],
    });
  }

  /** Decodes the words that a transaction has logged. */
  private async words(words: readonly bigint[], record: MatchRecord, names: Names): Promise<Entry["words"]> {
    const { module, history } = this.world;
    const decoded = words.length === 0 ? [] : await module.decodeLog(record, history);
    const told = words.map((word, i) => {
      const fields = decoded[this.logged + i] as object | undefined;
      return { word: `0x${word.toString(16).padStart(64, "0")}`, fields: fields ? fieldsIn(fields, names) : [] };
    });
    this.logged += words.length;
    return told;
  }

  private async turn(record: MatchRecord | undefined): Promise<Turn | OpenTurn | undefined> {
    const { module, addresses, history, players } = this.world;
    if (!record) {
      const game = addresses[module.contract];
      return firstTurn({ game, mode: modeHash(this.content) }, players[0].client.address, history);
    }
    const { arena } = players[0].client;
    const match = await arena.matchOf(record.matchId);
    if (!isOpen(match)) return undefined;
    const seat = isPlayerSeat(match.turn) ? match.turn : Seat.Two;
    return turnOf(record, seat, players[sideOf(Number(seat))].client.address, history);
  }

  private async onChain(matchId: bigint): Promise<OnChain> {
    const { arena, address } = this.world.players[0].client;
    const match = await arena.matchOf(matchId);
    const now = BigInt(await this.world.players[0].client.now());
    const purses = [address, this.world.players[1].client.address].map(async (each) =>
      coinText(await arena.purseOf(each, COIN)),
    );
    const [one, two] = await Promise.all(purses);
    return {
      matchId,
      status: statusText[String(match.status)],
      position: await arena.positionOf(matchId),
      left: match.deadline - now,
      isOpen: isOpen(match),
      isJoined: match.status >= Status.AllJoined,
      purses: [one, two],
    };
  }

  /** Lists the attempts that make sense now. */
  private async attempts(turn: Turn | undefined): Promise<Attempt[]> {
    if (!turn?.record) return [];
    const { module, history, players } = this.world;
    if (turn.record.joinData === undefined) return ["withdraw"];
    const { secretStore } = players[sideOf(Number(turn.seat))];
    const pending = (await module.moves.pendingCommitments?.(turn.record, turn.seat, history)) ?? [];
    const isReveal = !(await needsChoice({ module, turn, secretStore }));
    const own: Attempt[] = isReveal && pending.length > 0 ? ["another move"] : [];
    const open: Attempt[] = module.moves.pendingCommitments === undefined ? ["again"] : [];
    return [...own, ...open, "out of turn", "timeout"];
  }

  private add(entry: Omit<Entry, "id">): void {
    this.entries.push({ id: this.entries.length, ...entry });
  }
}

/** Returns a store that reveals other moves than those that were committed to. */
function changing(store: SecretStore): SecretStore {
  return {
    commit: async (move, scheme) => store.commit(move, scheme),
    async reveal(committed, scheme) {
      const { move, salt } = await store.reveal(committed, scheme);
      const first = Number.parseInt(move.slice(2, 4), 16);
      const other = first > 0 ? first - 1 : 1;
      return { move: `0x${other.toString(16).padStart(2, "0")}${move.slice(4)}`, salt };
    },
  };
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
