import { expect } from "chai";
import { concat, dataLength, dataSlice, keccak256, ZeroAddress, ZeroHash } from "ethers";
import { Game__factory } from "../../typechain-types/index.js";
import { ARENA_MATCHES, channelsOf } from "../chain/channels.js";
import type { MatchRecord } from "../chain/record.js";
import { COIN, DAY } from "../protocol/terms.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { Bench, isRefused, type BenchOptions, type Draft } from "./bench.js";
import { withByte } from "./bytes.js";
import { padded } from "./committed.js";
import type { LawGame, OutsideAct, Played } from "./game.js";
import { mocha } from "./mocha.js";
import { Random } from "./random.js";
import { stateOf } from "./state.js";
import { receiptOf, UNIT } from "./world.js";

/** Options of `testLaws`. */
export interface LawOptions extends BenchOptions {
  /** Number of random matches in laws that play several; defaults to 6. */
  matches?: number;
  /** True if gas measurements are meaningless, e.g. if contracts count their covered lines. */
  skipGas?: boolean;
}

const MATCHES = 6;
const MAX_LEAVE = 2n ** 40n - 1n;
const MAX_GAS = 4_000_000;
/** Coins that the channels contract, which owns no coins, needs to pay for its calls. */
const COINS_FOR_GAS = 10n ** 20n;
/** Maximum gas by which player 2 may make an action of player 1 more expensive: enough for a few storage words. */
const MORE_GAS = 50_000;
const TOO_LONG = 200;
const WORD = 32;
/** Number of changed versions of an action that are tried in its place. */
const CHANGES = 100;
/** Number of values of the first byte that are tried with an action cut to any length. */
const LOW_KINDS = 4;
/** Lengths to try: within NEAR of a piece's own length, and every FEW-th; in later modes and actions, within CLOSE. */
const NEAR = 70;
const CLOSE = 5;
const FEW = 17;
/** Number of pieces whose lengths are tried in full: offer, answer and the first action of each seat. */
const KINDS = 4;

/**
 * Declares the tests of a game against the laws that `IGame` lists, as a suite of Mocha. Each test starts on a fresh
 * arena, and random matches are the same in every run.
 * @throws Error outside Mocha.
 * @example
 * ```ts
 * import { testLaws } from "duello/laws";
 *
 * testLaws(lawGame, { connection, matches: 3 });
 * ```
 */
