import { join } from "node:path";
import { Option, type Command } from "commander";
import { readAddress } from "../../../sdk/protocol/arguments.js";
import { fields, InputError, integer, object, optional, text, type Reader } from "../../../sdk/protocol/input.js";
import { listed } from "../../../sdk/protocol/text.js";
import { readFileAs } from "../files/files.js";
import { OWN_NAME } from "../node/networks.js";
import { Vault } from "../files/vault.js";

/** Words that arguments accept in place of addresses. */
const TAKEN = ["none", "all", "anyone"];

/** Arguments that are addresses. An option's flags show whether it takes an address. */
const ADDRESSES = ["address", "operator", "to"];
const IS_ADDRESS = /[<[]address/;

/** Reads an object whose keys are names. */
function named<T>(read: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return fields((value, path, name) => {
    if (!OWN_NAME.test(name) || TAKEN.includes(name)) {
      throw new InputError(path, "not a name of a letter and up to 31 letters, digits, - or _");
    }
    return read(value, path);
  });
}

const maybeText = optional(text, undefined);

/** Reads an account of the user: its number at a node of a test chain, or the path of a keystore. */
const readAccount: Reader<number | string> = (value, path) =>
  typeof value === "number" ? integer(0, Number.MAX_SAFE_INTEGER)(value, path) : text(value, path);

/** Settings that a user of the command line has saved. */
export const readProfile = object({
  /** URLs of nodes, separated by commas. */
  rpc: maybeText,
  network: maybeText,
  games: maybeText,
  /** Relays, separated by commas. */
  relay: maybeText,
  /** Name among the accounts below, or number of an account of the node. */
  account: maybeText,
  keystore: maybeText,
  /** Agent that is challenged by default: an address, or a name among the players below. */
  agent: maybeText,
  accounts: optional(named(readAccount), new Map<string, number | string>()),
  players: optional(
    named((value, path) => readAddress(text(value, path), path)),
    new Map<string, string>(),
  ),
});
export type Profile = ReturnType<typeof readProfile>;

/**
 * Options that belong together. The first source that names any of them is used: the command line, the environment, or
 * the profile.
 */
export interface Group {
  /** Environment variable that sets one of the options. */
  variable: string;
}

export const NODE: Group = { variable: "DUELLO_RPC_URL" };
export const IDENTITY: Group = { variable: "DUELLO_PRIVATE_KEY" };
export const GAMES: Group = { variable: "DUELLO_GAMES" };
export const RELAYS: Group = { variable: "DUELLO_RELAY" };

/** Option whose value may come from the profile. */
export class ProfileOption extends Option {
  constructor(
    readonly group: Group,
    flags: string,
    description: string,
  ) {
    super(flags, description);
  }
}

/** Returns the path of the profile. */
export function profileFile(): string {
  return join(new Vault().folder, "profile.json");
}

/** Reads the profile of this machine; an empty profile if there is no file. @throws InputError if it is malformed. */
export async function openProfile(): Promise<Profile> {
  return (await readFileAs(profileFile(), readProfile)) ?? readProfile({}, profileFile());
}

/**
 * Sets those options of a program that only the profile has, not the command line or the environment. Replaces the name
 * of an account with its value, and names of players in a command's arguments and options with their addresses.
 * @throws InputError for a malformed profile, or a name that it lacks.
 */
export async function applyProfile(program: Command, command = program): Promise<void> {
  const profile = await openProfile();
  replacePlayers(command, profile);
  const options = program.options.filter((option) => option instanceof ProfileOption);
  for (const group of new Set(options.map((option) => option.group))) {
    const keys = options.filter((option) => option.group === group).map((option) => option.attributeName());
    const isGiven = keys.some((key) => program.getOptionValue(key) !== undefined);
    if (isGiven || process.env[group.variable] !== undefined) continue;
    for (const key of keys) program.setOptionValueWithSource(key, profile[key as keyof Profile], "config");
  }
  const account = program.getOptionValue("account") as string | undefined;
  // Together with a keystore, the name is rejected like any other account.
  const isAlone = program.getOptionValue("keystore") === undefined;
  if (account === undefined || !OWN_NAME.test(account) || !isAlone) return;
  const found = accountNamed(account, profile);
  program.setOptionValueWithSource("account", typeof found === "number" ? String(found) : undefined, "config");
  if (typeof found === "string") program.setOptionValueWithSource("keystore", found, "config");
}

function replacePlayers(command: Command, { players }: Profile): void {
  for (const option of command.options) {
    const address = players.get(command.getOptionValue(option.attributeName()) as string);
    if (address !== undefined && IS_ADDRESS.test(option.flags)) command.setOptionValue(option.attributeName(), address);
  }
  for (const [i, argument] of command.registeredArguments.entries()) {
    const address = players.get(command.args[i]);
    if (address !== undefined && ADDRESSES.includes(argument.name())) command.args[i] = address;
  }
}

function accountNamed(name: string, { accounts }: Profile): number | string {
  const found = accounts.get(name);
  if (found !== undefined) return found;
  const known = accounts.size > 0 ? `names ${listed([...accounts.keys()])}` : "names none";
  throw new InputError("--account", `no account ${name}; ${profileFile()} ${known}`);
}
