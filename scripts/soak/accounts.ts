import type { LogDescription } from "ethers";
import { channelsAbi, channelsOf } from "../../sdk/chain/channels.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN, type Terms, termsHash } from "../../sdk/protocol/terms.js";
import type { World } from "./world.js";

/** Amounts of one token, according to the arena's events so far. */
export interface Money {
  deposited: bigint;
  withdrawn: bigint;
  /** Amount paid to the house. */
  house: bigint;
  /** Stakes in open matches. */
  open: bigint;
  purses: Map<string, bigint>;
}

/** Computes the money of an arena's players from its events alone. */
export class Accounts {
  readonly money = new Map<string, Money>();
  /** Number of transactions that have been read. */
  private done = 0;
  private treasury = "";
  private readonly terms = new Map<string, Terms>();
  private readonly matches = new Map<bigint, { terms: Terms; players: string[]; seats: number; staked: bigint }>();

  /** Address of the channels contract, and players and token of each channel. */
  private readonly channels: string;
  private readonly pairs = new Map<Hex, { players: string[]; token: string }>();

  constructor(private readonly world: World) {
    this.channels = channelsOf(world.addresses.Arena);
  }

  /** Compares all money of each token with the sums from the events. @throws Error if a unit is missing or too many. */
  async count(): Promise<void> {
    const { chain, arena, fight, people, addresses } = this.world;
    for (const { logs } of chain.sent.slice(this.done)) {
      for (const log of logs) {
        if (log.address === addresses.Arena) this.read(arena.interface.parseLog(log)!);
        else if (log.address === this.channels) this.readChannel(channelsAbi.parseLog(log));
      }
    }
    this.done = chain.sent.length;
    const inArena = await fight.balanceOf(arena);
    await check(this.world, COIN, await chain.provider.getBalance(arena), this.of(COIN));
    await check(this.world, addresses.FightToken, inArena, this.of(addresses.FightToken));
    const owned = await Promise.all(people.map(({ address }) => fight.balanceOf(address)));
    expectSame("what there is of FIGHT", sum(owned) + inArena, await fight.totalSupply());
  }

  private read({ name, args }: LogDescription): void {
    if (name === "TreasuryChanged") this.treasury = args.treasury as string;
    else if (name === "TermsAdded") this.added(args.termsId as bigint, args.terms as Terms);
    else if (name === "Created") this.created(args as unknown as CreatedArgs);
    else if (name === "Deposited") this.deposited(args as unknown as PaymentArgs);
    else if (name === "Withdrawn") this.withdrawn(args as unknown as PaymentArgs);
    else if (name === "Funded") this.funded(args as unknown as FundedArgs);
    else if (name === "Joined") this.joined(args as unknown as JoinedArgs);
    else if (name === "Settled") this.settled(args as unknown as SettledArgs);
    else if (name === "Started") this.started(args as unknown as StartedArgs);
    else if (name === "Voided") this.voided(args.matchId as bigint);
  }

  private readChannel(event: LogDescription | null): void {
    // The event is null if this interface does not declare it; such events are not about money.
    if (!event) return;
    const { name, args } = event;
    const { channelId, token, amount, amount1, amount2, house } = args as unknown as ChannelArgs;
    if (name === "Opened") {
      const players = [args.player1, args.player2] as string[];
      this.pairs.set(channelId, { players, token });
      for (const [i, player] of players.entries()) this.move(token, player, this.channels, [amount1, amount2][i]);
    } else if (name === "Balanced" && args.closed) {
      const pair = this.pairs.get(channelId);
      if (!pair) throw new Error(`the channel ${channelId} is closed, and was never opened`);
      for (const [i, player] of pair.players.entries()) {
        this.move(pair.token, this.channels, player, [amount1, amount2][i]);
      }
      this.collected(pair.token, house);
    } else if (name === "Collected") this.collected(token, amount);
  }

