import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEther } from "ethers";
import { readJson } from "../shared/files/json.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { Vault } from "../shared/files/vault.js";
import { runAgent } from "./program.js";

/** Amount of money that the agent can lose. */
const PURSE = parseEther("500");

const POLICY = join("cli", "agent", "local.json");

/** Reads the policy of the agent of a local chain. */
export function localPolicy(): Promise<unknown> {
  return readJson(POLICY);
}

/** Plays as an account of a local chain until the chain stops, then removes the agent's files. */
export async function playAsLocalAgent(options: Options, stopped: Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "duello-agent-"));
  const context = await CommandContext.open(options, new Vault(folder));
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  try {
    const client = await context.client();
    const { FightToken } = context.deployment.addresses;
    const call = await client.calls.depositMethod(FightToken);
    const action = { call, what: "purse deposit", content: [FightToken, PURSE] };
    await context.once(action, () => client.deposit(FightToken, PURSE));
    await runAgent(context, { config: POLICY }, stop.signal);
  } finally {
    context.close();
    await rm(folder, { recursive: true });
  }
}
