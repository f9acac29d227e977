import type { Command } from "commander";
import completeWith from "@bomb.sh/tab/commander";
import { InputError } from "../../sdk/protocol/input.js";
import type { PlayCommand } from "../shared/command/command.js";
import { invocationOf } from "../shared/command/invocation.js";
import { addRelays, exitCodeOf, programOf } from "../shared/command/program.js";
import { addCommand, addIdentity } from "../shared/command/command-line.js";
import { challenges } from "./challenge.js";
import { characters } from "./characters.js";
import { addDoctor } from "./doctor.js";
import { addKept } from "./kept.js";
import { modes } from "./modes.js";
import { money } from "./money.js";
import { offers } from "./offers.js";
import { clock } from "./clock.js";
import { series } from "./series.js";
import { sitting } from "./sit.js";
import { ranking } from "./ranking.js";
import { reading } from "./reading.js";
import { reveals } from "./reveal-army.js";
import { secrets } from "../shared/wallet/secrets.js";
import type { Options } from "../shared/command/context.js";
import { stats } from "./stats.js";
import { turns } from "./turns.js";
import { ups } from "./up.js";
import { welcome } from "./welcome.js";

const DESCRIPTION = `Play at a deployment of Duello.

Name your account by --account N on a test chain, by --keystore FILE (its password is asked for, or read from DUELLO_PASSWORD), or by a key in DUELLO_PRIVATE_KEY.

Without a command it lists what needs you now, and at a terminal asks what to play.

It exits with 0 when done, 1 when refused or failed, 2 for a wrong command line, in which case nothing is sent.`;

/** Commands by their headings in the help. */
const GROUPS: Readonly<Record<string, readonly PlayCommand[]>> = {
  "Play:": [...challenges, ...offers, ...turns],
  "Sit:": [...sitting, ...series, ...ups],
  "Look:": [...reading, ...stats, ...ranking, ...modes, ...reveals],
  "Own:": [...money, ...characters, ...secrets, ...clock],
};

/** Name under which the program runs, and the other programs that it runs. */
interface Naming {
  name: string;
  programs?: Readonly<Record<string, { description: string }>>;
}

/** Creates the program with all its commands. */
export function playProgram({ name, programs }: Naming = { name: "play" }): Command {
  const program = addRelays(addIdentity(programOf(name, DESCRIPTION))).option("--yes", "accept warnings");
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const command of commands) addCommand(program, command);
  }
  addKept(program);
  addDoctor(program);
  if (programs) addPrograms(program, programs);
  return program;
}

/** Runs a command of `npm run play` without ending the process. @returns the exit code. */
export async function play(args: readonly string[], naming?: Naming): Promise<number> {
  const program = playProgram(naming);
  return exitCodeOf(program, args, async () => {
    const chosen = await welcome(program.opts<Options>());
    return chosen ? play([...args, ...chosen], naming) : 0;
  });
}

/** Adds other programs to the help, and a command that prints shell completions. */
function addPrograms(program: Command, programs: NonNullable<Naming["programs"]>): void {
  program.commandsGroup("Programs:");
  for (const [name, { description }] of Object.entries(programs)) {
    const command = program.command(name).description(description).argument("[args...]").allowUnknownOption();
    command.action(() => {
      throw new InputError(name, `name it before its options, as in ${invocationOf(name)} --help`);
    });
  }
  program.commandsGroup("Shell:");
  completeWith(program, { completionCommandName: "completion" });
}
