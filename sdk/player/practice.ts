import { isHexString, ZeroAddress } from "ethers";
import { cryptoSource, type RandomSource } from "../bots/source.js";
import type { Archive } from "../chain/archive.js";
import { TEST_CHAIN } from "../chain/traits.js";
import { numbersIn } from "../chain/characters.js";
import type { MatchRecord } from "../chain/record.js";
import { endingFor } from "../chain/settlement.js";
import { strategyAt, type Level } from "../games/levels.js";
import { formatOf, modeHash } from "../games/modes.js";
import type { Characters, GameModule, Team } from "../games/module.js";
import { firstTurn, turnOf, type OpenTurn, type Turn } from "../games/moves.js";
import { sized } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import { bytes32, InputError, integer, list, listUpTo, object, text, type Reader } from "../protocol/input.js";
import { otherSeat, seatOf, sideOf } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";
import { COIN, MAX_CLOCK, type Terms } from "../protocol/terms.js";
import { readVersioned, versioned } from "../protocol/version.js";
import { addressMadeOf, EventWriter } from "./event-writer.js";
import { MemorySecretStore } from "./memory-secret-store.js";
import { refusing } from "./refusing.js";

const MATCH = 1n;
/** Characters that each player owns, in games with characters. */
const CHARACTERS = 8;
/** Maximum bytes, numbers and items of a saved practice. */
const MAX_BYTES = 65_536;
const MAX_ITEMS = 100_000;

/** Options of a practice. */
export interface PracticeOptions {
  /** Content of the mode. */
  mode: Hex;
  /** Seat of the person, as in `Seat`. */
  seat: bigint;
  /** Source of randomness for both players' characters, in games with characters; defaults to a cryptographic one. */
  random?: RandomSource;
}

/** Secret in saved form: commitment, move and salt. */
export type SavedSecret = [commitment: string, move: string, salt: string];

/** Practice as data that works with JSON and structured clones. */
export interface SavedPractice {
  version: number;
  /** Name of the game. */
  game: string;
  /** Content of the mode. */
  mode: string;
  /** Seat of the person. */
  seat: number;
  /** Traits of the characters that each player owns; empty in games without characters. */
  characters: number[][];
  /** Data that the players have sent, in order. */
  sent: { seat: number; data: string }[];
  /** Seat that resigned; 0 if nobody resigned. */
  resigned: number;
  /** Secrets of player 1 and of player 2. */
  secrets: [SavedSecret[], SavedSecret[]];
}

/** Initial data of a practice. */
type Start = Pick<SavedPractice, "mode" | "seat" | "characters" | "secrets">;

/**
 * A match without a chain and a wallet, between a person and a program, or another player. An archive contains the
 * events that an arena would have emitted. So everything that works for an on-chain match also works here: turns,
 * moves, strategies, checks, replay, frames and stories.
 * @example
 * ```ts
 * import { chooseIn, Practice, Seat, stockGame } from "duello";
 *
 * const practice = await Practice.start(stockGame("tic-tac-toe"), { mode: "0x", seat: Seat.One });
 * await practice.play(4); // the centre
 * await practice.play(await chooseIn(practice, "hard")); // the computer answers
 * const { joinData } = await practice.record();
 * ```
 */
export class Practice {
  readonly matchId = MATCH;
  /** Addresses of player 1 and player 2. */
  readonly players: readonly [string, string] = [addressMadeOf("player 1"), addressMadeOf("player 2")];
  /** Seat of the person. */
  readonly seat: bigint;
  /** Terms of the match: nothing is staked, and it does not count for the ladder. */
  readonly terms: Terms;
  private readonly writer: EventWriter;
  private readonly stores: readonly MemorySecretStore[];
  private seatInTurn: bigint = Seat.One;
  private resigned: bigint = Seat.None;
  private isPlaying = false;

  private constructor(
    readonly game: GameModule,
    private readonly start: Start,
  ) {
    const { mode, seat, characters, secrets } = start;
    this.seat = BigInt(seat);
    this.writer = new EventWriter({ chainId: TEST_CHAIN, games: [game] });
    const address = this.writer.addresses[game.contract];
    this.stores = this.players.map(
      (player, side) =>
        new MemorySecretStore(
          { chainId: TEST_CHAIN, game: address, player },
          secrets[side].map(([commitment, move, salt]) => [commitment, { move, salt }] as const),
        ),
    );
    const hash = modeHash(mode);
    this.terms = {
      game: address,
      stake1: 0n,
      token: COIN,
      stake2: 0n,
      mode: hash,
      clock: MAX_CLOCK,
      feeBps: 0n,
      rated: false,
    };
    this.writer.mine();
    this.writer.register(address, mode);
    for (const [side, player] of this.players.entries()) {
      for (const [i, traits] of characters.entries()) {
        this.writer.mint(game.characters!, BigInt(side * characters.length + i + 1), player, traits);
      }
    }
  }

