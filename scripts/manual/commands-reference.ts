import { execFileSync } from "node:child_process";
import type { Command } from "commander";
import { playProgram } from "../../cli/play/program.js";
import type { ReferencePage } from "./contracts-reference.js";

/** Programs besides `play`, by the npm scripts that run them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  start: "scripts/start.ts",
  agent: "cli/agent/main.ts",
  verify: "cli/verify/main.ts",
  simulate: "cli/simulate/main.ts",
  relay: "cli/relay/main.ts",
  api: "cli/api/main.ts",
  mcp: "cli/mcp/main.ts",
  conformance: "cli/conformance/main.ts",
  index: "indexer/main.ts",
  page: "scripts/page.ts",
  mint: "cli/mint/main.ts",
  deploy: "scripts/deploy.ts",
  soak: "scripts/soak.ts",
  load: "scripts/load.ts",
  bench: "scripts/bench.ts",
  mutants: "scripts/mutants.ts",
};

/** Returns the reference of the commands, from their own help. @throws Error if a program prints no help */
export function commandPages(): ReferencePage[] {
  const play = playProgram();
  const commands = leavesOf(play).map(([name, command]) => section(name, helpOf(command)));
  const programs = Object.entries(PROGRAMS).map(([name, file]) => section(`npm run ${name}`, printedBy(file)));
  return [
    page("play", "Commands of play", [fenced(helpOf(play)), ...commands]),
    page("programs", "Programs", ["Every program takes its options after `--`.", ...programs]),
  ];
}

/** Lists the commands of a program that have no commands of their own, with their names. */
function leavesOf(program: Command, prefix = ""): [string, Command][] {
  return program.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? leavesOf(command, `${name} `) : [[name, command]];
  });
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return help.trimEnd().replaceAll("Usage: play", "Usage: npm run -s play --");
}

function printedBy(file: string): string {
  const help = execFileSync("sh", ["scripts/run.sh", file, "--help"], {
    encoding: "utf8",
    env: { ...process.env, COLUMNS: "100" },
  });
  if (!/usage/i.test(help)) throw new Error(`${file} --help prints no usage.`);
  return help.trimEnd();
}

const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``;
const section = (name: string, help: string) => `## ${name}\n\n${fenced(help)}`;
const page = (name: string, title: string, parts: readonly string[]): ReferencePage => ({
  name: `${name}.md`,
  markdown: `${[`# ${title}`, ...parts].join("\n\n")}\n`,
});
