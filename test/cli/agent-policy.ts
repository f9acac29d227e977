import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parseEther, ZeroAddress, type Provider } from "ethers";
import { policyLines } from "../../sdk/player/agent-forecast.js";
import {
  declineLowChance,
  decide,
  decideOpening,
  isToDecline,
  type AgentState,
  type Decision,
  type OpeningState,
  type OpeningView,
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
      "It takes clocks from 5 minutes to an hour, a house fee of 20 % at most, and 20 matches at once.",
      "It takes only what is offered to it by name.",
      "It opens up to 100 channels, 1 with one player, for 31 days at most, and locks nothing.",
    ]);
    const tokens = { FIGHT: { stake: "5", total: "50", channel: "20", channels: "30" } };
    const sponsor = { day: { matches: 9, gas: "0.5" }, address: { matches: 2, gas: "0.1" } };
    const channels = { most: 4, each: 2, life: "1d", sponsor };
    expect(policyLines(await policyOf({ tokens, channels })).slice(-2)).to.deep.equal([
      "It opens up to 4 channels, 2 with one player, for a day at most, and locks 20 FIGHT in one, 30 FIGHT in all.",
      "It pays for rated matches of players without money: 9 matches and 0.5 COIN of gas a day, 9 matches and 0.5 COIN of gas a day for one player, and 2 matches and 0.1 COIN of gas for one player ever.",
    ]);
    expect(policyLines(await policyOf({ channels: { most: 0 } })).at(-1)).to.equal("It opens no channels.");
    const [plays, stakes] = policyLines(await policyOf({ games: { guardians: "any", pistols: [] } }));
    expect([plays, stakes]).to.deep.equal([
      `It plays ${stockGame("guardians").title} in any mode.`,
      "It stakes nothing.",
    ]);
  });

  it("for a local chain is valid, and the docs quote it exactly", async () => {
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
    [{ channels: { patience: 120 } }, "channels.patience: 120 is not a text"],
    [{ channels: { patience: "soon" } }, "channels.patience: soon is not a time like 90s, 15m, 24h or 7d"],
    [{ channels: { most: -1 } }, "channels.most: -1 is below 0"],
    [{ channels: { each: 0 } }, "channels.each: 0 is below 1"],
    [{ channels: { life: "long" } }, "channels.life: long is not a time like 90s, 15m, 24h or 7d"],
    [{ channels: { seek: { mode: "coin" } } }, "channels.seek.game: left out"],
    [{ channels: { seek: { game: "chess" } } }, /^channels\.seek\.game: chess: no such game; there are /],
    [{ channels: { seek: { game: "pistols", mode: "swords" } } }, 'channels.seek.mode: "swords" is not one of default'],
    [
      { games: { pistols: "all" }, channels: { seek: { game: "mini-games" } } },
      "channels.seek.game: games lists no published mode of mini-games",
    ],
    [
      { ...STAKING, channels: { seek: { game: "mini-games", stake: "1" } } },
      "channels.seek.stake: more than tokens allow in a match or a channel",
    ],
    [
      { channels: { seek: { game: "pistols", rated: true } } },
      "channels.seek.rated: nobody pays for a rated match without money: name a sponsor",
    ],
    [{ channels: { sponsor: {} } }, "channels.sponsor.day: left out"],
    [{ channels: { sponsor: { day: { matches: 0, gas: "1" } } } }, "channels.sponsor.day.matches: 0 is below 1"],
    [
      { channels: { sponsor: { day: { matches: 1, gas: "much" } } } },
      "channels.sponsor.day.gas: much is not an amount like 12.5",
    ],
    [
      { tokens: { FIGHT: { stake: "1", total: "1", channel: "x" } } },
      "tokens.FIGHT.channel: x is not an amount like 12.5",
    ],
  ] as const) {
    it(`is rejected with a one-line error that names the field: ${JSON.stringify(wrong)}`, async () => {
      const refused = await policyOf(wrong).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
      if (typeof message === "string") expect(refused).to.equal(message);
      else expect(refused).to.match(message);
    });
  }
});