  /**
   * Starts a practice, before the match is created. In a game with characters, both players own equal characters.
   * @throws InputError for an invalid seat, and for a mode that the game would reject.
   */
  static async start(game: GameModule, { mode, seat, random = cryptoSource }: PracticeOptions): Promise<Practice> {
    const characters = game.characters ? charactersFor(game.characters, random) : [];
    return Practice.begin(game, { mode, seat: Number(seat), characters, secrets: [[], []] });
  }

  /**
   * Makes a practice from the result of `save` or `saveFor`.
   * @throws InputError for other data, or for a practice of another game.
   */
  static async load(game: GameModule, saved: unknown): Promise<Practice> {
    const { game: name, sent, resigned, ...start } = readSaved(saved, "practice");
    if (name !== game.name) throw new InputError("practice.game", `${name} is not ${game.name}`);
    if ((game.characters === undefined) !== (start.characters.length === 0)) {
      throw new InputError("practice.characters", `${start.characters.length} are too many or too few for the game`);
    }
    const practice = await Practice.begin(game, start);
    for (const [i, { seat, data }] of sent.entries()) {
      if (i < 2 && seat !== i + 1) throw new InputError(`practice.sent[${i}].seat`, `${seat} instead of ${i + 1}`);
      practice.write(BigInt(seat), data);
    }
    await refusing("practice.sent", async () => practice.proceed());
    if (resigned > 0) await refusing("practice.resigned", () => practice.resign(BigInt(resigned)));
    return practice;
  }

  private static async begin(game: GameModule, start: Start): Promise<Practice> {
    const content = sizedHex(start.mode, "mode");
    if (content !== "0x" || game.modeFormat) await refusing("mode", () => formatOf(game).decode(content));
    if (start.seat !== 1 && start.seat !== 2) throw new InputError("seat", `${start.seat} is not 1 or 2`);
    return new Practice(game, start);
  }

  /** All events so far. The archive grows with the match. */
  get archive(): Archive {
    return this.writer.archive;
  }

  /** Returns whether the match is over. */
  get isOver(): boolean {
    return this.seatInTurn === Seat.None;
  }

  /**
   * Returns the turn of the player in turn, in the format for moves and strategies. Creating and joining are turns too.
   * Undefined once the match is over.
   */
  async turn(): Promise<Turn | undefined> {
    const { archive, seatInTurn: seat, terms, matchId } = this;
    if (seat === Seat.None) return undefined;
    const player = this.players[sideOf(Number(seat))];
    if (!this.isCreated) return firstTurn(terms, player, archive);
    return turnOf(await archive.match(matchId), seat, player, archive);
  }

  /** Returns the record of the match. @throws Error before the match is created */
  async record(): Promise<MatchRecord> {
    return this.archive.match(this.matchId);
  }

  /** Returns the secret store of a seat, which is empty if the practice was loaded without its secrets. */
  secretStoreOf(seat: bigint): MemorySecretStore {
    return this.stores[sideOf(Number(seat))];
  }

  /**
   * Plays a move of the player in turn: creates the match with it, joins, or acts.
   * @throws InputError or RecordError for an illegal move; the practice is then unchanged.
   * @throws Error if the match is over, or another move is being played.
   */
  async play(move: unknown): Promise<void> {
    if (this.isPlaying) throw new Error("Another move is being played.");
    this.isPlaying = true;
    try {
      await this.playNow(move);
    } finally {
      this.isPlaying = false;
    }
  }

  /**
   * Resigns the match for a seat, by default the person's. The other player wins.
   * @throws Error if there is no match in play.
   */
  async resign(seat = this.seat): Promise<void> {
    const record = this.isCreated && !this.isPlaying ? await this.record() : undefined;
    if (record?.joinData === undefined || this.isOver) throw new Error("There is no match in play to resign.");
    const winner = otherSeat(seat);
    this.writer.mine();
    this.writer.settle(record, endingFor({ winner, taker: winner }, this.terms));
    [this.seatInTurn, this.resigned] = [Seat.None, seat];
  }

