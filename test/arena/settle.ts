import { expect } from "chai";
import { concat, dataSlice, id, N, toBeHex, Wallet, ZeroAddress, ZeroHash } from "ethers";
import { appointmentRequest, digestOf, isSignedBy, type Agreement } from "../../sdk/protocol/away/signatures.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Bench } from "../../sdk/laws/bench.js";
import type { LawGame } from "../../sdk/laws/game.js";
import { Random } from "../../sdk/laws/random.js";
import {
  agreementIn,
  agreementOn,
  bothSign,
  chainId,
  keys,
  settle,
  signedBy,
  signedBySession,
} from "../support/agreements.js";
import {
  at,
  deployed,
  deployMock,
  ethers,
  HOUR,
  inPassing,
  loadFixture,
  networkHelpers,
  now,
  Seat,
  Status,
  step,
  termsHash,
  UNIT,
  ZERO_HASH,
  type World,
} from "../support/index.js";
import { autoBattlerLaws } from "../support/laws/auto-battler.js";
import { guardiansLaws } from "../support/laws/guardians.js";
import { miniGamesLaws } from "../support/laws/mini-games.js";
import { lawOptions } from "../support/laws/options.js";
import { pistolsLaws } from "../support/laws/pistols.js";
import { ticTacToeLaws } from "../support/laws/tic-tac-toe.js";
import { warmancerLaws } from "../support/laws/warmancer.js";
import { expectSettled, inPlay, offered, taken, type Match, type Offer } from "../support/matches.js";
import { ACCEPTED, expectRefused, outcomeOf, stateOf } from "../support/refusals.js";

const { None, One, Two, Either } = Seat;
/** Uneven, to distinguish the seats; unrated, as the ladder has its own tests. */
const STAKES: Offer = { stake1: 10n * UNIT, stake2: 30n * UNIT, rated: false };
const GAMES: LawGame[] = [autoBattlerLaws, guardiansLaws, miniGamesLaws, pistolsLaws, ticTacToeLaws, warmancerLaws];
const BITS = 8 * 65;
/** One bit of every byte is flipped, at changing positions; with THOROUGH all bits are. */
const STRIDE = process.env.THOROUGH ? 1 : 7;

const PAID: Record<string, bigint[]> = {
  [`${None}`]: [10n * UNIT, 30n * UNIT, 0n],
  [`${One}`]: [32n * UNIT, 0n, 8n * UNIT],
  [`${Two}`]: [0n, 32n * UNIT, 8n * UNIT],
};
const STATUS: Record<string, bigint> = { [`${None}`]: Status.Draw, [`${One}`]: Status.P1Win, [`${Two}`]: Status.P2Win };

/** Flips a bit of bytes. */
function flipped(data: Hex, bit: number): Hex {
  const bytes = ethers.getBytes(data);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  return ethers.hexlify(bytes);
}

/** Returns the other signature that recovers to the same signer: s is high. */
function malleated(signature: Hex): Hex {
  const s = toBeHex(N - BigInt(dataSlice(signature, 32, 64)), 32);
  return concat([dataSlice(signature, 0, 32), s, dataSlice(signature, 64) === "0x1b" ? "0x1c" : "0x1b"]);
}

