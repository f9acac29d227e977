import { expect } from "chai";
import { id } from "ethers";
import { AwaitedMatch } from "../../cli/shared/channels/next-match.js";
import { isWorthStake } from "../../cli/play/stay.js";
import { modeHash } from "../../sdk/games/modes.js";
import { games } from "../../sdk/games/index.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { FIRST, keyOf } from "../support/channels.js";

const module = games.find(({ name }) => name === "mini-games")!;
const published = module.modes["rock-paper-scissors"];
const terms: Terms = {
  ...{ game: keyOf("game").address, token: COIN, mode: modeHash(published.content) },
  ...{ stake1: 5n, stake2: 5n, clock: 3600n, feeBps: 2000n, rated: false },
};

describe("A match that a command awaits in a channel", () => {
  const { stake1: stake, stake2: _, ...others } = terms;
  const wanted = { stake, odds: [1n, 1n] as const, terms: others };

  it("is accepted under one number, and not under the next number", () => {
    const awaited = new AwaitedMatch(wanted);
    expect([FIRST, FIRST, FIRST + 1].map((nonce) => awaited.takes({ nonce, terms }))).to.deep.equal([
      true,
      true,
      false,
    ]);
    awaited.nonce = undefined;
    expect(awaited.takes({ nonce: FIRST + 1, terms })).to.equal(true);
  });

  it("must have the wanted terms", () => {
    const awaited = new AwaitedMatch(wanted);
    expect(awaited.takes({ nonce: FIRST, terms: { ...terms, stake2: 6n } })).to.equal(false);
    expect(awaited.nonce).to.equal(undefined);
  });
});

describe("A player whose moves are chosen automatically in a channel", () => {
  const worth = (change: Partial<Terms>, seat: bigint = Seat.Two, of = module) =>
    isWorthStake({ terms: { ...terms, ...change }, seat, module: of }, 5n);

  it("plays for stakes up to the player's maximum if the opponent stakes as much", () => {
    expect(worth({})).to.equal(true);
    expect(worth({ stake1: 6n, stake2: 6n })).to.equal(false);
    expect(worth({ stake1: 4n })).to.equal(false);
    expect(worth({ stake1: 4n }, Seat.One)).to.equal(true);
  });

  it("plays unpublished modes only without a stake", () => {
    expect(worth({ mode: id("rigged") })).to.equal(false);
    expect(worth({ mode: id("rigged"), stake2: 0n })).to.equal(true);
  });

  it("plays modes with a known weakness only without a stake", () => {
    const all = games.flatMap((game) => Object.values(game.modes).map((mode) => ({ game, ...mode })));
    const known = all.filter(({ weakness }) => weakness !== undefined);
    expect(known).not.to.be.empty;
    for (const { game, content } of known) {
      const stakes = { mode: modeHash(content), stake1: 100n, stake2: 1n };
      expect(worth(stakes, Seat.Two, game), game.name).to.equal(false);
      expect(worth({ ...stakes, stake2: 0n }, Seat.Two, game), game.name).to.equal(true);
    }
  });
});
