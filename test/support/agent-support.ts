import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Agent, type Settings } from "../../cli/agent/agent.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { EventLog } from "../../cli/agent/event-log.js";
import { readPolicy } from "../../sdk/player/policy.js";
import { urlOf } from "../../scripts/local-chain.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import type { PlayWorld } from "./play-support.js";

/** Options of an agent in a test. */
export interface Wanted {
  account: number;
  policy?: object;
  plays?: boolean;
  secrets?: readonly string[];
  /** Folder of the agent; defaults to a new folder. */
  home?: string;
  /** Node to use instead of the world's. */
  rpc?: string;
  /** Milliseconds between two requests for new blocks; defaults to those of a local chain. */
  pollingInterval?: number;
  clock?: () => number;
  /** Module that lists the agent's custom games. */
  games?: string;
  /** Relays for matches in channels. */
  relay?: string;
  /** Place where the agent finds players to open channels with. */
  place?: MeetingPlace;
}

/** An agent in this process that acts only when the test says so. */
export interface SteppedAgent {
  agent: Agent;
  home: string;
  address: string;
  /** Returns everything that the agent has reported. */
  reports: () => { event: string; match?: string; channel?: string; text: string; why?: string }[];
  /** Lets the agent tick until it has nothing left to do, or up to a number of ticks. */
  settle: (max?: number) => Promise<void>;
  close: () => void;
}

/** Opens an agent in this process, as if it had just been started. */
export async function openSteppedAgent(world: PlayWorld, wanted: Wanted): Promise<SteppedAgent> {
  const home = wanted.home ?? (await mkdtemp(join(world.folder, "agent-")));
  const { account, rpc = urlOf(world.port), policy = {}, plays = true, secrets = [], games, relay } = wanted;
  process.env.DUELLO_DEPLOYMENTS = world.folder;
  const context = await CommandContext.open({ rpc, account: String(account), games, relay }, new Vault(home)).finally(
    () => delete process.env.DUELLO_DEPLOYMENTS,
  );
  if (wanted.pollingInterval !== undefined) context.provider.pollingInterval = wanted.pollingInterval;
  const lines: string[] = [];
  const eventLog = new EventLog(join(home, "log.jsonl"), true, (line) => lines.push(line));
  const settings: Settings = { policy: await readPolicy(policy, context), plays, secrets, place: wanted.place };
  const agent = await Agent.open(context, settings, eventLog, wanted.clock);
  return {
    agent,
    home,
    address: await context.address(),
    reports: () => lines.map((line) => JSON.parse(line)),
    settle: async (max = 40) => {
      let idle = 0;
      for (let ticks = 0; ticks < max && idle < 2; ticks++) {
        idle = (await agent.tick()) ? 0 : idle + 1;
        if (idle === 1) await world.pass(1);
      }
    },
    close: () => {
      agent.channels?.close();
      context.close();
    },
  };
}
