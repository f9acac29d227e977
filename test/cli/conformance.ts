import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { SigningKey } from "ethers";
import { examine, rulesFor, type ExaminationOptions } from "../../cli/conformance/examination.js";
import type { Verdict } from "../../cli/conformance/rules.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { findGame } from "../../sdk/games/list.js";
import { modeHash } from "../../sdk/games/modes.js";
import { machineClock, type Clock } from "../../sdk/chain/waiting.js";
import { moveHashOf, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  parseChannelMessage,
  signedWith,
  type BalanceMessage,
  type ChannelMessage,
  type MoveMessage,
} from "../../sdk/protocol/channels/wire.js";
import { channelWorld, type ChannelWorld } from "../support/channel-games.js";
import { transportWith } from "../support/channel-seats.js";
import { keyOf } from "../support/channels.js";
import { loadFixture } from "../support/index.js";
import { MemoryPlace } from "../support/memory-place.js";
import { PATIENCE } from "../support/patience.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import { freePort, runProgram, type Running } from "../support/running.js";
import { runWireBot, type WireBot } from "../support/wire-bot.js";

const module = stockGame("mini-games");
const mode = modeHash(module.modes["rock-paper-scissors"].content);
const GAMES = [{ name: "rock-paper-scissors", module, mode }];
const RULES = rulesFor(GAMES);

/** Rules that the first three matches check. */
const LATER = ["late", "silence", "restart", "repeated", "resigns", "game rock-paper-scissors"];
const BASIC = RULES.filter(({ name }) => !LATER.includes(name));

/** Milliseconds for which the kit waits for bots that stop. */
const SHORT = 1_000;

/** Returns the messages that a bot sends in place of one of its own. */
type Change = (message: ChannelMessage, at: ChannelsAt) => readonly ChannelMessage[];

/** A bot that breaks a rule, and what the kit reports. */
interface BrokenBot {
  rule: string;
  reason: RegExp;
  change?: Change;
  /** Returns a function that says which messages of the kit the bot forgets. */
  forgetting?(): (message: ChannelMessage) => boolean;
  options?: Partial<ExaminationOptions>;
  /** Changes to a bot that stops. @param stops Starts the kit's clock */
  silent?(stops: () => void): Pick<WireBot, "choose" | "onUnplayable">;
}

/** Looks of the bot at the lobby, within which it has also read its messages. */
const LOOKS = 2;

/**
 * Clock of the kit, so that a slow machine makes no bot late. Its time passes while the kit pauses, and after the bot has
 * stopped. A pause lasts until the bot has looked around.
 */
class KitClock implements Clock {
  private paused = 0;
  private looks = 0;
  private started?: number;

  now(): number {
    return this.paused + (this.started === undefined ? 0 : performance.now() - this.started);
  }

  async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const last = this.looks + LOOKS;
    do await machineClock.pause(1, signal);
    while (this.looks < last && this.started === undefined);
    this.paused += milliseconds;
  }

  random(): number {
    return 0;
  }

  look(): void {
    this.looks++;
  }

  /** Lets the time pass, because the bot has stopped. */
  start(): void {
    this.started ??= performance.now();
  }
}

const KEY = new SigningKey(keyOf("key 2").privateKey);

/** Signs another move in place of the bot's. */
function altered(move: MoveMessage, at: ChannelsAt, changes: Partial<MoveMessage> = {}): MoveMessage {
  return signedWith<MoveMessage>(KEY, at, { ...move, action: "0x1234", ...changes });
}

/** Signs the move after a move. */
const following = (move: MoveMessage, at: ChannelsAt) =>
  altered(move, at, { count: move.count + 1, prev: moveHashOf(move) });

/** Returns a change of the move with a number. */
function changing(count: number, change: (move: MoveMessage, at: ChannelsAt) => readonly ChannelMessage[]): Change {
  return (message, at) => (message.type === "move" && message.count === count ? change(message, at) : [message]);
}

