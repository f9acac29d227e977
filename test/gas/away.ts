import { keccak256, Wallet, id, ZeroAddress, type Signer } from "ethers";
import { encodeMode, CLASSIC } from "../../sdk/games/warmancer/mode.js";
import { stateHashIn } from "../../sdk/games/warmancer/state.js";
import { awayPlay } from "../../sdk/games/warmancer/table.js";
import { Random } from "../../sdk/laws/random.js";
import {
  agreementRequest,
  appointmentRequest,
  NEVER,
  stateRequest,
  type SigningRequest,
} from "../../sdk/protocol/away/signatures.js";
import { firstTable, tableAfter, type SignedState, type Table } from "../../sdk/protocol/away/table.js";
import { nextRecord } from "../../sdk/protocol/away/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { Warmancer__factory } from "../../typechain-types/index.js";
import { EngineDriver, fierce } from "../support/warmancer.js";
import { DAY, type Player } from "./chain.js";
import { publishedBy } from "./data.js";
import { hashFor, termsFor } from "./match.js";
import type { Costs, World } from "./world.js";

const MODE = { ...CLASSIC, away: true };
/** Name of the match whose data is noted. */
export const AWAY = "a Classic game of Warmancer away from the chain";

const NONCE_BYTES = 16;
const MOVE_BYTES = 2;
const KEYS = [new Wallet(id("session key 1")), new Wallet(id("session key 2"))];
/** A quiet turn, and the commitment of the next. */
const ACTIONS = 3;

/** Classic games of Warmancer away from the chain; for 10 against 10 FIGHT, rated, players and terms known. */
export async function away(world: World): Promise<Costs> {
  const costs: Costs = {};
  const note = async (name: string, gas: number | Promise<number>) => (costs[`away, ${name}`] = await gas);
  const place = await Place.deployed(world);
  const { alice, bob, carol, dave } = world;
  const fresh = () => place.opened(alice, bob);
  // Their first match in this game.
  await (await fresh()).resign();

  const from = world.sent.length;
  const played = await fresh();
  await note("create", played.gas[0]);
  await note("join", played.gas[1]);
  await note("settle, by the players' signatures", played.settle());
  world.published[AWAY] = await publishedBy(world.arena.interface, await world.receiptsFrom(from));
  await note("settle, by session keys", (await fresh()).settle({ bySession: true }));
  await note("resign, which settles", (await fresh()).resign());
  await note("pledge a key", (await fresh()).pledge());
  await note("settle, by pledged keys", (await fresh()).settle({ byPledged: true }));
  for (const [name, settled] of [
    ["settled", "settle, by the players' signatures"],
    ["settled by session keys", "settle, by session keys"],
    ["the loser resigning", "resign, which settles"],
  ]) {
    const sum = costs["away, create"] + costs["away, join"] + costs[`away, ${settled}`];
    await note(`a whole Classic game, ${name}: returning players`, sum);
  }
  const first = await place.opened(carol, dave);
  await note("settle, by the players' signatures: first-time players", first.settle());
  await note(
    "a whole Classic game, settled: first-time players",
    first.gas.reduce((sum, gas) => sum + gas, 0),
  );

  await note("post what stands after joining", (await fresh()).post());
  const posted = await fresh();
  await note("post a state, the first", posted.post({ nonce: 1 }));
  await note("post a state, a newer one", posted.post({ nonce: 2 }));
  await note("accept", posted.accept());
  const session = await fresh();
  await note("post a state, the first, by session keys", session.post({ nonce: 1, bySession: true }));
  await note("post a state, a newer one, by session keys", session.post({ nonce: 2, bySession: true }));
  const answered = await fresh();
  await answered.post({ nonce: 1 });
  await note("accept, and answer at once", answered.accept(true));
  const revealed = await fresh();
  await revealed.post({ nonce: 2 });
  await note("accept, and reveal at once", revealed.accept(true));
  return costs;
}

/** The game, its mode, and terms that are known. */
class Place {
  private constructor(
    readonly world: World,
    readonly game: Hex,
    readonly terms: Terms,
    private readonly random: Random,
  ) {}

  static async deployed(world: World): Promise<Place> {
    const game = await (await new Warmancer__factory(world.deployer).deploy(world.arena)).getAddress();
    await Warmancer__factory.connect(game, world.deployer).registerMode(encodeMode(MODE));
    const terms = await termsFor(world, { game, mode: keccak256(encodeMode(MODE)) });
    const random = new Random("gas away");
    const { data } = EngineDriver.of(MODE, random).start().sent[0];
    await world.stranger.arena.create(terms, ZeroAddress, 0, data);
    return new Place(world, game, terms, random);
  }

