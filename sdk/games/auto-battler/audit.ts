import type { MintArgs } from "../../chain/character-contract.js";
import { isFromChannel } from "../../chain/channels.js";
import { isMint, type AnyEvent } from "../../chain/events.js";
import { mintedNumbers } from "../../chain/characters.js";
import { fighterContract } from "./fighters.js";
import type { History } from "../../chain/history.js";
import type { ExpectedAnswer } from "../../chain/record.js";
import { RevealedMovesByMatch, type RevealedMoves } from "../revealed-moves.js";
import { ModeRegistry } from "../mode-registry.js";
import { differs, Ownership } from "../ownership.js";
import { layout } from "../../protocol/layout.js";
import { pairOf } from "../../protocol/sides.js";
import { saturated } from "../../protocol/word.js";
import type { Counts } from "../counters.js";
import type { Audit } from "../module.js";
import { countsOf, type FighterCounters } from "./counters.js";
import { decodeTurn } from "./log.js";
import { decodeTeam, TEAM_BYTES } from "./moves.js";
import { decodeMode, defaultMode, type Mode } from "./mode.js";

/** Fields of the contract's record of a fighter, in bits. */
export const FIGHTER = layout({
  matchId: [0, 40],
  cooldownEnd: [40, 40],
  kills: [80, 24],
  deaths: [104, 24],
  dodges: [128, 24],
  combos: [152, 24],
  damageDealt: [176, 40],
  damageReceived: [216, 40],
});

/** Record of a fighter; `cooldownEnd` is in seconds since 1970. */
type Fighter = Record<keyof typeof FIGHTER, bigint>;
/** Fields of a record that count something. */
export type Counter = Exclude<keyof Fighter, "matchId" | "cooldownEnd">;

const FRESH: Fighter = {
  matchId: 0n,
  cooldownEnd: 0n,
  kills: 0n,
  deaths: 0n,
  dodges: 0n,
  combos: 0n,
  damageDealt: 0n,
  damageReceived: 0n,
};

/** Follows all fighters: their owners, their matches in play, their cooldowns and their counters. */
export function audit({ addresses: { Fighters } }: History, game: string): Audit {
  return new Stable(game, Fighters);
}

/** Adds to counters; each of them stops at the maximum of its field. */
export function counted(counters: FighterCounters, more: Counts<FighterCounters>): Partial<FighterCounters> {
  const sums = Object.entries(more).map(([name, by]) => {
    const counter = name as Counter;
    return [counter, saturated(counters[counter] + BigInt(by), FIGHTER[counter].width)];
  });
  return Object.fromEntries(sums) as Partial<FighterCounters>;
}

/** Records of all fighters of a deployment, followed event by event. */
class Stable implements Audit {
  private readonly fighters = new Map<bigint, Fighter>();
  /** Fighters that never rest. */
  private readonly golden = new Set<bigint>();
  private readonly ownership: Ownership;
  private readonly modes: ModeRegistry<Mode>;
  private readonly revealedMoves: RevealedMovesByMatch;
  /** Matches in play. */
  private readonly inPlay = new Set<bigint>();

  constructor(
    game: string,
    private readonly token: string,
  ) {
    this.ownership = new Ownership(token, "fighter");
    this.modes = new ModeRegistry(game, defaultMode, decodeMode);
    this.revealedMoves = new RevealedMovesByMatch(game, () => TEAM_BYTES);
  }

  take(event: AnyEvent, time: bigint): void {
    this.ownership.take(event);
    this.modes.take(event);
    const { name, args, address } = event;
    if (isMint(event) && address === this.token) this.mint(event.args);
    const revealed = this.revealedMoves.take(event);
    if (!revealed) return;
    if (isFromChannel(revealed.matchId)) this.checkOwn(event, revealed);
    else if (name === "Joined") this.join(event, revealed, time);
    else if (name === "Acted") this.checkReady(event, revealed, 0, time);
    else if (name === "Log") this.fight(revealed, args.logEntries, time);
    else if (name === "Settled") this.inPlay.delete(revealed.matchId);
  }

  expectedAnswers(): ExpectedAnswer[] {
    return [...this.fighters].flatMap(([id, fighter]) => {
      const matchId = this.inPlay.has(fighter.matchId) ? fighter.matchId : 0n;
      return [
        { view: "fighterOf", args: [id], answer: [fighter] },
        { view: "busyUntil", args: [id], answer: [matchId, fighter.cooldownEnd] },
      ];
    });
  }

  /** Checks the fighters of player 2, and records that they are in the match. */
  private join(event: AnyEvent, revealed: RevealedMoves, time: bigint): void {
    this.checkReady(event, revealed, 1, time);
    this.inPlay.add(revealed.matchId);
    for (const id of decodeTeam(revealed.moves[1]!)) this.change(id, { matchId: revealed.matchId });
  }

  /** Checks that the fighters of a channel match are the player's own. Such a match changes no fighter. */
  private checkOwn(event: AnyEvent, { moves, players }: RevealedMoves): void {
    const side = event.name === "Joined" ? 1 : 0;
    const isSent = event.name === "Joined" || event.name === "Acted";
    if (isSent) this.ownership.check(event, decodeTeam(moves[side]!), players[side]);
  }

  /** Checks that a side's fighters are the player's own, not in a match, and rested. */
  private checkReady(event: AnyEvent, { moves, players }: RevealedMoves, side: number, time: bigint): void {
    const team = decodeTeam(moves[side]!);
    this.ownership.check(event, team, players[side]);
    for (const id of team) {
      const { matchId, cooldownEnd } = this.fighter(id);
      if (this.inPlay.has(matchId)) throw differs(event, `fighter ${id}`, "in no match", `in match ${matchId}`);
      if (time < cooldownEnd)
        throw differs(event, `fighter ${id} at ${time}`, "rested", `cooling until ${cooldownEnd}`);
    }
  }

  /** Ends the engagement of all fighters, starts their rest and adds up their counters from the log. */
  private fight({ moves, terms }: RevealedMoves, entries: readonly bigint[], time: bigint): void {
    const teams = moves.map((move) => decodeTeam(move!));
    const { cooldownSecs } = this.modes.of(terms.mode);
    for (const id of teams.flat()) {
      const cooldown = this.golden.has(id) ? 0n : BigInt(cooldownSecs);
      this.change(id, { matchId: 0n, ...(cooldown > 0n && { cooldownEnd: time + cooldown }) });
    }
    for (const turn of entries.map(decodeTurn)) {
      const { attacker, defender } = pairOf(turn, teams);
      const added = countsOf(turn);
      this.count(attacker, added.attacker);
      this.count(defender, added.defender);
    }
  }

  private count(id: bigint, more: Counts<FighterCounters>): void {
    this.change(id, counted(this.fighter(id), more));
  }

  private mint(args: MintArgs): void {
    if (fighterContract.traitsOf(mintedNumbers(fighterContract, args)).golden) this.golden.add(args.id);
  }

  private fighter(id: bigint): Fighter {
    return this.fighters.get(id) ?? FRESH;
  }

  private change(id: bigint, changes: Partial<Fighter>): void {
    this.fighters.set(id, { ...this.fighter(id), ...changes });
  }
}
