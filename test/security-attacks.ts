import { expect } from "chai";
import { type Addressable, type BaseContract, type Contract, type FunctionFragment, getCreateAddress } from "ethers";
import { Arena__factory, AutoBattler__factory } from "../typechain-types/index.js";
import {
  as,
  type Attacked,
  attacked,
  changes,
  encode,
  fails,
  forceCoins,
  FREE,
  inPlay,
  MONTH,
  type Match,
  offered,
  refused,
  stateOf,
  taken,
  withoutEffect,
} from "./security-state.js";
import {
  COIN,
  deployMock,
  ethers,
  HOUR,
  loadFixture,
  networkHelpers,
  receiptOf,
  Seat,
  Status,
  step,
  termsFor,
  termsHash,
  time,
  UNIT,
  ZERO_HASH,
} from "./support.js";

const LOCK = ethers.id("ReentrancyGuardReentrantCall()").slice(0, 10);
const WIN = step(Seat.None, Seat.One);
const ORDER = (id: bigint, hash: string) =>
  ethers.AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [id, hash]);

/** How a receiver of coins may behave; the contract's numbers. */
const RECEIVERS = { reverts: 1, "burns all gas": 2, "reverts with a huge blob": 3 };
/** How a game may answer. */
const GAME = { reverts: 1, "burns all gas": 2, "loops for ever": 3, "reverts with a huge blob": 4 };
const ANSWERS_RAW = 5;
/** The habits of a token. */
const TOKEN = { fees: 1, nothing: 2, false: 3, falseAnyway: 4, reverts: 5, boasts: 6, hides: 7 };

function changing(contract: BaseContract): FunctionFragment[] {
  const found: FunctionFragment[] = [];
  contract.interface.forEachFunction((fragment) => {
    if (!["view", "pure"].includes(fragment.stateMutability)) found.push(fragment);
  });
  return found;
}

/** An ERC-1363 transfer with a fund order behind it. */
const sendWith = (token: Attacked["fight"], ...[to, amount, data]: [Addressable, bigint, string, object]) =>
  token["transferAndCall(address,uint256,bytes)"](to, amount, data, FREE);

/** A call of every state-changing function of the arena that `self` could make, were it not for the lock. */
async function plausible(w: Attacked, self: Contract): Promise<Record<string, unknown[]>> {
  const { alice, bob, carol, arena, odd } = w;
  const coin = { token: COIN, stake1: 1n, stake2: 1n, clock: MONTH };
  await arena.deposit(COIN, 100n, self, { value: 100n });
  await odd.mint(self, 10n);
  await self.run(odd, 0, odd.interface.encodeFunctionData("approve", [await arena.getAddress(), 10n]));
  const asSelf = as(self, w.world);
  const expired = await taken(w.world, { changes: { stake1: 0n, stake2: 0n, clock: 60n }, by: carol });
  await time.increase(61);
  const open = await offered(w.world, { changes: coin });
  const firm = await offered(w.world, { changes: coin, opponent: self, firmFor: HOUR });
  const own = open.id + 2n;
  await asSelf("create", [open.terms, COIN, 0, "0x"]);
  const played = await offered(w.world, { changes: coin, opponent: self });
  await asSelf("fund", [played.id, played.hash]);
  await asSelf("join", [played.id, played.hash, step(Seat.Two)]);
  return {
    create: [open.terms, bob.address, 0, "0x"],
    fund: [open.id, open.hash],
    join: [firm.id, firm.hash, step(Seat.One)],
    act: [played.id, WIN],
    cancel: [own],
    resign: [played.id],
    timeout: [expired.id],
    allow: [alice, 1],
    deposit: [odd, 1n, self],
    depositWithPermit: [odd, 1n, ethers.MaxUint256, 27, ZERO_HASH, ZERO_HASH],
    withdraw: [COIN, 1n, alice],
    onTransferReceived: [self, self, 0n, "0x"],
    setShare: [0],
    setTreasury: [alice],
    transferOwnership: [alice],
    renounceOwnership: [],
    acceptOwnership: [],
  };
}

