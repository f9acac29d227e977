import { Characters__factory } from "../../typechain-types/index.js";
import { readAddress } from "../../sdk/protocol/arguments.js";
import type { Flags } from "../shared/command/command.js";
import { log, type Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { mintersOf, ownerOf, tokens } from "./minters.js";
import { acceptPrice, priceOf, priceText } from "./price.js";
import { sendEach } from "./sending.js";

const abi = Characters__factory.createInterface();

/** Approves or revokes a minter of all characters, as their owner. */
export async function setMinter(
  context: CommandContext,
  written: string,
  allowed: boolean,
  flags: Flags,
): Promise<Result> {
  const minter = readAddress(written, allowed ? "--allow-minter" : "--disallow-minter");
  const outbox = await context.outbox();
  const caller = await context.address();
  const steps = tokens.map((token) => {
    const to = context.deployment.addresses[token.contract];
    const what = `${allowed ? "allow" : "disallow"} minter ${minter} of ${token.noun}s`;
    const action = { call: "setMinter", what, content: [to, minter, allowed] };
    return { token, action, to, data: abi.encodeFunctionData("setMinter", [minter, allowed]), count: 1 };
  });
  if (flags.dryRun !== true) await outbox.finish(...steps.map(({ action }) => action));
  const left = [];
  for (const step of steps) {
    const { noun } = step.token;
    const owner = await ownerOf(context, step.token);
    if (owner !== caller) throw new Error(`Only the owner, ${owner}, says who may mint ${noun}s; ${caller} may not.`);
    const isMinter = (await mintersOf(context, step.token)).includes(minter);
    if (isMinter === allowed) log(`${minter} ${allowed ? "may" : "may not"} mint ${noun}s already.`);
    else left.push(step);
  }
  const price = await priceOf(context, left);
  if (flags.dryRun === true) return { data: { minter, allowed, ...price }, text: priceText(price) };
  if (left.length > 0) await acceptPrice(context, price, flags);
  const receipts = await sendEach(context, left);
  const nouns = tokens.map(({ noun }) => `${noun}s`).join(" and ");
  return {
    data: { minter, allowed, transactions: receipts.map(({ hash }) => hash) },
    text: `${minter} ${allowed ? "may" : "may not"} mint ${nouns}.`,
  };
}