  /**
   * Returns a copy of the practice as it was before the person's last choice. The copy lacks the opponent's later
   * choices. If the choice answered a commitment, the opponent commits again, so the person learns nothing.
   * @returns undefined if no choice can be undone: the match is over, the person has not chosen yet, or the opponent
   * has since shown a part of a hidden state.
   */
  async takenBack(): Promise<Practice | undefined> {
    const { game, seat, isOver } = this;
    if (isOver) return undefined;
    const { sent } = this.save();
    const own = [...sent.keys()].filter((i) => BigInt(sent[i].seat) === seat).reverse();
    for (const i of own) {
      const before = await this.cutTo(i);
      const turn = (await before.turn())!;
      const isChoice = (await game.moves.suggest(turn, before.secretStoreOf(seat))) !== undefined;
      if (!isChoice) continue;
      if (!isOpen(turn)) return before;
      if (await this.hasShownMoreThan(turn.record)) return undefined;
      const answered = await game.moves.answeredCommitment?.(turn);
      return answered === undefined ? before : this.cutTo(sent.findIndex(({ data }) => isIn(answered, data)));
    }
    return undefined;
  }

  /** Returns all data for `load`, suitable for JSON and structured clones. It contains the secrets of both players. */
  save(): SavedPractice {
    return this.saved([Seat.One, Seat.Two]);
  }

  /** Returns the data for `load` without the secrets of the other seat. */
  saveFor(seat: bigint): SavedPractice {
    return this.saved([seat]);
  }

  /** Returns the practice after the first `length` messages, with only the secrets behind those messages. */
  private async cutTo(length: number): Promise<Practice> {
    const saved = this.save();
    const sent = saved.sent.slice(0, length);
    const [secrets1, secrets2] = saved.secrets.map((some) =>
      some.filter(([commitment]) => sent.some(({ data }) => isIn(commitment, data))),
    );
    return Practice.load(this.game, { ...saved, sent, secrets: [secrets1, secrets2] });
  }

  /** Returns whether the other player has shown more of a hidden state than in an earlier record. */
  private async hasShownMoreThan(before: MatchRecord): Promise<boolean> {
    const { hidden } = this.game;
    const shown = (record: MatchRecord) => hidden?.shownParts(record, otherSeat(this.seat)) ?? 0;
    return shown(await this.record()) > shown(before);
  }

  private saved(known: readonly bigint[]): SavedPractice {
    const { archive, writer, matchId, start } = this;
    const { Arena } = writer.addresses;
    const [created] = archive.find(Arena, "Created", { matchId });
    const [joined] = archive.find(Arena, "Joined", { matchId });
    const acted = archive.find(Arena, "Acted", { matchId });
    const [secrets1, secrets2] = this.stores.map((store, side) =>
      known.includes(seatOf(side))
        ? store.kept.map(([commitment, { move, salt }]): SavedSecret => [commitment, move, salt])
        : [],
    );
    return versioned("a practice match", {
      game: this.game.name,
      mode: start.mode,
      seat: start.seat,
      characters: start.characters.map((traits) => [...traits]),
      sent: [
        ...(created ? [{ seat: 1, data: created.args.data }] : []),
        ...(joined ? [{ seat: 2, data: joined.args.data }] : []),
        ...acted.map(({ args }) => ({ seat: Number(args.seat), data: args.data })),
      ],
      resigned: Number(this.resigned),
      secrets: [secrets1, secrets2] as SavedPractice["secrets"],
    });
  }

  private get isCreated(): boolean {
    return this.archive.find(this.writer.addresses.Arena, "Created").length > 0;
  }

  private get isJoined(): boolean {
    return this.archive.find(this.writer.addresses.Arena, "Joined").length > 0;
  }

  private async playNow(move: unknown): Promise<void> {
    const { game, archive } = this;
    const turn = await this.turn();
    if (!turn) throw new Error("The match is over.");
    const store = this.secretStoreOf(turn.seat);
    // Tries the move with a copy of the store, so that the commitment of a rejected move is not stored.
    const trial = store.copy();
    const data = await this.composed(move, turn, trial);
    if (game.characters && turn.record?.joinData === undefined)
      await this.checkTeam(game.characters, move as Team, turn.player);
    if (isOpen(turn)) await game.replay(withData(turn, data), archive);
    else await this.checkCreation(data);
    this.write(turn.seat, data);
    store.learn(trial);
    await this.proceed();
  }