/** Lets a bot forget a reveal that comes after the balance. */
function forgettingLateReveals(): (message: ChannelMessage) => boolean {
  let isLate = false;
  return (message) => {
    isLate ||= message.type === "balance" && message.player === 1;
    return isLate && message.type === "move" && message.count === 2;
  };
}

const BROKEN: Readonly<Record<string, BrokenBot>> = {
  "does not consent to a channel": {
    rule: "opens",
    reason: /^it has not sent its consent to a channel in which nobody locks anything within 1 s$/,
    change: (message) => (message.type === "open" ? [] : [message]),
    options: { openingPatience: SHORT },
  },
  "forgets a message that comes late": {
    rule: "late",
    reason: /^it has not sent its signature under the balance after match 16384 within 1 s$/,
    forgetting: forgettingLateReveals,
    options: { rules: RULES.filter(({ name }) => name === "late") },
  },
  "never answers": {
    rule: "answers",
    reason: /^it has not sent its answer to the offer of match 16384 within 1 s$/,
    silent: (stops) => ({
      choose: async () => {
        stops();
        return undefined;
      },
    }),
  },
  "does not reveal": {
    rule: "clock",
    reason: /^it has not sent message 2 of match 16385 within 1 s$/,
    change: changing(2, () => []),
  },
  "signs two different moves": {
    rule: "numbers",
    reason: /^it has signed two different messages: move 1 of match 16384$/,
    change: changing(1, (move, at) => [move, altered(move, at)]),
  },
  "moves out of turn": {
    rule: "turns",
    reason: /^move 2 of match 16384: action: 0x1234 of seat 2, while it is the turn of 1$/,
    change: changing(1, (move, at) => [move, following(move, at)]),
  },
  "makes an illegal move": {
    rule: "legal",
    reason: /^move 1 of match 16384: /,
    change: changing(1, (move, at) => [altered(move, at)]),
  },
  "reveals another move": {
    rule: "reveals",
    reason: /^move 2 of match 16385: /,
    change: changing(2, (move, at) => [altered(move, at)]),
  },
  "does not sign the balance": {
    rule: "balances",
    reason: /^it has not sent its signature under the balance after match 16384 within 1 s$/,
    change: (message) => (message.type === "balance" ? [] : [message]),
  },
  "signs another balance": {
    rule: "balances",
    reason: /^the balance before match 16385 has the amounts 0 and 1 instead of 0 and 0$/,
    change: (message, at) =>
      message.type === "balance" ? [signedWith<BalanceMessage>(KEY, at, { ...message, amount2: 1n })] : [message],
  },
  "stops when it is asked for a game that it does not know": {
    rule: "declines",
    reason: /^it has not sent its offer of match 16385 within 1 s$/,
    silent: (stops) => ({ onUnplayable: stops }),
  },
};

/** Examines a bot. @returns the verdicts by rule */
async function verdictsOn(bot: WireBot, clock: KitClock, changes: Partial<ExaminationOptions> = {}) {
  const world = await loadFixture(channelWorld);
  const place = new MemoryPlace();
  const stop = new AbortController();
  const runs = runWireBot(world, place, { ...bot, onLook: () => clock.look() }, stop.signal);
  try {
    const verdicts = await examine({ ...optionsOf(world), place, clock, ...changes });
    return Object.fromEntries(verdicts.map((verdict): [string, Verdict] => [verdict.name, verdict]));
  } finally {
    stop.abort();
    await runs;
  }
}

function optionsOf({ history, chainId, channels, alice, bob }: ChannelWorld): Omit<ExaminationOptions, "place"> {
  return {
    at: { chainId, channels: channels.target as string },
    arena: history.addresses.Arena,
    history,
    moduleAt: (game) => findGame(game, games, history.addresses),
    player: alice.address,
    signOpen: ({ domain, types, value }) => alice.signTypedData(domain, types, value),
    opponent: bob.address,
    token: history.addresses.FightToken,
    feeBps: 2000n,
    patience: PATIENCE,
    openingPatience: PATIENCE,
    games: GAMES,
    areNamed: true,
    rules: RULES,
    silence: 100,
  };
}

