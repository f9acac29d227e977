import { ZeroAddress, ZeroHash, type BaseContract, type Filter, type Log, type Provider } from "ethers";
import { network } from "hardhat";
import Duello from "../../ignition/modules/Duello.js";
import { addressesOf } from "../../cli/shared/node/deployment.js";
import type { StakeOptions } from "../../sdk/player/calls.js";
import { Client } from "../../sdk/player/client.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { encodeMode, QUICK } from "../../sdk/games/warmancer/mode.js";
import { History } from "../../sdk/chain/history.js";
import { firstTurn, turnOf, type Turn } from "../../sdk/games/moves.js";
import { offerHash, offerOf, type Offer } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { secretStoreWith, randomKey } from "../../sdk/player/secrets.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { takeTurn } from "../../sdk/player/turn.js";
import {
  Arena__factory,
  Fighters__factory,
  FightToken__factory,
  GuardianCards__factory,
} from "../../typechain-types/index.js";
import { offerHashOf, step, UNIT } from "./index.js";

// A separate chain, because the deployment is that of the Ignition module.
const connection = await network.create();
const { ethers, networkHelpers } = connection;
export const { provider } = ethers;
const { time } = networkHelpers;

const DAY = 86_400;
const CLOCK = 3600n;
const STAKE = 10n * UNIT;
const PURSE = 1000n * UNIT;
const ACCEPTED_RISKS: StakeOptions = {
  acceptedRisks: ["foreign-game", "foreign-mode", "short-clock", "worse-odds", "squatters"],
};
const CASUAL = encodeMode({ ...QUICK, casual: true });
const FOREVER = 2n ** 40n - 1n;

/** Options of a match. */
interface Plan {
  /** Challenger and opponent. */
  players?: readonly [Client, Client];
  /** Content of the mode. */
  mode?: Hex;
  terms?: Partial<Terms>;
  /** True if player 2 funds first, and joins a block later. */
  isSlow?: boolean;
  /** Maximum number of actions, joining included; defaults to all. */
  actions?: number;
}

/** An arena in which everything that can happen has happened once. */
export class Recording {
  readonly history: History;
  private readonly keys = new Map<string, Hex>();

  private constructor(
    readonly addresses: Awaited<ReturnType<typeof addressesOf>>,
    readonly arena: ReturnType<typeof Arena__factory.connect>,
    readonly scripted: string,
    readonly people: Record<"alice" | "bob" | "carol" | "dave", Client>,
  ) {
    this.history = new History(provider, addresses);
  }

  /** Deploys the arena, and makes everything happen. */
  static async make(): Promise<Recording> {
    const [owner, treasury, ...players] = await ethers.getSigners();
    const contracts = await connection.ignition.deploy(Duello, {
      parameters: { Duello: { treasury: treasury.address } },
    });
    const addresses = await addressesOf(contracts);
    const scripted = (await ethers.deployContract("ScriptedGame", [addresses.Arena])) as unknown as BaseContract;
    const [alice, bob, carol, dave] = await Promise.all(
      players.slice(0, 4).map((player) => Client.connect(addresses, games, player)),
    );
    const arena = Arena__factory.connect(addresses.Arena, owner);
    const recording = new Recording(addresses, arena, await scripted.getAddress(), { alice, bob, carol, dave });
    await recording.provide();
    await recording.playAll();
    await recording.endOtherwise();
    await recording.changeHouse();
    await recording.leaveOpen();
    return recording;
  }

  /** Gives everybody money and characters. */
  private async provide(): Promise<void> {
    const { addresses, arena, people } = this;
    const { alice, bob, carol, dave } = people;
    const owner = arena.runner as Client["signer"];
    const fight = FightToken__factory.connect(addresses.FightToken, owner);
    for (const { address } of [alice, bob, carol]) await fight.mint(address, 4n * PURSE);
    await alice.deposit(addresses.FightToken, PURSE);
    await alice.deposit(addresses.FightToken, UNIT, dave.address);
    await bob.depositWithPermit(addresses.FightToken, PURSE);
    await carol.transferDeposit(addresses.FightToken, PURSE);
    for (const player of [alice, bob]) await player.deposit(COIN, PURSE);
    await alice.withdraw(COIN, UNIT);
    await dave.withdraw(addresses.FightToken, UNIT / 2n, carol.address);

    const fighters = Fighters__factory.connect(addresses.Fighters, owner);
    const cards = GuardianCards__factory.connect(addresses.GuardianCards, owner);
    for (const token of [fighters, cards]) await token.setMinter(owner, true);
    for (const { address } of [alice, bob]) {
      for (let slot = 0; slot < 15; slot++) await fighters.mint(address, slot, [1, 2, 3, 3, 2, 1], slot % 4 === 0);
      for (let slot = 0; slot < 6; slot++) await cards.mint(address, cardOf(slot));
    }
    // One token is transferred from player to player.
    await fighters.connect(alice.signer).transferFrom(alice.address, bob.address, 1n);
    await fighters.connect(bob.signer).transferFrom(bob.address, alice.address, 1n);
    await bob.allow(dave.address, FOREVER);
  }

