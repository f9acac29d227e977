import { expect } from "chai";
import { concat, dataSlice, id, N, toBeHex, Wallet, ZeroHash } from "ethers";
import {
  agreementRequest,
  appointmentRequest,
  AWAY_SECONDS,
  digestOf,
  NEVER,
  type Agreement,
  type SigningRequest,
} from "../../sdk/protocol/away/signatures.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  at,
  ethers,
  HOUR,
  inPassing,
  loadFixture,
  now,
  Seat,
  Status,
  step,
  termsHash,
  UNIT,
  type Player,
} from "../support/index.js";
import { attacked, type Attacked } from "../support/attacked.js";
import { inPlay, offered, pursesOf, taken, type Match } from "../support/matches.js";
import { expectRefused, FREE } from "../support/refusals.js";

const CHAIN = 31_337n;
const STAKE = 10n * UNIT;
const session = new Wallet(id("session"));

/** Signer of typed data: a wallet, or a player of the chain. */
type Signing = Pick<Wallet, "signTypedData">;

const signed = async (signer: Signing, { domain, types, value }: SigningRequest): Promise<Hex> =>
  signer.signTypedData(domain, types, value);

/** Replaces s by the other s that recovers the same signer, and v with it. */
function malleated(signature: Hex): Hex {
  const s = N - BigInt(dataSlice(signature, 32, 64));
  return concat([dataSlice(signature, 0, 32), toBeHex(s, 32), signature.endsWith("1b") ? "0x1c" : "0x1b"]);
}

