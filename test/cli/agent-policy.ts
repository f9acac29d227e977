import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parseEther, ZeroAddress, type Provider } from "ethers";
import { policyLines } from "../../sdk/player/agent-forecast.js";
import {
  declineLowChance,
  decide,
  isToDecline,
  type AgentState,
  type Decision,
} from "../../sdk/player/policy-decision.js";
import { readPolicy, type Policy } from "../../sdk/player/policy.js";
import { dueOf } from "../../cli/agent/turns.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import type { CommandContext } from "../../cli/shared/command/context.js";
import { stockGame, games } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { risksOf } from "../../sdk/player/risks.js";
import { Tokens } from "../../sdk/player/tokens.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { Addresses } from "../../sdk/chain/addresses.js";

const FIGHT = "0x00000000000000000000000000000000000000F1";
const ME = "0x00000000000000000000000000000000000000A1";
const YOU = "0x00000000000000000000000000000000000000B1";
const names = ["Arena", ...games.map(({ contract }) => contract)];
const addresses = Object.fromEntries([
  ...names.map((name, i) => [name, `0x${String(i + 10).padStart(40, "0")}`]),
  ["FightToken", FIGHT],
]) as unknown as Addresses;
const tokens = new Tokens({} as Provider, addresses);
const contextOn = (chainId: number) =>
  ({ chainId, games, deployment: { addresses }, tokens }) as unknown as CommandContext;
const policyOf = (content: object, chainId = 31_337) => readPolicy(content, contextOn(chainId));

const STAKING = { tokens: { FIGHT: { stake: "50", total: "120", share: 50 } } };

