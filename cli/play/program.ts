import { addRelays, exitCodeOf, programOf } from "../shared/program.js";
import { addCommand, addIdentity } from "../shared/command-line.js";
import { aways } from "./away.js";
import { challenges } from "./challenge.js";
import { characters } from "./characters.js";
import { addKept } from "./kept.js";
import { modes } from "./modes.js";
import { money } from "./money.js";
import { offers } from "./offers.js";
import { clock } from "./clock.js";
import { ranking } from "./ranking.js";
import { reading } from "./reading.js";
import { reveals } from "./reveal-army.js";
import { secrets } from "../shared/secrets.js";
import type { Options } from "../shared/session.js";
import { stats } from "./stats.js";
import { turns } from "./turns.js";
import { welcome } from "./welcome.js";

const DESCRIPTION = `Play at a deployment of Duello.

Name your account by --account N on a test chain, by --keystore FILE (its password is asked for, or read from DUELLO_PASSWORD), or by a key in DUELLO_PRIVATE_KEY.

Without a command it lists what needs you now, and at a terminal asks what to play.

It exits with 0 when done, 1 when refused or failed, 2 for a wrong command line, in which case nothing is sent.`;

/** Runs a command of `npm run play` without ending the process. @returns the exit code. */
export async function play(args: readonly string[]): Promise<number> {
  const program = addRelays(addIdentity(programOf("play", DESCRIPTION))).option("--yes", "accept warnings");
  const all = [
    money,
    characters,
    challenges,
    offers,
    turns,
    aways,
    modes,
    reading,
    stats,
    ranking,
    reveals,
    secrets,
    clock,
  ];
  for (const command of all.flat()) addCommand(program, command);
  addKept(program);
  return exitCodeOf(program, args, async () => {
    const chosen = await welcome(program.opts<Options>());
    return chosen ? play([...args, ...chosen]) : 0;
  });
}
