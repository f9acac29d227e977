import { id, ZeroAddress, ZeroHash, type ContractTransactionResponse } from "ethers";
import { Dice, seedOf } from "../../sdk/protocol/dice.js";
import { battle, type Battle, type Tiers } from "../../sdk/games/auto-battler/engine.js";
import { encodeTeam } from "../../sdk/games/auto-battler/moves.js";
import { defaultMode, type Mode } from "../../sdk/games/auto-battler/mode.js";
import { fingerprintOf, offerHash } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { encodeAnswer, encodeReveal, NO_STATE, commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { DAY, UNIT, type Chain, type Player } from "./chain.js";

/** The length of the compared battles: the average of a default battle between random teams. */
export const ATTACKS = 30;

export const STAKE = 10n * UNIT;

const CHAIN_ID = 31337;
const ROUND = 1;

/** The next match of the arena, with the data of its three transactions. */
export interface Plan {
  matchId: bigint;
  player1: Player;
  player2: Player;
  terms: Terms;
  offerHash: Hex;
  firmUntil: number;
  createData: Hex;
  joinData: Hex;
  revealData: Hex;
}

export interface Options {
  terms?: Partial<Terms>;
  mode?: Mode;
  /** The condition that the battle of the match must meet; defaults to none. */
  wanted?: (fought: Battle) => boolean;
  /** Note after the commitment. */
  note?: Hex;
  /** An unneeded next commitment. */
  next?: Hex;
  /** Number of the match; defaults to that of the arena's next one. */
  matchId?: bigint;
}

type Sent = Promise<ContractTransactionResponse>;

/** A battle of the compared length. */
export const usual = ({ entries }: Battle) => entries.length === ATTACKS;

/** A match between two teams. Salts are fixed: player 2's is the first of a series that gives the wanted result. */
export async function planMatch(chain: Chain, player1: Player, player2: Player, options: Options = {}): Promise<Plan> {
  const matchId = options.matchId ?? (await chain.arena.matchCount()) + 1n;
  const terms = await termsFor(chain, options.terms);
  const [move, answerMove] = [player1, player2].map(({ team }) => encodeTeam(team));
  const [salt, answerSalt] = saltsFor(matchId, player1, player2, options);
  const commitment = commitmentOf(CHAIN_ID, chain.game, player1.address, move, salt);
  const head = { round: ROUND, state: NO_STATE };
  const createData = commitment + (options.note ?? "0x").slice(2);
  return {
    matchId,
    player1,
    player2,
    terms,
    offerHash: hashFor(terms, player1, createData),
    firmUntil: (await chain.now()) + DAY,
    createData,
    joinData: encodeAnswer({ ...head, commitment, move: answerMove, salt: answerSalt }),
    revealData: encodeReveal({ ...head, salt, move, answerMove, answerSalt, next: options.next ?? "0x" }),
  };
}

function saltsFor(
  matchId: bigint,
  player1: Player,
  player2: Player,
  { mode = defaultMode, wanted }: Options,
): [Hex, Hex] {
  const salt1 = id("salt of player 1");
  const teams = [player1, player2].map(({ team }) => team.map(tiersOf));
  for (let i = 0; ; i++) {
    const salt2 = id(`salt ${i} of player 2`);
    if (!wanted || wanted(battle(seedOf(matchId, ROUND, salt1, salt2), mode, teams))) return [salt1, salt2];
  }
}

/** A firm offer to the named opponent. */
export function create({ player1, player2, terms, firmUntil, createData }: Plan, value = 0n): Sent {
  return player1.arena.create(terms, player2.address, firmUntil, createData, { value });
}

/** A soft offer to anyone. */
export function createSoft({ player1, terms, createData }: Plan, value = 0n): Sent {
  return player1.arena.create(terms, ZeroAddress, 0, createData, { value });
}

export function fund({ matchId, offerHash }: Plan, player: Player, value = 0n): Sent {
  return player.arena.fund(matchId, offerHash, { value });
}

export function join({ matchId, player2, offerHash, joinData }: Plan, value = 0n): Sent {
  return player2.arena.join(matchId, offerHash, joinData, { value });
}

export function reveal({ matchId, player1, revealData }: Plan, by = player1): Sent {
  return by.arena.act(matchId, revealData);
}

/** Returns the hash that names an offer. */
export function hashFor(terms: Terms, { address }: Player, data: Hex): Hex {
  return offerHash({ terms, player1: address, fingerprint: fingerprintOf(data) });
}

/** Terms for 10 against 10 FIGHT in the default mode, rated, with a clock of a day; any field may differ. */
export async function termsFor({ game, fight }: Chain, changes: Partial<Terms> = {}): Promise<Terms> {
  const stakes = { stake1: STAKE, token: await fight.getAddress(), stake2: STAKE };
  return { game, ...stakes, mode: ZeroHash, clock: BigInt(DAY), feeBps: 2000n, rated: true, ...changes };
}

/** The tiers of a fighter: pseudorandom, always the same. */
export function tiersOf(fighter: bigint) {
  const dice = new Dice(id(`fighter ${fighter}`));
  return Array.from({ length: 6 }, (_, stat) => 1 + dice.roll(stat).lane(0, 3)) as unknown as SixTiers;
}

type SixTiers = Tiers & [number, number, number, number, number, number];