  /** Plays matches of all games to their ends. */
  private async playAll(): Promise<void> {
    const { alice, bob, carol } = this.people;
    const back = [bob, alice] as const;
    const forFun = { stake1: 0n, stake2: 0n, rated: false };
    for (const name of ["auto-battler", "guardians", "mini-games", "pistols", "tic-tac-toe"]) {
      const mode = modeOf(name, 0);
      await this.play(name, { mode });
      await time.increase(DAY + 1);
      await this.play(name, { mode, players: back, isSlow: true, terms: { stake1: STAKE + 1n, stake2: 3n } });
      await time.increase(DAY + 1);
      await this.play(name, { mode, terms: forFun });
      await time.increase(DAY + 1);
    }
    await this.play("guardians", { mode: modeOf("guardians", 2) });
    await this.play("mini-games", { mode: modeOf("mini-games", 1), terms: { token: COIN } });
    await this.playUntilDraw();
    await this.play("tic-tac-toe", { mode: modeOf("tic-tac-toe", 1), terms: { token: COIN, stake2: UNIT } });
    for (let n = 0; n < 3; n++) await this.play("pistols", { players: n === 1 ? [carol, bob] : [alice, bob] });
    const quick = encodeMode(QUICK);
    await this.play("warmancer", { mode: quick });
    await this.play("warmancer", { mode: encodeMode({ ...QUICK, sequential: true }), players: back, isSlow: true });
    await this.play("warmancer", { mode: CASUAL, terms: { rated: false } });
  }

  /** Plays matches that end by resignation or by the clock, and matches of an unknown game. */
  private async endOtherwise(): Promise<void> {
    const { alice, bob, dave } = this.people;
    for (const name of ["auto-battler", "pistols", "tic-tac-toe", "warmancer"]) {
      const mode = modeOf(name, 0);
      await alice.resign(await this.play(name, { mode, actions: 1 }));
      await bob.resign(await this.play(name, { mode, actions: 1 }));
      for (const actions of [0, 1, 2]) {
        if (name === "auto-battler" && actions === 2) continue;
        const silent = await this.play(name, { mode, actions, isSlow: true });
        if ((await this.arena.statusOf(silent)) > 3n) continue; // The actions have ended the match.
        await time.increase(CLOCK + 1n);
        await dave.timeout(silent);
      }
    }
    const forFun = { stake1: 0n, stake2: 0n, rated: false };
    await bob.resign(await this.play("auto-battler", { actions: 1, terms: forFun }));
    await alice.cancel(await this.offer("mini-games"));
    await alice.cancel(await this.offer("mini-games", { terms: { stake1: 9n * PURSE } }));
    await bob.decline(await this.offer("tic-tac-toe", {}, DAY));
    await bob.decline(await this.offer("tic-tac-toe", { terms: { stake1: 9n * PURSE } }, DAY));
    const lapsing = [await this.offer("pistols"), await this.offer("tic-tac-toe", {}, 30 * DAY - 5)];
    await time.increase(30 * DAY + 1);
    for (const matchId of lapsing) await dave.timeout(matchId);
    await this.playScripted();
  }

  private async playScripted(): Promise<void> {
    const { arena, scripted, people } = this;
    const { alice, bob, dave } = people;
    const terms = await this.termsOf(scripted);
    const offered = async () => {
      await arena.connect(alice.signer).create(terms, bob.address, (await time.latest()) + DAY, step(Seat.Two));
      return arena.matchCount();
    };
    const join = async (matchId: bigint, data: Hex) =>
      arena.connect(bob.signer).join(matchId, await offerHashOf(arena, matchId), data);
    // A draw on joining whose pot one player takes; a winner who only gets back its stake, after two turns of one seat;
    // and matches in which a player stops acting.
    await join(await offered(), step(Seat.None, Seat.None, Seat.Two));
    const second = await offered();
    await join(second, step(Seat.Two));
    await bob.act(second, step(Seat.Two));
    await bob.act(second, step(Seat.None, Seat.One, Seat.None));
    for (const turn of [Seat.One, Seat.Two]) {
      const silent = await offered();
      await join(silent, step(Seat.Two));
      await bob.act(silent, step(turn));
      await time.increase(CLOCK + 1n);
      await dave.timeout(silent);
    }
    await alice.resign(await this.joined(await offered()));
    await bob.decline(await offered());
  }

