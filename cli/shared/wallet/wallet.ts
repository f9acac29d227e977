import { readFile } from "node:fs/promises";
import { Wallet, type JsonRpcProvider, type Signer } from "ethers";
import { fileProblem } from "../files/file-problem.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { readNumber } from "../../../sdk/protocol/arguments.js";
import { askPassword } from "../command/output.js";

/** Largest work factor of a keystore: eight times the one that wallets use. */
const MAX_WORK = 2 ** 24;

/** The caller's identity. If both fields are undefined, DUELLO_PRIVATE_KEY holds the key: keys are never arguments. */
export interface Identity {
  /** Number of an account that the node itself holds, as on test chains. */
  account?: string;
  /** Path of an encrypted keystore; its password comes from DUELLO_PASSWORD or the terminal. */
  keystore?: string;
}

/** Returns whether the options or the environment name a caller. */
export function isNamed({ account, keystore }: Identity): boolean {
  return (account ?? keystore ?? process.env.DUELLO_PRIVATE_KEY) !== undefined;
}

/** Opens the caller's wallet. @throws InputError if no caller is named, or the key cannot be read. */
export async function openWallet({ account, keystore }: Identity, provider: JsonRpcProvider): Promise<Signer> {
  if (account !== undefined && keystore !== undefined) throw new InputError("--keystore", "--account is given too");
  if (account !== undefined) return accountOf(account, provider);
  if (keystore !== undefined) return (await unlock(keystore)).connect(provider);
  const key = process.env.DUELLO_PRIVATE_KEY;
  if (key === undefined) {
    throw new InputError("you", "say who you are: --account N on a test chain, --keystore FILE, or DUELLO_PRIVATE_KEY");
  }
  // The message must not contain the value.
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(key)) throw new InputError("DUELLO_PRIVATE_KEY", "not 64 hex digits");
  return new Wallet(key, provider);
}

async function accountOf(account: string, provider: JsonRpcProvider): Promise<Signer> {
  const held = await provider.listAccounts();
  if (held.length === 0) throw new InputError("--account", "the node holds no accounts; use --keystore");
  return held[Number(readNumber(account, "--account", 0n, BigInt(held.length - 1)))];
}

/** Opens a keystore with the password from DUELLO_PASSWORD or the terminal. @throws InputError */
export async function unlock(file: string): Promise<Wallet> {
  const json = await readFile(file, "utf8").catch((error: unknown) => {
    throw new InputError("--keystore", `${file}: ${fileProblem(error)}`);
  });
  const password = process.env.DUELLO_PASSWORD ?? (await askPassword(`Password of ${file}`));
  if (password === undefined) throw new InputError("DUELLO_PASSWORD", "not set, and nobody is at a terminal to ask");
  return openKeystore(json, password, file);
}

/** Decrypts a keystore. @throws InputError if it is malformed, requires too much work, or the password is wrong. */
export async function openKeystore(json: string, password: string, file: string): Promise<Wallet> {
  const noKeystore = new InputError("--keystore", `${file} is not an encrypted keystore`);
  try {
    if (workIn(JSON.parse(json)) > MAX_WORK) throw new InputError("--keystore", `${file} would take for ever to open`);
    return (await Wallet.fromEncryptedJson(json, password)) as Wallet;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const isPassword = (error as Error).message.includes("incorrect password");
    throw isPassword ? new InputError("--keystore", "the password is wrong") : noKeystore;
  }
}

/** Multiplies the work factors of a keystore, which can demand any amount of time and memory. */
function workIn(keystore: unknown): number {
  const fieldsOf = (value: unknown) =>
    Object.entries(value ?? {}).map(([key, each]) => [key.toLowerCase(), each as unknown] as const);
  const within = (name: string) => (value: unknown) =>
    fieldsOf(value).flatMap(([key, each]) => (key === name ? [each] : []));
  const asked = [keystore].flatMap(within("crypto")).flatMap(within("kdfparams")).flatMap(fieldsOf);
  return asked.reduce((work, [key, each]) => (["n", "r", "p", "c"].includes(key) ? work * Number(each) : work), 1);
}
