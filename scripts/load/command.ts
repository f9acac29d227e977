import { hexlify, randomBytes } from "ethers";
import { parseArgs } from "node:util";
import { isHelped } from "../../cli/shared/command/program.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { textOf } from "./ledger.js";
import { linesOf } from "./report.js";
import { load, type LoadOptions } from "./run.js";

const SEED_BYTES = 4;
const HELP = `Usage: npm run -s load -- [options]

Measure relays with many players in pairs, who sign and check messages and think between them. Everything runs on this
machine. The command exits with 1 if a message is lost, doubled or out of order.

Options:
  --players <count>       how many, an even number (default: 1000)
  --minutes <time>        how long they play, e.g. 0.5 (default: 10)
  --think <seconds>       how long a player thinks on average; the times are distributed log-normally (default: 5)
  --relays <count>        relays, behind HAProxy if there are several, which needs --postgres (default: 1)
  --postgres              keep the messages in a new Postgres with its default settings, instead of a folder
  --kills <count>         kill relays and Postgres in turn with signal 9, and start them again (default: 0)
  --recorded <messages>   sign this many messages beforehand, send them without thinking, and do not check them;
                          replaces --minutes, --think and --kills
  --relay-share <share>   share of a core that each relay may use, e.g. 0.2: relays then do not compete with players;
                          needs cpulimit
  --seed <word>           the same think times again for the same word; defaults to a random one
  -h, --help              display this help`;

/** Runs `npm run load`. @param measure Runs the players. @returns the exit code. */
export async function runLoad(args: string[], measure = load): Promise<number> {
  if (isHelped(args, HELP)) return 0;
  const stop = new AbortController();
  // Otherwise the servers would go on.
  const onStop = () => stop.abort(new Error("Stopped."));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, onStop);
  try {
    const options = readOptions(args);
    const figures = await measure(options, stop.signal);
    for (const line of linesOf(options, figures)) console.log(line);
    const faults = [
      textOf(figures.arrived, "Messages at the players"),
      textOf(figures.stored, "Messages in the store"),
    ];
    const found = faults.filter((text) => text !== undefined);
    if (found.length === 0) return 0;
    console.error(`${found.join("; ")}.`);
    return 1;
  } catch (error) {
    console.error(oneLine(error instanceof Error ? error.message : String(error)));
    return 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, onStop);
  }
}

/** @throws InputError */
function readOptions(args: string[]): LoadOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      players: { ...text, default: "1000" },
      minutes: { ...text, default: "10" },
      think: { ...text, default: "5" },
      relays: { ...text, default: "1" },
      postgres: { type: "boolean", default: false },
      kills: { ...text, default: "0" },
      recorded: text,
      "relay-share": text,
      seed: { ...text, default: hexlify(randomBytes(SEED_BYTES)).slice(2) },
    },
  });
  const read = (
    name: "players" | "minutes" | "think" | "relays" | "kills" | "recorded" | "relay-share",
    form: RegExp,
  ) => {
    const written = values[name]!;
    if (!form.test(written)) throw new InputError(`--${name}`, `${written} is not such a number`);
    return Number(written);
  };
  const decimal = /^(?!0*\.?0*$)\d{1,4}(\.\d{1,3})?$/;
  const { postgres, recorded, "relay-share": share, seed } = values;
  if (!/^[\w-]{1,40}$/.test(seed)) throw new InputError("--seed", `${seed} is not a word of letters and digits`);
  const options = {
    players: read("players", /^\d{0,4}[02468]$/),
    minutes: read("minutes", decimal),
    think: read("think", decimal),
    relays: read("relays", /^[1-9]$/),
    kills: read("kills", /^\d{1,3}$/),
    recorded: recorded === undefined ? undefined : read("recorded", /^[1-9]\d{0,6}$/),
    relayShare: share === undefined ? undefined : read("relay-share", /^0\.\d{1,2}$/),
    ...{ postgres, seed },
  };
  if (options.players === 0) throw new InputError("--players", "there must be two");
  if (options.relays > 1 && !postgres) throw new InputError("--relays", "several share messages only with --postgres");
  if (options.kills > 0 && recorded !== undefined) throw new InputError("--kills", "not with --recorded");
  return options;
}