describe("The policy of an agent", () => {
  it("allows, by default, all games in all modes without a stake", async () => {
    const { games: played, tokens, open, acceptedRisks, node } = await policyOf({});
    expect([...played.keys()]).to.deep.equal(games.map(({ name }) => name));
    for (const { name, modes } of games) expect(played.get(name)).to.deep.equal(Object.keys(modes));
    expect([tokens.size, open, acceptedRisks, node]).to.deep.equal([0, true, [], { lag: undefined, stuck: 120 }]);
  });

  it("limits the age of blocks on every chain except a local one", async () => {
    expect((await policyOf({}, 84_532)).node.lag).to.equal(120);
    expect((await policyOf({ node: { lag: "1h" } }, 84_532)).node.lag).to.equal(3600);
  });

  it("by default plays off-chain matches, posts after two minutes and agrees to no draw", async () => {
    const { away, patience, agree } = await policyOf({});
    expect([away, patience, agree]).to.deep.equal([true, 120, undefined]);
    expect((await policyOf({ agree: "never" })).agree).to.equal(undefined);
    const other = await policyOf({ away: false, patience: "0s", agree: 40 });
    expect([other.away, other.patience, other.agree]).to.deep.equal([false, 0, 40]);
  });

  it("names modes by name or hash, or accepts any mode without a stake", async () => {
    const coin = modeHash(stockGame("mini-games").modes.coin.content);
    const other = `0x${"ab".repeat(32)}`;
    const { games: played } = await policyOf({
      ...STAKING,
      games: { "mini-games": ["undercut", coin.toUpperCase().replace("0X", "0x"), other], guardians: "all" },
    });
    expect(played.get("mini-games")).to.deep.equal(["undercut", "coin", other]);
    expect((await policyOf({ games: { guardians: "any" } })).games.get("guardians")).to.equal("any");
  });

  it("is printed in plain words", async () => {
    const cautious = {
      ...STAKING,
      games: { "mini-games": ["coin"], pistols: "all" },
      clock: { max: "1h" },
      open: false,
    };
    expect(policyLines(await policyOf(cautious))).to.deep.equal([
      "It plays Mini-games (coin) and Pistols.",
      "It stakes up to 50 FIGHT a match, 120 FIGHT in all, where its chance is 45 % or more.",
      "It takes clocks from 300 s to 3600 s, a house fee of 20 % at most, and 20 matches at once.",
      "It takes only what is offered to it by name.",
    ]);
    const [plays, stakes] = policyLines(await policyOf({ games: { guardians: "any", pistols: [] } }));
    expect([plays, stakes]).to.deep.equal([
      `It plays ${stockGame("guardians").title} in any mode.`,
      "It stakes nothing.",
    ]);
  });

  it("is the documented one beside a local chain", async () => {
    const text = readFileSync("cli/agent/local.json", "utf8");
    await policyOf(JSON.parse(text) as object);
    expect(readFileSync("docs/agent.md", "utf8")).to.include(text.trim());
  });

  for (const [wrong, message] of [
    [{ game: {} }, "game: unknown field"],
    [{ games: { chess: "all" } }, /^games\.chess: chess: no such game; there are /],
    [{ games: { pistols: ["swords"] } }, 'games.pistols[0]: "swords" is not one of default'],
    [{ games: [] }, "games: a list is not an object"],
    [{ games: { guardians: ["0x12"] } }, 'games.guardians[0]: "0x12" is not 0x and 64 hex digits'],
    [
      { ...STAKING, games: { pistols: "all", guardians: "any" } },
      'games.guardians: "any" goes without stakes only; any challenger can make a mode that suits it, so nothing may be staked: list modes, or leave tokens out',
    ],
    [{ tokens: { FIGHT: { stake: "50" } } }, "tokens.FIGHT.total: left out"],
    [{ tokens: { FIGHT: { stake: 50, total: "50" } } }, "tokens.FIGHT.stake: 50 is not a text"],
    [{ tokens: { FIGHT: { stake: "much", total: "50" } } }, "tokens.FIGHT.stake: much is not an amount like 12.5"],
    [{ tokens: { FIGHT: { stake: "1", total: "1", share: 101 } } }, "tokens.FIGHT.share: 101 is above 100"],
    [{ tokens: { FIGHT: { stake: "1", total: "1", keep: "-1" } } }, "tokens.FIGHT.keep: -1 is not an amount like 12.5"],
    [{ tokens: { GOLD: { stake: "1", total: "1" } } }, "tokens.GOLD: token: GOLD is not an address"],
    [
      { tokens: { FIGHT: { stake: "1", total: "1" }, fight: { stake: "1", total: "1" } } },
      "tokens.fight: the same token is there twice",
    ],
    [{ ties: ["mine"] }, 'ties[0]: "mine" is not one of draw, challenger'],
    [{ clock: { min: "soon" } }, "clock.min: soon is not a time like 90s, 15m, 24h or 7d"],
    [{ clock: { min: "2d", max: "1d" } }, "clock.min: it is above clock.max"],
    [{ house: 21 }, "house: 21 is above 20"],
    [
      { acceptedRisks: ["everything"] },
      'acceptedRisks[0]: "everything" is not one of weak-mode, worse-odds, short-clock',
    ],
    [{ chance: 101 }, "chance: 101 is above 100"],
    [{ chance: 44.5 }, "chance: 44.5 is not an integer"],
    [{ chance: "45" }, 'chance: "45" is not an integer'],
    [{ open: "yes" }, 'open: "yes" is not true or false'],
    [{ decline: "no" }, 'decline: "no" is not true or false'],
    [{ matches: 0 }, "matches: 0 is below 1"],
    [{ node: { lag: 120 } }, "node.lag: 120 is not a text"],
    [{ watchtower: 0 }, "watchtower: 0 is below 1"],
    [{ away: "yes" }, 'away: "yes" is not true or false'],
    [{ patience: 120 }, "patience: 120 is not a text"],
    [{ patience: "soon" }, "patience: soon is not a time like 90s, 15m, 24h or 7d"],
    [{ agree: "always" }, 'agree: "always" is not never, or a number of actions'],
    [{ agree: 0 }, "agree: 0 is below 1"],
    [{ agree: true }, "agree: true is not an integer"],
  ] as const) {
    it(`is rejected in one line that names the field: ${JSON.stringify(wrong)}`, async () => {
      const refused = await policyOf(wrong).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
      if (typeof message === "string") expect(refused).to.equal(message);
      else expect(refused).to.match(message);
    });
  }
});

