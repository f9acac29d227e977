import { hexlify, SigningKey, ZeroAddress } from "ethers";
import { digestOf, stateRequest, type Agreement } from "../../sdk/protocol/away/signatures.js";
import type { SignedState, Table } from "../../sdk/protocol/away/table.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { sideOf, seatOf } from "../../sdk/protocol/sides.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { agreementOn, settleArgs, signaturesOf } from "./agreement.js";
import type { AwayGame } from "./away-game.js";
import { expectRefusal } from "./expect-refusal.js";
import type { Fault } from "./fault.js";
import { addressIn, keyPlaceOf } from "./match-keys.js";
import type { Player } from "./player.js";
import type { Random } from "./random.js";
import type { SeatedMatch } from "./seated-match.js";

const isPlayed = ({ state }: SeatedMatch) => state.status === Status.AllJoined;
const isAway = (match: SeatedMatch) => isPlayed(match) && match.state.turn === Seat.Either;
const hasTable = (match: SeatedMatch) => isPlayed(match) && match.away?.hasTable === true;
const hasPosted = (match: SeatedMatch) => hasTable(match) && !isAway(match);
const isBack = (match: SeatedMatch) => isPlayed(match) && match.away?.hasTable === false;

/** Faults of matches that are played away from the chain, and of agreements and pledges in all matches. */
export const awayFaults: readonly Fault[] = [
  {
    fits: isAway,
    async strike(match) {
      const { operator, stranger, chain, random } = match.world;
      const { by, data } = await match.away!.due();
      await by.client.allow(operator.address, chain.now + 60);
      const other = random.pick([operator, stranger]);
      await expectRefusal(match, "another posts for a player", other, "act", [match.matchId, data], "NotAPlayer");
    },
  },
  atTable("accepting what nobody has posted", isAway, "NotPosted", ({ codec }, table) => codec.encodeAccept(table)),
  atTable("accepting another table", hasTable, "WrongTable", ({ codec }, table) => codec.encodeAccept(other(table))),
  atTable("posting on another table", hasTable, "WrongTable", (game, table) =>
    game.codec.encodePost(other(table), game.signedStates().at(0)),
  ),
  atTable("posting what stands there", hasPosted, "NotNewer", ({ codec }, table) => codec.encodePost(table)),
  atTable("posting the same state or an older one", hasPosted, "NotNewer", (game, table, random) => {
    const old = game.signedStates().filter(({ nonce }) => nonce <= table.nonce);
    return old.length === 0 ? undefined : game.codec.encodePost(table, random.pick(old));
  }),
  atTable("posting what a player has not signed", hasTable, "NotSigned", (game, table, random) =>
    game.codec.encodePost(table, forged(game, table, random)),
  ),
  atTable("posting a state that is nobody's turn", hasTable, "NobodysTurn", (game, table, random) =>
    game.codec.encodePost(table, { ...forged(game, table, random), turn: random.pick([Seat.None, Seat.Either]) }),
  ),
  atTable(
    "playing on before the table is accepted",
    hasTable,
    undefined,
    ({ transcript }) => transcript.at(-1)?.action,
  ),
  {
    fits: isBack,
    async strike(match) {
      const { away, world, state, matchId, seats } = match;
      const { codec } = away!;
      const { accepted } = await away!.play();
      const post = codec.encodePost(accepted!, away!.signedStates().at(0));
      const data = world.random.pick([post, codec.encodeAccept(accepted!)]);
      const by = seats[sideOf(Number(state.turn))];
      await expectRefusal(match, "a table after it was accepted", by, "act", [matchId, data], "WrongTable");
    },
  },
  {
    fits: (match) => isAway(match) && !match.away!.relay.isDead,
    async strike({ away, world }) {
      away!.lose(world.random.below(2));
      world.count("a player loses the log of its seat");
    },
  },
  {
    fits: isPlayed,
    strike: (match) => settleWrongly(match, match.world.random.pick(wrongSettlements)),
  },
  {
    fits: isPlayed,
    async strike(match) {
      const { matchId, world, seats, pledged } = match;
      const [side] = pledged;
      const key = addressIn(keyPlaceOf(match), world.stranger);
      const [fault, by, to, error] = world.random.pick([
        ["a stranger pledges a key", world.stranger, key, "NotAPlayer"],
        ["pledging nobody's key", seats.at(side === 0 ? 1 : 0)!, ZeroAddress, "ZeroKey"],
        ...(side === undefined ? [] : [["pledging twice", seats[side], key, "PledgedBefore"] as const]),
      ] as const);
      await expectRefusal(match, fault, by, "pledge", [matchId, to], error);
    },
  },
];

