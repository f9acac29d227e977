import { expect } from "chai";
import { AbiCoder, ZeroAddress, type Provider } from "ethers";
import { Archive } from "../../../sdk/chain/archive.js";
import { games } from "../../../sdk/games/index.js";
import { Bench, type Draft } from "../../../sdk/laws/bench.js";
import type { LawGame } from "../../../sdk/laws/game.js";
import { Random } from "../../../sdk/laws/random.js";
import { offerHashOf } from "../../../sdk/laws/world.js";
import { isOpen } from "../../../sdk/protocol/status.js";
import { clocksOf, viewOnChain, viewOf, type TimedMatchView } from "../../../sdk/player/match-view.js";
import { Tokens } from "../../../sdk/player/tokens.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { DAY } from "../../../sdk/protocol/terms.js";
import { ethers, loadFixture, networkHelpers, step, deployMock } from "../../support/index.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { guardiansLaws } from "../../support/laws/guardians.js";
import { miniGamesLaws } from "../../support/laws/mini-games.js";
import { lawOptions } from "../../support/laws/options.js";
import { pistolsLaws } from "../../support/laws/pistols.js";
import { ticTacToeLaws } from "../../support/laws/tic-tac-toe.js";
import { warmancerLaws } from "../../support/laws/warmancer.js";

const LAWS = [autoBattlerLaws, guardiansLaws, miniGamesLaws, pistolsLaws, ticTacToeLaws, warmancerLaws];
/** Number of actions at the start of a match after which the views are compared. The end is always compared. */
const LOOKS = 8;