  private async joined(matchId: bigint): Promise<bigint> {
    const { arena, people } = this;
    await arena.connect(people.bob.signer).join(matchId, await offerHashOf(arena, matchId), step(Seat.One));
    return matchId;
  }

  /** Sets another fee, and a player as the treasury. */
  private async changeHouse(): Promise<void> {
    const { arena, people } = this;
    const early = await this.play("mini-games", { mode: modeOf("mini-games", 3), actions: 1 });
    await arena.setFeeBps(333);
    await arena.setTreasury(people.carol.address);
    await this.actOn("mini-games", early);
    await this.play("tic-tac-toe", { players: [people.carol, people.bob], terms: { stake1: 777n, stake2: 778n } });
    await this.play("tic-tac-toe", { players: [people.alice, people.carol], terms: { stake1: 1n, stake2: 2n } });
  }

  /** Leaves matches open in every state, with seats taken in every way. */
  private async leaveOpen(): Promise<void> {
    const { alice, bob, dave } = this.people;
    const mode = modeOf("mini-games", 0);
    await this.offer("mini-games", { mode, terms: { stake1: 9n * PURSE } });
    await this.offer("auto-battler");
    await this.offer("warmancer", { mode: CASUAL, terms: { rated: false } });
    for (const actions of [0, 1, 2, 3]) {
      await this.play("pistols", { actions, isSlow: actions === 0 });
      await this.play("tic-tac-toe", { actions });
      await this.play("warmancer", { mode: modeOf("warmancer", 2), actions: 4 * actions });
    }
    await time.increase(2 * DAY);
    await this.play("auto-battler", { actions: 1 });
    const thoughtful = await this.play("tic-tac-toe", { actions: 1 });
    for (const seconds of [1000, 500]) {
      await time.increase(seconds);
      await this.actOn("tic-tac-toe", thoughtful);
    }

    // Seats taken by a transfer: one match continues, one times out, one waits.
    const fate = async (matchId: bigint) => bob.transferFund(await this.seen(matchId), STAKE + 5n, ACCEPTED_RISKS);
    const [first, second, third] = [await this.offer(), await this.offer(), await this.offer()];
    for (const matchId of [first, second]) await fate(matchId);
    const { createData } = await this.history.match(first);
    const answer = `${createData}${createData === "0x04" ? "00" : "04"}`;
    await this.arena.connect(bob.signer).join(first, await offerHashOf(this.arena, first), answer);
    await time.increase(CLOCK + 1n);
    await dave.timeout(second);
    await fate(third);
    await this.fundInOne(await this.offer());

    const { scripted } = this;
    const foreign = await this.termsOf(scripted);
    await this.arena.connect(alice.signer).create(foreign, ZeroAddress, 0, step(Seat.Two));
    const open = await this.arena.matchCount();
    await bob.fund(await this.seen(open), ACCEPTED_RISKS);
    await this.joined(open);
    await alice.act(open, step(Seat.One));
    await bob.allow(alice.address, 5n);
  }

  private async seen(matchId: bigint): Promise<Offer> {
    return offerOf(await this.history.match(matchId));
  }

  /** Lets a contract deposit and take the seat in one transaction, which looks like a transfer. */
  private async fundInOne(matchId: bigint): Promise<void> {
    const { addresses, arena } = this;
    const fight = FightToken__factory.connect(addresses.FightToken, arena.runner);
    const batch = (await ethers.deployContract("Batch")) as unknown as BaseContract;
    const player = await batch.getAddress();
    await fight.mint(player, STAKE);
    const hash = await offerHashOf(arena, matchId);
    const calls = [
      [addresses.FightToken, 0n, fight.interface.encodeFunctionData("approve", [addresses.Arena, STAKE])],
      [addresses.Arena, 0n, arena.interface.encodeFunctionData("deposit", [addresses.FightToken, STAKE, player])],
      [addresses.Arena, 0n, arena.interface.encodeFunctionData("fund", [matchId, hash])],
    ];
    await batch.getFunction("run")(calls);
  }

  /** Creates alice's soft offer to anyone, or firm offer to bob. */
  private async offer(name = "tic-tac-toe", plan: Plan = {}, firmFor = 0): Promise<bigint> {
    const firmUntil = firmFor === 0 ? 0 : (await time.latest()) + firmFor;
    return this.create(name, plan, firmUntil, firmFor === 0 ? undefined : this.people.bob.address);
  }

