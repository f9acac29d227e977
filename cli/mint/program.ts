import type { Command } from "commander";
import type { TransactionReceipt } from "ethers";
import { InputError } from "../../sdk/protocol/input.js";
import { readNumber } from "../../sdk/protocol/arguments.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { addCommand, addIdentity, runCommand } from "../shared/command/command-line.js";
import { print, type Result } from "../shared/command/output.js";
import { addExamples, exitCodeOf, programOf } from "../shared/command/program.js";
import type { CommandContext } from "../shared/command/context.js";
import { mintFile } from "./batch.js";
import { minted } from "./minted.js";
import { mintersOf, ownerOf, tokens } from "./minters.js";
import {
  FIGHT,
  kinds,
  MAX_MINTS,
  mintOf,
  readStats,
  receiver,
  statsText,
  template,
  type Kind,
  type Mint,
} from "./mints.js";
import { setMinter } from "./permission.js";
import { acceptPrice, forNewcomer, priceOf, priceText } from "./price.js";

const DESCRIPTION = `Mint FIGHT, fighters and cards of a deployment of Duello, as its owner or as a minter whom the owner has allowed.

Name your account as in npm run play: by --account N, --keystore FILE, or DUELLO_PRIVATE_KEY. Whatever is sent is priced first, and asked about, but for a test chain.

It exits with 0 when done, 1 when refused or failed, 2 for a wrong command line or file, in which case nothing is sent.`;

/** Creates the program with all its commands. */
export function mintProgram(): Command {
  const program = addIdentity(programOf("mint", DESCRIPTION))
    .option("--yes", "pay the price without being asked")
    .option("--dry-run", "tell the price, and send nothing")
    .option("--file <file>", "mint what a JSON file lists and has not been minted yet")
    .option("--allow-minter <address>", "let an account mint fighters and cards, as their owner")
    .option("--disallow-minter <address>", "stop an account from minting")
    .action(async (flags: Flags) => runCommand((context) => runFlag(context, flags), [], flags));
  for (const command of [...kinds.map(mintCommand), listMinters]) addCommand(program, command);
  addExamples(program, [
    "--file gifts.json --dry-run",
    "fight --to 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc --amount 12.5",
  ]);
  const templates = program
    .command("template")
    .description("print a file for --file as an example")
    .option("--to <addresses...>", "receivers", ["ADDRESS"])
    .option("--count <number>", "number of each kind for each of them", "1")
    .action(({ to, count }: { to: string[]; count: string }) => {
      const data = template(to, Number(readNumber(count, "--count", 1n, BigInt(MAX_MINTS))));
      print({ data, text: JSON.stringify(data, undefined, 2).split("\n") }, program.opts<Flags>().json);
    });
  addExamples(templates, ["template --to 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc > gifts.json"]);
  return program;
}

/** Runs a command of `npm run mint` without ending the process. @returns the exit code. */
export async function mint(args: readonly string[]): Promise<number> {
  return exitCodeOf(mintProgram(), args);
}

/** Performs the action of the given flag. */
async function runFlag(context: CommandContext, flags: Flags): Promise<Result> {
  const names = ["file", "allowMinter", "disallowMinter"] as const;
  const given = names.filter((name) => textOf(flags, name) !== undefined);
  if (given.length === 0) throw new InputError("mint", "no command is given; --help lists them");
  if (given.length > 1) throw new InputError("mint", "--file, --allow-minter and --disallow-minter go one at a time");
  const value = textOf(flags, given[0])!;
  return given[0] === "file"
    ? mintFile(context, value, flags)
    : setMinter(context, value, given[0] === "allowMinter", flags);
}

/** Makes the command that mints one item of a kind. */
function mintCommand(kind: Kind): PlayCommand {
  const isFight = kind === FIGHT;
  const own = isFight
    ? (["--amount <amount>", "amount, like 12.5"] as const)
    : (["--stats <list>", `e.g. ${statsText(kind.example)}`] as const);
  const [flag] = /\w+/.exec(own[0])!;
  return {
    usage: kind.name,
    description: isFight ? "mint FIGHT" : `mint a ${kind.name}`,
    examples: [
      `${kind.name} --to 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc ${isFight ? "--amount 12.5" : `--stats ${statsText(kind.example)}`}`,
    ],
    options: [["--to <address>", "receiver"], own],
    async run(context, _, flags) {
      const to = receiver(textOf(flags, "to"), "--to");
      const value = textOf(flags, flag);
      if (value === undefined) throw new InputError(`--${flag}`, "left out");
      const stats = isFight ? { amount: value } : readStats(value, `--${flag}`);
      const path = isFight ? "" : `--${flag}`;
      return mintOne(context, mintOf(kind, context.deployment.addresses, to, stats, path), flags);
    },
  };
}

async function mintOne(context: CommandContext, one: Mint, flags: Flags): Promise<Result> {
  const { kind, to, token, data } = one;
  const action = { call: "mint", what: `mint of ${kind.name} for ${to}`, content: [token, data] };
  const priced = () => priceOf(context, [{ kind, to: token, data: forNewcomer(data), count: 1 }]);
  if (flags.dryRun === true) {
    const price = await priced();
    return { data: { kind: kind.name, to, ...price }, text: priceText(price) };
  }
  const receipt: TransactionReceipt = await context.once(action, async () => {
    await acceptPrice(context, await priced(), flags);
    const outbox = await context.outbox();
    return outbox.mined(outbox.sendTransaction({ to: token, data }));
  });
  return minted(one, receipt);
}

/** Command that lists owners and minters. */
const listMinters: PlayCommand = {
  usage: "minters",
  description: "list who may mint: the owner of each token, and the minters whom it has allowed",
  examples: ["minters"],
  async run(context) {
    const fight = { kind: FIGHT.name, owner: await ownerOf(context, FIGHT) };
    const others = await Promise.all(
      tokens.map(async (token) => ({
        kind: token.noun,
        owner: await ownerOf(context, token),
        minters: await mintersOf(context, token),
      })),
    );
    const text = others.map(({ kind, owner, minters }) => {
      const may = minters.length === 0 ? "nobody may mint" : `${minters.join(", ")} may mint`;
      return `${kind}: ${may}; the owner, ${owner}, allows minters`;
    });
    return { data: [fight, ...others], text: [`${FIGHT.name}: the owner, ${fight.owner}, may mint`, ...text] };
  },
};
