import { expect } from "chai";
import { counted, FIGHTER, type Counter } from "../../../sdk/games/auto-battler/audit.js";
import { Ledger } from "../../../sdk/verify/ledger.js";
import { statusFor } from "../../../sdk/chain/settlement.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Terms } from "../../../sdk/protocol/terms.js";
import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { COIN } from "../../support/index.js";

const MAX_128 = 2n ** 128n - 1n;
const PLAYERS = ["0x01", "0x02"];

describe("Verification of counters", () => {
  it("stops counters of fighters at the width of their fields, like the contracts", () => {
    const [{ components }] = AutoBattler__factory.createInterface().getFunction("fighterOf").outputs;
    const widths = components!.map(({ name, type }) => [name, Number(type.slice("uint".length))] as const);
    expect(widths).to.deep.equal(Object.entries(FIGHTER).map(([name, { width }]) => [name, width]));
    const empty = { kills: 0n, deaths: 0n, dodges: 0n, combos: 0n, damageDealt: 0n, damageReceived: 0n };
    for (const name of Object.keys(empty) as Counter[]) {
      const max = 2n ** BigInt(FIGHTER[name].width) - 1n;
      expect(counted({ ...empty, [name]: max - 2n }, { [name]: 2 })).to.deep.equal({ [name]: max });
      expect(counted({ ...empty, [name]: max }, { [name]: true })).to.deep.equal({ [name]: max });
    }
  });

  it("stops sums of stakes at 2^128 - 1, like the contracts", () => {
    const ledger = new Ledger();
    const terms = { game: COIN, token: COIN, stake1: MAX_128 - 1n, stake2: 1n } as Terms;
    const ending = { status: statusFor({ winner: Seat.One }), paid1: MAX_128, paid2: 0n, house: 0n };
    const stakes = () => ledger.expectedAnswers().flatMap(({ view, answer }) => (view === "stakesOf" ? answer : []));
    ledger.rate(terms, PLAYERS, ending, 1n);
    expect(stakes()).to.deep.equal([
      { staked: MAX_128 - 1n, won: MAX_128 },
      { staked: 1n, won: 0n },
    ]);
    ledger.rate(terms, PLAYERS, ending, 2n);
    expect(stakes()).to.deep.equal([
      { staked: MAX_128, won: MAX_128 },
      { staked: 2n, won: 0n },
    ]);
  });
});