export function testLaws(subject: LawGame, options: LawOptions): void {
  const { matches = MATCHES, skipGas = false, connection } = options;
  const { ethers, networkHelpers } = connection;
  const { describe, it, beforeEach } = mocha();

  describe(`Laws: ${subject.name}`, () => {
    const opened = () => Bench.open(subject, options);
    let bench: Bench;
    let random: Random;

    beforeEach(async function () {
      bench = await networkHelpers.loadFixture(opened);
      random = new Random(`${subject.name}: ${this.currentTest!.title}`);
    });

    it("answers its arena only", async () => {
      const { table, world } = bench;
      const draft = await bench.draft(random);
      const arena = await world.arena.getAddress();
      for (const [index, entry] of ["create", "join", "act"].entries()) {
        const duel = await duelOf(bench, draft);
        for (const caller of [world.owner, world.alice, world.bob, world.stranger]) {
          const args = [duel, ...(entry === "act" ? [draft.pieces[2].seat] : []), draft.pieces[index].data];
          const error = await bench.errorOf(table.game.connect(caller).getFunction(entry)(...args));
          expect([error?.name, ...(error?.args ?? [])]).to.deep.equal(["NotTheArena", caller.address, arena]);
        }
        await bench.send(draft, index);
      }
    });

    it("starts with player 2 to move and nobody to be paid", async () => {
      for (let n = 0; n < 5; n++) {
        const draft = await bench.draft(random);
        const create = bench.table.game.connect(ethers.provider).getFunction("create");
        const from = await bench.world.arena.getAddress();
        const duel = { ...(await duelOf(bench, draft)), player2: ZeroAddress };
        const [turn, winner, taker] = (await create.staticCall(duel, draft.pieces[0].data, { from })) as bigint[];
        expect([turn, winner, taker]).to.deep.equal([Seat.Two, Seat.None, Seat.None]);
        await bench.send(draft, 0);
      }
    });

    it("decides by what the players sent: not by block, time, gas or sender", async () => {
      for (let n = 0; n < 3; n++) {
        const draft = await bench.draft(random);
        const plain = await bench.inPassing(async () => {
          await bench.play(draft);
          return bench.outcome(draft.matchId);
        });
        const changed = await bench.inPassing(async () => {
          await changeTheWeather(bench);
          for (const [index, { seat }] of draft.pieces.entries()) {
            const sender = index < 2 ? undefined : bench.world.stranger;
            const gasPrice = 10n ** 12n + BigInt(index);
            await bench.send(draft, index, { sender, gasPrice, gasLimit: 16_000_000 - index });
            await networkHelpers.mine(7, { interval: 61 });
            await networkHelpers.setPrevRandao(random.below(1e9));
            expect(seat, "pieces name their seats").to.be.oneOf([Seat.One, Seat.Two]);
          }
          return bench.outcome(draft.matchId);
        });
        expect(changed).to.deep.equal(plain);
      }
    });

    it("accepts data in its documented lengths only", async () => {
      for (const [n, mode] of bench.table.modes.entries()) {
        const draft = await bench.draft(random, { mode });
        for (const [index, piece] of draft.pieces.entries()) {
          const { data, fits = (length: number) => length === dataLength(data) } = piece;
          const longest = concat([data, random.note(TOO_LONG)]);
          const trial = await bench.trial(draft, index);
          const tried = { taken: 0, refused: 0 };
          const many = n === 0 && index < KINDS;
          for (const length of lengthsOf(draft, dataLength(data), fits, many)) {
            const refusal = await trial(dataSlice(longest, 0, length));
            if (fits(length)) expect(refusal, `piece ${index}, ${length} bytes, ${refusal}`).to.equal(undefined);
            else expect(refusal, `piece ${index}, ${length} bytes`).not.to.equal(undefined);
            tried[fits(length) ? "taken" : "refused"]++;
          }
          expect(tried.taken, "lengths taken").to.be.greaterThan(0);
          expect(tried.refused, "lengths refused").to.be.at.least(many ? 30 : 1);
          await bench.send(draft, index);
        }
      }
    });

    it("rejects invalid data when it is sent, with a named error", async () => {
      for (let n = 0; n < 3; n++) {
        const draft = await bench.draft(random);
        for (const [index, { data, wrong }] of draft.pieces.entries()) {
          for (const [what, bytes] of Object.entries(wrong)) {
            expect(await bench.refusal(draft, index, bytes), `piece ${index}, ${what}`).not.to.equal(undefined);
          }
          expect(await bench.refusal(draft, index, data)).to.equal(undefined);
          await bench.send(draft, index);
        }
      }
    });

    it("rejects an illegal committed move when it is revealed, so its player loses by the clock", async () => {
      const { table, world } = bench;
      let tried = 0;
      for (const mode of table.modes) {
        const { frauds = {}, ...draft } = await bench.draft(random, { mode });
        for (const [what, { pieces, error, isOfTokens = false }] of Object.entries(frauds)) {
          await bench.inPassing(async () => {
            const fraud = { ...draft, pieces };
            const last = pieces.length - 1;
            const { seat, data } = pieces[last];
            await bench.play(fraud, 0, last);
            const refusal = await bench.refusal(fraud, last, data);
            expect(refusal, what)
              .to.equal(error ?? refusal)
              .and.not.to.equal(undefined);
            const before = await stateOf(ethers.provider, bench.contracts);
            const sent = await bench.errorOf(bench.send(fraud, last, { gasLimit: 16_000_000 }));
            expect(sent?.name, what).to.equal(refusal);
            expect(await stateOf(ethers.provider, bench.contracts), what).to.deep.equal(before);
            if (!isOfTokens) {
              const record = await bench.record(draft.matchId);
              const actions = [...record.actions, { seat, data }];
              expect(await throws(bench.replay({ ...record, actions })), `${what}, engine`).to.equal(true);
            }
            await timedOut(bench, draft.matchId);
            const end = seat === Seat.One ? Status.P2WinInactive : Status.P1WinInactive;
            expect(await world.arena.statusOf(draft.matchId), what).to.equal(end);
          });
          tried++;
        }
      }
      const keepsCommitments = table.game.interface.getError("ZeroCommitment") !== null;
      expect(tried > 0, "its file says what can be committed against its rules").to.equal(keepsCommitments);
    });

    it("lets nothing that player 2 does after its move stop player 1 or make it pay", async () => {
      const draft = await bench.draft(random);
      const players: Players = [bench.world.carol, draft.player2];
      const actions = [...draft.player2Acts, ...(await worldly(bench, random, draft.player2, players))];
      for (const [index, { seat }] of draft.pieces.entries()) {
        await bench.send(draft, index);
        if (seat !== Seat.Two || draft.pieces[index + 1]?.seat !== Seat.One) continue;
        const reply = () => bench.send(draft, index + 1);
        const calm = await bench.inPassing(reply);
        for (const { what, run } of actions) {
          await bench.inPassing(async () => {
            await run();
            const receipt = await reply();
            expect(entriesIn(bench, receipt), what).to.deep.equal(entriesIn(bench, calm));
            expect(Number(receipt.gasUsed), what).to.be.at.most(Number(calm.gasUsed) + MORE_GAS);
          });
        }
      }
    });

    it("reads nothing at joining that player 1 can still change", async () => {
      const draft = await bench.draft(random);
      const players: Players = [bench.world.carol, draft.player1];
      const actions = [...draft.player1Acts, ...(await worldly(bench, random, draft.player1, players))];
      const { wrong } = draft.pieces[1];
      await bench.send(draft, 0);
      const refusals = () => Promise.all(Object.values(wrong).map((bytes) => bench.refusal(draft, 1, bytes)));
      const calm = await bench.inPassing(() => bench.send(draft, 1));
      const refused = await refusals();
      for (const { what, run } of actions) {
        await bench.inPassing(async () => {
          await run();
          expect(await refusals(), what).to.deep.equal(refused);
          expect((await bench.send(draft, 1)).gasUsed, what).to.equal(calm.gasUsed);
          expect((await bench.world.arena.matchOf(draft.matchId)).turn, what).to.equal(draft.pieces[2].seat);
        });
      }
    });

    it("accepts the same data after another match of the same players has ended", async () => {
      const draft = await bench.draft(random);
      const { player1, player2, pieces } = draft;
      const calm = await bench.inPassing(async () => {
        await bench.play(draft);
        return bench.outcome(draft.matchId);
      });
      for (let index = 0; index < pieces.length; index++) {
        for (const players of [
          [player1, player2],
          [player2, player1],
        ] satisfies Players[]) {
          if (index === 0) continue;
          await bench.inPassing(async () => {
            await bench.play(await bench.draft(random, { players }));
            await bench.send(draft, index);
            // The state when the answer arrives may affect the rest of the match, if the answer is accepted.
            if (index === 1) {
              expect((await bench.world.arena.matchOf(draft.matchId)).turn).to.equal(pieces[2].seat);
            } else {
              await bench.play(draft, index + 1);
              expect(await bench.outcome(draft.matchId)).to.deep.equal(calm);
            }
          });
        }
        await bench.send(draft, index);
      }
    });

    it("changes no state in a match of a channel", async function () {
      const { table, world } = bench;
      const { provider } = ethers;
      const channels = await ethers.getImpersonatedSigner(channelsOf(await world.arena.getAddress()));
      await networkHelpers.setBalance(channels.address, COINS_FOR_GAS);
      const game = table.game.connect(channels);
      for (const mode of table.modes) {
        const draft = await bench.draft(random, { mode, ahead: ARENA_MATCHES });
        const before = await stateOf(provider, bench.contracts);
        let turn: bigint = Seat.One;
        let position: Hex = ZeroHash;
        for (const [index, { seat, data }] of draft.pieces.entries()) {
          expect(turn, `turn before piece ${index}`).to.equal(seat);
          const duel = { ...duelIn(draft, position), ...(index === 0 && { player2: ZeroAddress }) };
          const entry = game.getFunction(["create", "join"].at(index) ?? "act");
          const args = index < 2 ? [duel, data] : [duel, seat, data];
          const called = entry.staticCall(...args) as Promise<[bigint, bigint, bigint, Hex]>;
          const refused = await bench.errorOf(called);
          // A game that answers only to the arena is not played in channels.
          if (refused?.name === "NotTheArena" && !subject.module?.channels) return this.skip();
          expect(refused?.name, `refusal of piece ${index}`).to.equal(undefined);
          [turn, , , position] = await called;
          await receiptOf(entry.send(...args));
          expect(await stateOf(provider, bench.contracts), `state after piece ${index}`).to.deep.equal(before);
        }
        expect(turn, "turn after the last piece").to.equal(Seat.None);
      }
    });

    it("always has a legal action for the player in turn, until it ends", async () => {
      for (let n = 0; n < matches; n++) {
        const draft = await bench.draft(random);
        await bench.play(draft, 0, 2);
        for (let index = 2; index < draft.pieces.length; index++) {
          const { status, turn } = await bench.world.arena.matchOf(draft.matchId);
          expect(status).to.equal(Status.AllJoined);
          expect(draft.pieces[index].seat, `piece ${index}`).to.equal(turn);
          await bench.send(draft, index);
        }
        expect(await bench.world.arena.statusOf(draft.matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
      }
    });

    it("has one end, if it can end with the first action after joining", async () => {
      const { table, world } = bench;
      const act = table.game.connect(ethers.provider).getFunction("act");
      const from = await world.arena.getAddress();
      for (let n = 0; n < matches; n++) {
        const draft = await bench.draft(random);
        const other = await bench.draft(random, { mode: draft.mode });
        await bench.play(draft, 0, 2);
        const duel = await duelOf(bench, draft);
        const { turn } = await world.arena.matchOf(draft.matchId);
        const ends = new Set<string>();
        const actions = [...firstActions(draft, other, random), ...(n === 0 ? otherKinds(draft, random) : [])];
        for (const action of actions) {
          const called = act.staticCall(duel, turn, action, { from }) as Promise<bigint[]>;
          const step = await called.catch(() => undefined);
          if (step) ends.add(step[0] === Seat.None ? `winner ${step[1]}, taker ${step[2]}` : "none");
        }
        expect([...ends], "ends").to.have.length(1);
      }
    });

    it("costs under 4,000,000 gas a transaction, at worst", async function () {
      if (skipGas) this.skip();
      const gasOf = async (draft: Draft) => (await bench.play(draft)).map(({ gasUsed }) => Number(gasUsed));
      const worst = Math.max(...(await gasOf(await bench.draftWorst(random))));
      expect(worst).to.be.lessThan(MAX_GAS);
      for (let n = 0; n < 5; n++) {
        const draft = await bench.draft(random);
        // If the game has no most expensive match, unneeded bytes make a random match expensive.
        const gas = Math.max(...(await gasOf(bench.table.worst ? draft : { ...draft, ...padded(draft, random) })));
        if (bench.table.worst) expect(gas).to.be.at.most(worst);
        else expect(gas).to.be.lessThan(MAX_GAS);
      }
    });

    it("is replayed by its engine, entry by entry", async () => {
      for (let n = 0; n < matches; n++) {
        const draft = await bench.draft(random);
        await bench.play(draft);
        const record = await bench.record(draft.matchId);
        expectAlike(record, await bench.replay(record));
      }
    });

    const followed = async () => {
      for (let n = 0; n < matches; n++) {
        const draft = await bench.draft(random);
        for (const index of draft.pieces.keys()) {
          await bench.send(draft, index);
          const { turns, position } = await bench.replay(await bench.record(draft.matchId));
          const { turn } = await bench.world.arena.matchOf(draft.matchId);
          expect([turns!.length, turns!.at(-1) ?? Seat.None]).to.deep.equal([index, turn]);
          expect(position).to.equal(await bench.world.arena.positionOf(draft.matchId));
        }
      }
    };
    if (subject.module) {
      it("agrees with its engine on whose turn it is and on the position", followed);
    }

    it("stores modes under their keccak256, any number of times, and refuses unknown ones at create", async () => {
      const { table, world } = bench;
      const register = Game__factory.connect(bench.address, world.stranger).registerMode;
      for (const mode of table.modes.filter((content) => content !== "0x")) {
        expect(await register.staticCall(mode)).to.equal(keccak256(mode));
        const { logs } = await receiptOf(register(mode));
        expect(logs, "a second registration changes nothing").to.deep.equal([]);
      }
      for (const [what, mode] of Object.entries(table.badModes)) {
        expect(await isRefused(register.staticCall(mode)), what).to.equal(true);
      }
      const zero = table.modes.includes("0x") || table.longDefault ? [] : [ZeroHash];
      for (const mode of [random.word(), ...Object.values(table.badModes).map((bad) => keccak256(bad)), ...zero]) {
        const draft = await bench.draft(random);
        draft.terms.mode = mode;
        const error = await bench.errorOf(bench.send(draft, 0));
        expect([error?.name, ...(error?.args ?? [])]).to.deep.equal(["UnknownMode", mode]);
      }
    });

    it("holds no money", async () => {
      const { table, address, world } = bench;
      table.game.interface.forEachFunction(({ name, payable }) => expect(payable, name).to.equal(false));
      expect([table.game.interface.fallback, table.game.interface.receive]).to.deep.equal([null, false]);
      expect(await isRefused(world.alice.sendTransaction({ to: address, value: 1n })), "coins").to.equal(true);
      for (const player of [world.alice, world.bob]) {
        await world.arena.connect(player).deposit(COIN, UNIT, player, { value: UNIT });
      }
      for (const token of [COIN, await world.fight.getAddress()]) {
        const draft = await bench.draft(random, { token, stake1: UNIT, stake2: UNIT });
        await bench.play(draft);
        expect(await ethers.provider.getBalance(address)).to.equal(0n);
        expect(await world.fight.balanceOf(address)).to.equal(0n);
        expect(await world.arena.purseOf(address, token)).to.equal(0n);
      }
    });

    it("never learns the stakes", async () => {
      const draft = await bench.draft(random);
      const token = await bench.world.fight.getAddress();
      const outcomes = [];
      for (const [stake1, stake2, paidIn] of [
        [0n, 0n, COIN],
        [1n, 0n, token],
        [0n, 1000n * UNIT, token],
        [1000n * UNIT, 1000n * UNIT, token],
      ] as const) {
        const staked = { ...draft, terms: { ...draft.terms, stake1, stake2, token: paidIn } };
        outcomes.push(
          await bench.inPassing(async () => {
            const receipts = await bench.play(staked);
            const { logs, status } = await bench.outcome(draft.matchId);
            const told = receipts.map(({ logs: all }) => all.filter((log) => log.address === bench.address).map(bare));
            return { logs, status, told };
          }),
        );
      }
      for (const outcome of outcomes) expect(outcome).to.deep.equal(outcomes[0]);
    });

    it("is unaffected by an earlier match that was resigned or timed out at any point", async () => {
      const first = await bench.draft(random);
      const second = await bench.draft(random, { ahead: 2n, earlier: first, mode: first.mode });
      const { arena, alice, bob } = bench.world;
      const ends: [string, () => Promise<unknown>][] = [
        ["player 1 resigns", () => arena.connect(alice).resign(first.matchId)],
        ["player 2 resigns", () => arena.connect(bob).resign(first.matchId)],
        ["the clock runs out", () => timedOut(bench, first.matchId)],
      ];
      const afterwards = async (sent: number, end: () => Promise<unknown>) =>
        bench.inPassing(async () => {
          await bench.play(first, 0, sent);
          await end();
          await bench.play(second);
          return bench.outcome(second.matchId);
        });
      const alone = await afterwards(1, () => timedOut(bench, first.matchId));
      for (let sent = 2; sent < first.pieces.length; sent++) {
        for (const [what, end] of ends) {
          expect(await afterwards(sent, end), `${what} after ${sent} transactions`).to.deep.equal(alone);
        }
      }
    });
  });
}

/**
 * Lengths to try: the smallest and largest that fit, a few others that fit, and some near the piece's own length that
 * do not. With `many`, also the lengths of the other pieces, and a few more.
 */
function lengthsOf({ pieces }: Draft, own: number, fits: (length: number) => boolean, many: boolean): number[] {
  const near = many ? NEAR : CLOSE;
  const others = pieces.map(({ data }) => dataLength(data));
  return Array.from({ length: own + TOO_LONG + 1 }, (_, length) => length).filter((length) => {
    const edge = fits(length - 1) !== fits(length) || fits(length + 1) !== fits(length);
    if (edge || fits(length)) return edge || length % 16 === 0;
    return Math.abs(length - own) <= near || (many && (length % FEW === 0 || others.includes(length)));
  });
}

/**
 * Yields data that a game may accept as the first action after joining: all data of both matches, and the first action
 * with one byte changed at random, every second time to a small number.
 */
function* firstActions(draft: Draft, other: Draft, random: Random): Generator<Hex> {
  for (const { data } of [...draft.pieces, ...other.pieces]) yield data;
  const { data } = draft.pieces[2];
  const own = dataLength(data);
  for (let n = 0; n < CHANGES; n++) yield withByte(data, random.below(own), random.below(n % 2 === 0 ? 256 : 16));
}

/** Yields the first action after joining with every other first byte, which is often a kind, and with other lengths. */
function* otherKinds({ pieces }: Draft, random: Random): Generator<Hex> {
  const { data } = pieces[2];
  const own = dataLength(data);
  const lengths = pieces.map((piece) => dataLength(piece.data));
  const longest = concat([data, random.note(Math.max(WORD, ...lengths))]);
  const usual = new Set([1, own + WORD, ...lengths]);
  for (let length = 1; length <= dataLength(longest); length++) {
    const kinds = usual.has(length) ? 256 : length < own ? LOW_KINDS : 0;
    for (let kind = 0; kind < kinds; kind++) yield withByte(dataSlice(longest, 0, length), 0, kind);
  }
}

type Players = [Draft["player1"], Draft["player2"]];

async function duelOf({ world }: Bench, draft: Draft) {
  const isCreated = draft.matchId <= (await world.arena.matchCount());
  return duelIn(draft, isCreated ? await world.arena.positionOf(draft.matchId) : ZeroHash);
}

function duelIn({ matchId, terms, player1, player2 }: Draft, position: Hex) {
  const players = { player1: player1.address, player2: player2.address };
  return { id: matchId, mode: terms.mode, rated: terms.rated, ...players, position };
}

/** Lists actions that are possible in any game: moving money, changing a record, and playing another match. */
async function worldly(
  bench: Bench,
  random: Random,
  player: Draft["player1"],
  players: Players,
): Promise<OutsideAct[]> {
  const { arena, fight, stranger } = bench.world;
  const beside = await bench.draft(random, { ahead: 2n, players });
  return [
    {
      what: "empties its purse",
      run: async () => arena.connect(player).withdraw(fight, await purse(bench, player), stranger),
    },
    { what: "lets somebody else act for it", run: () => arena.connect(player).allow(stranger, MAX_LEAVE) },
    { what: "joins another match", run: () => besideIt(bench, beside, 2) },
    {
      what: "loses another match",
      run: async () => {
        await besideIt(bench, beside, 2);
        await arena.connect(player).resign(await arena.matchCount());
      },
    },
    { what: "plays another match to its end", run: () => besideIt(bench, beside, beside.pieces.length) },
  ];
}

/** Plays a match that was prepared as the match after next. */
async function besideIt(bench: Bench, draft: Draft, to: number): Promise<void> {
  expect((await bench.world.arena.matchCount()) + 1n).to.equal(draft.matchId);
  await bench.play(draft, 0, to);
}

function purse({ world: { arena, fight } }: Bench, player: Draft["player1"]): Promise<bigint> {
  return arena.purseOf(player, fight);
}

/** Changes the block number, time, base fee, coinbase, and both players' operators. */
async function changeTheWeather({ world: { connection, arena, alice, bob, stranger } }: Bench): Promise<void> {
  for (const player of [alice, bob]) await arena.connect(player).allow(stranger, MAX_LEAVE);
  const { networkHelpers } = connection;
  await networkHelpers.mine(1000, { interval: 13 });
  await networkHelpers.setCoinbase(stranger.address);
  await networkHelpers.setNextBlockBaseFeePerGas(7n * 10n ** 10n);
}

async function timedOut({ world: { connection, arena, stranger } }: Bench, matchId: bigint): Promise<void> {
  await connection.networkHelpers.time.increaseTo((await arena.matchOf(matchId)).deadline + 1n + DAY);
  await arena.connect(stranger).timeout(matchId);
}

function throws(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => false,
    () => true,
  );
}

interface Logged {
  logs: readonly { address: string; topics: readonly string[]; data: string }[];
}

/** Returns the game's log entries in a transaction. */
function entriesIn({ address }: Bench, { logs }: Logged): unknown[] {
  return logs.filter((log) => log.address === address).map(bare);
}

function bare({ topics, data }: Logged["logs"][number]): unknown {
  return [...topics, data];
}

function expectAlike({ logs, settlement }: MatchRecord, replay: Played): void {
  expect(logs.length).to.be.greaterThan(0);
  expect(replay.logs).to.deep.equal(logs);
  const { winner, taker } = replay.result!;
  const { status, paid1, paid2, house } = settlement!;
  expect(status).to.equal([Status.Draw, Status.P1Win, Status.P2Win][Number(winner)]);
  const stake = 10n * UNIT;
  const expected = [
    [stake, stake, 0n],
    [16n * UNIT, 0n, 4n * UNIT],
    [0n, 16n * UNIT, 4n * UNIT],
  ];
  expect([paid1, paid2, house]).to.deep.equal(expected[Number(taker)]);
}
