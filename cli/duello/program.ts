import { DUELLO } from "../shared/command/invocation.js";

/** Program that a command of `duello` runs. */
interface Program {
  description: string;
  /** Loads and runs the program. @returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Programs by their commands. Each is loaded only when named: loading all takes longer than most commands. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  agent: {
    description: "run a program that plays as an ordinary player",
    run: async (args) => (await import("../agent/program.js")).agent(args),
  },
  api: {
    description: "run the API with which a bot plays matches in channels",
    run: async (args) => (await import("../api/program.js")).api(args),
  },
  conformance: {
    description: "play against a bot and report which rules of channels it breaks",
    run: async (args) => (await import("../conformance/program.js")).conformance(args),
  },
  mcp: {
    description: "let a language model play, through an MCP server",
    run: async (args) => (await import("../mcp/program.js")).mcp(args),
  },
  mint: {
    description: "mint tokens, fighters and cards as their owner or a minter",
    run: async (args) => (await import("../mint/program.js")).mint(args),
  },
  relay: {
    description: "run a relay for matches in channels",
    run: async (args) => (await import("../relay/program.js")).relay(args),
  },
  simulate: {
    description: "compute fights without a chain, and their odds",
    run: async (args) => (await import("../simulate/simulation.js")).simulate(args),
  },
  verify: {
    description: "check matches, purses and ratings by the events of the chain",
    run: async (args) => (await import("../verify/command.js")).runVerify(args),
  },
};

/**
 * Runs `duello`: the program that the first argument names, or by default a command of `play`.
 * @returns the exit code.
 */
export async function duello(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name !== undefined && Object.hasOwn(PROGRAMS, name)) return PROGRAMS[name].run(rest);
  const { play } = await import("../play/program.js");
  return play(args, { name: DUELLO, programs: PROGRAMS });
}