  /** Creates and joins a match, whose first actions both players know. */
  async opened(player1: Player, player2: Player): Promise<Opened> {
    const { world, game, terms, random } = this;
    const matchId = (await world.arena.matchCount()) + 1n;
    const players = [player1.address, player2.address] as const;
    const match = { chainId: world.chainId, matchId, game, players, rated: true, mode: MODE, isAway: true };
    const driver = EngineDriver.of(MODE, random, fierce(random), match);
    const root = NONCE_BYTES + driver.setups[0].ranks.length;
    Object.assign(driver.notes, { root, commitment: NONCE_BYTES + MOVE_BYTES });
    driver.start().play(ACTIONS);
    const [create, join] = driver.sent;
    const opened = new Opened(world, terms, driver, [player1, player2]);
    const firmUntil = (await world.now()) + DAY;
    await opened.send(player1.arena.create(terms, player2.address, firmUntil, create.data));
    await opened.send(player2.arena.join(matchId, hashFor(terms, player1, create.data), join.data));
    return opened;
  }
}

/** A match after joining. */
class Opened {
  /** The gas of every transaction so far. */
  readonly gas: number[] = [];
  private table: Table;

  constructor(
    private readonly world: World,
    private readonly terms: Terms,
    private readonly driver: EngineDriver,
    private readonly players: readonly [Player, Player],
  ) {
    const { state } = driver.sent[1].outcome;
    this.table = firstTable(stateHashIn(state), state.turn);
  }

  async send(sending: Parameters<World["gasOf"]>[0]): Promise<number> {
    this.gas.push(await this.world.gasOf(sending));
    return this.gas.at(-1)!;
  }

  async settle({ bySession, byPledged }: { bySession?: boolean; byPledged?: boolean } = {}): Promise<number> {
    const { matchId } = this.driver.match;
    const { world, terms, players } = this;
    const agreement = { matchId, termsHash: termsHash(terms), winner: Seat.One, until: NEVER, record: id("a record") };
    const request = agreementRequest(BigInt(world.chainId), await world.arena.getAddress(), agreement);
    if (byPledged) for (const [i, player] of players.entries()) await player.arena.pledge(matchId, KEYS[i].address);
    const signatures = byPledged
      ? await Promise.all(KEYS.map((key) => signed(key, request)))
      : await this.signatures(request, bySession);
    const { winner, until, record } = agreement;
    return this.send(
      players[0].arena.settle(matchId, agreement.termsHash, winner, until, record, signatures[0], signatures[1]),
    );
  }

  resign(): Promise<number> {
    return this.send(this.players[1].arena.resign(this.driver.match.matchId));
  }

  pledge(): Promise<number> {
    return this.send(this.players[0].arena.pledge(this.driver.match.matchId, KEYS[0].address));
  }

  /** Posts the state of a nonce, by the player who acted last; what stands after joining if no nonce is given. */
  async post({ nonce, bySession }: { nonce?: number; bySession?: boolean } = {}): Promise<number> {
    const { driver, table, players } = this;
    const seat = nonce === undefined ? Seat.One : driver.sent[1 + nonce].seat;
    const state = nonce === undefined ? undefined : await this.stateOf(nonce, bySession);
    this.table = tableAfter(table, seat, state);
    const { arena } = players[Number(seat) - 1];
    return this.send(arena.act(driver.match.matchId, awayPlay.encodePost(table, state)));
  }

  /** Accepts what the other player posted. @param acts True to carry out the next action too. */
  accept(acts = false): Promise<number> {
    const { driver, table, players } = this;
    const action = acts ? driver.sent[2 + table.nonce].data : undefined;
    const { arena } = players[Number(table.poster) === 1 ? 1 : 0];
    return this.send(arena.act(driver.match.matchId, awayPlay.encodeAccept(table, action)));
  }

  private async stateOf(nonce: number, bySession?: boolean): Promise<SignedState> {
    const { driver, table, world } = this;
    const { matchId, game } = driver.match;
    const actions = driver.sent.slice(2, 2 + nonce);
    const record = actions.reduce((so, { seat, data }) => nextRecord(so, seat, data), table.base);
    const { state } = actions[nonce - 1].outcome;
    const signing = { nonce, turn: state.turn, word: stateHashIn(state), record };
    const request = stateRequest(BigInt(world.chainId), game, { matchId, base: table.base, ...signing });
    const [signature1, signature2] = await this.signatures(request, bySession);
    return { ...signing, signature1, signature2 };
  }

  /** Both players' signatures. */
  private async signatures(request: SigningRequest, bySession = false): Promise<Hex[]> {
    const { world, players, driver } = this;
    const arena = await world.arena.getAddress();
    return Promise.all(
      players.map(async ({ signer }, i) => {
        if (!bySession) return signed(signer, request);
        const { address } = KEYS[i];
        const appointment = appointmentRequest(BigInt(world.chainId), arena, driver.match.matchId, address);
        return (await signed(KEYS[i], request)) + (await signed(signer, appointment)).slice(2);
      }),
    );
  }
}

function signed(signer: Signer, { domain, types, value }: SigningRequest): Promise<Hex> {
  return signer.signTypedData(domain, types, value);
}