/** Returns a provider for the chain that records its requests. */
function noting(asked: string[]): Provider {
  return new Proxy(ethers.provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        asked.push(String(name));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

async function viewsOf({ history, world }: Bench, matchId: bigint) {
  const { addresses } = history;
  const asked: string[] = [];
  const archive = await Archive.read(noting(asked), addresses);
  const tokens = new Tokens(archive.provider, addresses);
  asked.length = 0;
  const archived = await viewOf(archive, { games, tokens }, matchId);
  const read = await viewOnChain(world.arena, { games, tokens }, addresses, matchId);
  return { archived, read, asked: [...new Set(asked)] };
}

/** Expects the view of a match from its events to equal the view from the contracts. @returns the view. */
async function expectSame(bench: Bench, matchId: bigint): Promise<TimedMatchView> {
  const { archived, read, asked } = await viewsOf(bench, matchId);
  const told = isOpen(read) ? {} : { deadline: 0n, reserve: 0n };
  expect({ ...archived, ...told }).to.deep.equal({ ...read, ...told });
  expect(asked).to.deep.equal(isOpen(read) ? ["getBlock"] : []);
  return read;
}

const fixtures = new Map(
  LAWS.map((laws) => {
    // Fixtures must have names.
    const open = () => Bench.open(laws, lawOptions);
    return [laws, open];
  }),
);
const opened = (laws: LawGame) => loadFixture(fixtures.get(laws)!);

describe("The view of a match, made from its events", () => {
  for (const laws of LAWS) {
    it(`agrees with the contracts after each action, including both clocks: ${laws.name}`, async () => {
      const bench = await opened(laws);
      const random = new Random("views");
      const draft = await bench.draft(random, { clock: DAY });
      const seen = new Set<bigint>();
      const { length } = draft.pieces;
      for (let index = 0; index < length; index++) {
        await networkHelpers.time.increase(1 + random.below(3000));
        await bench.send(draft, index);
        if (index >= LOOKS && index < length - 2) continue;
        seen.add((await expectSame(bench, draft.matchId)).status);
      }
      expect([...seen].slice(0, 2)).to.deep.equal([Status.P1Deposited, Status.AllJoined]);
      expect([...seen].some((status) => status > Status.AllJoined)).to.equal(true);
    });
  }

  describe("agrees with the contracts in any other state:", () => {
    let bench: Bench;
    let draft: Draft;

    beforeEach(async () => {
      bench = await opened(miniGamesLaws);
      draft = await bench.draft(new Random("states"), { clock: DAY });
    });

    const statusNow = async () => (await expectSame(bench, draft.matchId)).status;
    const { increase } = networkHelpers.time;

    /** Creates an offer. */
    async function offer(opponent = draft.player2.address, firmUntil = 0): Promise<string> {
      const { arena, alice } = bench.world;
      await arena.connect(alice).create(draft.terms, opponent, firmUntil, draft.pieces[0].data);
      return offerHashOf(arena, draft.matchId);
    }

    it("an offer that is unfunded, then funded, then taken by a call, then lost by the clock", async () => {
      const { arena, alice, bob } = bench.world;
      const { token } = draft.terms;
      await arena.connect(alice).withdraw(token, await arena.purseOf(alice, token), alice);
      const hash = await offer(ZeroAddress);
      expect(await statusNow()).to.equal(Status.Created);
      await arena.connect(alice).deposit(token, draft.terms.stake1, alice);
      await arena.connect(alice).fund(draft.matchId, hash);
      expect(await statusNow()).to.equal(Status.P1Deposited);
      await increase(77);
      await arena.connect(bob).fund(draft.matchId, hash);
      const view = await expectSame(bench, draft.matchId);
      expect([view.status, view.player2, view.byTransfer]).to.deep.equal([Status.AllDeposited, bob.address, false]);
      await increase(DAY + 1n);
      await arena.timeout(draft.matchId);
      expect(await statusNow()).to.equal(Status.P1WinInactive);
    });

    it("an offer taken by a transfer, which its events show only at the end", async () => {
      const { arena, fight, bob } = bench.world;
      const hash = await offer();
      const order = AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [draft.matchId, hash]);
      const amount = draft.terms.stake2;
      await fight.connect(bob)["transferAndCall(address,uint256,bytes)"](arena, amount, order);
      const { archived, read } = await viewsOf(bench, draft.matchId);
      expect(read.byTransfer).to.equal(true);
      expect(archived).to.deep.equal({ ...read, byTransfer: undefined });
      await increase(DAY + 1n);
      await arena.timeout(draft.matchId);
      expect(await statusNow()).to.equal(Status.P1WinInactive);
    });

    it("a soft offer that is cancelled, and a firm offer that is declined", async () => {
      const { arena, alice, bob } = bench.world;
      await offer();
      await arena.connect(alice).cancel(draft.matchId);
      expect(await statusNow()).to.equal(Status.P1Canceled);
      draft = await bench.draft(new Random("firm"), { clock: DAY });
      await offer(bob.address, (await networkHelpers.time.latest()) + 5000);
      expect((await expectSame(bench, draft.matchId)).firm).to.equal(true);
      await arena.connect(bob).decline(draft.matchId);
      expect(await statusNow()).to.equal(Status.P1Canceled);
    });

    it("a match in which a player resigns, or lets the clock run out", async () => {
      const { arena, bob } = bench.world;
      await bench.play(draft, 0, 2);
      await arena.connect(bob).resign(draft.matchId);
      expect(await statusNow()).to.equal(Status.P1Win);
      draft = await bench.draft(new Random("late"), { clock: DAY });
      await bench.play(draft, 0, 2);
      await increase(DAY + 1n);
      await arena.timeout(draft.matchId);
      expect(await statusNow()).to.equal(Status.P2WinInactive);
    });
  });

  it("reads a foreign game in play from the arena, since its turns are unknown", async () => {
    const bench = await opened(miniGamesLaws);
    const { arena, alice, bob } = bench.world;
    const draft = await bench.draft(new Random("foreign"), { clock: DAY });
    const game = await (await deployMock("ScriptedGame", await arena.getAddress())).getAddress();
    const lapse = (await networkHelpers.time.latest()) + 5000;
    await arena.connect(alice).create({ ...draft.terms, game, mode: ethers.ZeroHash }, bob, lapse, "0x");
    expect((await expectSame(bench, draft.matchId)).trust).to.equal("foreign");
    await arena.connect(bob).join(draft.matchId, await offerHashOf(arena, draft.matchId), step(Seat.Two));
    const { archived, read, asked } = await viewsOf(bench, draft.matchId);
    expect(archived).to.deep.equal(read);
    expect([read.turn, asked.includes("call")]).to.deep.equal([Seat.Two, true]);
  });

  it("is undefined for a match without events", async () => {
    const error = await viewsOf(await opened(miniGamesLaws), 9n).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal("There is no match 9.");
  });

  it("shows both players' clocks only while in play, never below zero", () => {
    const view = { turn: Seat.One, deadline: 100n, reserve: 40n };
    expect(clocksOf(view, 90n)).to.deep.equal({ player1: 10n, player2: 40n });
    expect(clocksOf({ ...view, turn: Seat.Two }, 101n)).to.deep.equal({ player1: 40n, player2: 0n });
    expect(clocksOf({ ...view, turn: Seat.None }, 90n)).to.equal(undefined);
  });
});