describe("An agent that considers a challenge", () => {
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

  async function verdictOn(view: MatchView & { seat?: bigint }, change: Partial<AgentState> = {}, content?: object) {
    const risks = await risksOf({ terms: view.terms, seat: Seat.Two }, { addresses, games }, provider as never);
    const facts = { me: ME, now: 0n, open: 0, purse: parseEther("500"), atRisk: 0n, risks, ...change };
    return decide(view, content ? await policyOf(content) : policy, facts);
  }

  it("accepts a challenge that the policy allows, and says how much would be staked", async () => {
    expect(await verdictOn(challenge())).to.deep.equal({
      take: true,
      why: "10 FIGHT of my 500 FIGHT are staked then",
    });
    const anyone = challenge({ player2: undefined });
    expect((await verdictOn(anyone)).take).to.equal(true);
  });

  const leaves: [string, Change, RegExp, object?][] = [
    ["offers to somebody else", { player2: YOU }, /for somebody else/],
    ["offers to anyone, if configured to", { player2: undefined }, /for anyone/, { open: false }],
    ["unfunded offers", { status: Status.Created }, /has not put in its stake/],
    ["offers that are about to lapse", { deadline: 29n }, /about to lapse/],
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
    [
      "a house fee above its limit",
      { terms: { feeBps: 1600n } },
      /the house takes 16 %, more than my 15 %/,
      { house: 15 },
    ],
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
      "stakes on dice if the challenger wins ties",
      { mode: "dice-challenger" },
      /for nothing only\. Player 1 wins whenever/,
    ],
    ["stakes on strategy battle", { mode: "strategy" }, /for nothing only\. Always 9 never loses/],
    ["stakes on tic-tac-toe", { game: "tic-tac-toe", mode: "default" }, /for nothing only\. Who plays well/],
  ];
  for (const [title, change, why, content] of leaves) {
    it(`ignores ${title}, permanently`, async () => {
      // Callers pass undefined for `mode` and `game` on purpose.
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
    ["it has a problem", { problem: "the node lags" }, /the node lags/],
    ["it has enough open matches", { open: 20 }, /20 open matches already/],
    ["its purse is too small", { purse: parseEther("9") }, /my purse holds 9 FIGHT only/],
    [
      "it would stake too much in total",
      { atRisk: parseEther("111") },
      /121 FIGHT would be staked, more than my 120 FIGHT/,
    ],
    [
      "it would stake too large a share of its money",
      { purse: parseEther("10"), atRisk: parseEther("5") },
      /more than 50 % of the 15 FIGHT/,
    ],
    ["finality takes long", { risks: [{ risk: "short-clock", text: "A clock is short." }] }, /A clock is short/],
  ];
  for (const [title, facts, why] of waits) {
    it(`ignores a challenge for now if ${title}`, async () => {
      const verdict = await verdictOn(challenge(), facts);
      expect([verdict.take, verdict.later]).to.deep.equal([false, true]);
      expect(verdict.why).to.match(why);
    });
  }

  it("declines, if configured to, an offer to the agent that it would otherwise ignore permanently", async () => {
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

  it("accepts a challenge that is exactly at the limits of the policy", async () => {
    expect((await verdictOn(challenge(), { atRisk: parseEther("110") })).take).to.equal(true);
    expect((await verdictOn(challenge(), { purse: parseEther("10"), atRisk: parseEther("10") })).take).to.equal(false);
    expect((await verdictOn(challenge(), { purse: parseEther("20") })).take).to.equal(true);
    const max = { terms: { stake1: parseEther("50"), stake2: parseEther("50") } };
    expect((await verdictOn(challenge(max))).take).to.equal(true);
  });

  it("ignores a challenge if its own chance of winning is too low for the mode's odds, unless it stakes nothing", async () => {
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

  it("limits its own stake, in either seat, by all its funds, including those locked in channels", async () => {
    const odds = challenge({ mode: "coin-challenger", terms: { stake1: parseEther("30") } });
    const first = { ...odds, seat: Seat.One };
    const risks = await risksOf({ terms: odds.terms, seat: Seat.One }, { addresses, games }, provider as never);
    const verdict = await verdictOn(first, { risks, purse: parseEther("30"), locked: parseEther("30") });
    expect(verdict).to.deep.equal({ take: true, why: "30 FIGHT of my 60 FIGHT are staked then" });
    expect((await verdictOn(first, { risks, purse: parseEther("30") })).why).to.match(/more than 50 % of the 30 FIGHT/);
    const large = challenge({ terms: { stake1: parseEther("51") } });
    expect((await verdictOn({ ...large, seat: Seat.One }, { risks: [] })).why).to.match(
      /51 FIGHT is above my 50 FIGHT/,
    );
    expect(declineLowChance(first, policy, 0.67)?.why).to.equal("my chance is 67 %, below the 67.5 % that I want");
    expect(declineLowChance(first, policy, 0.68)).to.equal(undefined);
  });

  it("plays any game at any odds if it stakes nothing, even a game that it never stakes on", async () => {
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

  it("stakes on an unpublished mode only if its policy names the mode, and only at even odds", async () => {
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

describe("An agent that considers opening a channel", () => {
  const LOCKING = { tokens: { FIGHT: { stake: "5", total: "50", channel: "20", channels: "30" } } };
  const token = { address: FIGHT, symbol: "FIGHT", decimals: 18 };
  const opening = {
    opponent: YOU,
    forAnybody: true,
    isFirst: true,
    token,
    feeBps: 2000n,
    own: parseEther("20"),
    other: parseEther("20"),
    until: 90_000,
  };
  const state = {
    now: 0,
    feeBps: 2000n,
    channels: 0,
    withOpponent: 0,
    purse: parseEther("20"),
    otherPurse: parseEther("20"),
    locked: 0n,
    unanswered: 0,
    promised: 0n,
  };

  async function verdictOn(
    change: Partial<OpeningView>,
    facts: Partial<OpeningState> = {},
    content: object = {},
  ): Promise<Decision> {
    const policy = await policyOf({ ...LOCKING, ...content });
    return decideOpening({ ...opening, ...change }, policy, { ...state, ...facts });
  }

  it("opens a channel that the policy allows, even exactly at the policy's limits", async () => {
    const locks = { take: true, why: "30 FIGHT are locked then" };
    expect(await verdictOn({}, { locked: parseEther("10"), channels: 99 })).to.deep.equal(locks);
    const free = { own: 0n, other: 0n, token: { ...token, address: ZeroAddress } };
    expect(await verdictOn(free, { purse: 0n })).to.deep.equal({ take: true, why: "it locks nothing of mine" });
    expect((await verdictOn({ forAnybody: false }, {}, { open: false })).take).to.equal(true);
    expect((await verdictOn({ until: 31 * 86_400 })).take).to.equal(true);
    expect((await verdictOn({ until: 10_800 })).take).to.equal(true);
    expect((await verdictOn({ own: parseEther("0.2") })).take).to.equal(true);
  });

  it("spends at most half of its channels and money on openings that nobody has answered", async () => {
    const half = { unanswered: 49, promised: parseEther("1") };
    expect((await verdictOn({ own: parseEther("14") }, half)).take).to.equal(true);
    const full = { unanswered: 50, promised: parseEther("15") };
    expect((await verdictOn({ isFirst: false }, full)).take).to.equal(true);
    expect((await verdictOn({}, { unanswered: 1 }, { channels: { most: 1 } })).take).to.equal(false);
    expect((await verdictOn({}, {}, { channels: { most: 1 } })).take).to.equal(true);
  });

  const refusals: [string, Partial<OpeningView>, Partial<OpeningState>, RegExp, object?][] = [
    ["every channel, if configured to", {}, {}, /I open no channels/, { channels: { most: 0 } }],
    ["a search that is open to anyone, if configured to", {}, {}, /for anyone/, { open: false }],
    ["a fee other than the arena's", { feeBps: 1000n }, {}, /its fee is 10 %, and the arena's 20 %/],
    ["a house fee above its limit", {}, {}, /the house takes 20 %, more than my 15 %/, { house: 15 }],
    ["a duration that is too short", { until: 10_799 }, {}, /end in less than 10800 s/],
    ["a duration that is too long", { until: 31 * 86_400 + 1 }, {}, /lock money for more than my 2678400 s/],
    ["a large amount", { own: parseEther("20") + 1n }, {}, /are above my 20 FIGHT a channel/],
    [
      "to lock a larger amount than the other player",
      { other: parseEther("20") - 1n },
      {},
      /and the other player 19\.9+ FIGHT only/,
    ],
    ["an amount too small for its gas", { own: parseEther("0.2") - 1n }, {}, /are below my 0\.2 FIGHT a channel/],
    [
      "a channel in which only the other player locks money",
      { own: 0n, other: 1n },
      {},
      /0 FIGHT are below my 0\.2 FIGHT a channel/,
    ],
    [
      "a token that its policy does not list",
      { token: { ...token, address: YOU } },
      {},
      /20 FIGHT are above my 0 FIGHT a channel/,
    ],
  ];
  for (const [title, change, facts, why, content] of refusals) {
    it(`refuses ${title}, permanently`, async () => {
      const verdict = await verdictOn(change, facts, content);
      expect([verdict.take, verdict.later]).to.deep.equal([false, undefined]);
      expect(verdict.why).to.match(why);
    });
  }

  const waits: [string, Partial<OpeningState>, RegExp][] = [
    ["it has a problem", { problem: "the node lags" }, /the node lags/],
    ["it already has a channel with the player", { withOpponent: 1 }, /I have 1 channels with this player already/],
    ["it has its largest number of channels", { channels: 100 }, /I have 100 channels already/],
    ["its purse is too small", { purse: parseEther("19") }, /my purse holds 19 FIGHT only/],
    [
      "the purse of the other player is too small",
      { otherPurse: parseEther("19") },
      /of the other player holds 19 FIGHT/,
    ],
    [
      "nobody has answered in half of its channels",
      { unanswered: 50 },
      /nobody has answered yet in 50 of my 100 channels/,
    ],
    [
      "half of its money is promised to players who have not answered",
      { promised: parseEther("1") },
      /1 FIGHT are promised to players who have not answered yet/,
    ],
    ["its channels hold too much", { locked: parseEther("11") }, /31 FIGHT would be locked, more than my 30 FIGHT/],
  ];
  for (const [title, facts, why] of waits) {
    it(`refuses a channel for now if ${title}`, async () => {
      const verdict = await verdictOn({}, facts);
      expect([verdict.take, verdict.later]).to.deep.equal([false, true]);
      expect(verdict.why).to.match(why);
    });
  }
});

describe("An agent that acts in a match", () => {
  const view = (change: Partial<MatchView>) =>
    ({ player1: YOU, player2: ME, turn: Seat.None, deadline: 100n, ...change }) as MatchView;
  /** Returns the next actions one second before the deadline, at the deadline, and one second after it. */
  const dues = (change: Partial<MatchView>, me = ME) =>
    [99n, 100n, 101n].map((now) => dueOf(view(change), games[0], me, now));

  it("takes its turn before the deadline, and does nothing afterwards", () => {
    expect(dues({ status: Status.AllJoined, turn: Seat.Two })).to.deep.equal(["act", "act", undefined]);
    expect(dues({ status: Status.AllJoined, turn: Seat.One }, YOU)).to.deep.equal(["act", "act", undefined]);
    expect(dues({ status: Status.AllDeposited })).to.deep.equal(["join", "join", undefined]);
  });

  it("times out a late opponent, and an offer of its own that nobody took", () => {
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
