import { expect } from "chai";
import { concat, id, ZeroHash } from "ethers";
import { channelled, FIRST, type ChannelWorld, type Pair, type Signing } from "../support/channels.js";
import { ethers, loadFixture, networkHelpers, Seat, step, termsFor, UNIT, type Terms } from "../support/index.js";
import { expectRefused } from "../support/refusals.js";

const ANSWER = concat([step(Seat.One), id("answered")]);
const FOREVER = 2n ** 40n - 1n;

describe("Channels: purses and callers", () => {
  let w: ChannelWorld;
  let terms: Terms;
  beforeEach(async () => {
    w = await loadFixture(channelled);
    terms = await termsFor(w, { rated: false });
  });

  /** Returns a signer with the address of a player's key, which can pay for gas. */
  async function signerOf({ keys }: Pair, side: 0 | 1) {
    const { address } = keys[side];
    await networkHelpers.impersonateAccount(address);
    await networkHelpers.setBalance(address, UNIT);
    return ethers.getSigner(address);
  }

  /** Challenges after seat Two's answer. */
  async function challenge(sender: Awaited<ReturnType<typeof signerOf>>, how: Signing = {}) {
    const transcript = await w.pair.transcript(FIRST, terms, { position: ZeroHash, actions: [ANSWER] }, how);
    return w.channels.connect(sender).challenge(w.pair.channel, FIRST, terms, transcript);
  }

  it("take each player's own amount from its purse when a channel opens", async () => {
    const { arena, alice, bob, fight, times } = w;
    const other = await w.pairOf(alice, bob, ["other 1", "other 2"]);
    const sent = other.open(30n * UNIT, 20n * UNIT, times.until);
    const { player1, player2, key1, key2, token, feeBps } = other.channel;
    await expect(sent)
      .to.emit(w.channels, "Opened")
      .withArgs(
        ...[other.id, player1, player2, key1, key2, token, feeBps],
        ...[30n * UNIT, 20n * UNIT, FIRST, times.until],
      );
    const { amount1, amount2 } = await other.state();
    expect([amount1, amount2]).to.deep.equal([30n * UNIT, 20n * UNIT]);
    expect(await arena.purseOf(alice, fight)).to.equal(870n * UNIT);
    expect(await arena.purseOf(bob, fight)).to.equal(880n * UNIT);
    expect(await arena.purseOf(w.channels, fight)).to.equal(250n * UNIT);
  });

  it("pay each player its own amount when a channel closes", async () => {
    const { arena, alice, bob, fight, channels, treasury, pair } = w;
    await channels.checkpoint(...(await pair.balance(FIRST + 1, 90n * UNIT, 70n * UNIT, { close: true })));
    const purses = await Promise.all([alice, bob, treasury, channels].map((owner) => arena.purseOf(owner, fight)));
    expect(purses).to.deep.equal([990n * UNIT, 970n * UNIT, 40n * UNIT, 0n]);
  });

  it("seat both players in the arena for a challenge, and take the stakes back when it is superseded", async () => {
    const { arena, alice, bob, fight, channels, pair } = w;
    await challenge(bob);
    const { player1, player2, turn, posted } = await arena.matchOf(pair.matchIdOf(FIRST));
    expect([player1, player2, turn, posted]).to.deep.equal([alice.address, bob.address, Seat.One, true]);
    expect(await arena.purseOf(channels, fight)).to.equal(180n * UNIT);
    await channels.checkpoint(...(await pair.balance(FIRST + 1, 100n * UNIT, 100n * UNIT)));
    expect(await arena.purseOf(channels, fight)).to.equal(200n * UNIT);
    const { amount1, amount2, challenged } = await pair.state();
    expect([amount1, amount2, challenged]).to.deep.equal([100n * UNIT, 100n * UNIT, false]);
  });

  for (const [swapped, mover] of [
    [false, 1],
    [true, 0],
  ] as const) {
    it(`allow a challenge by the key of the player who acted last, player ${mover + 1}, but not by the other key`, async () => {
      const { pair, alice, bob } = w;
      const [own, other] = [await signerOf(pair, mover), await signerOf(pair, mover === 0 ? 1 : 0)];
      const refusal = [FIRST, [alice, bob][mover], other.address];
      await expectRefused(w, () => challenge(other, { swapped }), "NotTheMover", refusal);
      await challenge(own, { swapped });
      expect((await pair.state()).challenged).to.equal(true);
    });
  }

  it("allow a challenge by the opponent as an operator, which is not its consent to the end", async () => {
    const { arena, alice, bob, pair } = w;
    await arena.connect(bob).allow(alice, FOREVER);
    await challenge(alice, { sender: Seat.One });
    expect((await pair.state()).challenged).to.equal(true);
  });
});
