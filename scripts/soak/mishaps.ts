import { getBytes, hexlify, ZeroHash } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Status } from "../../sdk/protocol/status.js";
import { dueAt } from "./due.js";
import type { Luck } from "./luck.js";
import { refused } from "./refused.js";
import type { Seated } from "./seated.js";

/** Something that goes wrong at a table, and does not end its match. */
export interface Mishap {
  fits(table: Seated): boolean;
  strike(table: Seated): Promise<void>;
}

/** Seconds that are left for what comes behind a time jump. */
const REST = 120;
const MOST_JUMP = 2 ** 21;
/** As many bytes of a move are bound in every game: what stands behind them may be a note that is nobody's. */
const FRONT = 32;

const always = () => true;
const isOffer = ({ state }: Seated) => state.status === Status.P1Deposited;
const isFree = ({ state }: Seated) => state.status < Status.AllDeposited;
const isTaken = (table: Seated) => !isFree(table);
const isPlayed = ({ state }: Seated) => state.status === Status.AllJoined;

/** All that can go wrong. */
export const mishaps: readonly Mishap[] = [
  {
    fits: isTaken,
    async strike(table) {
      const { by, method, args } = await dueAt(table);
      const bad = spoilt(args.at(-1) as Hex, table.world.luck);
      await refused(table, "a wrong opening or garbage", by, method, [...args.slice(0, -1), bad]);
    },
  },
  {
    fits: isPlayed,
    async strike(table) {
      const { by, method, args } = await dueAt(table);
      const others = [table.world.stranger, ...table.seats].filter((player) => player !== by);
      await refused(table, "acting out of turn", table.world.luck.pick(others), method, args, "NotYourTurn");
    },
  },
  refusal("a timeout too early", "timeout", "TooEarly", always),
  refusal("a stranger resigns", "resign", "NotAPlayer", isPlayed, ({ world }) => world.stranger),
  refusal("cancelling too late", "cancel", "WrongStatus", isTaken),
  refusal("cancelling a firm offer", "cancel", "OfferIsFirm", (table) => isFree(table) && table.state.firm),
  funding("playing against oneself", "OwnOpponent", isOffer, ({ seats }) => seats[0]),
  funding(
    "taking a named seat",
    "NotTheOpponent",
    (table) => isOffer(table) && table.plan.named,
    ({ world }) => world.stranger,
  ),
  {
    fits: isFree,
    strike: (table) =>
      refused(table, "naming another offer", table.seats[0], "fund", [table.matchId, ZeroHash], "WrongOffer"),
  },
  {
    fits: always,
    async strike({ world, seats }) {
      await world.luck.pick(seats).forget();
      world.count("a player loses all but its wallet");
    },
  },
  {
    fits: always,
    async strike({ world, seats, terms: { token } }) {
      const player = world.luck.pick(seats);
      const purse = await player.purseOf(token);
      const amount = (purse * BigInt(world.luck.below(101))) / 100n;
      await player.client.withdraw(token, amount);
      world.count("a withdrawal in between");
    },
  },
  {
    fits: always,
    async strike(table) {
      const [{ token }, player] = [table.terms, table.world.luck.pick(table.seats)];
      const args = [token, (await player.purseOf(token)) + 1n, player.address];
      await refused(table, "withdrawing too much", player, "withdraw", args, "PurseTooLow");
    },
  },
  {
    fits: always,
    async strike({ world, seats, terms: { token } }) {
      const { address } = world.luck.pick(world.players);
      await seats[1].client.deposit(token, BigInt(world.luck.below(1000)), address);
      world.count("paying into another purse");
    },
  },
  {
    fits: ({ world: { chain }, state }) => state.deadline > BigInt(chain.now + REST),
    async strike({ world, state }) {
      const { chain, luck } = world;
      const rest = Math.min(Number(state.deadline) - chain.now - REST, MOST_JUMP);
      await chain.jumpTo(chain.now + 1 + luck.below(rest));
      world.count("a time jump");
    },
  },
  {
    fits: always,
    async strike({ world }) {
      const { owner, treasury, players, luck } = world;
      const { arena } = owner.client;
      await arena.setShare(luck.below(2001));
      await arena.setTreasury(luck.pick([treasury, ...players]).address);
      world.count("another house share and treasury");
    },
  },
];

/** Something that takes a match and nothing else, by player 1 if nobody else is named. */
function refusal(
  mishap: string,
  method: "timeout" | "resign" | "cancel",
  error: string,
  fits: Mishap["fits"],
  by = ({ seats }: Seated) => seats[0],
): Mishap {
  return { fits, strike: (table) => refused(table, mishap, by(table), method, [table.matchId], error) };
}

function funding(
  mishap: string,
  error: string,
  fits: Mishap["fits"],
  by: (table: Seated) => Seated["seats"][0],
): Mishap {
  return { fits, strike: (table) => refused(table, mishap, by(table), "fund", [table.matchId, table.hash], error) };
}

/** Bytes that no game can take in place of these: a position, a header, a root or a cell stands in front of all. */
function spoilt(data: Hex, luck: Luck): Hex {
  const bytes = getBytes(data);
  const front = bytes.slice(0, Math.min(FRONT, bytes.length >> 1));
  const kind = luck.below(4);
  if (kind === 0) return "0x";
  if (kind === 1) return hexlify(front);
  if (kind === 2) return hexlify(luck.bytes(32 + luck.below(96)));
  const at = luck.below(front.length);
  return hexlify(bytes.with(at, front[at] ^ (1 << luck.below(8))));
}
