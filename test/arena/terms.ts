import { expect } from "chai";
import { getCreateAddress, keccak256, toUtf8Bytes } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { fingerprintOf, offerHash } from "../../sdk/protocol/offer.js";
import {
  COIN,
  DAY,
  deployed,
  deployMock,
  loadFixture,
  Seat,
  Status,
  step,
  UNIT,
  ZERO_HASH,
  networkHelpers,
  termsFor,
  termsHash,
  type Terms,
  type World,
} from "../support/index.js";
import { inPlay, offered, taken, type Sent } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";
import { fundOrder } from "../support/orders.js";

const MAX = 30n * DAY;
const UNKNOWN = keccak256(toUtf8Bytes("unknown"));

function creates({ arena, alice, bob }: World, terms: Terms, opponent: object | string = bob): Sent {
  return arena.connect(alice).create(terms, opponent as never, 0n, "0x");
}

describe("Arena: terms", () => {
  describe("given an arena without terms", () => {
    it("when terms are reused, they keep their number, and the event is emitted only once", async () => {
      const world = await loadFixture(deployed);
      const { arena } = world;
      const [first, second] = [await termsFor(world), await termsFor(world, { rated: false })];
      await expect(creates(world, first)).to.emit(arena, "TermsAdded").withArgs(1n, Object.values(first));
      await expect(creates(world, second)).to.emit(arena, "TermsAdded").withArgs(2n, Object.values(second));
      await expect(creates(world, first)).not.to.emit(arena, "TermsAdded");
      const numbers = await Promise.all([1n, 2n, 3n].map(async (id) => (await arena.matchOf(id)).termsId));
      expect(numbers).to.deep.equal([1n, 2n, 1n]);
      for (const [id, terms] of [first, second].entries()) {
        expect(await arena.termsIdOf(termsHash(terms))).to.equal(id + 1);
        expect(await arena.termsOf(id + 1)).to.deep.equal(Object.values(terms));
      }
    });

    it("when one field differs, the terms get a new number", async () => {
      const world = await loadFixture(deployed);
      const { arena } = world;
      const mode = keccak256("0x01");
      await world.scripted.registerMode("0x01");
      const base = await termsFor(world, { stake1: 0n, stake2: 0n });
      const other = { game: await (await deployMock("ScriptedGame", arena)).getAddress(), token: COIN, mode };
      const changes: Partial<Terms> = { ...other, stake1: 1n, stake2: 1n, clock: 60n, rated: false };
      await creates(world, base);
      for (const [field, value] of Object.entries(changes)) {
        await expect(creates(world, { ...base, [field]: value }), field).to.emit(arena, "TermsAdded");
      }
      await arena.setFeeBps(1999);
      await expect(creates(world, { ...base, feeBps: 1999n })).to.emit(arena, "TermsAdded");
      expect(await arena.termsIdOf(termsHash({ ...base, feeBps: 1999n }))).to.equal(9n);
    });

    for (const [clock, accepted] of [
      [0n, false],
      [59n, false],
      [60n, true],
      [MAX, true],
      [MAX + 1n, false],
      [2n ** 32n - 1n, false],
    ] as const) {
      it(`when the clock is ${clock} s, the terms are ${accepted ? "accepted" : "refused"}`, async () => {
        const world = await loadFixture(deployed);
        const terms = await termsFor(world, { clock });
        if (accepted) await creates(world, terms);
        else await expectRefused(world, () => creates(world, terms), `ClockOutOfBounds(${clock}, 60, ${MAX})`);
      });
    }

    for (const feeBps of [0n, 1999n, 2001n, 10_000n]) {
      it(`when the fee is ${feeBps}, which is not the arena's, the terms are refused`, async () => {
        const world = await loadFixture(deployed);
        const terms = await termsFor(world, { feeBps });
        await expectRefused(world, () => creates(world, terms), `WrongFee(${feeBps}, 2000)`);
      });
    }

    it("when the game is not a contract, the terms are refused", async () => {
      const world = await loadFixture(deployed);
      const [person, nobody] = [
        await termsFor(world, { game: world.bob.address }),
        await termsFor(world, { game: COIN }),
      ];
      await expectRefused(world, () => creates(world, person), "NotAContract(bob)");
      await expectRefused(world, () => creates(world, nobody), "NotAContract(zero)");
    });

    it("when the game does not know the mode, the terms are refused until the mode is registered", async () => {
      const world = await loadFixture(deployed);
      const mode = keccak256("0x0102");
      const terms = await termsFor(world, { mode });
      await expectRefused(world, () => creates(world, terms), `UnknownMode(${mode})`);
      await world.scripted.registerMode("0x0102");
      await creates(world, terms);
      expect(await world.arena.termsIdOf(termsHash(terms))).to.equal(1n);
    });

    it("when the chain creates contracts at unexpected addresses, new terms are refused before a stake is locked", async () => {
      const world = await loadFixture(deployed);
      const { arena } = world;
      const known = await termsFor(world);
      await creates(world, known);
      const place = async (nonce: bigint) => getCreateAddress({ from: await arena.getAddress(), nonce });
      // An arena that has created two contracts has the nonce 3.
      await networkHelpers.setNonce(await arena.getAddress(), 7n);
      const refusal = `CreatedElsewhere(3, ${await place(7n)}, ${await place(3n)})`;
      const terms = await termsFor(world, { rated: false });
      await expectRefused(world, () => creates(world, terms), refusal);
      expect([await arena.termsIdOf(termsHash(terms)), await arena.matchCount()]).to.deep.equal([0n, 1n]);
      expect(await arena.purseOf(world.alice, world.fight)).to.equal(990n * UNIT);
      await creates(world, known);
      expect((await arena.matchOf(2n)).termsId).to.equal(1n);
    });

    it("when the challenger names itself as the opponent, the offer is refused", async () => {
      const world = await loadFixture(deployed);
      const terms = await termsFor(world);
      await expectRefused(world, () => creates(world, terms, world.alice), "OwnOpponent(alice)");
    });
  });

  describe("given an offer", () => {
    it("when fund, a transfer or join names another offer, the call is refused", async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, alice, bob, carol } = world;
      const { id, hash, terms } = await offered(world, { opponent: "bob", firmFor: DAY });
      const offer = { terms, player1: alice.address, fingerprint: fingerprintOf("0x") };
      expect(offerHash(offer)).to.equal(hash);
      const others = [
        offerHash({ ...offer, terms: { ...terms, rated: false } }),
        offerHash({ ...offer, player1: carol.address }),
        offerHash({ ...offer, fingerprint: fingerprintOf("0x00") }),
      ];
      for (const wrong of [...others, termsHash(terms), UNKNOWN, ZERO_HASH]) {
        const order = fundOrder(id, wrong);
        const transfer = fight.connect(bob)["transferAndCall(address,uint256,bytes)"];
        const refusal = `WrongOffer(${id}, ${wrong}, ${hash})`;
        await expectRefused(world, () => arena.connect(bob).fund(id, wrong), refusal);
        await expectRefused(world, () => transfer(arena, 10n * UNIT, order), refusal);
        await expectRefused(world, () => arena.connect(bob).join(id, wrong, step(Seat.One)), refusal);
      }
    });

    it("when join names another offer after funding, the call is refused", async () => {
      const world = await loadFixture(deployed);
      const { id, hash } = await taken(world);
      const join = () => world.arena.connect(world.bob).join(id, UNKNOWN, step(Seat.One));
      await expectRefused(world, join, `WrongOffer(${id}, ${UNKNOWN}, ${hash})`);
    });

    it("when fund names another offer and sends coin for stakes in a token, the other offer is reported", async () => {
      const world = await loadFixture(deployed);
      const { arena, bob } = world;
      const { id, hash } = await offered(world, { opponent: "bob", firmFor: DAY });
      const fund = (offer: Hex) => () => arena.connect(bob).fund(id, offer, { value: 1n });
      await expectRefused(world, fund(UNKNOWN), `WrongOffer(${id}, ${UNKNOWN}, ${hash})`);
      await expectRefused(world, fund(hash), "WrongValue(1, 0)");
    });

    it("when a stranger funds an offer that is taken, the status is reported", async () => {
      const world = await loadFixture(deployed);
      const { arena, carol } = world;
      const { id, hash } = await taken(world, { opponent: "bob", firmFor: DAY });
      const fund = () => arena.connect(carol).fund(id, hash);
      await expectRefused(world, fund, `WrongStatus(${id}, ${Status.AllDeposited})`);
    });

    it("when the house's share is 1, the treasury gets it", async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, alice, bob, treasury } = world;
      const { id } = await inPlay(world, { stake1: 3n, stake2: 2n, rated: false });
      await arena.connect(alice).act(id, step(Seat.None, Seat.One));
      expect(await arena.purseOf(treasury, fight)).to.equal(1n);
      expect(await arena.purseOf(alice, fight)).to.equal(1000n * UNIT + 1n);
      expect(await arena.purseOf(bob, fight)).to.equal(1000n * UNIT - 2n);
    });

    it("when player 2's purse does not cover the stake, player 2 cannot fund or join", async () => {
      const world = await loadFixture(deployed);
      const { arena, bob } = world;
      const stake2 = 1000n * UNIT + 1n;
      const { id, hash } = await offered(world, { opponent: "bob", firmFor: DAY, stake2 });
      const refusal = `PurseTooLow(bob, fight, ${stake2 - 1n}, ${stake2})`;
      await expectRefused(world, () => arena.connect(bob).fund(id, hash), refusal);
      await expectRefused(world, () => arena.connect(bob).join(id, hash, step(Seat.One)), refusal);
    });

    it("when player 1's purse does not cover the stake, player 1 cannot fund", async () => {
      const world = await loadFixture(deployed);
      const { arena, alice } = world;
      const stake1 = 1000n * UNIT + 1n;
      const { id, hash } = await offered(world, { stake1 });
      expect(await arena.statusOf(id)).to.equal(Status.Created);
      const refusal = `PurseTooLow(alice, fight, ${stake1 - 1n}, ${stake1})`;
      await expectRefused(world, () => arena.connect(alice).fund(id, hash), refusal);
    });

    it("when the stakes are zero, the match is played without money", async () => {
      const world = await loadFixture(deployed);
      const { arena, alice } = world;
      const { id } = await inPlay(world, { stake1: 0n, stake2: 0n, rated: false });
      await expect(arena.connect(alice).act(id, step(Seat.None, Seat.One)))
        .to.emit(arena, "Settled")
        .withArgs(id, Status.P1Win, 0n, 0n, 0n, 0n, 0n);
    });
  });

  describe("when a view is read", () => {
    it("given an unknown match, the view reverts", async () => {
      const world = await loadFixture(deployed);
      const { id } = await offered(world);
      for (const unknown of [0n, id + 1n, 2n ** 40n, 2n ** 256n - 1n]) {
        await expectRefused(world, () => world.arena.matchOf(unknown), `UnknownMatch(${unknown})`);
        await expectRefused(world, () => world.arena.statusOf(unknown), `UnknownMatch(${unknown})`);
      }
    });

    it("given unknown terms, termsOf reverts, and termsIdOf returns zero", async () => {
      const world = await loadFixture(deployed);
      await offered(world);
      for (const unknown of [0n, 2n, 2n ** 40n, 2n ** 64n + 1n, 2n ** 256n - 1n]) {
        await expectRefused(world, () => world.arena.termsOf(unknown), `UnknownTerms(${unknown})`);
      }
      expect(await world.arena.termsIdOf(UNKNOWN)).to.equal(0n);
    });

    it("given new matches, matchCount counts them from 1", async () => {
      const world = await loadFixture(deployed);
      expect(await world.arena.matchCount()).to.equal(0n);
      for (const count of [1n, 2n, 3n]) expect((await offered(world)).id).to.equal(count);
    });
  });
});
