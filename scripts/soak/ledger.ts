import type { LogDescription } from "ethers";
import { COIN } from "../../sdk/client.js";
import { Seat } from "../../sdk/status.js";
import type { Terms } from "../../sdk/terms.js";
import { termsHash } from "../../sdk/terms.js";
import type { World } from "./world.js";

/** Amounts of one token, as the arena's events have them so far. */
export interface Money {
  deposited: bigint;
  withdrawn: bigint;
  /** What the house was paid. */
  house: bigint;
  /** Stakes in open matches. */
  open: bigint;
  purses: Map<string, bigint>;
}

/** Keeps the books of an arena from its events alone, in their order. */
class Ledger {
  readonly money = new Map<string, Money>();
  private treasury = "";
  private readonly terms = new Map<string, Terms>();
  private readonly matches = new Map<bigint, { terms: Terms; players: string[]; staked: bigint }>();

  read({ name, args }: LogDescription): void {
    if (name === "TreasuryChanged") this.treasury = args.treasury as string;
    else if (name === "TermsAdded") this.terms.set(termsHash(args.terms as Terms), args.terms as Terms);
    else if (name === "Created") this.created(args as unknown as CreatedArgs);
    else if (name === "Deposited") this.deposited(args as unknown as PaymentArgs);
    else if (name === "Withdrawn") this.withdrawn(args as unknown as PaymentArgs);
    else if (name === "Funded") this.funded(args as unknown as FundedArgs);
    else if (name === "Settled") this.settled(args as unknown as SettledArgs);
  }

  of(token: string): Money {
    const known = this.money.get(token);
    if (known) return known;
    const none = { deposited: 0n, withdrawn: 0n, house: 0n, open: 0n, purses: new Map<string, bigint>() };
    this.money.set(token, none);
    return none;
  }

  private created({ matchId, termsHash: hash, player1 }: CreatedArgs): void {
    this.matches.set(matchId, { terms: this.terms.get(hash)!, players: [player1], staked: 0n });
  }

  private deposited({ token, player, amount }: PaymentArgs): void {
    this.of(token).deposited += amount;
    this.pay(token, player, amount);
  }

  private withdrawn({ token, player, amount }: PaymentArgs): void {
    this.of(token).withdrawn += amount;
    this.pay(token, player, -amount);
  }

  private funded({ matchId, seat, player }: FundedArgs): void {
    const open = this.matches.get(matchId)!;
    const { token, stake1, stake2 } = open.terms;
    const stake = seat === Seat.One ? stake1 : stake2;
    open.players[Number(seat) - 1] = player;
    open.staked += stake;
    this.of(token).open += stake;
    this.pay(token, player, -stake);
  }

  private settled({ matchId, paid1, paid2, house }: SettledArgs): void {
    const { terms: { token }, players, staked } = this.matches.get(matchId)!; // prettier-ignore
    this.of(token).open -= staked;
    this.of(token).house += house;
    for (const [player, paid] of [
      [players[0], paid1],
      [players[1], paid2],
      [this.treasury, house],
    ] as const)
      // prettier-ignore
      if (paid > 0n) this.pay(token, player, paid);
  }

  private pay(token: string, player: string, amount: bigint): void {
    const { purses } = this.of(token);
    purses.set(player, (purses.get(player) ?? 0n) + amount);
  }
}

interface CreatedArgs {
  matchId: bigint;
  termsHash: string;
  player1: string;
}

interface PaymentArgs {
  token: string;
  player: string;
  amount: bigint;
}

interface FundedArgs {
  matchId: bigint;
  seat: bigint;
  player: string;
}

interface SettledArgs {
  matchId: bigint;
  paid1: bigint;
  paid2: bigint;
  house: bigint;
}

/** Counts all money there is, token by token. @throws Error if a unit is missing or too many. */
export async function countMoney(world: World): Promise<Map<string, Money>> {
  const { chain, arena, fight, addresses } = world;
  const ledger = new Ledger();
  for (const log of chain.sent.flatMap(({ logs }) => logs)) {
    if (log.address === addresses.Arena) ledger.read(arena.interface.parseLog(log)!);
  }
  for (const token of [COIN, addresses.FightToken]) {
    const held = token === COIN ? await chain.provider.getBalance(arena) : await fight.balanceOf(arena);
    await check(world, token, held, ledger.of(token));
  }
  const owned = await Promise.all(world.people.map(({ address }) => fight.balanceOf(address)));
  expectSame(
    "FIGHT in wallets and in the arena",
    sum(owned) + (await fight.balanceOf(arena)),
    await fight.totalSupply(),
  );
  return ledger.money;
}

async function check({ arena, people }: World, token: string, held: bigint, money: Money): Promise<void> {
  const { deposited, withdrawn, open } = money;
  const purses = await Promise.all(people.map((player) => player.purseOf(token)));
  for (const [i, { address }] of people.entries())
    expectSame(`the purse of ${address} in ${token}`, purses[i], money.purses.get(address) ?? 0n);
  expectSame(`what the arena holds of ${token}`, held, sum(purses) + open);
  expectSame(`what the arena owes of ${token}`, await arena.totalOf(token), held);
  expectSame(`what was deposited of ${token}`, deposited, sum(purses) + open + withdrawn);
}

function expectSame(what: string, actual: bigint, expected: bigint): void {
  if (actual !== expected) throw new Error(`${what} is ${actual} instead of ${expected}`);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
