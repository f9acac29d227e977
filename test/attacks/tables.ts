import { expect } from "chai";
import { concat, dataLength, dataSlice, id, keccak256, toBeHex, toBigInt, ZeroHash } from "ethers";
import { act } from "../../sdk/games/warmancer/act.js";
import { ContractError } from "../../sdk/games/warmancer/contract-error.js";
import { encodeAction } from "../../sdk/games/warmancer/encode-action.js";
import { encodeMode, QUICK, type Mode } from "../../sdk/games/warmancer/mode.js";
import { copyOf, Phase, positionBytes } from "../../sdk/games/warmancer/position.js";
import { RANKS } from "../../sdk/games/warmancer/ranks.js";
import { Kind, stateHashIn, type State } from "../../sdk/games/warmancer/state.js";
import { Random } from "../../sdk/laws/random.js";
import { AWAY_SECONDS, stateRequest, type AwayState } from "../../sdk/protocol/away/signatures.js";
import {
  encodeAccept,
  encodePost,
  firstTable,
  tableAfter,
  tableHash,
  type SignedState,
  type Table,
} from "../../sdk/protocol/away/table.js";
import { hexOf } from "../../sdk/protocol/bytes.js";
import { keccak } from "../../sdk/protocol/hash.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import {
  at,
  ethers,
  HOUR,
  inPassing,
  loadFixture,
  logsIn,
  networkHelpers,
  now,
  offerHashOf,
  receiptOf,
  Seat,
  Status,
  termsFor,
  time,
} from "../support/index.js";
import { expectRefused, FREE } from "../support/refusals.js";
import { EngineDriver } from "../support/warmancer.js";
import { withGame } from "../support/warmancer/contest.js";

const AWAY: Mode = { ...QUICK, away: true };
const CHAIN = 31_337n;

type World = Awaited<ReturnType<typeof withGame>>;

const post = (table: Table, state?: SignedState) => concat([toBeHex(Kind.Post, 1), encodePost(table, state)]);
const accept = (table: Table, action?: Hex) => concat([toBeHex(Kind.Accept, 1), encodeAccept(table, action)]);

/** Deploys a world in which transactions cost no coin. */
async function deployedFree(): Promise<World> {
  const world = await withGame();
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  await networkHelpers.mine();
  return world;
}

/** A match of alice and bob that has begun off-chain, with an engine that continues it. */
class Away {
  readonly table: Table;
  readonly base: Hex;

  private constructor(
    readonly world: World,
    readonly matchId: bigint,
    readonly driver: EngineDriver,
  ) {
    this.base = stateHashIn(driver.state);
    this.table = firstTable(this.base, Seat.One);
  }

  static async begin(world: World, mode = AWAY): Promise<Away> {
    const { arena, alice, bob, warmancer } = world;
    await warmancer.getFunction("registerMode")(encodeMode(mode));
    const game = await warmancer.getAddress();
    const matchId = (await arena.matchCount()) + 1n;
    // The engine continues the off-chain match.
    const place = { game, matchId, isAway: true, players: [alice.address, bob.address] } as const;
    const driver = EngineDriver.of(mode, new Random(`table ${matchId}`), undefined, place).start();
    const terms = await termsFor(world, { game, mode: keccak256(encodeMode(mode)), rated: true });
    await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, driver.sent[0].data);
    await arena.connect(bob).join(matchId, await offerHashOf(arena, matchId), driver.sent[1].data);
    return new Away(world, matchId, driver);
  }

  by(seat: bigint) {
    const { arena, alice, bob } = this.world;
    return arena.connect(seat === Seat.One ? alice : bob);
  }

  act(seat: bigint, data: Hex) {
    return this.by(seat).act(this.matchId, data, FREE);
  }

  /** State of the engine, in the form that players sign. */
  state(nonce = this.driver.sent.length - 2): AwayState {
    const { turn } = this.driver.state;
    return {
      matchId: this.matchId,
      base: this.base,
      nonce,
      turn,
      word: stateHashIn(this.driver.state),
      record: id(`${nonce}`),
    };
  }

  /** Signs a state by both players. */
  async signed(
    state = this.state(),
    changes: Partial<AwayState> = {},
    { game, chain = CHAIN }: { game?: string; chain?: bigint } = {},
  ): Promise<SignedState> {
    const address = game ?? (await this.world.warmancer.getAddress());
    const { domain, types, value } = stateRequest(chain, address, { ...state, ...changes });
    const { alice, bob } = this.world;
    const [one, two] = [await alice.signTypedData(domain, types, value), await bob.signTypedData(domain, types, value)];
    const { nonce, turn, word, record } = state;
    return { nonce, turn, word, record, signature1: one, signature2: two };
  }

  async hash(): Promise<Hex> {
    return this.world.arena.positionOf(this.matchId);
  }

  async refused(seat: bigint, data: Hex, error: string, values?: readonly unknown[]): Promise<void> {
    await expectRefused(this.world, () => this.act(seat, data), error, values && [this.matchId, ...values]);
  }
}

