import { expect } from "chai";
import { COUNTERS, counted } from "../../../sdk/games/auto-battler/audit.js";
import { Books } from "../../../sdk/verify/books.js";
import { statusFor } from "../../../sdk/chain/settlement.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Terms } from "../../../sdk/protocol/terms.js";
import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { COIN } from "../../support/index.js";

const MOST_128 = 2n ** 128n - 1n;
const PLAYERS = ["0x01", "0x02"];

describe("What is verified stops counting where the contracts do", () => {
  it("fighters' counters, each of the width of its field", () => {
    const [{ components }] = AutoBattler__factory.createInterface().getFunction("fighterOf").outputs;
    const widths = components!.map(({ name, type }) => [name, Number(type.slice("uint".length))] as const);
    expect(Object.fromEntries(widths)).to.include(COUNTERS);
    const empty = { kills: 0n, deaths: 0n, dodges: 0n, combos: 0n, damageDealt: 0n, damageReceived: 0n };
    for (const name of Object.keys(COUNTERS) as (keyof typeof COUNTERS)[]) {
      const most = 2n ** BigInt(COUNTERS[name]) - 1n;
      expect(counted({ ...empty, [name]: most - 2n }, { [name]: 2 })).to.deep.equal({ [name]: most });
      expect(counted({ ...empty, [name]: most }, { [name]: true })).to.deep.equal({ [name]: most });
    }
  });

  it("stakes, at 2^128 - 1", () => {
    const books = new Books();
    const terms = { game: COIN, token: COIN, stake1: MOST_128 - 1n, stake2: 1n } as Terms;
    const ending = { status: statusFor(Seat.One), paid1: MOST_128, paid2: 0n, house: 0n };
    const stakes = () => books.kept().flatMap(({ view, answer }) => (view === "stakesOf" ? answer : []));
    books.rate(terms, PLAYERS, ending, 1n);
    expect(stakes()).to.deep.equal([
      { staked: MOST_128 - 1n, won: MOST_128 },
      { staked: 1n, won: 0n },
    ]);
    books.rate(terms, PLAYERS, ending, 2n);
    expect(stakes()).to.deep.equal([
      { staked: MOST_128, won: MOST_128 },
      { staked: 2n, won: 0n },
    ]);
  });
});