describe("An agent's decision on a challenge", () => {
  let policy: Policy;
  before(async () => (policy = await policyOf(STAKING)));

  interface Change extends Partial<Omit<MatchView, "terms">> {
    terms?: Partial<MatchView["terms"]>;
  }

  /** Builds a challenge to the agent: rock-paper-scissors for 10 FIGHT, with some fields changed. */
  function challenge({ terms, game = "mini-games", mode = "rock-paper-scissors", ...rest }: Change = {}): MatchView {
    const module = games.find(({ name }) => name === game)!;
    return {
      matchId: 7n,
      status: Status.P1Deposited,
      player1: YOU,
      player2: ME,
      firm: true,
      byTransfer: false,
      trust: "stock",
      turn: Seat.None,
      deadline: 10_000n,
      fingerprint: "0x0000000000",
      token: { address: FIGHT, symbol: "FIGHT", decimals: 18 },
      game,
      mode,
      ...rest,
      terms: {
        game: addresses[module.contract],
        token: FIGHT,
        mode: mode in module.modes ? modeHash(module.modes[mode].content) : mode,
        stake1: parseEther("10"),
        stake2: parseEther("10"),
        clock: 86_400n,
        feeBps: 2000n,
        rated: true,
        ...terms,
      },
    };
  }

  const provider = {
    getNetwork: async () => ({ chainId: 31_337n }),
    getBlock: async () => ({ timestamp: 0 }),
  };

  async function verdictOn(view: MatchView, change: Partial<AgentState> = {}, content?: object) {
    const risks = await risksOf({ terms: view.terms, seat: Seat.Two }, { addresses, games }, provider as never);
    const facts = { me: ME, now: 0n, open: 0, purse: parseEther("500"), atRisk: 0n, risks, ...change };
    return decide(view, content ? await policyOf(content) : policy, facts);
  }

  it("accepts what the policy allows, and states the risk", async () => {
    expect(await verdictOn(challenge())).to.deep.equal({
      take: true,
      why: "10 FIGHT of my 500 FIGHT are staked then",
    });
    const anyone = challenge({ player2: undefined });
    expect((await verdictOn(anyone)).take).to.equal(true);
  });

  const leaves: [string, Change, RegExp, object?][] = [
    ["what is for somebody else", { player2: YOU }, /for somebody else/],
    ["what is for anyone, if so told", { player2: undefined }, /for anyone/, { open: false }],
    ["what is not funded", { status: Status.Created }, /has not put in its stake/],
    ["what is about to lapse", { deadline: 29n }, /about to lapse/],
    ["other games", {}, /I do not play mini-games/, { games: { pistols: "all" } }],
    ["other modes", {}, /in the mode rock-paper-scissors/, { games: { "mini-games": ["coin"] } }],
    ["unpublished modes", { mode: undefined }, /not a published one of mini-games, nor one that I am told to play/],
    ["foreign games", { game: undefined }, /not one of this deployment/],
    [
      "rules for ties that it does not accept",
      { mode: "coin-challenger", terms: { stake1: parseEther("30") } },
      /rule for ties: challenger/,
      { ties: ["draw"] },
    ],
    ["short clocks", { terms: { clock: 299n } }, /its clock of 299 s is below my 300 s/],
    ["long clocks", { terms: { clock: 3601n } }, /3601 s is above my 3600 s/, { clock: { max: "1h" } }],
    ["a greedy house", { terms: { feeBps: 1600n } }, /the house takes 16 %, more than my 15 %/, { house: 15 }],
    ["other tokens", { terms: { token: ZeroAddress } }, /do not stake its token/],
    [
      "stakes above the largest",
      { terms: { stake1: parseEther("51"), stake2: parseEther("51") } },
      /51 FIGHT is above my 50 FIGHT/,
    ],
    ["odds worse than even", { terms: { stake2: parseEther("11") } }, /You would stake at worse odds than 1 : 1/],
    ["odds worse than the mode's", { mode: "coin-challenger" }, /worse odds than 3 : 1/],
    ["stakes on dice", { mode: "dice" }, /for nothing only\. Always 6 never loses/],
    [
      "stakes on dice with ties to the challenger",
      { mode: "dice-challenger" },
      /for nothing only\. Player 1 wins whenever/,
    ],
    ["stakes on strategy battle", { mode: "strategy" }, /for nothing only\. Always 9 never loses/],
    ["stakes on tic-tac-toe", { game: "tic-tac-toe", mode: "default" }, /for nothing only\. Who plays well/],
  ];
  for (const [title, change, why, content] of leaves) {
    it(`ignores ${title}, permanently`, async () => {
      // The caller may pass undefined for `mode` and `game` on purpose.
      const view = {
        ...challenge(change),
        ...("mode" in change && { mode: change.mode }),
        ...("game" in change && { game: change.game }),
      };
      const verdict = await verdictOn(view, {}, content && { ...STAKING, ...content });
      expect([verdict.take, verdict.later]).to.deep.equal([false, undefined]);
      expect(verdict.why).to.match(why);
    });
  }

  const waits: [string, Partial<AgentState>, RegExp][] = [
    ["something ails it", { problem: "the node lags" }, /the node lags/],
    ["it has enough matches", { open: 20 }, /20 open matches already/],
    ["its purse is too small", { purse: parseEther("9") }, /my purse holds 9 FIGHT only/],
    [
      "it would stake too much in all",
      { atRisk: parseEther("111") },
      /121 FIGHT would be staked, more than my 120 FIGHT/,
    ],
    [
      "it would stake too much of what it has",
      { purse: parseEther("10"), atRisk: parseEther("5") },
      /more than 50 % of the 15 FIGHT/,
    ],
    ["finality takes long", { risks: [{ risk: "short-clock", text: "A clock is short." }] }, /A clock is short/],
  ];
  for (const [title, facts, why] of waits) {
    it(`ignores it for now, when ${title}`, async () => {
      const verdict = await verdictOn(challenge(), facts);
      expect([verdict.take, verdict.later]).to.deep.equal([false, true]);
      expect(verdict.why).to.match(why);
    });
  }

  it("declines offers to it that it ignores permanently, if configured to", async () => {
    const left = { take: false, why: "" };
    const isDeclined = async (change: Change = {}, decision: Decision = left, content: object = { decline: true }) =>
      isToDecline({ ...challenge(), ...change } as MatchView, await policyOf(content), { me: ME, now: 0n }, decision);
    expect(await isDeclined()).to.equal(true);
    expect(await isDeclined({ firm: false })).to.equal(true);
    expect(await isDeclined({ deadline: 30n })).to.equal(true);
    expect(await isDeclined({}, left, {})).to.equal(false);
    expect(await isDeclined({}, { ...left, later: true })).to.equal(false);
    expect(await isDeclined({}, { ...left, take: true })).to.equal(false);
    expect(await isDeclined({ player2: undefined })).to.equal(false);
    expect(await isDeclined({ player2: YOU })).to.equal(false);
    expect(await isDeclined({ status: Status.Created })).to.equal(false);
    expect(await isDeclined({ status: Status.AllDeposited })).to.equal(false);
    expect(await isDeclined({ deadline: 29n })).to.equal(false);
  });

  it("accepts a challenge exactly up to the limits of the policy", async () => {
    expect((await verdictOn(challenge(), { atRisk: parseEther("110") })).take).to.equal(true);
    expect((await verdictOn(challenge(), { purse: parseEther("10"), atRisk: parseEther("10") })).take).to.equal(false);
    expect((await verdictOn(challenge(), { purse: parseEther("20") })).take).to.equal(true);
    const max = { terms: { stake1: parseEther("50"), stake2: parseEther("50") } };
    expect((await verdictOn(challenge(max))).take).to.equal(true);
  });

  it("ignores a challenge whose chance is too low for the mode's odds, but plays it without a stake", async () => {
    const why = (view: MatchView, chance: number, content: object = {}) =>
      policyOf({ ...STAKING, ...content }).then((read) => declineLowChance(view, read, chance)?.why);
    expect(await why(challenge(), 0.4499)).to.equal("my chance is 44 %, below the 45 % that I want");
    expect(await why(challenge(), 0.45)).to.equal(undefined);
    expect(await why(challenge(), 0.59, { chance: 60 })).to.equal("my chance is 59 %, below the 60 % that I want");
    expect(await why(challenge(), 0, { chance: 0 })).to.equal(undefined);
    const ties = challenge({ mode: "coin-challenger", terms: { stake1: parseEther("30") } });
    expect([await why(ties, 0.25), await why(ties, 0.22)]).to.deep.equal([
      undefined,
      "my chance is 22 %, below the 22.5 % that I want",
    ]);
    expect(await why(challenge({ terms: { stake2: 0n } }), 0)).to.equal(undefined);
    expect((await policyOf({})).chance).to.equal(45);
  });

  it("plays games it does not stake on without a stake, at any odds", async () => {
    for (const [game, mode] of [
      ["mini-games", "dice"],
      ["mini-games", "strategy"],
      ["mini-games", "dice-challenger"],
      ["mini-games", "strategy-challenger"],
      ["tic-tac-toe", "x-wins-ties"],
      ["pistols", "default"],
      ["mini-games", "coin-challenger"],
    ]) {
      for (const stake1 of [0n, parseEther("1")]) {
        const verdict = await verdictOn(challenge({ game, mode, terms: { stake1, stake2: 0n } }), {}, {});
        expect(verdict, mode).to.deep.equal({ take: true, why: "it costs nothing" });
      }
    }
  });

  it("plays unpublished modes that its policy names, at even odds", async () => {
    const mode = `0x${"ab".repeat(32)}`;
    const view = (terms: object = {}) => ({ ...challenge({ terms: { mode, ...terms } }), mode: undefined });
    const listed = { ...STAKING, games: { "mini-games": [mode] } };
    expect((await verdictOn(view(), {}, listed)).take).to.equal(true);
    expect((await verdictOn(view({ stake2: parseEther("11") }), {}, listed)).why).to.match(/worse odds than 1 : 1/);
    const free = view({ stake1: 0n, stake2: 0n });
    expect((await verdictOn(free, {}, { games: { "mini-games": "any" } })).why).to.equal("it costs nothing");
    expect((await verdictOn(view(), {}, { games: { "mini-games": "any" } })).why).to.equal("I do not stake its token");
    expect((await verdictOn(free, {}, { games: { guardians: "any" } })).take).to.equal(false);
  });

  it("ignores off-chain matches if its policy says so, and no others", async () => {
    const stays = { ...STAKING, away: false };
    const verdict = await verdictOn(challenge(), { isAway: true }, stays);
    expect(verdict).to.deep.equal({ take: false, why: "I do not play away from the chain" });
    expect((await verdictOn(challenge(), {}, stays)).take).to.equal(true);
    expect((await verdictOn(challenge(), { isAway: true })).take).to.equal(true);
  });

  it("accepts each risk that it is configured to accept", async () => {
    const take = async (view: MatchView, risk: string, facts: Partial<AgentState> = {}) =>
      (await verdictOn(view, facts, { ...STAKING, acceptedRisks: [risk] })).take;
    expect(await take(challenge({ mode: "dice" }), "weak-mode")).to.equal(true);
    expect(await take(challenge({ terms: { stake2: parseEther("11") } }), "worse-odds")).to.equal(true);
    const short = [{ risk: "short-clock", text: "short" }] as const;
    expect(await take(challenge(), "short-clock", { risks: short })).to.equal(true);
    expect(await take(challenge({ mode: "dice" }), "worse-odds")).to.equal(false);
  });
});

