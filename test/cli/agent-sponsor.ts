import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { byUrgency } from "../../cli/agent/outgoing.js";
import { matchesPaidBy, SponsorBudget } from "../../cli/agent/sponsor.js";
import type { SponsorPolicy } from "../../sdk/player/policy.js";
import { Channels__factory } from "../../typechain-types/index.js";

const DAY = 86_400;
const [ANN, BEN] = ["0x00000000000000000000000000000000000000A1", "0x00000000000000000000000000000000000000B1"];
const AMPLE = { matches: 100, gas: 10n ** 18n };

describe("The order of an agent's channel transactions", () => {
  it("puts actions in arena matches first, ordered by stake and deadline, and openings of channels last", () => {
    const answer = (what: string, stake: bigint, deadline: number) => ({
      what,
      answers: { rated: true, stake, deadline },
    });
    const queue = [
      { what: "open a" },
      { what: "bring b" },
      answer("act junk", 0n, 1),
      { what: "bring c" },
      answer("act late", 5n, 9),
      answer("act soon", 5n, 8),
      answer("act large", 10n ** 30n, 20),
    ];
    const sorted = queue.toSorted(byUrgency).map(({ what }) => what);
    expect(sorted).to.deep.equal(["act large", "act soon", "act late", "act junk", "bring b", "bring c", "open a"]);
  });
});

describe("The budget of an agent that pays gas for others", () => {
  let folder: string;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-"));
    now = 20_000 * DAY;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const file = () => join(folder, "sponsored.json");
  const open = (limits: Partial<SponsorPolicy>) =>
    SponsorBudget.open(file(), { day: AMPLE, opponent: AMPLE, address: AMPLE, ...limits }, () => now);

  const limits: [string, Partial<SponsorPolicy>, RegExp, { other: boolean; tomorrow: boolean }][] = [
    ["for all players in a day", { day: { matches: 2, gas: 99n } }, / today, and/, { other: true, tomorrow: false }],
    [
      "for a player in a day",
      { opponent: { matches: 2, gas: 99n } },
      / today for this player, and/,
      { other: false, tomorrow: false },
    ],
    [
      "for an address, ever",
      { address: { matches: 2, gas: 99n } },
      / for this player, and/,
      { other: false, tomorrow: true },
    ],
  ];
  for (const [title, limit, why, { other, tomorrow }] of limits) {
    it(`allows matches and gas up to its limits ${title}`, async () => {
      const budget = await open(limit);
      await budget.spend(ANN, 1, 50n);
      expect(budget.refusal(ANN, 1, 49n)).to.equal(undefined);
      expect(budget.refusal(ANN, 2, 0n))
        .to.match(/^I have paid for 1 matches/)
        .and.to.match(why);
      expect(budget.refusal(ANN, 0, 50n))
        .to.match(/^I have paid 0\.00000000000000005 COIN of gas/)
        .and.to.match(why);
      expect(budget.refusal(BEN, 2, 50n) !== undefined).to.equal(other);
      now += DAY;
      expect(budget.refusal(ANN, 2, 50n) !== undefined).to.equal(tomorrow);
    });
  }

  it("counts the cost of unconfirmed transactions even after a restart", async () => {
    const budget = await open({});
    await budget.spend(ANN, 1, 50n);
    const correct = await budget.spend(ANN, 1, 40n);
    await correct(30n);
    const again = await open({ day: { matches: 2, gas: 80n }, address: { matches: 3, gas: 80n } });
    expect(again.matchesToday).to.equal(2);
    expect(again.refusal(BEN, 0, 0n)).to.equal(undefined);
    expect(again.refusal(BEN, 1, 0n)).to.match(/for 2 matches today/);
    expect(again.refusal(ANN, 0, 1n)).to.match(/COIN of gas today/);
  });

  it("does not raise today's budget when yesterday's cost is corrected downwards", async () => {
    const budget = await open({ day: { matches: 9, gas: 50n } });
    const correct = await budget.spend(ANN, 1, 40n);
    now += DAY;
    await correct(10n);
    expect(budget.refusal(ANN, 1, 51n)).to.match(/COIN of gas today/);
  });

  it("refuses to open a damaged file, and names it", async () => {
    await writeFile(file(), '{"version": 1, "players": {"x": 1}}');
    const error = await open({}).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).to.match(/sponsored\.json\.players\.x/);
  });

  it("pays for finished rated matches, for the channel's opening if needed, and for matches already in the arena", () => {
    const abi = Channels__factory.createInterface();
    const channel = { player1: ANN, key1: ANN, player2: BEN, key2: BEN, token: ANN, feeBps: 0 };
    const terms = {
      game: ANN,
      stake1: 0,
      token: ANN,
      stake2: 0,
      mode: `0x${"00".repeat(32)}`,
      clock: 1,
      feeBps: 0,
      rated: true,
    };
    const transcript = {
      ...{
        swapped: false,
        seen: false,
        until: 1,
        position: `0x${"00".repeat(32)}`,
        actions: "0x",
        base: [],
        places: [],
      },
      ...{ signature1: "0x", signature2: "0x" },
    };
    const opened = abi.encodeFunctionData("open", [channel, 0, 0, 1, "0x", "0x"]);
    const closed = abi.encodeFunctionData("checkpoint", [channel, 0, 0, 0, true, 1, "0x", "0x"]);
    const played = abi.encodeFunctionData("play", [channel, 0, terms, [transcript, transcript]]);
    const unrated = abi.encodeFunctionData("play", [channel, 0, { ...terms, rated: false }, [transcript]]);
    const challenge = abi.encodeFunctionData("challenge", [channel, 0, terms, transcript]);
    const all = (...calls: string[]) => abi.encodeFunctionData("multicall", [calls]);
    const answers = { rated: true, stake: 0n, deadline: 1 };
    for (const data of [played, all(opened, played), all(played, closed)]) {
      expect(matchesPaidBy({ data })).to.equal(2);
    }
    const others = [opened, closed, all(opened, closed), unrated, all(unrated, played), challenge];
    for (const data of [...others, all(opened, challenge), all(all(challenge)), "0x12345678"]) {
      expect(matchesPaidBy({ data })).to.equal(undefined);
      expect(matchesPaidBy({ data, answers })).to.equal(0);
      expect(matchesPaidBy({ data, answers: { ...answers, rated: false } })).to.equal(undefined);
    }
    expect(matchesPaidBy({ data: played, answers })).to.equal(2);
  });
});
