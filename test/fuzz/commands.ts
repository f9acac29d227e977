import { agent } from "../../cli/agent/program.js";
import { play } from "../../cli/play/program.js";
import { simulate } from "../../cli/simulate/simulation.js";
import { runVerify } from "../../cli/verify/command.js";
import { runInside } from "../support/inside.js";
import { decoder, expectPrintable, type Decoder } from "./decoder.js";
import { argumentsNear } from "./near.js";

/** The tests need no node: the commands check the arguments first. */
const NOWHERE = { DUELLO_RPC_URL: "nowhere", DUELLO_PRIVATE_KEY: undefined };

const PROGRAMS = {
  play: {
    run: play,
    samples: [
      ["create", "auto-battler", "1", "2", "3", "4", "5", "--stake", "5", "--opponent", "0x12", "--soft", "--yes"],
      ["purse", "withdraw", "FIGHT", "all", "--to", "0x12", "--account", "4", "--json"],
      ["secrets", "import", "backup.json"],
      ["list", "--of", "0x12", "--limit", "7"],
      ["fighters", "transfer", "1", "0x12"],
      ["replay", "7", "--turns", "--sight", "1", "--army", "army.json"],
      ["allow", "0x12", "--for", "7d", "--revoke"],
    ],
  },
  agent: { run: agent, samples: [["--account", "6", "--config", "policy.json", "--secrets", "a", "b", "--json"]] },
  verify: {
    run: runVerify,
    samples: [
      ["1", "2"],
      ["--all", "--json"],
    ],
  },
  simulate: { run: simulate, samples: [["pistols", "file.json", "--engine", "ts"]] },
};

/** Returns decoders of the programs' arguments: an error gives an exit code, and one line that names the argument. */
export function commandDecoders(): Decoder[] {
  return Object.entries(PROGRAMS).map(([name, { run, samples }]) =>
    decoder(`the arguments of ${name}`, {
      cost: 200,
      inputs: argumentsNear(samples),
      async decode(args) {
        const { code, stderr } = await runInside(() => run(args), NOWHERE);
        if (code === 0) return;
        if ((code !== 1 && code !== 2) || !stderr.endsWith("\n")) throw new Error(`It exits with ${code}: ${stderr}`);
        expectPrintable(stderr.slice(0, -1));
      },
    }),
  );
}