describe("Arena: settling by agreement", () => {
  let world: World;
  beforeEach(async () => {
    world = await loadFixture(deployed);
  });

  for (const turn of [One, Two, Either]) {
    for (const winner of [None, One, Two]) {
      it(`given turn ${turn}, when both agree on winner ${winner}, anyone settles, and the game is not called`, async () => {
        const match = await inPlay(world, STAKES, turn);
        const agreement = agreementOn(match, { winner });
        const signatures = await bothSign(world, agreement);
        const send = () => settle(world, agreement, signatures);
        const sent = await expectSettled(world, match, send, STATUS[`${winner}`], PAID[`${winner}`]);
        const { until, record } = agreement;
        await expect(sent)
          .to.emit(world.arena, "Agreed")
          .withArgs(match.id, winner, until, record, ...signatures);
        await expect(sent).not.to.emit(world.scripted, "Called");
        const { logs } = (await sent.wait())!;
        expect(logs.map((log) => world.arena.interface.parseLog(log)!.name)).to.deep.equal(["Agreed", "Settled"]);
      });
    }
  }

  for (const [winner, loser] of [
    [One, "bob"],
    [Two, "alice"],
  ] as const) {
    it(`given a rated match, when both agree on winner ${winner}, it pays and rates as resigning does`, async () => {
      const match = await inPlay(world, { stake1: 10n * UNIT, stake2: 30n * UNIT });
      const agreement = agreementOn(match, { winner });
      const signatures = await bothSign(world, agreement);
      const time = (await now()) + 100n;
      const endOf = (send: () => Promise<unknown>) =>
        inPassing(async () => {
          await at(time);
          await send();
          const [{ args }] = await world.arena.queryFilter(world.arena.filters.Settled(match.id));
          const { scripted, arena, alice, bob } = world;
          const records = await Promise.all([alice, bob].map((player) => arena.recordOf(scripted, player)));
          return [[...args], records.map((record) => [...record])];
        });
      const resigned = await endOf(() => world.arena.connect(world[loser]).resign(match.id));
      expect(await endOf(() => settle(world, agreement, signatures))).to.deep.equal(resigned);
    });
  }

  it("given a rated match, when both agree on a draw, it is rated as one", async () => {
    const match = await inPlay(world);
    const agreement = agreementOn(match, { winner: None });
    await settle(world, agreement, await bothSign(world, agreement));
    const { draws, experience } = await world.arena.recordOf(world.scripted, world.bob);
    expect([draws, experience > 0n]).to.deep.equal([1n, true]);
  });

  describe("given an agreement", () => {
    it("when the match is not in play, it is refused, whatever its status", async () => {
      const ended = await inPlay(world, STAKES);
      await world.arena.connect(world.alice).resign(ended.id);
      const canceled = await offered(world, STAKES);
      await world.arena.connect(world.alice).cancel(canceled.id);
      const agreed = await inPlay(world, STAKES);
      const agreement = agreementOn(agreed);
      await settle(world, agreement, await bothSign(world, agreement));
      const matches: [Match, bigint][] = [
        [await offered(world, { ...STAKES, funded: false }), Status.Created],
        [await offered(world, STAKES), Status.P1Deposited],
        [await taken(world, STAKES), Status.AllDeposited],
        [ended, Status.P2Win],
        [canceled, Status.P1Canceled],
        [agreed, Status.P1Win],
      ];
      for (const [match, status] of matches) {
        const own = agreementOn(match);
        const signatures = await bothSign(world, own);
        await expectRefused(world, () => settle(world, own, signatures), "WrongStatus", [match.id, status]);
        await expectRefused(
          world,
          () => world.arena.connect(world.alice).pledge(match.id, keys[0].address),
          "WrongStatus",
          [match.id, status],
        );
      }
      const unknown = { ...agreement, matchId: 99n };
      const signatures = await bothSign(world, unknown);
      await expectRefused(world, () => settle(world, unknown, signatures), "UnknownMatch", [99n]);
    });

    for (const [name, turn] of [
      ["its deadline", One],
      ["the end of 30 days of either's turn", Either],
    ] as const) {
      it(`when ${name} passes, it settles up to that second, and no later`, async () => {
        const match = await inPlay(world, STAKES, turn);
        const agreement = agreementOn(match);
        const signatures = await bothSign(world, agreement);
        const { deadline } = await world.arena.matchOf(match.id);
        await inPassing(async () => {
          await at(deadline);
          await settle(world, agreement, signatures);
        });
        await at(deadline + 1n);
        await networkHelpers.mine();
        await at(deadline + 2n);
        await expectRefused(world, () => settle(world, agreement, signatures), "TooLate", [
          match.id,
          deadline,
          deadline + 2n,
        ]);
      });
    }

    it("when its own time passes, it settles up to that second, and no later", async () => {
      const match = await inPlay(world, STAKES);
      const until = (await now()) + 600n;
      const agreement = agreementOn(match, { until });
      const signatures = await bothSign(world, agreement);
      await inPassing(async () => {
        await at(until);
        await settle(world, agreement, signatures);
      });
      await at(until + 1n);
      await expectRefused(world, () => settle(world, agreement, signatures), "TooLate", [match.id, until, until + 1n]);
    });

    it("when it names Either as winner, it is refused", async () => {
      const match = await inPlay(world, STAKES);
      const agreement = agreementOn(match, { winner: Either });
      const signatures = await bothSign(world, agreement);
      await expectRefused(world, () => settle(world, agreement, signatures), "BadWinner", [match.id, Either]);
    });

    it("when it names other terms, it is refused", async () => {
      const match = await inPlay(world, STAKES);
      const other = termsHash({ ...match.terms, stake1: 1n });
      const agreement = agreementOn(match, { termsHash: other });
      const signatures = await bothSign(world, agreement);
      await expectRefused(world, () => settle(world, agreement, signatures), "WrongTerms", [
        match.id,
        other,
        termsHash(match.terms),
      ]);
    });

    it("when it is sent again after it has settled, it is refused", async () => {
      const match = await inPlay(world, STAKES);
      const agreement = agreementOn(match);
      const signatures = await bothSign(world, agreement);
      await settle(world, agreement, signatures);
      await expectRefused(world, () => settle(world, agreement, signatures), "WrongStatus", [match.id, Status.P1Win]);
    });
  });

  describe("given signatures of an agreement", () => {
    let match: Match;
    let agreement: Agreement;
    let signatures: [Hex, Hex];
    beforeEach(async () => {
      match = await inPlay(world, STAKES);
      agreement = agreementOn(match);
      signatures = await bothSign(world, agreement);
    });

    /** Calls without sending. */
    const tried = (pair: readonly [Hex, Hex], changes: Partial<Agreement> = {}) => {
      const { matchId, termsHash: hash, winner, until, record } = { ...agreement, ...changes };
      return world.arena.settle.staticCall(matchId, hash, winner, until, record, ...pair);
    };
    const expectUnsigned = async (pair: readonly [Hex, Hex], seat: bigint, what: string) =>
      expect(await outcomeOf(world, tried(pair)), what).to.equal(`NotSigned(${match.id}, ${seat})`);

    it("when any bit of either is flipped, it is refused", async () => {
      const before = await stateOf(world);
      for (let bit = 0; bit < BITS; bit += STRIDE) {
        await expectUnsigned([flipped(signatures[0], bit), signatures[1]], One, `bit ${bit} of signature 1`);
        await expectUnsigned([signatures[0], flipped(signatures[1], bit)], Two, `bit ${bit} of signature 2`);
      }
      expect(await stateOf(world)).to.deep.equal(before);
      expect(await outcomeOf(world, tried(signatures))).to.equal(ACCEPTED);
    });

    it("when any bit of a session key's is flipped, it is refused", async () => {
      const session = { matchId: match.id, player: world.alice, key: keys[0] };
      const own = await signedBySession(world, session, await agreementIn(world, agreement));
      expect(await outcomeOf(world, tried([own, signatures[1]]))).to.equal(ACCEPTED);
      for (let bit = 0; bit < 2 * BITS; bit += STRIDE) {
        await expectUnsigned([flipped(own, bit), signatures[1]], One, `bit ${bit}`);
      }
    });

    it("when s is high, v is not 27 or 28, or all is zero, it is refused", async () => {
      const [own, others] = signatures;
      const withV = (v: number) => concat([dataSlice(own, 0, 64), toBeHex(v, 1)]);
      const parity = Number(dataSlice(own, 64)) - 27;
      const wrong: Record<string, Hex> = {
        "a high s": malleated(own),
        "v of 0 or 1": withV(parity),
        "the other v": withV(28 - parity),
        "v of 29": withV(29),
        "all zero": `0x${"00".repeat(65)}`,
        "all zero, twice": `0x${"00".repeat(130)}`,
        "r of zero": concat([ZERO_HASH, dataSlice(own, 32)]),
        "s of zero": concat([dataSlice(own, 0, 32), ZERO_HASH, dataSlice(own, 64)]),
      };
      for (const [what, signature] of Object.entries(wrong)) await expectUnsigned([signature, others], One, what);
      await expectUnsigned([own, malleated(others)], Two, "a high s in seat 2");
    });

    it("when a session key's halves are malleated or swapped, it is refused", async () => {
      const session = { matchId: match.id, player: world.alice, key: keys[0] };
      const own = await signedBySession(world, session, await agreementIn(world, agreement));
      const [first, second] = [dataSlice(own, 0, 65), dataSlice(own, 65)];
      for (const wrong of [
        concat([malleated(first), second]),
        concat([first, malleated(second)]),
        concat([second, first]),
        concat([first, first]),
        concat([signatures[0], signatures[0]]),
      ]) {
        await expectUnsigned([wrong, signatures[1]], One, wrong);
      }
    });

    it("when the length is neither 65 nor 130, it is refused", async () => {
      const session = { matchId: match.id, player: world.alice, key: keys[0] };
      const long = await signedBySession(world, session, await agreementIn(world, agreement));
      for (const length of [0, 1, 64, 66, 129, 131, 195]) {
        const cut = dataSlice(
          concat([signatures[0], ZERO_HASH, ZERO_HASH, ZERO_HASH, ZERO_HASH, ZERO_HASH]),
          0,
          length,
        );
        await expectUnsigned([cut, signatures[1]], One, `${length} bytes`);
        const cutLong = dataSlice(concat([long, ZERO_HASH, ZERO_HASH, ZERO_HASH]), 0, length);
        await expectUnsigned([cutLong, signatures[1]], One, `${length} bytes of a session key's`);
      }
    });

    it("when they are swapped, or one player's twice, it is refused", async () => {
      const [own, others] = signatures;
      await expectUnsigned([others, own], One, "swapped");
      await expectUnsigned([own, own], Two, "player 1's twice");
      await expectUnsigned([others, others], One, "player 2's twice");
    });

    it("when they are of another value of any field, it is refused", async () => {
      for (const [what, changes] of Object.entries<Partial<Agreement>>({
        "a draw": { winner: None },
        "the other winner": { winner: Two },
        "an earlier time": { until: agreement.until - 1n },
        "another record": { record: id("another record") },
      })) {
        const outcome = await outcomeOf(world, tried(signatures, changes));
        expect(outcome, what).to.equal(`NotSigned(${match.id}, ${One})`);
      }
    });

    it("when they are of another match, chain, arena, or a game, they are refused", async () => {
      const again = await inPlay(world, STAKES);
      const hash = termsHash(again.terms);
      const elsewhere = () =>
        world.arena.settle.staticCall(again.id, hash, One, agreement.until, agreement.record, ...signatures);
      expect(await outcomeOf(world, elsewhere())).to.equal(`NotSigned(${again.id}, ${One})`);

      const request = await agreementIn(world, agreement);
      const domains = {
        "another chain": { ...request.domain, chainId: 1n },
        "another arena": {
          ...request.domain,
          verifyingContract: await deployMock("Puppet").then((c) => c.getAddress()),
        },
        "the game": { ...request.domain, verifyingContract: await world.scripted.getAddress() },
        "another name": { ...request.domain, name: "Duel" },
        "another version": { ...request.domain, version: "2" },
      };
      for (const [what, domain] of Object.entries(domains)) {
        const pair: [Hex, Hex] = [
          await signedBy(world.alice, { ...request, domain }),
          await signedBy(world.bob, { ...request, domain }),
        ];
        await expectUnsigned(pair, One, what);
        await expectUnsigned([signatures[0], pair[1]], Two, what);
      }
    });

    it("when code is put at a player's address, they stay valid", async () => {
      await networkHelpers.setCode(world.alice.address, await ethers.provider.getCode(world.scripted));
      await settle(world, agreement, signatures);
      expect(await world.arena.statusOf(match.id)).to.equal(Status.P1Win);
    });

    it("when an operator of the player signs, it is refused", async () => {
      await world.arena.connect(world.alice).allow(world.carol, 2n ** 40n - 1n);
      const others = await signedBy(world.carol, await agreementIn(world, agreement));
      await expectUnsigned([others, signatures[1]], One, "an operator's");
    });
  });

  for (const game of GAMES) {
    it(`given a match of ${game.name} in play, when both agree on a winner or a draw, it ends at any point`, async () => {
      const bench = await Bench.open(game, lawOptions);
      const random = new Random(`agreed: ${game.name}`);
      const token = await bench.world.fight.getAddress();
      const { arena, alice, bob, stranger } = bench.world;
      for (const player of [alice, bob]) {
        await bench.world.fight.connect(bench.world.owner).mint(player, 100n * UNIT);
        await bench.world.fight.connect(player).approve(arena, 100n * UNIT);
        await arena.connect(player).deposit(token, 100n * UNIT, player);
      }
      for (const winner of [None, One, Two]) {
        const staked = { token, stake1: UNIT, stake2: UNIT };
        const draft = await bench.draft(random, { mode: bench.table.modes[0], ...staked });
        const sent = 2 + random.below(draft.pieces.length - 2);
        await bench.play(draft, 0, sent);
        const { matchId, terms } = draft;
        const before = await Promise.all([alice, bob].map((player) => arena.purseOf(player, token)));
        const agreement = agreementOn({ id: matchId, terms, hash: ZeroHash }, { winner });
        const request = await agreementIn({ arena }, agreement);
        const signed = await Promise.all([alice, bob].map((player) => signedBy(player, request)));
        await settle({ arena, stranger }, agreement, signed as [Hex, Hex]);
        expect(await arena.statusOf(matchId)).to.equal(STATUS[`${winner}`]);
        const after = await Promise.all([alice, bob].map((player) => arena.purseOf(player, token)));
        const house = (2n * UNIT * terms.feeBps) / 10_000n;
        const prize = (seat: bigint) => (winner === None ? UNIT : winner === seat ? 2n * UNIT - house : 0n);
        expect(after.map((purse, i) => purse - before[i])).to.deep.equal([prize(One), prize(Two)]);
      }
    });
  }
});