/** Builds a fault: an action of a player who may act while a table stands. There is none where `dataOf` has no data. */
function atTable(
  fault: string,
  fits: Fault["fits"],
  error: string | undefined,
  dataOf: (game: AwayGame, table: Table, random: Random) => Hex | undefined,
): Fault {
  return {
    fits,
    async strike(match) {
      const { away, matchId, seats, state, world } = match;
      const { table } = await away!.play();
      const side = state.turn === Seat.Either ? world.random.below(2) : sideOf(Number(state.turn));
      const data = dataOf(away!, table!, world.random);
      if (data !== undefined) await expectRefusal(match, fault, seats[side], "act", [matchId, data], error);
    },
  };
}

/** Faults of a settlement. */
interface WrongSettlement {
  fault: string;
  error: string;
  /** Signers for player 1 and player 2; defaults to themselves. */
  signers?(match: SeatedMatch): readonly [Player, Player];
  /** Changes of what is signed. */
  signed?(agreement: Agreement): Partial<Agreement>;
  /** Changes of what is signed and of what is sent. */
  both?(match: SeatedMatch): Partial<Agreement>;
}

const wrongSettlements: readonly WrongSettlement[] = [
  {
    fault: "settling by a stranger's signature",
    error: "NotSigned",
    signers: ({ seats: [one, two], world: { stranger, random } }) =>
      random.likely(50) ? [one, stranger] : [stranger, two],
  },
  { fault: "settling by one player's signatures", error: "NotSigned", signers: ({ seats: [one] }) => [one, one] },
  {
    fault: "settling by what was signed for another match",
    error: "NotSigned",
    signed: ({ matchId }) => ({ matchId: matchId + 1n }),
  },
  {
    fault: "settling otherwise than was signed",
    error: "NotSigned",
    signed: ({ winner }) => ({ winner: winner === Seat.One ? Seat.Two : Seat.One }),
  },
  {
    fault: "settling after an agreement has ended",
    error: "TooLate",
    both: ({ world: { chain } }) => ({ until: BigInt(chain.now) }),
  },
  { fault: "settling for either player", error: "BadWinner", both: () => ({ winner: Seat.Either }) },
  {
    fault: "settling by other terms",
    error: "WrongTerms",
    both: ({ world: { random } }) => ({ termsHash: hexlify(random.bytes(32)) }),
  },
];

async function settleWrongly(match: SeatedMatch, wrong: WrongSettlement): Promise<void> {
  const { seats, world } = match;
  const sent = { ...agreementOn(match, BigInt(world.random.below(3))), ...wrong.both?.(match) };
  const signed = { ...sent, ...wrong.signed?.(sent) };
  const ways = ["wallet", world.random.pick(["wallet", "session"] as const)] as const;
  const signatures = await signaturesOf(signed, wrong.signers?.(match) ?? seats, ways, keyPlaceOf(match));
  const by = world.random.pick([world.stranger, ...seats]);
  await expectRefusal(match, wrong.fault, by, "settle", settleArgs(sent, signatures), wrong.error);
}

/** Returns a table that differs in a bit of its word. */
function other(table: Table): Table {
  const last = Number(`0x${table.word.slice(-1)}`) ^ 1;
  return { ...table, word: `${table.word.slice(0, -1)}${last.toString(16)}` };
}

/** Makes a state that is newer than the one on the table, and that one player has not signed, or neither. */
function forged(game: AwayGame, table: Table, random: Random): SignedState {
  const { chainId, matchId } = game.place;
  const key = new SigningKey(hexlify(random.bytes(32)));
  const last = game.transcript.at(-1);
  const known = last && last.nonce > table.nonce && last.turn !== Seat.None && random.likely(70) ? last : undefined;
  const { nonce, turn, word, record } = known ?? {
    nonce: table.nonce + 1 + random.below(3),
    turn: seatOf(random.below(2)),
    word: hexlify(random.bytes(32)),
    record: hexlify(random.bytes(32)),
  };
  const state = { matchId, base: table.base, nonce, turn, word, record };
  const forgery = key.sign(digestOf(stateRequest(chainId, game.address, state))).serialized;
  const [own, others] = [known?.signature ?? forgery, forgery];
  const [signature1, signature2] = known?.seat === Seat.Two ? [others, own] : [own, others];
  return { nonce, turn, word, record, signature1, signature2 };
}
