import { COIN } from "../../sdk/protocol/terms.js";
import { eventIn } from "../../sdk/chain/events.js";
import { deployedCharacters } from "../../sdk/games/list.js";
import { Characters__factory, FightToken__factory } from "../../typechain-types/index.js";
import { readAmount } from "../../sdk/protocol/arguments.js";
import { readPlayer, textOf, type PlayCommand } from "../shared/command/command.js";
import type { CommandContext } from "../shared/command/context.js";
import { amountText, type Token } from "../../sdk/player/amounts.js";
import { tableOf } from "../shared/command/table.js";

/** Commands for accounts and purses. */
export const money: readonly PlayCommand[] = [
  {
    usage: "accounts",
    description:
      "show wallet, purse and characters of the node's test accounts, or of your own; amounts are cut to four decimals",
    examples: ["accounts"],
    async run(context) {
      const own = await context.caller();
      const addresses = own
        ? [own]
        : await Promise.all((await context.provider.listAccounts()).map((signer) => signer.getAddress()));
      const data = await Promise.all(addresses.map((address, number) => holdings(context, address, number)));
      const tokens = await ours(context);
      const amounts = (held: bigint[]) => held.map((amount, i) => shortAmount(amount, tokens[i])).join(", ");
      const owned = data.map(({ characters }) => Object.values(characters).map(String));
      const rows = data.map(({ account, address, wallet, purse }, i) => [
        own ? "" : String(account),
        address,
        ...[wallet, purse].map(amounts),
        ...owned[i],
      ]);
      const text = tableOf([["#", "address", "wallet", "purse", ...Object.keys(data[0]?.characters ?? {})], ...rows]);
      return { data: data.map(({ characters, ...held }) => ({ ...held, ...characters })), text };
    },
  },
  {
    usage: "purse",
    description: "show the content of your purse, or of another player's",
    examples: ["purse"],
    options: [
      ["--of <address>", "owner of the purse, if not you"],
      ["--token <token>", "COIN, FIGHT or an address; COIN and FIGHT by default"],
    ],
    async run(context, _, flags) {
      const player = await readPlayer(context, flags, "of");
      const tokenName = textOf(flags, "token");
      const tokens = tokenName === undefined ? await ours(context) : [await context.tokens.read(tokenName)];
      const { arena } = context;
      const data = await Promise.all(
        tokens.map(async (token) => ({ player, token, amount: await arena.purseOf(player, token.address) })),
      );
      return { data, text: data.map(({ amount, token }) => amountText(amount, token)) };
    },
  },
  {
    usage: "purse deposit <token> <amount>",
    description: "pay into a purse: TOKEN is COIN, FIGHT or an address, AMOUNT is like 12.5",
    examples: ["purse deposit FIGHT 100"],
    options: [["--player <address>", "owner of the purse, if not you"]],
    async run(context, [tokenName, text], flags) {
      const token = await context.tokens.read(tokenName);
      const amount = readAmount(text, token.decimals, "amount");
      const client = await context.client();
      const player = await readPlayer(context, flags, "player");
      const action = {
        call: await client.calls.depositMethod(token.address, player),
        what: `purse deposit of ${amountText(amount, token)}`,
        content: [token.address, amount, player],
      };
      const { hash } = await context.once(action, () => client.deposit(token.address, amount, player));
      const data = { player, token: token.address, amount, transaction: hash };
      return { data, text: `${amountText(amount, token)} are in the purse of ${player}.` };
    },
  },
  {
    usage: "purse withdraw <token> <amount>",
    description: "pay out of your purse; AMOUNT may be all",
    examples: ["purse withdraw COIN all"],
    options: [["--to <address>", "recipient, if not you"]],
    async run(context, [tokenName, text], flags) {
      const token = await context.tokens.read(tokenName);
      const client = await context.client();
      const wanted = text === "all" ? text : readAmount(text, token.decimals, "amount");
      const to = await readPlayer(context, flags, "to");
      const action = {
        call: "withdraw",
        what: `purse withdraw of ${wanted === "all" ? "all" : amountText(wanted, token)}`,
        content: [token.address, wanted, to],
      };
      const receipt = await context.once(action, async () => {
        const amount = wanted === "all" ? await client.arena.purseOf(client.address, token.address) : wanted;
        return client.withdraw(token.address, amount, to);
      });
      const { amount } = eventIn(receipt, receipt.to!, "Withdrawn")!.args;
      const data = { to, token: token.address, amount, transaction: receipt.hash };
      return { data, text: `${amountText(amount, token)} went to ${to}.` };
    },
  },
];

/** Formats an amount with at most four decimals, truncated. */
function shortAmount(amount: bigint, token: Token): string {
  return amountText(amount, token).replace(/(\.\d{4})\d+/, "$1");
}

async function holdings(context: CommandContext, address: string, account: number) {
  const { provider, deployment } = context;
  const fight = FightToken__factory.connect(deployment.addresses.FightToken, provider);
  const kinds = deployedCharacters(context.games, deployment.addresses);
  const purses = [COIN, deployment.addresses.FightToken].map((token) => context.arena.purseOf(address, token));
  const owned = kinds.map(async ({ noun, contract }) => {
    const token = Characters__factory.connect(deployment.addresses[contract], provider);
    return [`${noun}s`, await token.balanceOf(address)] as const;
  });
  const [wallet, purse] = await Promise.all([
    Promise.all([provider.getBalance(address), fight.balanceOf(address)]),
    Promise.all(purses),
  ]);
  const characters: Record<string, bigint> = Object.fromEntries(await Promise.all(owned));
  return { account, address, wallet, purse, characters };
}

/** Describes the tokens COIN and FIGHT. */
function ours(context: CommandContext): Promise<Token[]> {
  return Promise.all(["COIN", "FIGHT"].map((tokenName) => context.tokens.read(tokenName)));
}
