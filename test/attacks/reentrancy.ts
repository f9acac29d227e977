import { expect } from "chai";
import { type Contract } from "ethers";
import { COIN, ethers, loadFixture, networkHelpers, Status, termsFor, time, ZERO_HASH } from "../support/index.js";
import { LOCK, as, attacked, changing, encode, possibleCalls, type Attacked } from "../support/attacked.js";
import { offered } from "../support/matches.js";
import { FREE, differences, stateOf } from "../support/refusals.js";

/** Runs `outer` with and without a callback of `self`. Expects the callback to be refused, and equal results. */
async function cannotReenter(
  w: Attacked,
  self: Contract,
  moment: string,
  prepare: () => Promise<() => Promise<unknown>>,
  views: (outer: bigint) => Promise<{ name: string; args: unknown[]; result: unknown }[]> = async () => [],
) {
  for (const role of ["owner", "pending owner"]) {
    const start = await networkHelpers.takeSnapshot();
    const calls = await possibleCalls(w, self);
    expect(Object.keys(calls)).to.have.members(changing(w.arena).map(({ name }) => name));
    await w.arena.transferOwnership(self);
    if (role === "owner") await as(self, w)("acceptOwnership", []);
    // Without the lock, each of these calls would succeed.
    const possible = Object.keys(calls).filter((name) => (name === "acceptOwnership") === (role !== "owner"));
    for (const name of possible) await self.run.staticCall(w.arena, 0, await encode(w, name, calls[name]));

    const outer = await prepare();
    const read = await views(await w.arena.matchCount());
    const data = await Promise.all(possible.map((name) => encode(w, name, calls[name])));
    data.push(...(await Promise.all(read.map(({ name, args }) => encode(w, name, args)))));
    const at = (await time.latest()) + 10;
    const resultOf = async (arm: string[], expected = LOCK) => {
      const before = await networkHelpers.takeSnapshot();
      await time.setNextBlockTimestamp(at - 1);
      await self.arm(moment, w.arena, arm, expected, FREE);
      await time.setNextBlockTimestamp(at);
      await outer();
      const state = await stateOf(w);
      const answers = await self.answers();
      await before.restore();
      const hostile = ["puppet", "wild", "odd"].map((name) => `storage of ${name}`);
      return {
        state: Object.fromEntries(Object.entries(state).filter(([label]) => !hostile.includes(label))),
        answers,
      };
    };
    const quiet = await resultOf([]);
    const loud = await resultOf(data);
    expect(differences(quiet.state, loud.state)).to.deep.equal([]);
    if (moment === "balanceOf") {
      // During `balanceOf`, the contract stores no results, but reverts unless all calls are refused with the expected
      // error. So it must revert if another error is expected.
      await expect(resultOf(data, "0x12345678")).to.be.revert(ethers);
    } else {
      expect(loud.answers.length).to.equal(data.length);
      for (const [i, name] of possible.entries()) expect([name, ...loud.answers[i]]).to.deep.equal([name, false, LOCK]);
      for (const [i, { name, result }] of read.entries()) {
        const [ok, returned] = loud.answers[possible.length + i];
        const [decoded] = ok ? w.arena.interface.decodeFunctionResult(name as "statusOf", returned) : [undefined];
        expect([name, decoded]).to.deep.equal([name, result]);
      }
    }
    await start.restore();
  }
}

describe("Known attacks: reentrancy", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("when every function of the arena is re-entered (AI Arena H-08)", () => {
    const wildMatch = () => offered(w, { game: w.wild.target as string, by: w.carol });
    const statusIs =
      (status: bigint, ahead = 0n) =>
      async (count: bigint) => [
        { name: "statusOf", args: [count + ahead], result: status },
        { name: "purseOf", args: [w.carol.address, COIN], result: 0n },
        { name: "matchCount", args: [], result: count + ahead },
      ];

    it("a game that re-enters on create is refused", async () => {
      const terms = await termsFor(w, { game: w.wild.target as string });
      const prepare = async () => () => w.arena.connect(w.carol).create(terms, w.bob, 0, "0x", FREE);
      await cannotReenter(w, w.wild, "create", prepare, statusIs(Status.P1Deposited, 1n));
    });

    it("a game that re-enters on join is refused", async () => {
      const prepare = async () => {
        const { id, hash } = await wildMatch();
        await w.arena.connect(w.bob).fund(id, hash);
        return () => w.arena.connect(w.bob).join(id, hash, "0x", FREE);
      };
      await cannotReenter(w, w.wild, "join", prepare, statusIs(Status.AllJoined));
    });

    it("a game that re-enters on act is refused", async () => {
      const prepare = async () => {
        const { id, hash } = await wildMatch();
        await w.arena.connect(w.bob).fund(id, hash);
        await w.arena.connect(w.bob).join(id, hash, "0x");
        return () => w.arena.connect(w.carol).act(id, "0x", FREE);
      };
      await cannotReenter(w, w.wild, "act", prepare, statusIs(Status.AllJoined));
    });

    it("a token that re-enters from transferFrom is refused", async () => {
      const prepare = async () => () => w.arena.connect(w.alice).deposit(w.odd, 5n, w.bob, FREE);
      await cannotReenter(w, w.odd, "transferFrom", prepare);
    });

    it("a token that re-enters from transfer is refused", async () => {
      const prepare = async () => () => w.arena.connect(w.alice).withdraw(w.odd, 5n, w.bob, FREE);
      await cannotReenter(w, w.odd, "transfer", prepare);
    });

    it("a token that re-enters from permit is refused", async () => {
      const permit = [w.odd, 5n, 0n, 27, ZERO_HASH, ZERO_HASH] as const;
      const prepare = async () => () => w.arena.connect(w.alice).depositWithPermit(...permit, FREE);
      await cannotReenter(w, w.odd, "permit", prepare);
    });

    it("a token that re-enters from balanceOf on deposit, on withdrawal and on its ERC-1363 callback is refused", async () => {
      const { arena, odd, alice } = w;
      await cannotReenter(w, odd, "balanceOf", async () => () => arena.connect(alice).deposit(odd, 5n, alice, FREE));
      await cannotReenter(w, odd, "balanceOf", async () => () => arena.connect(alice).withdraw(odd, 5n, alice, FREE));
      const callback = await encode(w, "onTransferReceived", [alice, alice, 5n, "0x"]);
      const asAlice = odd.connect(alice) as unknown as Contract;
      await cannotReenter(w, odd, "balanceOf", async () => () => asAlice.transferAndCall(arena, 5n, callback, FREE));
    });

    it("a receiver of coins that re-enters from withdraw is refused", async () => {
      await cannotReenter(w, w.puppet, "receive", async () => () => as(w.puppet, w)("withdraw", [COIN, 5n, w.puppet]));
    });
  });
});