  private collected(token: string, amount: bigint): void {
    this.move(token, this.channels, this.treasury, amount);
    this.of(token).house += amount;
  }

  private move(token: string, from: string, to: string, amount: bigint): void {
    this.pay(token, from, -amount);
    this.pay(token, to, amount);
  }

  private added(termsId: bigint, terms: Terms): void {
    this.terms.set(termsHash(terms), terms);
    this.terms.set(String(termsId), terms);
  }

  /** Takes the stakes of a match from the channels. */
  private started({ matchId, player1, player2, termsId }: StartedArgs): void {
    const terms = this.terms.get(String(termsId))!;
    const staked = terms.stake1 + terms.stake2;
    this.matches.set(matchId, { terms, players: [player1, player2], seats: 2, staked });
    this.of(terms.token).open += staked;
    this.pay(terms.token, this.channels, -staked);
  }

  private voided(matchId: bigint): void {
    const { terms, staked } = this.matches.get(matchId)!;
    this.of(terms.token).open -= staked;
    this.pay(terms.token, this.channels, staked);
  }

  private of(token: string): Money {
    const known = this.money.get(token);
    if (known) return known;
    const none = { deposited: 0n, withdrawn: 0n, house: 0n, open: 0n, purses: new Map<string, bigint>() };
    this.money.set(token, none);
    return none;
  }

  private created({ matchId, termsHash: hash, player1, funded }: CreatedArgs): void {
    this.matches.set(matchId, { terms: this.terms.get(hash)!, players: [player1], seats: 0, staked: 0n });
    if (funded) this.funded({ matchId, seat: Seat.One, player: player1 });
  }

  private joined({ matchId, player2 }: JoinedArgs): void {
    if (this.matches.get(matchId)!.seats === 1) this.funded({ matchId, seat: Seat.Two, player: player2 });
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
    open.seats++;
    open.staked += stake;
    this.of(token).open += stake;
    this.pay(token, player, -stake);
  }

  private settled({ matchId, paid1, paid2, house }: SettledArgs): void {
    const { terms, players, staked } = this.matches.get(matchId)!;
    const money = this.of(terms.token);
    money.open -= staked;
    money.house += house;
    if (paid1 > 0n) this.pay(terms.token, players[0], paid1);
    if (paid2 > 0n) this.pay(terms.token, players[1], paid2);
    if (house > 0n) this.pay(terms.token, this.treasury, house);
  }

  private pay(token: string, player: string, amount: bigint): void {
    const { purses } = this.of(token);
    purses.set(player, (purses.get(player) ?? 0n) + amount);
  }
}

interface ChannelArgs {
  channelId: Hex;
  token: string;
  amount: bigint;
  amount1: bigint;
  amount2: bigint;
  house: bigint;
}

interface StartedArgs {
  matchId: bigint;
  player1: string;
  player2: string;
  termsId: bigint;
}

interface CreatedArgs {
  matchId: bigint;
  termsHash: string;
  player1: string;
  funded: boolean;
}

interface JoinedArgs {
  matchId: bigint;
  player2: string;
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

async function check({ arena, people }: World, token: string, held: bigint, money: Money): Promise<void> {
  const { deposited, withdrawn, open } = money;
  const owners = [...people.map(({ address }) => address), channelsOf(await arena.getAddress())];
  const purses = await Promise.all(owners.map((owner) => arena.purseOf(owner, token)));
  expectSame(`what the arena owes of ${token}`, await arena.totalOf(token), held);
  expectSame(`what is in purses and open matches of ${token}`, sum(purses) + open, held);
  expectSame(`what was paid in of ${token}`, deposited, held + withdrawn);
  for (const [i, owner] of owners.entries())
    expectSame(`the purse of ${owner} in ${token}`, purses[i], money.purses.get(owner) ?? 0n);
}

function expectSame(what: string, actual: bigint, expected: bigint): void {
  if (actual !== expected) throw new Error(`${what} is ${actual} instead of ${expected}`);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