describe("Known attacks: agreements and keys", () => {
  let w: Attacked;
  let arena: string;
  beforeEach(async () => {
    w = await loadFixture(attacked);
    arena = await w.arena.getAddress();
  });

  const agreementOn = ({ id: matchId, terms }: Match, changes: Partial<Agreement> = {}): Agreement => ({
    matchId,
    termsHash: termsHash(terms),
    winner: Seat.One,
    until: NEVER,
    record: ZeroHash,
    ...changes,
  });
  const requestFor = (agreement: Agreement, chainId = CHAIN, place = arena) =>
    agreementRequest(chainId, place, agreement);
  const halfOf = async (signer: Signing, agreement: Agreement) => signed(signer, requestFor(agreement));
  /** Makes a player appoint a key, and signs with that key. */
  const bySession = async (player: Signing, matchId: bigint, request: SigningRequest, key: Signing = session) =>
    concat([
      await signed(key, request),
      await signed(player, appointmentRequest(CHAIN, arena, matchId, session.address)),
    ]);
  const settle = (agreement: Agreement, signature1: Hex, signature2: Hex, sender: Player = w.stranger) => {
    const { matchId, winner, until, record } = agreement;
    const calls = w.arena.connect(sender);
    return calls.settle(matchId, agreement.termsHash, winner, until, record, signature1, signature2, FREE);
  };
  /** Settles a match with signatures of alice and bob. */
  const agreed = async (agreement: Agreement) =>
    settle(agreement, await halfOf(w.alice, agreement), await halfOf(w.bob, agreement));

  it("an agreement is refused with any field changed, or in another match, arena, chain or domain", async () => {
    const match = await inPlay(w);
    const other = await inPlay(w);
    const otherTerms = await inPlay(w, { clock: 2n * HOUR });
    const agreement = agreementOn(match, { until: (await now()) + HOUR, record: id("record") });
    const halves = await Promise.all([halfOf(w.alice, agreement), halfOf(w.bob, agreement)]);
    const notSigned: Partial<Agreement>[] = [
      { winner: Seat.Two },
      { winner: Seat.None },
      { until: agreement.until + 1n },
      { record: id("other record") },
      { matchId: other.id },
    ];
    for (const changes of notSigned) {
      const changed = { ...agreement, ...changes };
      await expectRefused(w, () => settle(changed, halves[0], halves[1]), "NotSigned", [changed.matchId, Seat.One]);
    }
    const moved = { ...agreement, matchId: otherTerms.id };
    const hashes = [agreement.termsHash, termsHash(otherTerms.terms)];
    await expectRefused(w, () => settle(moved, halves[0], halves[1]), "WrongTerms", [otherTerms.id, ...hashes]);
    const elsewhere: SigningRequest[] = [
      requestFor(agreement, CHAIN + 1n),
      requestFor(agreement, CHAIN, await w.scripted.getAddress()),
      { ...requestFor(agreement), domain: { ...requestFor(agreement).domain, version: "2" } },
      { ...requestFor(agreement), domain: { ...requestFor(agreement).domain, name: "Duello proposals" } },
    ];
    for (const request of elsewhere) {
      const half = await signed(w.bob, request);
      await expectRefused(w, () => settle(agreement, halves[0], half), "NotSigned", [match.id, Seat.Two]);
    }
    await expectRefused(w, () => settle(agreement, halves[1], halves[0]), "NotSigned", [match.id, Seat.One]);
    await settle(agreement, halves[0], halves[1]);
    expect(await w.arena.statusOf(match.id)).to.equal(Status.P1Win);
    await expectRefused(w, () => settle(agreement, halves[0], halves[1]), "WrongStatus", [match.id, Status.P1Win]);
  });

  it("one player cannot sign for both by any key or pledge of its own", async () => {
    const match = await inPlay(w);
    const agreement = agreementOn(match);
    const request = requestFor(agreement);
    const half = await halfOf(w.alice, agreement);
    await w.arena.connect(w.alice).pledge(match.id, session.address);
    const forged: Hex[] = [
      half,
      await halfOf(session, agreement),
      await bySession(w.alice, match.id, request),
      await bySession(session, match.id, request),
      concat([half, half]),
      concat([await halfOf(session, agreement), await halfOf(w.bob, { ...agreement, winner: Seat.Two })]),
    ];
    for (const signature of forged) {
      await expectRefused(w, () => settle(agreement, half, signature), "NotSigned", [match.id, Seat.Two]);
    }
  });

  it("a key counts only in the match for which it was named", async () => {
    const match = await inPlay(w);
    const other = await inPlay(w);
    await w.arena.connect(w.bob).pledge(other.id, session.address);
    const agreement = agreementOn(match);
    const request = requestFor(agreement);
    const half = await halfOf(w.alice, agreement);
    for (const signature of [await halfOf(session, agreement), await bySession(w.bob, other.id, request)]) {
      await expectRefused(w, () => settle(agreement, half, signature), "NotSigned", [match.id, Seat.Two]);
    }
    await settle(agreement, half, await bySession(w.bob, match.id, request));
    expect(await w.arena.statusOf(match.id)).to.equal(Status.P1Win);
  });

  it("a pledged key signs for its player, but cannot name a session key", async () => {
    const match = await inPlay(w);
    const pledged = new Wallet(id("pledged"));
    await w.arena.connect(w.bob).pledge(match.id, pledged.address);
    const agreement = agreementOn(match);
    const half = await halfOf(w.alice, agreement);
    const named = await bySession(pledged, match.id, requestFor(agreement));
    await expectRefused(w, () => settle(agreement, half, named), "NotSigned", [match.id, Seat.Two]);
    await settle(agreement, half, await halfOf(pledged, agreement));
    expect(await w.arena.statusOf(match.id)).to.equal(Status.P1Win);
  });

  it("signatures have one form, and other lengths are invalid", async () => {
    const match = await inPlay(w);
    const agreement = agreementOn(match);
    const half = await halfOf(w.alice, agreement);
    const bobs = await halfOf(w.bob, agreement);
    const appointed = await bySession(w.bob, match.id, requestFor(agreement));
    const v = Number(dataSlice(bobs, 64));
    const wrong: Hex[] = [
      "0x",
      malleated(bobs),
      concat([dataSlice(bobs, 0, 64), toBeHex(v - 27, 1)]),
      dataSlice(bobs, 0, 64),
      concat([bobs, "0x00"]),
      concat([bobs, bobs, bobs]),
      concat([malleated(dataSlice(appointed, 0, 65)), dataSlice(appointed, 65)]),
      concat([dataSlice(appointed, 0, 65), malleated(dataSlice(appointed, 65))]),
      concat([new Uint8Array(65), dataSlice(appointed, 65)]),
      new Uint8Array(65).reduce((hex) => `${hex}00`, "0x"),
      new Uint8Array(130).reduce((hex) => `${hex}00`, "0x"),
    ];
    for (const signature of wrong) {
      await expectRefused(w, () => settle(agreement, half, signature), "NotSigned", [match.id, Seat.Two]);
    }
    for (const signature of [bobs, appointed]) {
      await inPassing(async () => {
        await settle(agreement, half, signature);
        expect(await w.arena.statusOf(match.id)).to.equal(Status.P1Win);
      });
    }
  });

  it("no bytes count as a signature of an empty seat", async () => {
    const open = await offered(w);
    const { id: matchId } = await inPlay(w);
    const digest = digestOf(requestFor(agreementOn(open)));
    const zeros = new Uint8Array(65);
    const halves = [zeros, concat([zeros, zeros]), await session.signTypedData({}, { A: [] }, {})];
    for (const signature of halves) {
      await expectRefused(w, () => w.arena.checkSigned(open.id, Seat.Two, digest, signature), "NotSigned");
      for (const seat of [Seat.None, Seat.Either]) {
        await expectRefused(w, () => w.arena.checkSigned(matchId, seat, digest, signature), "NotSigned");
      }
    }
  });

  it("only players of a match in play pledge keys, once each and irrevocably", async () => {
    const match = await inPlay(w);
    const { id: matchId } = match;
    const [asAlice, asBob] = [w.arena.connect(w.alice), w.arena.connect(w.bob)];
    const early = [await offered(w), await taken(w), await offered(w, { opponent: "bob" })];
    for (const { id: earlyId } of early) {
      for (const calls of [asAlice, asBob]) {
        await expectRefused(w, () => calls.pledge(earlyId, session, FREE), "WrongStatus");
      }
    }
    await asBob.allow(w.stranger, NEVER);
    const strangers = w.arena.connect(w.stranger);
    await expectRefused(w, () => strangers.pledge(matchId, session, FREE), "NotAPlayer", [matchId, w.stranger]);
    await expectRefused(w, () => asAlice.pledge(matchId, ethers.ZeroAddress, FREE), "ZeroKey", [matchId]);
    await asAlice.pledge(matchId, session);
    for (const key of [session.address, w.bob.address, w.alice.address]) {
      await expectRefused(w, () => asAlice.pledge(matchId, key, FREE), "PledgedBefore", [matchId, Seat.One]);
    }
    expect(await w.arena.keyOf(matchId, Seat.Two)).to.equal(ethers.ZeroAddress);
    await asBob.pledge(matchId, session);
    await agreed(agreementOn(match));
    await expectRefused(w, () => asBob.pledge(matchId, session, FREE), "WrongStatus", [matchId, Status.P1Win]);
  });

  it("at each second around the deadline, exactly one of settling and timing out works, on either player's turn", async () => {
    for (const turn of [Seat.One, Seat.Two, Seat.Either]) {
      const match = await inPlay(w, {}, turn);
      const { deadline } = await w.arena.matchOf(match.id);
      const timeout = () => w.arena.connect(w.stranger).timeout(match.id, FREE);
      const agreement = agreementOn(match, { winner: Seat.None });
      for (const offset of [-1n, 0n, 1n]) {
        await inPassing(async () => {
          await at(deadline + offset);
          if (offset <= 0n) await expectRefused(w, timeout, "TooEarly");
          else await expectRefused(w, () => agreed(agreement), "TooLate");
        });
        await inPassing(async () => {
          await at(deadline + offset);
          await (offset <= 0n ? agreed(agreement) : timeout());
          expect(await w.arena.statusOf(match.id)).to.be.greaterThan(Status.AllJoined);
        });
      }
    }
  });

  it("an agreement counts through its last second, and not after", async () => {
    const match = await inPlay(w);
    const until = (await now()) + 600n;
    const agreement = agreementOn(match, { winner: Seat.None, until });
    await inPassing(async () => {
      await at(until + 1n);
      await expectRefused(w, () => agreed(agreement), "TooLate", [match.id, until, until + 1n]);
    });
    await at(until);
    await agreed(agreement);
    expect(await w.arena.statusOf(match.id)).to.equal(Status.Draw);
  });

  it("Either can neither win nor take the pot, by agreement or by the answer of a game", async () => {
    for (const turn of [Seat.One, Seat.Two, Seat.Either]) {
      const match = await inPlay(w, {}, turn);
      await expectRefused(w, () => agreed(agreementOn(match, { winner: Seat.Either })), "BadWinner", [
        match.id,
        Seat.Either,
      ]);
      const acting = w.arena.connect(turn === Seat.Two ? w.bob : w.alice);
      const lies = [
        step(Seat.None, Seat.Either, Seat.None),
        step(Seat.None, Seat.None, Seat.Either),
        step(Seat.None, Seat.One, Seat.Either),
        step(Seat.Either, Seat.One, Seat.None),
        step(Seat.Either, Seat.None, Seat.Two),
      ];
      for (const lie of lies) await expectRefused(w, () => acting.act(match.id, lie, FREE), "BadStep");
    }
    const { terms } = await offered(w);
    const create = () => w.arena.connect(w.alice).create(terms, ethers.ZeroAddress, 0, step(Seat.Either), FREE);
    await expectRefused(w, create, "BadStep");
  });

  it("while it is nobody's turn, no operator can act, even if both players allow it", async () => {
    const { id: matchId } = await inPlay(w, {}, Seat.Either);
    for (const player of [w.alice, w.bob]) await w.arena.connect(player).allow(w.carol, NEVER);
    const carols = w.arena.connect(w.carol);
    const turns = [Seat.None, Seat.One, Seat.Two, Seat.Either];
    for (const turn of turns) {
      await expectRefused(w, () => carols.act(matchId, step(turn), FREE), "NotAPlayer", [matchId, w.carol]);
    }
    await expectRefused(w, () => carols.resign(matchId, FREE), "NotAPlayer", [matchId, w.carol]);
    await expect(w.arena.connect(w.bob).act(matchId, step(Seat.One)))
      .to.emit(w.arena, "Acted")
      .withArgs(matchId, Seat.Two, step(Seat.One));
    await carols.act(matchId, step(Seat.None, Seat.One));
    expect(await w.arena.statusOf(matchId)).to.equal(Status.P1Win);
  });

  it("a rated match that both players abandon returns both stakes and changes no rating", async () => {
    const match = await inPlay(w, { stake1: STAKE, stake2: 3n * STAKE }, Seat.Either);
    const joined = await now();
    expect((await w.arena.matchOf(match.id)).deadline).to.equal(joined + AWAY_SECONDS);
    const before = await pursesOf(w, match.terms.token);
    const records = await Promise.all([w.alice, w.bob].map((player) => w.arena.recordOf(w.scripted, player)));
    await at(joined + AWAY_SECONDS);
    await expectRefused(w, () => w.arena.connect(w.stranger).timeout(match.id, FREE), "TooEarly");
    await at(joined + AWAY_SECONDS + 1n);
    await expect(w.arena.connect(w.stranger).timeout(match.id))
      .to.emit(w.arena, "Settled")
      .withArgs(match.id, Status.Draw, STAKE, 3n * STAKE, 0n, 0n, 0n);
    const after = await pursesOf(w, match.terms.token);
    expect(after.map((purse, i) => purse - before[i])).to.deep.equal([STAKE, 3n * STAKE, 0n]);
    for (const [i, player] of [w.alice, w.bob].entries()) {
      expect(await w.arena.recordOf(w.scripted, player)).to.deep.equal(records[i]);
      expect(await w.arena.stakesOf(player, match.terms.token)).to.deep.equal([0n, 0n]);
    }
  });

  it("after a turn of either player, both clocks are full again", async () => {
    const { id: matchId } = await inPlay(w, {}, Seat.One);
    await at((await now()) + HOUR - 1n);
    await w.arena.connect(w.alice).act(matchId, step(Seat.Either));
    const paused = await now();
    expect((await w.arena.matchOf(matchId)).deadline).to.equal(paused + AWAY_SECONDS);
    await at(paused + AWAY_SECONDS);
    await w.arena.connect(w.bob).act(matchId, step(Seat.Two));
    const { deadline, reserve, turn } = await w.arena.matchOf(matchId);
    expect([deadline, reserve, turn]).to.deep.equal([paused + AWAY_SECONDS + HOUR, HOUR, Seat.Two]);
  });

  it("an agreement is rated and paid as a resignation is, and a draw without a fee", async () => {
    const results: [winner: bigint, status: bigint, paid: bigint[]][] = [
      [Seat.One, Status.P1Win, [16n * UNIT, 0n, 4n * UNIT]],
      [Seat.Two, Status.P2Win, [0n, 16n * UNIT, 4n * UNIT]],
      [Seat.None, Status.Draw, [STAKE, STAKE, 0n]],
    ];
    for (const [winner, status, paid] of results) {
      await inPassing(async () => {
        const match = await inPlay(w, {}, Seat.Either);
        const agreement = agreementOn(match, { winner, record: id("record") });
        const halves = await Promise.all([halfOf(w.alice, agreement), halfOf(w.bob, agreement)]);
        const ratings = winner === Seat.None ? [1000n, 1000n] : winner === Seat.One ? [1020n, 980n] : [980n, 1020n];
        await expect(settle(agreement, halves[0], halves[1]))
          .to.emit(w.arena, "Agreed")
          .withArgs(match.id, winner, NEVER, id("record"), ...halves)
          .and.to.emit(w.arena, "Settled")
          .withArgs(match.id, status, ...paid, ...ratings);
      });
    }
  });
});