describe("Arena: pledged keys and session keys", () => {
  let world: World;
  let match: Match;
  const [key, otherKey] = keys;
  beforeEach(async () => {
    world = await loadFixture(deployed);
    match = await inPlay(world, STAKES);
  });

  it("given a player, when it pledges a key, the key is announced and stored for this seat of this match only", async () => {
    const again = await inPlay(world, STAKES);
    const { arena, alice } = world;
    await expect(arena.connect(alice).pledge(match.id, key.address))
      .to.emit(arena, "Pledged")
      .withArgs(match.id, One, key.address);
    expect(await arena.keyOf(match.id, One)).to.equal(key.address);
    for (const [matchId, seat] of [
      [match.id, Two],
      [match.id, None],
      [match.id, Either],
      [again.id, One],
    ] as const) {
      expect(await arena.keyOf(matchId, seat)).to.equal(ZeroAddress);
    }
  });

  it("given a key, when its player changes it, it is refused", async () => {
    const { arena, bob } = world;
    await arena.connect(bob).pledge(match.id, key.address);
    for (const next of [otherKey.address, key.address]) {
      await expectRefused(world, () => arena.connect(bob).pledge(match.id, next), "PledgedBefore", [match.id, Two]);
    }
  });

  it("given a key of zero, it is refused", async () => {
    const send = () => world.arena.connect(world.alice).pledge(match.id, ZeroAddress);
    await expectRefused(world, send, "ZeroKey", [match.id]);
  });

  it("given a stranger or an operator, when it pledges a key for a player, it is refused", async () => {
    await world.arena.connect(world.alice).allow(world.carol, 2n ** 40n - 1n);
    for (const sender of [world.carol, world.stranger, world.owner]) {
      const send = () => world.arena.connect(sender).pledge(match.id, key.address);
      await expectRefused(world, send, "NotAPlayer", [match.id, sender]);
    }
  });

  it("given a contract wallet without a key, when it pledges one, it can agree", async () => {
    const puppet = await deployMock("Puppet");
    const free = { stake1: 0n, stake2: 0n, rated: false };
    const { id: matchId, terms, hash } = await offered(world, { ...free, opponent: puppet, firmFor: HOUR });
    const run = async (name: "join" | "pledge", args: unknown[]) =>
      puppet.run(world.arena, 0, world.arena.interface.encodeFunctionData(name as never, args as never));
    await run("join", [matchId, hash, step(Two)]);
    const agreement = agreementOn({ id: matchId, terms, hash });
    const request = await agreementIn(world, agreement);
    const pair: [Hex, Hex] = [await signedBy(world.alice, request), await signedBy(key, request)];
    await expectRefused(world, () => settle(world, agreement, pair), "NotSigned", [matchId, Two]);
    await run("pledge", [matchId, key.address]);
    await settle(world, agreement, pair);
    expect(await world.arena.statusOf(matchId)).to.equal(Status.P1Win);
  });

  it("given every kind of signer, when it signs for seat 1, it counts as the arena says, and as the SDK says", async () => {
    const { arena, alice, bob, carol } = world;
    const stranger = new Wallet(id("a stranger's key"));
    const other = await inPlay(world, STAKES);
    await arena.connect(alice).pledge(match.id, key.address);
    await arena.connect(bob).pledge(match.id, otherKey.address);
    await arena.connect(alice).pledge(other.id, stranger.address);
    const agreement = agreementOn(match);
    const request = await agreementIn(world, agreement);
    const digest = digestOf(request);
    const [chain, address] = [await chainId(), await arena.getAddress()];
    const appointed = async (player: typeof alice | Wallet, session: Wallet, matchId = match.id) =>
      (await signedBy(session, request)) +
      (await signedBy(player, appointmentRequest(chain, address, matchId, session.address))).slice(2);
    const session = new Wallet(id("session"));
    const cases: [string, Hex, boolean][] = [
      ["the player", await signedBy(alice, request), true],
      ["the pledged key", await signedBy(key, request), true],
      ["a session key of the player's", await appointed(alice, session), true],
      ["the pledged key as a session key of the player's", await appointed(alice, key), true],
      ["the other player", await signedBy(bob, request), false],
      ["the other seat's key", await signedBy(otherKey, request), false],
      ["a session key of the other player's", await appointed(bob, session), false],
      ["a key pledged in another match", await signedBy(stranger, request), false],
      ["a key that nobody pledged", await signedBy(session, request), false],
      ["a stranger", await signedBy(carol, request), false],
      ["a session key that the pledged key appoints", await appointed(key, session), false],
      ["a session key that appoints itself", await appointed(session, session), false],
      ["a session key of another match", await appointed(alice, session, other.id), false],
      ["the player, in front of another's appointment", await appointed(bob, key), false],
    ];
    const signers = {
      player: alice.address,
      key: key.address,
      keyDigestOf: (of: string) => digestOf(appointmentRequest(chain, address, match.id, of)),
    };
    const others = await signedBy(bob, request);
    for (const [what, signature, counts] of cases) {
      const refusal = `NotSigned(${match.id}, ${One})`;
      expect(await outcomeOf(world, arena.checkSigned(match.id, One, digest, signature)), what).to.equal(
        counts ? ACCEPTED : refusal,
      );
      const { matchId, termsHash: hash, winner, until, record } = agreement;
      const settled = arena.settle.staticCall(matchId, hash, winner, until, record, signature, others);
      expect(await outcomeOf(world, settled), what).to.equal(counts ? ACCEPTED : refusal);
      expect(isSignedBy(digest, signature, signers), `${what}, SDK`).to.equal(counts);
    }
  });

  it("given an empty seat, when a signature is checked for it, none is valid", async () => {
    const open = await offered(world, STAKES);
    const digest = id("anything");
    const signature = await signedBy(world.alice, await agreementIn(world, agreementOn(match)));
    const zero = `0x${"00".repeat(65)}`;
    for (const [matchId, seat] of [
      [match.id, None],
      [match.id, Either],
      [open.id, Two],
    ] as const) {
      for (const each of [signature, zero, zero + zero.slice(2)]) {
        const checked = world.arena.checkSigned(matchId, seat, digest, each);
        expect(await outcomeOf(world, checked)).to.equal(`NotSigned(${matchId}, ${seat})`);
      }
    }
    const unknown = world.arena.checkSigned(99n, One, digest, signature);
    expect(await outcomeOf(world, unknown)).to.equal("UnknownMatch(99)");
  });
});
