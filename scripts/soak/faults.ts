import { getBytes, hexlify, ZeroHash } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Status } from "../../sdk/protocol/status.js";
import { dueActionOf } from "./due-action.js";
import type { Fault } from "./fault.js";
import type { Random } from "./random.js";
import { expectRefusal } from "./expect-refusal.js";
import type { SeatedMatch } from "./seated-match.js";

/** Seconds that a time jump leaves before the deadline. */
const REST = 120;
const MAX_JUMP = 2 ** 21;
/** Bytes at the start of a move that every game checks. A note, which no game checks, may follow them. */
const FRONT = 32;

const always = () => true;
const isOffer = ({ state }: SeatedMatch) => state.status === Status.P1Deposited;
const isFree = ({ state }: SeatedMatch) => state.status < Status.AllDeposited;
const isTaken = (match: SeatedMatch) => !isFree(match);
const isPlayed = ({ state }: SeatedMatch) => state.status === Status.AllJoined;

/** All faults. */
export const faults: readonly Fault[] = [
  {
    fits: isTaken,
    async strike(match) {
      const { by, method, args } = await dueActionOf(match);
      const bad = spoilt(args.at(-1) as Hex, match.world.random);
      await expectRefusal(match, "a wrong reveal or garbage", by, method, [...args.slice(0, -1), bad]);
    },
  },
  {
    fits: (match) => isPlayed(match),
    async strike(match) {
      const { by, method, args } = await dueActionOf(match);
      const others = [match.world.stranger, ...match.seats].filter((player) => player !== by);
      await expectRefusal(match, "acting out of turn", match.world.random.pick(others), method, args, "NotYourTurn");
    },
  },
  refusal("a timeout too early", "timeout", "TooEarly", always),
  refusal("a stranger resigns", "resign", "NotAPlayer", isPlayed, ({ world }) => world.stranger),
  refusal("cancelling too late", "cancel", "WrongStatus", isTaken),
  refusal("cancelling a firm offer", "cancel", "OfferIsFirm", (match) => isFree(match) && match.state.firm),
  refusal("declining too late", "decline", "WrongStatus", isTaken, ({ seats }) => seats[1]),
  refusal(
    "declining another's offer",
    "decline",
    "NotTheOpponent",
    (match) => isFree(match) && match.plan.named,
    ({ world }) => world.stranger,
  ),
  refusal(
    "declining an open offer",
    "decline",
    "OfferIsOpen",
    (match) => isFree(match) && !match.plan.named,
    ({ seats }) => seats[1],
  ),
  funding("playing against oneself", "OwnOpponent", isOffer, ({ seats }) => seats[0]),
  funding(
    "taking a named seat",
    "NotTheOpponent",
    (match) => isOffer(match) && match.plan.named,
    ({ world }) => world.stranger,
  ),
  {
    fits: isFree,
    strike: (match) =>
      expectRefusal(match, "naming another offer", match.seats[0], "fund", [match.matchId, ZeroHash], "WrongOffer"),
  },
  {
    fits: always,
    async strike({ world, seats }) {
      await world.random.pick(seats).forget();
      world.count("a player loses all but its wallet");
    },
  },
  {
    fits: always,
    async strike({ world, seats, terms: { token } }) {
      const player = world.random.pick(seats);
      const purse = await player.purseOf(token);
      const amount = (purse * BigInt(world.random.below(101))) / 100n;
      await player.client.withdraw(token, amount);
      world.count("a withdrawal in between");
    },
  },
  {
    fits: always,
    async strike(match) {
      const [{ token }, player] = [match.terms, match.world.random.pick(match.seats)];
      const args = [token, (await player.purseOf(token)) + 1n, player.address];
      await expectRefusal(match, "withdrawing too much", player, "withdraw", args, "PurseTooLow");
    },
  },
  {
    fits: always,
    async strike({ world, seats, terms: { token } }) {
      const { address } = world.random.pick(world.players);
      await seats[1].client.deposit(token, BigInt(world.random.below(1000)), address);
      world.count("paying into another purse");
    },
  },
  {
    fits: ({ world: { chain }, state }) => state.deadline > BigInt(chain.now + REST),
    async strike({ world, state }) {
      const { chain, random } = world;
      const rest = Math.min(Number(state.deadline) - chain.now - REST, MAX_JUMP);
      await chain.jumpTo(chain.now + 1 + random.below(rest));
      world.count("a time jump");
    },
  },
  {
    fits: always,
    async strike({ world }) {
      const { owner, treasury, players, random } = world;
      const { arena } = owner.client;
      await arena.setFeeBps(random.below(2001));
      await arena.setTreasury(random.pick([treasury, ...players]).address);
      world.count("another house fee and treasury");
    },
  },
];

/** Builds a fault: a call to the arena that must fail. By default player 1 sends it. */
function refusal(
  fault: string,
  method: "timeout" | "resign" | "cancel" | "decline",
  error: string,
  fits: Fault["fits"],
  by = ({ seats }: SeatedMatch) => seats[0],
): Fault {
  return { fits, strike: (match) => expectRefusal(match, fault, by(match), method, [match.matchId], error) };
}

function funding(
  fault: string,
  error: string,
  fits: Fault["fits"],
  by: (match: SeatedMatch) => SeatedMatch["seats"][0],
): Fault {
  return {
    fits,
    strike: (match) => expectRefusal(match, fault, by(match), "fund", [match.matchId, match.hash], error),
  };
}

/** Spoils data so that no game can accept it: every game checks the first bytes. */
function spoilt(data: Hex, random: Random): Hex {
  const bytes = getBytes(data);
  const front = bytes.slice(0, Math.min(FRONT, bytes.length >> 1));
  const kind = random.below(4);
  if (kind === 0) return "0x";
  if (kind === 1) return hexlify(front);
  if (kind === 2) return hexlify(random.bytes(32 + random.below(96)));
  const at = random.below(front.length);
  return hexlify(bytes.with(at, front[at] ^ (1 << random.below(8))));
}