describe("Known attacks: tables", () => {
  let world: World;
  let match: Away;
  beforeEach(async () => {
    world = await loadFixture(deployedFree);
    match = await Away.begin(world);
  });

  it("joining creates a table whose bytes are all known, and no player's clock runs", async () => {
    expect(await match.hash()).to.equal(tableHash(match.table));
    const { turn, deadline } = await world.arena.matchOf(match.matchId);
    expect([turn, deadline]).to.deep.equal([Seat.Either, (await now()) + AWAY_SECONDS]);
  });

  it("while a table exists, posted or not, no player can act on the state below it", async () => {
    const action = match.driver.next().data;
    for (const seat of [Seat.One, Seat.Two]) await match.refused(seat, action, "WrongRound");
    await match.act(Seat.Two, post(match.table));
    await match.refused(Seat.One, action, "WrongRound");
    const concession = encodeAction(Kind.Concede, match.driver.position, match.driver.concession());
    await match.refused(Seat.One, concession, "WrongRound");
  });

  it("neither player can accept a state that nobody has posted", async () => {
    for (const seat of [Seat.One, Seat.Two]) await match.refused(seat, accept(match.table), "NotPosted", []);
  });

  it("a player who has posted must wait, and cannot post again, accept or act", async () => {
    const table = tableAfter(match.table, Seat.Two);
    await match.act(Seat.Two, post(match.table));
    match.driver.step();
    const newer = await match.signed();
    for (const data of [post(table), post(table, newer), accept(table), match.driver.sent.at(-1)!.data]) {
      await match.refused(Seat.Two, data, "NotYourTurn", [world.alice, world.bob]);
    }
  });

  it("a table with any bit flipped is refused", async () => {
    await match.act(Seat.Two, post(match.table));
    const table = tableAfter(match.table, Seat.Two);
    const data = accept(table);
    for (let bit = 0; bit < 560; bit += 7) {
      const wrong = toBeHex(toBigInt(data) ^ (1n << BigInt(bit)), dataLength(data));
      await match.refused(Seat.One, wrong, "WrongTable");
    }
    await match.refused(Seat.One, accept(match.table), "WrongTable");
  });

  it("a state counts only in its match, game and chain, and for its base, nonce, turn, word and record", async () => {
    match.driver.step();
    const state = match.state();
    const changes: Partial<AwayState>[] = [
      { matchId: 2n },
      { base: id("base") },
      { nonce: 2 },
      { turn: otherSeat(state.turn) },
      { word: id("word") },
      { record: id("record") },
    ];
    for (const change of changes) {
      await match.refused(Seat.Two, post(match.table, await match.signed(state, change)), "NotSigned", [Seat.One]);
    }
    const [arena, { target }] = [
      await world.arena.getAddress(),
      await ethers.deployContract("Warmancer", [world.arena]),
    ];
    for (const domain of [{ game: arena }, { game: target as Hex }, { chain: CHAIN + 1n }]) {
      await match.refused(Seat.Two, post(match.table, await match.signed(state, {}, domain)), "NotSigned", [Seat.One]);
    }
    const good = await match.signed();
    const { signature1, signature2 } = good;
    const halves: [Hex, Hex, bigint][] = [
      [signature2, signature1, Seat.One],
      [signature1, signature1, Seat.Two],
      [signature2, signature2, Seat.One],
      ["0x", signature2, Seat.One],
      [signature1, "0x", Seat.Two],
      [signature1, concat([signature2, "0x00"]), Seat.Two],
    ];
    for (const [one, two, seat] of halves) {
      const wrong = post(match.table, { ...good, signature1: one, signature2: two });
      await match.refused(Seat.Two, wrong, "NotSigned", [seat]);
    }
    const other = await Away.begin(world);
    await other.refused(Seat.One, post(other.table, good), "NotSigned", [Seat.One]);
    await match.act(Seat.Two, post(match.table, good));
  });

  it("a post that is cut short is refused", async () => {
    match.driver.step();
    const data = post(match.table, await match.signed());
    for (let length = 1; length < dataLength(data); length += 5) {
      // The first 71 bytes are a post without a newer state.
      if (length === 71) continue;
      await match.refused(Seat.One, dataSlice(data, 0, length), length <= 205 ? "WrongLength" : "NotSigned");
    }
  });

  it("only a newer state in which it is a seat's turn replaces a state", async () => {
    for (let n = 0; n < 3; n++) match.driver.step();
    const { table } = match;
    for (const turn of [0n, 3n, 255n]) {
      await match.refused(Seat.One, post(table, await match.signed({ ...match.state(), turn })), "NobodysTurn", [turn]);
    }
    await match.refused(Seat.One, post(table, await match.signed(match.state(0))), "NotNewer", [0n, 0n]);
    const posted = await match.signed(match.state(2));
    await match.act(Seat.One, post(table, posted));
    const after = tableAfter(table, Seat.One, posted);
    for (const nonce of [0, 1, 2]) {
      const older = await match.signed({ ...match.state(nonce), word: id("other") });
      await match.refused(Seat.Two, post(after, older), "NotNewer", [BigInt(nonce), 2n]);
    }
    await match.refused(Seat.Two, post(after), "NotNewer", [2n, 2n]);
    await match.act(Seat.Two, post(after, await match.signed(match.state(3))));
  });

  it("an accepted match continues on chain, and no table or signature counts any more", async () => {
    match.driver.step();
    match.driver.step();
    const newer = await match.signed();
    await match.act(Seat.One, post(match.table));
    const table = tableAfter(match.table, Seat.One);
    await match.act(Seat.Two, accept(table));
    expect(await match.hash()).to.equal(match.base);
    for (const old of [table, match.table]) {
      for (const data of [post(old), post(old, newer), accept(old)]) await match.refused(Seat.One, data, "WrongTable");
    }
    await match.act(Seat.One, match.driver.sent[2].data);
  });

  it("an acceptance can include only the player's own action on its own turn, and no post or second acceptance", async () => {
    const action = match.driver.next().data;
    const first = tableAfter(match.table, Seat.One);
    await inPassing(async () => {
      await match.act(Seat.One, post(match.table));
      await match.refused(Seat.Two, accept(first, action), "WrongLength");
      await match.refused(Seat.Two, accept(first, "0x00"), "WrongLength");
    });
    await match.act(Seat.Two, post(match.table));
    const table = tableAfter(match.table, Seat.Two);
    const { position } = match.driver;
    for (const kind of [Kind.Post, Kind.Accept]) {
      for (const flag of [0, 0x80]) {
        const padded = concat([encodeAction(kind, position, ZeroHash), new Uint8Array(64)]);
        const data = concat([toBeHex(kind | flag, 1), dataSlice(padded, 1)]);
        await match.refused(Seat.One, accept(table, data), "NotDue");
      }
      const inner = kind === Kind.Post ? post(table) : accept(table);
      await match.refused(Seat.One, accept(table, inner), "WrongLength");
    }
    expect(await match.hash()).to.equal(tableHash(table));
    await match.act(Seat.One, accept(table, action));
    match.driver.send(Seat.One, action);
    expect(await match.hash()).to.equal(stateHashIn(match.driver.state));
  });

  it("a position that both sign but no game leads to does not make the log unreadable", async () => {
    const { warmancer } = world;
    const position = copyOf(match.driver.position);
    const [own, other] = position.sides;
    // Player 1's pawn walks into player 2's, whose rank is known; its own rank counts as proved.
    Object.assign(position, { phase: Phase.Prove, mover: 1, moves: [(own.tiles[0] << 8) | other.tiles[0], 0] });
    other.ranks[0] = 1;
    const proveAs = async (rank: number) => {
      position.proved = (1 + rank) << 4;
      const state: State = {
        ...match.driver.state,
        turn: Seat.Two,
        position,
        state: hexOf(keccak(positionBytes(position))),
      };
      const signed = await match.signed({ ...match.state(1), turn: Seat.Two, word: stateHashIn(state) });
      await match.act(Seat.One, post(match.table, signed));
      const table = tableAfter(match.table, Seat.One, signed);
      const data = encodeAction(Kind.Prove, position, id("next commitment"));
      const inEngine = () => act(match.driver.match, state, Seat.Two, data);
      return { accepting: accept(table, data), inEngine };
    };
    for (const rank of [RANKS.length, 14]) {
      await inPassing(async () => {
        const { accepting, inEngine } = await proveAs(rank);
        await expectRefused(world, () => match.act(Seat.Two, accepting), "UnknownRank", [0n, BigInt(rank)]);
        expect(inEngine).to.throw(ContractError, new RegExp(`no rank ${rank}, in slot 0`));
      });
    }
    const { accepting, inEngine } = await proveAs(RANKS.length - 1);
    const receipt = await receiptOf(match.act(Seat.Two, accepting));
    expect(logsIn(warmancer, receipt)).to.deep.equal(inEngine().logs).and.not.to.be.empty;
  });

  it("a match that did not begin off-chain has no table", async () => {
    const plain = await Away.begin(world, QUICK);
    expect(await plain.hash()).to.equal(plain.base);
    for (const table of [plain.table, match.table, tableAfter(plain.table, Seat.Two)]) {
      await plain.refused(Seat.One, post(table), "WrongTable");
      await plain.refused(Seat.One, accept(table), "WrongTable");
    }
  });

  it("a post gives the other seat the whole clock, and then each seat has the rest of its clock", async () => {
    for (let n = 0; n < 2; n++) match.driver.step();
    await at((await now()) + AWAY_SECONDS - 1n);
    await match.act(Seat.One, post(match.table));
    const posted = await now();
    const first = await world.arena.matchOf(match.matchId);
    expect([first.turn, first.deadline, first.reserve]).to.deep.equal([Seat.Two, posted + HOUR, HOUR]);
    await at(posted + HOUR);
    const newer = await match.signed();
    await match.act(Seat.Two, post(tableAfter(match.table, Seat.One), newer));
    const second = await world.arena.matchOf(match.matchId);
    expect([second.turn, second.deadline, second.reserve]).to.deep.equal([Seat.One, posted + 2n * HOUR, HOUR / 32n]);
    await at(posted + 2n * HOUR + 1n);
    await match.refused(Seat.One, accept(tableAfter(match.table, Seat.Two, newer)), "TooLate");
    await world.arena.connect(world.stranger).timeout(match.matchId);
    expect(await world.arena.statusOf(match.matchId)).to.equal(Status.P2WinInactive);
  });

  it("no stranger and no operator posts while it is nobody's turn; the operator in turn answers afterwards", async () => {
    const { arena, alice, bob, carol, stranger } = world;
    for (const player of [alice, bob]) await arena.connect(player).allow(carol, 2n ** 40n - 1n);
    match.driver.step();
    const state = await match.signed();
    for (const sender of [carol, stranger]) {
      const send = () => arena.connect(sender).act(match.matchId, post(match.table, state), FREE);
      await expectRefused(world, send, "NotAPlayer");
    }
    await match.act(Seat.Two, post(match.table));
    await arena.connect(carol).act(match.matchId, post(tableAfter(match.table, Seat.Two), state));
    const { turn } = await arena.matchOf(match.matchId);
    expect(turn).to.equal(Seat.Two);
  });
});