describe("An agent that acts in a match", () => {
  const view = (change: Partial<MatchView>) =>
    ({ player1: YOU, player2: ME, turn: Seat.None, deadline: 100n, ...change }) as MatchView;
  /** Returns the due actions one second before the deadline, at the deadline, and one second after it. */
  const dues = (change: Partial<MatchView>, me = ME) =>
    [99n, 100n, 101n].map((now) => dueOf(view(change), games[0], me, now));

  it("takes its turn before the deadline, and does nothing afterwards", () => {
    expect(dues({ status: Status.AllJoined, turn: Seat.Two })).to.deep.equal(["act", "act", undefined]);
    expect(dues({ status: Status.AllJoined, turn: Seat.One }, YOU)).to.deep.equal(["act", "act", undefined]);
    expect(dues({ status: Status.AllDeposited })).to.deep.equal(["join", "join", undefined]);
  });

  it("times out a late opponent, and its own offer that nobody took", () => {
    const none = [undefined, undefined, "timeout"];
    expect(dues({ status: Status.AllJoined, turn: Seat.One })).to.deep.equal(none);
    expect(dues({ status: Status.AllJoined, turn: Seat.Two }, YOU)).to.deep.equal(none);
    expect(dues({ status: Status.AllDeposited }, YOU)).to.deep.equal(none);
    for (const status of [Status.Created, Status.P1Deposited]) {
      expect(dues({ status }, YOU)).to.deep.equal(none);
      expect(dues({ status })).to.deep.equal([undefined, undefined, undefined]);
    }
  });
});