  private async composed(move: unknown, turn: Turn, store: MemorySecretStore): Promise<Hex> {
    const { moves } = this.game;
    if (!isOpen(turn)) return moves.create(move, turn, store);
    return turn.record.joinData === undefined ? moves.join(move, turn, store) : moves.act(move, turn, store);
  }

  /** @throws InputError unless the player owns these characters. */
  private async checkTeam(characters: Characters, team: Team, player: string): Promise<void> {
    const owned = await characters.ownedBy(player, this.archive);
    const foreign = team.find((id) => !owned.includes(id));
    if (foreign !== undefined) throw new InputError("move", `${characters.noun} ${foreign} is not the player's own`);
  }

  /** Checks the creation in a separate practice, since a game may look for the events of its match. */
  private async checkCreation(data: Hex): Promise<void> {
    const { game, start } = this;
    const beside = new Practice(game, start);
    beside.write(Seat.One, data);
    await game.replay(await beside.record(), beside.archive);
  }

  /** Writes the event for the next data that a seat sends. */
  private write(seat: bigint, data: Hex): void {
    const { writer, matchId, players, terms } = this;
    if (this.isJoined) writer.act(matchId, seat, data);
    else if (this.isCreated) writer.join(matchId, players[1], data);
    else writer.create({ matchId, player1: players[0], opponent: players[1], terms, data });
  }

  /** Writes the events that follow from the sent data, and finds the seat in turn. */
  private async proceed(): Promise<void> {
    if (!this.isCreated) return;
    const seat = await this.writer.writeOutcome(this.game, this.matchId);
    this.seatInTurn = this.isJoined ? seat : Seat.Two;
  }
}

/**
 * Chooses a move for the player in turn with the game's strategy, using only that player's secrets. A Worker can do
 * this with a practice loaded from `saveFor`.
 * @param level Strength of play; defaults to `hard`, the strategy itself.
 * @returns the move, for `play`.
 * @throws Error if the match is over.
 * @example
 * ```ts
 * import { chooseIn } from "duello";
 *
 * while (!practice.isOver) await practice.play(await chooseIn(practice, "usual"));
 * practice.isOver; // => true
 * ```
 */
export async function chooseIn(practice: Practice, level: Level = "hard"): Promise<unknown> {
  const turn = await practice.turn();
  if (!turn) throw new Error("The match is over.");
  return strategyAt(level, practice.game)(turn, practice.secretStoreOf(turn.seat));
}

/** Computes the traits of each player's characters, from calls of `mint` that are never sent. */
function charactersFor(characters: Characters, random: RandomSource): number[][] {
  const { example, atRandom } = characters;
  return Array.from({ length: CHARACTERS }, () => {
    const stats = atRandom ? atRandom(random) : example;
    return numbersIn(characters, characters.encodeMint(ZeroAddress, stats, "stats"));
  });
}

/** Returns whether sent data contains a commitment. */
function isIn(commitment: string, data: string): boolean {
  return data.includes(commitment.slice(2));
}

function isOpen(turn: Turn): turn is OpenTurn {
  return turn.record !== undefined;
}

/** Returns the record with the data that the player in turn sends. */
function withData({ record, seat, player }: OpenTurn, data: Hex): MatchRecord {
  if (record.joinData === undefined) return { ...record, player2: player, joinData: data };
  return { ...record, actions: [...record.actions, { seat, data }] };
}

const hex: Reader<Hex> = (value, path) => sizedHex(text(value, path), path);

const seatNumber = integer(1, 2);
const secrets = listUpTo((value, path): SavedSecret => {
  const [commitment, move, salt] = list((item) => item, 3)(value, path);
  return [bytes32(commitment, `${path}[0]`), hex(move, `${path}[1]`), bytes32(salt, `${path}[2]`)];
}, MAX_ITEMS);

const readSaved = readVersioned(
  "a practice match",
  object({
    game: text,
    mode: hex,
    seat: seatNumber,
    characters: listUpTo(listUpTo(integer(0, Number.MAX_SAFE_INTEGER), MAX_ITEMS), MAX_ITEMS),
    sent: listUpTo(object({ seat: seatNumber, data: hex }), MAX_ITEMS),
    resigned: integer(0, 2),
    secrets: (value, path) => list(secrets, 2)(value, path) as SavedPractice["secrets"],
  }),
);

/** Returns 0x hex unchanged. @throws InputError for anything else, or for too many bytes */
function sizedHex(value: string, path: string): Hex {
  if (!isHexString(value)) throw new InputError(path, "not 0x and hex bytes");
  sized(value, path, 0, MAX_BYTES);
  return value;
}