/** Runs `outer` with and without `self` calling back at the moment: everything is refused and ends the same. */
async function cannotReenter(
  w: Attacked,
  self: Contract,
  moment: string,
  prepare: () => Promise<() => Promise<unknown>>,
  views: (outer: bigint) => Promise<{ name: string; args: unknown[]; result: unknown }[]> = async () => [],
) {
  for (const role of ["owner", "pending owner"]) {
    const start = await networkHelpers.takeSnapshot();
    const calls = await plausible(w, self);
    expect(Object.keys(calls)).to.have.members(changing(w.arena).map(({ name }) => name));
    await w.arena.transferOwnership(self);
    if (role === "owner") await as(self, w.world)("acceptOwnership", []);
    // Without the lock each of them would work.
    const possible = Object.keys(calls).filter((name) => (name === "acceptOwnership") === (role !== "owner"));
    for (const name of possible) await self.run.staticCall(w.arena, 0, await encode(w.world, name, calls[name]));

    const outer = await prepare();
    const read = await views(await w.arena.matchCount());
    const data = await Promise.all(possible.map((name) => encode(w.world, name, calls[name])));
    data.push(...(await Promise.all(read.map(({ name, args }) => encode(w.world, name, args)))));
    const at = (await time.latest()) + 10;
    const resultOf = async (arm: string[], expected = LOCK) => {
      const before = await networkHelpers.takeSnapshot();
      await self.arm(moment, w.arena, arm, expected, FREE);
      await time.setNextBlockTimestamp(at);
      await outer();
      const state = await stateOf(w.watch);
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
    expect(changes(quiet.state, loud.state)).to.deep.equal([]);
    if (moment === "balanceOf") {
      // It kept no answers, but reverts unless all are refused; told to expect another refusal it does revert.
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

describe("Known attacks", function () {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("Re-entering every function of the arena", () => {
    const wildMatch = () => offered(w.world, { changes: { game: w.wild.target as string }, by: w.carol });
    const statusIs =
      (status: bigint, ahead = 0n) =>
      async (count: bigint) => [
        { name: "statusOf", args: [count + ahead], result: status },
        { name: "purseOf", args: [w.carol.address, COIN], result: 0n },
        { name: "matchCount", args: [], result: count + ahead },
      ];

    it("a game that re-enters on create", async () => {
      const terms = await termsFor(w.world, { game: w.wild.target as string });
      const prepare = async () => () => w.arena.connect(w.carol).create(terms, w.bob, 0, "0x", FREE);
      await cannotReenter(w, w.wild, "create", prepare, statusIs(Status.P1Deposited, 1n));
    });

    it("a game that re-enters on join", async () => {
      const prepare = async () => {
        const { id, hash } = await wildMatch();
        await w.arena.connect(w.bob).fund(id, hash);
        return () => w.arena.connect(w.bob).join(id, hash, "0x", FREE);
      };
      await cannotReenter(w, w.wild, "join", prepare, statusIs(Status.AllJoined));
    });

    it("a game that re-enters on act", async () => {
      const prepare = async () => {
        const { id, hash } = await wildMatch();
        await w.arena.connect(w.bob).fund(id, hash);
        await w.arena.connect(w.bob).join(id, hash, "0x");
        return () => w.arena.connect(w.carol).act(id, "0x", FREE);
      };
      await cannotReenter(w, w.wild, "act", prepare, statusIs(Status.AllJoined));
    });

    it("a token that re-enters from transferFrom", async () => {
      const prepare = async () => () => w.arena.connect(w.alice).deposit(w.odd, 5n, w.bob, FREE);
      await cannotReenter(w, w.odd, "transferFrom", prepare);
    });

    it("a token that re-enters from transfer", async () => {
      const prepare = async () => () => w.arena.connect(w.alice).withdraw(w.odd, 5n, w.bob, FREE);
      await cannotReenter(w, w.odd, "transfer", prepare);
    });

    it("a token that re-enters from permit", async () => {
      const permit = [w.odd, 5n, 0n, 27, ZERO_HASH, ZERO_HASH] as const;
      const prepare = async () => () => w.arena.connect(w.alice).depositWithPermit(...permit, FREE);
      await cannotReenter(w, w.odd, "permit", prepare);
    });

    it("a token that re-enters from balanceOf on deposit, on withdrawal and on its ERC-1363 callback", async () => {
      const { arena, odd, alice } = w;
      await cannotReenter(w, odd, "balanceOf", async () => () => arena.connect(alice).deposit(odd, 5n, alice, FREE));
      await cannotReenter(w, odd, "balanceOf", async () => () => arena.connect(alice).withdraw(odd, 5n, alice, FREE));
      const callback = await encode(w.world, "onTransferReceived", [alice, alice, 5n, "0x"]);
      const asAlice = odd.connect(alice) as unknown as Contract;
      await cannotReenter(w, odd, "balanceOf", async () => () => asAlice.transferAndCall(arena, 5n, callback, FREE));
    });

    it("a receiver of coins that re-enters from withdraw", async () => {
      await cannotReenter(
        w,
        w.puppet,
        "receive",
        async () => () => as(w.puppet, w.world)("withdraw", [COIN, 5n, w.puppet]),
      );
    });
  });

  describe("Forged and forced ERC-1363 credit", () => {
    it("a caller that is no contract, or no token, credits nobody", async () => {
      const { arena, alice, bob, wild } = w;
      await fails(w.watch, () => arena.connect(bob).onTransferReceived(bob, bob, 1n, "0x", FREE));
      await fails(w.watch, () => arena.connect(bob).onTransferReceived(alice, alice, 0n, "0x", FREE));
      await refused(w.watch, () => as(wild, w.world)("onTransferReceived", [alice, alice, 1n, "0x"]), "NotReceived", [
        wild,
        0,
        1,
      ]);
    });

    it("a token that calls without sending credits nobody, whomever it names", async () => {
      const { odd, alice, bob } = w;
      for (const from of [alice, bob, odd]) {
        const call = () => as(odd, w.world)("onTransferReceived", [bob, from, 1n, "0x"]);
        await refused(w.watch, call, "NotReceived", [odd, 0, 1]);
      }
    });

    it("a token that names nobody as the sender credits nobody", async () => {
      await refused(w.watch, () => as(w.odd, w.world)("onTransferReceived", [w.bob, COIN, 0n, "0x"]), "BadReceiver", [
        COIN,
      ]);
    });

    it("a hostile token cannot seat a victim out of its purse in another token", async () => {
      const { odd, bob } = w;
      const { id, hash, terms } = await offered(w.world);
      const call = () => as(odd, w.world)("onTransferReceived", [bob, bob, 0n, ORDER(id, hash)]);
      await refused(w.watch, call, "WrongToken", [id, odd, terms.token]);
    });

    it("a stranger's transferFromAndCall of nothing on a victim's behalf seats nobody", async () => {
      const { arena, fight, bob, stranger } = w;
      const token = fight.connect(stranger);
      for (const changes of [{}, { stake2: 0n }]) {
        const { id, hash } = await offered(w.world, { changes });
        const send = () =>
          token["transferFromAndCall(address,address,uint256,bytes)"](bob, arena, 0n, ORDER(id, hash), FREE);
        await refused(w.watch, send, "NotTheOwner", [stranger, bob]);
      }
      await withoutEffect(w.watch, () => token["transferFromAndCall(address,address,uint256)"](bob, arena, 0n, FREE));
    });

    it("a spender with an allowance may fill its owner's purse but not seat it", async () => {
      const { arena, fight, bob, stranger } = w;
      const { id, hash } = await offered(w.world);
      await fight.connect(bob).approve(stranger, 50n * UNIT);
      const token = fight.connect(stranger);
      const send = () =>
        token["transferFromAndCall(address,address,uint256,bytes)"](bob, arena, 10n * UNIT, ORDER(id, hash), FREE);
      await refused(w.watch, send, "NotTheOwner", [stranger, bob]);
      await token["transferFromAndCall(address,address,uint256)"](bob, arena, 10n * UNIT);
      expect(await arena.purseOf(bob, fight)).to.equal(1010n * UNIT);
      expect(await arena.purseOf(stranger, fight)).to.equal(0n);
    });

    it("an owner's own transfer of less than the stake does not draw on its older purse", async () => {
      const { arena, fight, bob } = w;
      const { id, hash, terms } = await offered(w.world);
      for (const value of [0n, terms.stake2 - 1n]) {
        const send = () => sendWith(fight.connect(bob), arena, value, ORDER(id, hash), FREE);
        await refused(w.watch, send, "TransferTooSmall", [id, value, terms.stake2]);
      }
    });
  });

  describe("Odd tokens", () => {
    it("a token that seats its victim in a match and lets the clock run out costs the victim no rating", async () => {
      const { arena, alice, bob, odd, scripted, fight, stranger } = w;
      const { id, hash } = await offered(w.world, { changes: { token: odd.target as string, stake1: 0n, stake2: 1n } });
      await odd.mint(arena, 1n);
      await as(odd, w.world)("onTransferReceived", [bob, bob, 1n, ORDER(id, hash)]);
      expect((await arena.matchOf(id)).player2).to.equal(bob.address);
      await time.increase(HOUR + 1n);
      const before = [
        [...(await arena.recordOf(scripted, bob))],
        await arena.purseOf(bob, fight),
        await arena.purseOf(bob, COIN),
      ];
      await arena.connect(stranger).timeout(id);
      expect(await arena.statusOf(id)).to.equal(Status.P1WinInactive);
      const after = [
        [...(await arena.recordOf(scripted, bob))],
        await arena.purseOf(bob, fight),
        await arena.purseOf(bob, COIN),
      ];
      expect(after).to.deep.equal(before);
      expect((await arena.recordOf(scripted, alice)).wins).to.equal(0n);
    });

    it("a token that takes fees is refused", async () => {
      await w.odd.adopt(TOKEN.fees);
      await refused(w.watch, () => w.arena.connect(w.alice).deposit(w.odd, 100n, w.alice, FREE), "NotReceived", [
        w.odd,
        90,
        100,
      ]);
    });

    it("a token that returns nothing works", async () => {
      await w.odd.adopt(TOKEN.nothing);
      await w.arena.connect(w.alice).deposit(w.odd, 100n, w.alice);
      await w.arena.connect(w.alice).withdraw(w.odd, 600n, w.carol);
      expect(await w.odd.balanceOf(w.carol)).to.equal(600n);
      expect(await w.arena.purseOf(w.alice, w.odd)).to.equal(0n);
    });

    it("a token that returns false is refused, whether it moved anything or not", async () => {
      for (const habit of [TOKEN.false, TOKEN.falseAnyway]) {
        await w.odd.adopt(habit);
        const asAlice = w.arena.connect(w.alice);
        await refused(w.watch, () => asAlice.deposit(w.odd, 1n, w.alice, FREE), "SafeERC20FailedOperation", [w.odd]);
        await refused(w.watch, () => asAlice.withdraw(w.odd, 1n, w.alice, FREE), "SafeERC20FailedOperation", [w.odd]);
      }
    });

    it("a token that blocklists a receiver keeps its money in the purse, from where it goes elsewhere", async () => {
      await w.odd.blockAccount(w.alice, true);
      const asAlice = w.arena.connect(w.alice);
      await refused(w.watch, () => asAlice.withdraw(w.odd, 500n, w.alice, FREE), "Blocked", [w.alice], w.odd);
      await asAlice.withdraw(w.odd, 500n, w.carol);
      expect(await w.odd.balanceOf(w.carol)).to.equal(500n);
    });

    it("a token that understates balances lets nobody in or out", async () => {
      await w.odd.adopt(TOKEN.hides);
      const asAlice = w.arena.connect(w.alice);
      await refused(w.watch, () => asAlice.deposit(w.odd, 1n, w.alice, FREE), "NotReceived", [w.odd, 0, 1]);
      await refused(w.watch, () => asAlice.withdraw(w.odd, 1n, w.alice, FREE), "NotCovered", [w.odd, 0, 999]);
    });

    it("a token that takes balances back breaks its own purses only, the first come being served", async () => {
      await w.odd.take(w.arena, 400n);
      await refused(w.watch, () => w.arena.connect(w.alice).withdraw(w.odd, 500n, w.alice, FREE), "NotCovered", [
        w.odd,
        100,
        500,
      ]);
      await w.arena.connect(w.alice).withdraw(w.fight, 1000n * UNIT, w.alice);
      await w.arena.connect(w.alice).withdraw(COIN, 100n, w.carol);
    });

    it("whatever a token does, only purses in that token are touched and its matches end as they should", async () => {
      const { arena, alice, bob, odd, fight, treasury } = w;
      const oddStakes = { token: odd.target as string, stake1: 10n, stake2: 10n };
      for (const [name, habit] of Object.entries(TOKEN)) {
        const snapshot = await networkHelpers.takeSnapshot();
        const { id } = await inPlay(w.world, { changes: oddStakes });
        const others = await inPlay(w.world);
        await odd.adopt(habit);
        const money = async () => {
          const sums: bigint[] = [];
          for (const token of [COIN, fight]) {
            sums.push(await arena.totalOf(token));
            for (const player of [alice, bob, treasury, odd]) sums.push(await arena.purseOf(player, token));
          }
          return [...sums, await fight.balanceOf(arena), await ethers.provider.getBalance(arena)];
        };
        const before = await money();
        for (const call of [
          () => arena.connect(alice).deposit(odd, 7n, alice, FREE),
          () => arena.connect(alice).withdraw(odd, 7n, alice, FREE),
          () => as(odd, w.world)("onTransferReceived", [alice, alice, 10n ** 6n, "0x"]),
        ]) {
          await call().catch(() => undefined);
        }
        await arena.connect(alice).act(id, WIN);
        expect(await arena.purseOf(treasury, odd), name).to.equal(4n);
        expect(await money(), name).to.deep.equal(before);
        await arena.connect(alice).act(others.id, WIN);
        expect(await arena.purseOf(alice, fight), name).to.equal(1006n * UNIT);
        await snapshot.restore();
      }
    });
  });

  describe("Uninvited money", () => {
    it("bare coins sent to any contract are refused", async () => {
      const { arena, autoBattler, fight, fighters, bob } = w;
      for (const contract of [arena, autoBattler, fight, fighters]) {
        for (const data of ["0x", "0x12345678"]) {
          await fails(w.watch, () => bob.sendTransaction({ to: contract, value: 1n, data, ...FREE }));
        }
      }
    });

    it("coins sent with a function that takes none are refused", async () => {
      const calls = await plausible(w, w.puppet);
      await w.arena.transferOwnership(w.puppet);
      await as(w.puppet, w.world)("acceptOwnership", []);
      await w.owner.sendTransaction({ to: w.puppet, value: 10n });
      const unpaid = changing(w.arena).filter((fragment) => !fragment.payable && fragment.name !== "acceptOwnership");
      expect(unpaid.length).to.equal(12);
      for (const { name } of unpaid) await fails(w.watch, () => as(w.puppet, w.world)(name, calls[name], 1n));
    });

    it("coins forced in by selfdestruct are nobody's: no way credits them, no way withdraws them, nothing breaks", async () => {
      const { arena, alice, bob, carol, stranger } = w;
      await forceCoins(stranger, arena.target as string, 50n);
      const total = await arena.totalOf(COIN);
      expect(await ethers.provider.getBalance(arena)).to.equal(total + 50n);
      await refused(w.watch, () => arena.connect(stranger).deposit(COIN, 50n, stranger, FREE), "WrongValue", [0, 50]);
      const tooMuch = () => arena.connect(stranger).deposit(COIN, 51n, stranger, { value: 1n, ...FREE });
      await refused(w.watch, tooMuch, "WrongValue", [1, 51]);
      await refused(w.watch, () => arena.connect(stranger).withdraw(COIN, 1n, stranger, FREE), "PurseTooLow", [
        stranger,
        COIN,
        0,
        1,
      ]);
      const { id, hash } = await offered(w.world, { changes: { token: COIN, stake1: 20n, stake2: 20n } });
      await refused(w.watch, () => arena.connect(carol).fund(id, hash, FREE), "PurseTooLow", [carol, COIN, 0, 20]);
      await arena.connect(carol).fund(id, hash, { value: 25n });
      expect(await arena.purseOf(carol, COIN)).to.equal(5n);
      await arena.connect(carol).join(id, hash, step(Seat.None, Seat.Two));
      const purse = await arena.purseOf(carol, COIN);
      await arena.connect(carol).withdraw(COIN, purse, carol);
      await arena.connect(bob).withdraw(COIN, 100n, bob);
      await arena.connect(alice).withdraw(COIN, 80n, alice);
      expect(await ethers.provider.getBalance(arena)).to.equal((await arena.totalOf(COIN)) + 50n);
    });

    it("tokens sent bare are nobody's", async () => {
      const { arena, fight, alice, stranger } = w;
      await fight.connect(alice).transfer(arena, 5n);
      const send = () => fight.connect(stranger)["transferAndCall(address,uint256)"](arena, 0n, FREE);
      await withoutEffect(w.watch, send);
      await fails(w.watch, () => arena.connect(stranger).deposit(fight, 5n, stranger, FREE));
      await refused(
        w.watch,
        () => as(w.puppet, w.world)("onTransferReceived", [alice, alice, 5n, "0x"]),
        "NotReceived",
      );
      await arena.connect(alice).deposit(fight, 3n, alice);
      expect(await arena.purseOf(alice, fight)).to.equal(1000n * UNIT + 3n);
      expect(await fight.balanceOf(arena)).to.equal((await arena.totalOf(fight)) + 5n);
    });

    it("coins forced into a game belong to nobody and change no result", async () => {
      await forceCoins(w.stranger, w.scripted.target as string, 50n);
      const { id } = await inPlay(w.world);
      await w.arena.connect(w.alice).act(id, WIN);
      expect(await w.arena.purseOf(w.alice, w.fight)).to.equal(1006n * UNIT);
    });
  });

  describe("Hostile receivers", () => {
    const coin = { token: COIN, stake1: 10n, stake2: 10n };
    /** Plays a match in coins in which the puppet has the role; returns what its purse must then hold. */
    const settled = async (role: string): Promise<bigint> => {
      const { arena, alice, bob, puppet } = w;
      if (role === "treasury") {
        await arena.setTreasury(puppet);
        const { id } = await inPlay(w.world, { changes: coin });
        await arena.connect(alice).act(id, WIN);
        return 104n;
      }
      const terms = await termsFor(w.world, coin);
      await as(puppet, w.world)("create", [terms, bob, 0, "0x"]);
      const id = await arena.matchCount();
      if (role === "refunded challenger") {
        await as(puppet, w.world)("cancel", [id]);
        return 100n;
      }
      await arena.connect(bob).fund(id, termsHash(terms));
      await arena.connect(bob).join(id, termsHash(terms), step(Seat.None, role === "winner" ? Seat.One : Seat.Two));
      return role === "winner" ? 106n : 90n;
    };

    for (const [manner, number] of Object.entries(RECEIVERS)) {
      for (const role of ["winner", "loser", "treasury", "refunded challenger"]) {
        it(`a ${role} that ${manner} keeps its credit, and the settlement never notices`, async () => {
          const { arena, bob, carol, puppet } = w;
          await puppet.behave(number);
          const purse = await settled(role);
          expect(await arena.purseOf(puppet, COIN)).to.equal(purse);
          await fails(w.watch, () => as(puppet, w.world)("withdraw", [COIN, purse, puppet]));
          const before = await ethers.provider.getBalance(carol);
          await as(puppet, w.world)("withdraw", [COIN, purse, carol]);
          expect(await ethers.provider.getBalance(carol)).to.equal(before + purse);
          await arena.connect(bob).withdraw(COIN, 1n, bob);
        });
      }
    }

    it("a receiver that returns a huge blob is paid", async () => {
      await w.puppet.behave(4);
      await as(w.puppet, w.world)("withdraw", [COIN, 100n, w.puppet]);
      expect(await ethers.provider.getBalance(w.puppet)).to.equal(100n);
    });

    it("a withdrawal pays once", async () => {
      const { arena, alice } = w;
      await arena.connect(alice).withdraw(COIN, 100n, alice);
      await refused(w.watch, () => arena.connect(alice).withdraw(COIN, 1n, alice, FREE), "PurseTooLow", [
        alice,
        COIN,
        0,
        1,
      ]);
    });
  });

  describe("On sight of the answer", () => {
    type Move = "cancel" | "fund" | "join" | "second account funds" | "second account joins";
    const send = (match: Match, move: Move) => {
      const { arena, alice, bob, carol } = w;
      if (move === "cancel") return arena.connect(alice).cancel(match.id, FREE);
      if (move === "fund") return arena.connect(bob).fund(match.id, match.hash, FREE);
      if (move === "join") return arena.connect(bob).join(match.id, match.hash, step(Seat.One), FREE);
      if (move === "second account funds") return arena.connect(carol).fund(match.id, match.hash, FREE);
      return arena.connect(carol).join(match.id, match.hash, step(Seat.One), FREE);
    };
    const ordersOf = (moves: Move[]): Move[][] =>
      moves.length < 2
        ? [moves]
        : moves.flatMap((move) => ordersOf(moves.filter((m) => m !== move)).map((rest) => [move, ...rest]));
    /** Sends in order; the errors, or "ok". */
    const outcome = async (match: Match, moves: Move[]): Promise<string[]> => {
      const outcomes: string[] = [];
      for (const move of moves) {
        const result = await send(match, move).then(
          () => "ok",
          (error: unknown) => w.arena.interface.parseError((error as { data: string }).data)!.name,
        );
        outcomes.push(result);
      }
      return outcomes;
    };

    type Race = { firmFor?: bigint; named?: boolean; funded?: boolean };
    const races: [string, Race, Move[], Record<string, string[]>][] = [
      [
        "a soft offer to anyone",
        {},
        ["cancel", "fund", "join"],
        {
          "cancel, fund, join": ["ok", "WrongStatus", "WrongStatus"],
          "cancel, join, fund": ["ok", "WrongStatus", "WrongStatus"],
          "fund, cancel, join": ["ok", "WrongStatus", "ok"],
          "fund, join, cancel": ["ok", "ok", "WrongStatus"],
          "join, cancel, fund": ["FundFirst", "ok", "WrongStatus"],
          "join, fund, cancel": ["FundFirst", "ok", "WrongStatus"],
        },
      ],
      [
        "a firm offer to a named opponent",
        { firmFor: HOUR, named: true },
        ["cancel", "join", "second account joins"],
        {
          "cancel, join, second account joins": ["OfferIsFirm", "ok", "WrongStatus"],
          "cancel, second account joins, join": ["OfferIsFirm", "NotTheOpponent", "ok"],
          "join, cancel, second account joins": ["ok", "WrongStatus", "WrongStatus"],
          "join, second account joins, cancel": ["ok", "WrongStatus", "WrongStatus"],
          "second account joins, cancel, join": ["NotTheOpponent", "OfferIsFirm", "ok"],
          "second account joins, join, cancel": ["NotTheOpponent", "ok", "WrongStatus"],
        },
      ],
      [
        "a firm offer to anyone",
        { firmFor: HOUR },
        ["join", "cancel", "second account funds"],
        {
          "join, cancel, second account funds": ["FundFirst", "OfferIsFirm", "ok"],
          "join, second account funds, cancel": ["FundFirst", "ok", "WrongStatus"],
          "cancel, join, second account funds": ["OfferIsFirm", "FundFirst", "ok"],
          "cancel, second account funds, join": ["OfferIsFirm", "ok", "NotTheOpponent"],
          "second account funds, join, cancel": ["ok", "NotTheOpponent", "WrongStatus"],
          "second account funds, cancel, join": ["ok", "WrongStatus", "NotTheOpponent"],
        },
      ],
      [
        "a seat that was funded",
        { funded: true },
        ["join", "cancel", "second account funds", "second account joins"],
        {},
      ],
    ];
    for (const [what, { firmFor, named, funded }, moves, table] of races) {
      it(`cancelling, or seating a second account, fails in every order: ${what}`, async () => {
        for (const order of ordersOf(moves)) {
          const match = await offered(w.world, { firmFor, opponent: named ? w.bob : COIN });
          if (funded) await send(match, "fund");
          const results = await outcome(match, order);
          const expected = funded
            ? order.map((move, i) => {
                if (move === "join") return "ok";
                return move === "second account joins" && i < order.indexOf("join") ? "NotTheOpponent" : "WrongStatus";
              })
            : table[order.join(", ")];
          expect(results, order.join(", ")).to.deep.equal(expected);
          // Once an answer was accepted nothing undoes it: the match is in play, with Bob.
          if (results[order.indexOf("join")] === "ok") {
            const { status, player2 } = await w.arena.matchOf(match.id);
            expect([status, player2]).to.deep.equal([Status.AllJoined, w.bob.address]);
          }
        }
      });
    }

    it("no answer is in the open at the timestamp at which its seat was taken", async () => {
      const { id, hash } = await offered(w.world, { changes: { token: COIN, stake1: 1n, stake2: 1n } });
      const calls = [
        await encode(w.world, "fund", [id, hash]),
        await encode(w.world, "join", [id, hash, step(Seat.One)]),
      ];
      await refused(w.watch, () => w.puppet.runAll(w.arena, calls, FREE), "JoinTooSoon");
    });
  });

  describe("Seats", () => {
    it("join twice or overwrite a seat", async () => {
      const { arena, alice, bob, carol } = w;
      const { id, hash } = await taken(w.world);
      for (const player of [bob, carol]) {
        await refused(w.watch, () => arena.connect(player).fund(id, hash, FREE), "WrongStatus", [id, 2]);
      }
      await refused(w.watch, () => arena.connect(alice).fund(id, hash, FREE), "WrongStatus", [id, 2]);
      await refused(w.watch, () => arena.connect(alice).join(id, hash, "0x", FREE), "OwnOpponent", [alice]);
      await arena.connect(bob).join(id, hash, step(Seat.One));
      for (const player of [alice, bob, carol]) {
        await refused(w.watch, () => arena.connect(player).join(id, hash, step(Seat.Two), FREE), "WrongStatus", [
          id,
          3,
        ]);
        await refused(w.watch, () => arena.connect(player).fund(id, hash, FREE), "WrongStatus", [id, 3]);
      }
    });

    it("a player that takes both seats", async () => {
      const { arena, alice } = w;
      const { id, hash, terms } = await offered(w.world);
      await refused(w.watch, () => arena.connect(alice).fund(id, hash, FREE), "OwnOpponent", [alice]);
      await refused(w.watch, () => arena.connect(alice).join(id, hash, "0x", FREE), "OwnOpponent", [alice]);
      await refused(w.watch, () => arena.connect(alice).create(terms, alice, 0, "0x", FREE), "OwnOpponent", [alice]);
    });
  });

  describe("Time", () => {
    const at = (send: () => Promise<unknown>, second: bigint) => async () => {
      await time.setNextBlockTimestamp(second);
      return send();
    };

    it("resigning after the deadline", async () => {
      const { arena, alice, bob } = w;
      for (const player of [alice, bob]) {
        const { id } = await inPlay(w.world);
        const { deadline } = await arena.matchOf(id);
        const resign = () => arena.connect(player).resign(id, FREE);
        await refused(w.watch, at(resign, deadline + 1n), "TooLate", [id, deadline, deadline + 1n]);
      }
    });

    it("timing out at the exact second of the deadline, in every waiting status", async () => {
      const { arena, stranger } = w;
      const unfunded = { changes: { stake1: 5000n * UNIT } };
      for (const begin of [
        () => offered(w.world, unfunded),
        () => offered(w.world),
        () => taken(w.world),
        () => inPlay(w.world),
      ]) {
        const { id } = await begin();
        const { deadline } = await arena.matchOf(id);
        const timeout = () => arena.connect(stranger).timeout(id, FREE);
        await refused(w.watch, at(timeout, deadline), "TooEarly", [id, deadline, deadline]);
        await at(timeout, deadline + 1n)();
        await refused(w.watch, timeout, "WrongStatus", [id, await arena.statusOf(id)]);
      }
    });

    it("timing out by the deadline of an earlier phase", async () => {
      const { arena, alice, bob, stranger } = w;
      const timeout = (id: bigint) => () => arena.connect(stranger).timeout(id, FREE);
      const { id, hash } = await offered(w.world, { firmFor: 600n });
      const offer = (await arena.matchOf(id)).deadline;
      await at(() => arena.connect(bob).fund(id, hash), offer)();
      await refused(w.watch, at(timeout(id), offer + 1n), "TooEarly", [id, offer + HOUR, offer + 1n]);
      await at(() => arena.connect(bob).join(id, hash, step(Seat.One)), offer + HOUR)();
      await refused(w.watch, at(timeout(id), offer + HOUR + 1n), "TooEarly");
      const play = (await arena.matchOf(id)).deadline;
      await at(() => arena.connect(alice).act(id, step(Seat.Two)), play)();
      await refused(w.watch, at(timeout(id), play + 1n), "TooEarly");
    });
  });

  describe("Hostile games", () => {
    it("lying in a step: of all steps only the lawful are accepted, at every entry", async () => {
      const { arena, alice, bob } = w;
      const terms = await termsFor(w.world);
      const { id: play } = await inPlay(w.world);
      const { id: funded, hash } = await taken(w.world);
      await networkHelpers.mine();
      for (const turn of Object.values(Seat)) {
        for (const winner of Object.values(Seat)) {
          for (const taker of Object.values(Seat)) {
            const lie = step(turn, winner, taker);
            const opening = turn === Seat.Two && winner + taker === 0n;
            const later = turn === Seat.None || winner + taker === 0n;
            const sends: [boolean, () => Promise<unknown>][] = [
              [opening, () => arena.connect(alice).create.staticCall(terms, COIN, 0, lie)],
              [later, () => arena.connect(bob).join.staticCall(funded, hash, lie)],
              [later, () => arena.connect(alice).act.staticCall(play, lie)],
            ];
            for (const [lawful, send] of sends) {
              if (lawful) await send();
              else await expect(send()).to.be.revertedWithCustomError(arena, "BadStep");
            }
          }
        }
      }
      await refused(w.watch, () => arena.connect(alice).act(play, step(Seat.One, Seat.One), FREE), "BadStep", [
        play,
        [1n, 1n, 1n],
      ]);
    });

    it("answering no step at all", async () => {
      const { arena, alice, wild } = w;
      const { id } = await inPlay(w.world, { changes: { game: wild.target as string } });
      const word = (n: number) => ethers.toBeHex(n, 32);
      for (const words of [[], [1], [1, 0], [3, 0, 0], [0, 256, 0], [0, 0, 2 ** 40]]) {
        await wild.behave(ANSWERS_RAW, ethers.concat(words.map(word)));
        await fails(w.watch, () => arena.connect(alice).act(id, "0x", FREE));
      }
    });

    for (const [what, manner] of Object.entries(GAME)) {
      it(`a game that ${what} at every entry: others' matches, timeout, resignation and cancelling do not notice`, async () => {
        const { arena, alice, bob, wild, fight, stranger, treasury } = w;
        const game = { changes: { game: wild.target as string } };
        const played = await inPlay(w.world, game);
        const given = await inPlay(w.world, game);
        const open = await offered(w.world, game);
        const other = await inPlay(w.world);
        const { id, hash, terms } = await taken(w.world, game);
        await wild.behave(manner, "0x");
        const gas = { ...FREE, gasLimit: what === "loops for ever" ? 1_000_000n : FREE.gasLimit };
        await fails(w.watch, () => arena.connect(alice).create(terms, COIN, 0, "0x", gas));
        await fails(w.watch, () => arena.connect(bob).join(id, hash, "0x", gas));
        await fails(w.watch, () => arena.connect(alice).act(played.id, "0x", gas));
        await arena.connect(alice).act(other.id, WIN);
        await arena.connect(bob).resign(given.id);
        await arena.connect(alice).cancel(open.id);
        await time.increase(HOUR + 1n);
        await arena.connect(stranger).timeout(id);
        await arena.connect(stranger).timeout(played.id);
        const statuses = await Promise.all([played, given, open, other, { id }].map((m) => arena.statusOf(m.id)));
        expect(statuses).to.deep.equal([10n, 6n, 8n, 6n, 9n]);
        expect(await arena.purseOf(alice, fight)).to.equal((1000n - 50n + 10n + 2n * 16n + 20n) * UNIT);
        expect(await arena.purseOf(bob, fight)).to.equal((1000n - 40n + 20n) * UNIT);
        expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT);
      });
    }

    it("strangers calling a game's create, join and act directly", async () => {
      const { arena, autoBattler, scripted, alice, owner, stranger } = w;
      const { id } = await inPlay(w.world);
      const duel = { id, mode: ZERO_HASH, rated: true, player1: w.alice, player2: w.bob };
      for (const game of [autoBattler, AutoBattler__factory.connect(scripted.target as string)]) {
        for (const caller of [alice, owner, stranger]) {
          const connected = game.connect(caller);
          for (const call of [
            () => connected.create(duel, "0x", FREE),
            () => connected.join(duel, "0x", FREE),
            () => connected.act(duel, Seat.One, "0x", FREE),
          ]) {
            await refused(w.watch, call, "NotTheArena", [caller, arena], game);
          }
        }
      }
    });

    it("another arena calling a game that is not deployed for it", async () => {
      const { alice, owner, scripted, arena } = w;
      const foreign = Arena__factory.connect((await deployMock("Arena", owner, owner)).target as string, alice);
      const terms = await termsFor(w.world, { stake1: 0n, stake2: 0n });
      await refused(
        w.watch,
        () => foreign.create(terms, COIN, 0, "0x", FREE),
        "NotTheArena",
        [foreign, arena],
        scripted,
      );
    });

    it("a game whose address holds no contract yet", async () => {
      const { arena, alice } = w;
      const game = getCreateAddress({ from: alice.address, nonce: 1000 });
      const terms = await termsFor(w.world, { game });
      await refused(w.watch, () => arena.connect(alice).create(terms, COIN, 0, "0x", FREE), "NotAContract", [game]);
    });
  });

  describe("Foreign matches", () => {
    it("unknown match ids in every function, views included", async () => {
      const { arena, fight, alice } = w;
      const { hash } = await offered(w.world);
      const player = arena.connect(alice);
      for (const id of [0n, 2n, 2n ** 40n + 1n, 2n ** 64n + 1n, ethers.MaxUint256]) {
        for (const call of [
          () => player.fund(id, hash, FREE),
          () => player.join(id, hash, WIN, FREE),
          () => player.act(id, WIN, FREE),
          () => player.cancel(id, FREE),
          () => player.resign(id, FREE),
          () => player.timeout(id, FREE),
          () => sendWith(fight.connect(alice), arena, 10n * UNIT, ORDER(id, hash), FREE),
          () => arena.matchOf(id),
          () => arena.statusOf(id),
        ]) {
          await refused(w.watch, call, "UnknownMatch", [id]);
        }
      }
    });

    it("finished matches in every function, for their players and for strangers", async () => {
      const { arena, fight, alice, bob, stranger } = w;
      for (const turn of [Seat.One, Seat.Two]) {
        const { id, hash } = await inPlay(w.world, {}, turn);
        await arena.connect(turn === Seat.One ? alice : bob).act(id, WIN);
        for (const caller of [alice, bob, stranger]) {
          const connected = arena.connect(caller);
          for (const call of [
            () => connected.fund(id, hash, FREE),
            () => connected.join(id, hash, WIN, FREE),
            () => connected.act(id, WIN, FREE),
            () => connected.resign(id, FREE),
            () => connected.timeout(id, FREE),
          ]) {
            await refused(w.watch, call, "WrongStatus", [id, Status.P1Win]);
          }
        }
        await refused(w.watch, () => arena.connect(alice).cancel(id, FREE), "WrongStatus", [id, Status.P1Win]);
        const order = () => sendWith(fight.connect(bob), arena, 10n * UNIT, ORDER(id, hash), FREE);
        await refused(w.watch, order, "WrongStatus", [id, Status.P1Win]);
      }
    });

    it("other people's matches in every function, the owner's and the treasury's calls included", async () => {
      const { arena, alice, bob, carol, owner, treasury, stranger } = w;
      const offer = await offered(w.world, { opponent: bob, firmFor: HOUR });
      const seat = await taken(w.world);
      const play = await inPlay(w.world);
      for (const caller of [owner, treasury, carol, stranger]) {
        const connected = arena.connect(caller);
        const { id, hash } = offer;
        await refused(w.watch, () => connected.fund(id, hash, FREE), "NotTheOpponent", [id, bob, caller]);
        await refused(w.watch, () => connected.join(id, hash, WIN, FREE), "NotTheOpponent", [id, bob, caller]);
        await refused(w.watch, () => connected.join(seat.id, hash, WIN, FREE), "NotTheOpponent", [
          seat.id,
          bob,
          caller,
        ]);
        for (const match of [offer, seat, play]) {
          await refused(w.watch, () => connected.cancel(match.id, FREE), "NotTheChallenger", [match.id, alice, caller]);
          await refused(w.watch, () => connected.timeout(match.id, FREE), "TooEarly");
        }
        await refused(w.watch, () => connected.act(play.id, WIN, FREE), "NotYourTurn", [play.id, alice, caller]);
        await refused(w.watch, () => connected.resign(play.id, FREE), "NotAPlayer", [play.id, caller]);
      }
      await refused(w.watch, () => arena.connect(bob).act(play.id, WIN, FREE), "NotYourTurn", [play.id, alice, bob]);
    });

    it("an operator that does anything but act", async () => {
      const { arena, alice, stranger, fight, carol } = w;
      await arena.connect(alice).allow(stranger, 2n ** 40n - 1n);
      const offer = await offered(w.world, { by: carol, opponent: alice });
      const own = await offered(w.world);
      const play = await inPlay(w.world);
      const operator = arena.connect(stranger);
      await refused(w.watch, () => operator.fund(offer.id, offer.hash, FREE), "NotTheOpponent");
      await refused(w.watch, () => operator.join(offer.id, offer.hash, WIN, FREE), "NotTheOpponent");
      await refused(w.watch, () => operator.cancel(own.id, FREE), "NotTheChallenger");
      await refused(w.watch, () => operator.resign(play.id, FREE), "NotAPlayer");
      await refused(w.watch, () => operator.withdraw(fight, 1n, stranger, FREE), "PurseTooLow");
      await operator.act(play.id, WIN);
    });

    it("a match renumbered by a reorganisation", async () => {
      const { arena, fight, bob, carol } = w;
      const before = await networkHelpers.takeSnapshot();
      const seen = await offered(w.world);
      await before.restore();
      const instead = await offered(w.world, { changes: { stake2: 100n * UNIT }, by: carol });
      expect(instead.id).to.equal(seen.id);
      const wrong = [seen.id, seen.hash, instead.hash];
      await refused(w.watch, () => arena.connect(bob).fund(seen.id, seen.hash, FREE), "WrongTerms", wrong);
      await refused(w.watch, () => arena.connect(bob).join(seen.id, seen.hash, WIN, FREE), "WrongTerms", wrong);
      const order = () => sendWith(fight.connect(bob), arena, 10n * UNIT, ORDER(seen.id, seen.hash), FREE);
      await refused(w.watch, order, "WrongTerms", wrong);
    });
  });

  describe("The owner", () => {
    const OWNERS = ["renounceOwnership", "setShare", "setTreasury", "transferOwnership"];

    it("the functions only the owner may call are the drawn ones, and nobody else may", async () => {
      const calls = await plausible(w, w.puppet);
      const guarded: string[] = [];
      for (const { name } of changing(w.arena)) {
        const data = await encode(w.world, name, calls[name]);
        const error = await w.puppet.run.staticCall(w.arena, 0, data).then(
          () => undefined,
          (failure: unknown) => w.arena.interface.parseError((failure as { data: string }).data)?.name,
        );
        if (error === "OwnableUnauthorizedAccount") guarded.push(name);
      }
      expect(guarded.filter((name) => name !== "acceptOwnership").sort()).to.deep.equal(OWNERS);
      expect(guarded).to.include("acceptOwnership");
    });

    it("has no power over a stake, a purse or a live match", async () => {
      const { arena, owner, stranger } = w;
      const matches = [
        await offered(w.world),
        await offered(w.world, { firmFor: HOUR }),
        await taken(w.world),
        await inPlay(w.world),
      ];
      const powers: Record<string, unknown[][]> = {
        renounceOwnership: [[]],
        setShare: [[0], [1], [2000]],
        setTreasury: [[owner], [stranger], [await arena.getAddress()]],
        transferOwnership: [[stranger], [owner]],
      };
      expect(Object.keys(powers).sort()).to.deep.equal(OWNERS);
      const read = async () => {
        const seen: unknown[] = [];
        for (const { id } of matches) {
          const m = await arena.matchOf(id);
          seen.push([...m], [...(await arena.termsOf(m.termsId))]);
        }
        for (const token of [COIN, w.fight, w.odd]) {
          seen.push(await arena.totalOf(token));
          for (const player of Object.values(w.watch.accounts)) seen.push(await arena.purseOf(player, token));
        }
        return seen;
      };
      const before = await read();
      const snapshot = await networkHelpers.takeSnapshot();
      for (const [name, all] of Object.entries(powers)) {
        for (const args of all) {
          await owner.sendTransaction({ to: arena, data: await encode(w.world, name, args), ...FREE });
          expect(await read(), name).to.deep.equal(before);
          if (name === "renounceOwnership") await snapshot.restore();
        }
      }
      await refused(w.watch, () => arena.setShare(2001, FREE), "ShareTooHigh", [2001, 2000]);
      await refused(w.watch, () => arena.setTreasury(COIN, FREE), "ZeroTreasury", []);
    });

    it("the share changed while a match runs", async () => {
      const { arena, alice, bob, fight, treasury } = w;
      const offer = await offered(w.world);
      const { id } = await inPlay(w.world);
      await arena.setShare(100);
      await arena.connect(alice).act(id, WIN);
      expect(await arena.purseOf(treasury, fight)).to.equal(4n * UNIT);
      await refused(
        w.watch,
        () => arena.connect(alice).create(offer.terms, COIN, 0, "0x", FREE),
        "WrongShare",
        [2000, 100],
      );
      await arena.connect(bob).fund(offer.id, offer.hash);
      await arena.connect(bob).join(offer.id, offer.hash, WIN);
      expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT);
      await inPlay(w.world, { changes: { share: 100n } });
      const receipt = await receiptOf(arena.connect(bob).resign(await arena.matchCount()));
      expect(receipt.status).to.equal(1);
      expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT + UNIT / 5n);
    });

    it("an arena whose owner has renounced goes on", async () => {
      const { arena, alice, fight } = w;
      const { id } = await inPlay(w.world);
      await arena.renounceOwnership();
      await arena.connect(alice).act(id, WIN);
      await arena.connect(alice).withdraw(fight, 996n * UNIT, alice);
      await inPlay(w.world);
    });
  });
});