describe("The conformance kit", () => {
  it("passes a correct bot by all rules that need neither its own relay nor a transaction", async () => {
    const skipped = ["restart", "repeated", "resigns"];
    for (const [name, { result, reason }] of Object.entries(await verdictsOn({}, new KitClock()))) {
      expect(result, `${name}: ${reason}`).to.equal(skipped.includes(name) ? "skip" : "pass");
    }
  });

  for (const [name, { rule, reason, change, forgetting, options, silent }] of Object.entries(BROKEN)) {
    it(`reports a bot that ${name}`, async () => {
      const clock = new KitClock();
      const stops = () => clock.start();
      const isForgotten = forgetting?.();
      const ports: WireBot["ports"] = (way, at) => {
        const put = async (line: string) => {
          const message = parseChannelMessage(line, "line");
          const sent = change ? change(message, at) : [message];
          for (const each of sent) await way.put(channelMessageText(each));
          if (sent.length === 0) stops();
        };
        const after = async (seen: number) => {
          const read = await way.after(seen);
          const lines = read.lines.filter((line) => !isForgotten?.(parseChannelMessage(line, "line")));
          if (lines.length < read.lines.length) stops();
          return { ...read, lines };
        };
        return { transport: transportWith(way, { put, after }) };
      };
      const given = { rules: BASIC, patience: SHORT, ...options };
      const verdicts = await verdictsOn({ ports, ...silent?.(stops) }, clock, given);
      expect(verdicts[rule].result).to.equal("fail");
      expect(verdicts[rule].reason).to.match(reason);
    });
  }
});

describe("npm run conformance", () => {
  const [KIT, BOT] = [4, 5];
  let world: PlayWorld;

  before(async () => (world = await startWorld()));
  after(() => world.close());

  /** Runs the kit against a player of the bot's account. @param start Starts the bot at the kit's relay. */
  async function verdicts(start: (bot: Terminal) => Promise<Running>, ...games: string[]): Promise<Verdict[]> {
    const port = String(await freePort());
    const kit = await world.terminal(["--account", String(KIT)]);
    const bot = await world.terminal(["--account", String(BOT)], { DUELLO_RELAY: `http://127.0.0.1:${port}` });
    const args = ["--opponent", world.accounts[BOT], "--port", port, "--silence", "1s", "--on-chain", "--json"];
    const { ended } = kit.script("cli/conformance/main.ts", ...args, "--game", ...games);
    const { errors } = await start(bot);
    const { code, stdout, stderr } = await ended;
    expect(code, stdout + stderr + errors()).to.equal(0);
    return (JSON.parse(stdout) as { rules: Verdict[] }).rules;
  }

  it("passes sit --stay, also if the relay fails, and if its opponent resigns on chain", async () => {
    const start = async (bot: Terminal) =>
      bot.start("sit", world.accounts[KIT], "--amount", "0", "--stay", "--moves", "random");
    const rules = await verdicts(start, "rock-paper-scissors", "tic-tac-toe");
    expect(new Set(rules.map(({ result }) => result))).to.deep.equal(new Set(["pass"]));
  });

  it("passes the example bot of the API", async () => {
    const start = async (bot: Terminal) => {
      const port = String(await freePort());
      const [server, { stdout }] = [
        bot.script("cli/api/main.ts", "--port", port),
        await bot.script("cli/api/main.ts", "--token", "1d").ended,
      ];
      while (!(server.text() + server.errors()).includes("is at")) await pause(50);
      const variables = { DUELLO_API: `http://127.0.0.1:${port}`, DUELLO_API_TOKEN: stdout.trim() };
      return runProgram([process.execPath, "examples/bots/bot.ts"], variables);
    };
    const rules = await verdicts(start, "rock-paper-scissors", "tic-tac-toe");
    expect(new Set(rules.map(({ result }) => result))).to.deep.equal(new Set(["pass"]));
  });
});