  private async create(name: string, plan: Plan, firmUntil: number | undefined, opponent?: string): Promise<bigint> {
    const { players = [this.people.alice], mode = modeOf(name, 0), terms } = plan;
    const { moves, contract } = stockGame(name);
    const game = this.addresses[contract];
    const [challenger] = players;
    if (modeHash(mode) !== ZeroHash) {
      const { abi } = stockGame(name);
      await new ethers.Contract(game, abi as [], challenger.signer).getFunction("registerMode")(mode);
    }
    const turn = firstTurn({ game, mode: modeHash(mode) }, challenger.address, this.history);
    const data = await moves.create(await this.suggested(name, turn), turn, this.secretStore(challenger, game));
    const all = await this.termsOf(game, { mode: modeHash(mode), ...terms });
    const { matchId } = await challenger.create({ terms: all, data, opponent, firmUntil }, ACCEPTED_RISKS);
    return matchId;
  }

  /** Plays rated matches until one happens to be a draw. */
  private async playUntilDraw(): Promise<void> {
    for (;;) {
      const matchId = await this.play("mini-games", { mode: modeOf("mini-games", 0) });
      if ((await this.arena.matchOf(matchId)).status === Status.Draw) return;
    }
  }

  /** Plays a match up to a number of actions. @returns its number. */
  private async play(name: string, plan: Plan = {}): Promise<bigint> {
    const { players = [this.people.alice, this.people.bob], isSlow = false, actions = Infinity } = plan;
    const [, second] = players;
    const matchId = await this.create(name, plan, isSlow ? 0 : undefined, isSlow ? undefined : second.address);
    const record = await this.history.match(matchId);
    const { moves, contract } = stockGame(name);
    const secretStore = this.secretStore(second, this.addresses[contract]);
    if (isSlow) await second.fund(offerOf(record), ACCEPTED_RISKS);
    if (actions === 0) return matchId;
    const turn = turnOf(record, Seat.Two, second.address, this.history);
    const answer = await moves.join(await this.suggested(name, turn), turn, secretStore);
    await this.arena.connect(second.signer).join(matchId, offerHash(offerOf(record)), answer);
    for (let n = 1; n < actions && (await this.actOn(name, matchId)); n++);
    return matchId;
  }

  /** Lets the player in turn act; at tic-tac-toe, bob's operator acts. @returns true if somebody was in turn. */
  private async actOn(name: string, matchId: bigint): Promise<boolean> {
    const { status, turn, player1, player2 } = await this.arena.matchOf(matchId);
    if (status !== 3n) return false;
    const { bob, dave, ...others } = this.people;
    const address = turn === Seat.One ? player1 : player2;
    const player = [bob, ...Object.values(others)].find((each) => each.address === address)!;
    const secretStore = this.secretStore(player, this.addresses[stockGame(name).contract]);
    const client = player === bob && name === "tic-tac-toe" ? dave : player;
    const move = (open: Turn) => this.suggested(name, open);
    await takeTurn(client, this.history, matchId, { secretStore, move });
    return true;
  }

  private async suggested(name: string, turn: Turn): Promise<unknown> {
    const { moves, contract } = stockGame(name);
    const player = Object.values(this.people).find(({ address }) => address === turn.player)!;
    const secretStore = this.secretStore(player, this.addresses[contract]);
    return moves.suggest(turn, secretStore);
  }

  private secretStore(player: Client, game: string) {
    const key = this.keys.get(player.address) ?? randomKey();
    this.keys.set(player.address, key);
    return secretStoreWith(key, player.committer(game));
  }

  private async termsOf(game: string, changes: Partial<Terms> = {}): Promise<Terms> {
    const token = this.addresses.FightToken;
    const feeBps = await this.arena.feeBps();
    return { game, stake1: STAKE, token, stake2: STAKE, mode: ZeroHash, clock: CLOCK, feeBps, rated: true, ...changes };
  }
}

/** Returns the provider of the chain, with another source of logs. */
export function logsFrom(getLogs: (filter: Filter) => Promise<Log[]>): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value = name === "getLogs" ? getLogs : (Reflect.get(target, name) as unknown);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function modeOf(name: string, index: number): Hex {
  return Object.values(stockGame(name).modes)[index].content;
}

function cardOf(slot: number) {
  const stats = { power: 300 + 10 * slot, defense: 200, hp: 900, speed: 50 + slot, critical: 100, luck: 100 };
  return { ...stats, cardType: slot };
}
