import { encodeAnswer, NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import type { Terms } from "../../../sdk/protocol/terms.js";
import type { Fighters, GuardianCards } from "../../../typechain-types/index.js";
import { DAY, now } from "../index.js";
import type { Random } from "../../../sdk/laws/random.js";
import type { OutsideAct, Seats } from "../../../sdk/laws/game.js";
import { offerHashOf, termsOf, type World } from "../../../sdk/laws/world.js";

type Signer = Seats["player1"];

/** The tokens that are minted for a match, by team. */
export interface Hands {
  team1: bigint[];
  team2: bigint[];
  /** Tokens that belong to neither player. */
  others: bigint[];
}

/** Lists the actions with which the token lets a player change its team. */
export function actions(
  world: World,
  tokens: Fighters | GuardianCards,
  player: Signer,
  team: bigint[],
  opponent: Signer,
): OutsideAct[] {
  const own = tokens.connect(player);
  const each = (what: string, act: (id: bigint) => Promise<unknown>): OutsideAct => ({
    what,
    async run() {
      for (const id of team) await act(id);
    },
  });
  return [
    each("sends its tokens away", (id) => own.transferFrom(player, world.carol, id)),
    each("sends its tokens to the opponent", (id) => own.transferFrom(player, opponent, id)),
    each("burns its tokens", (id) => own.burn(id)),
    each("lets somebody else handle its tokens", (id) => own.approve(world.carol, id)),
  ];
}

/** Joins another match with a team, without stakes, offered by the stranger, beside the match under test. */
export async function bring(
  world: World,
  played: Pick<Terms, "game" | "mode">,
  player: Signer,
  team: Hex,
  random: Random,
): Promise<void> {
  const { arena, stranger } = world;
  const commitment = random.word();
  const answer = encodeAnswer({ round: 1, state: NO_STATE, commitment, move: team, salt: random.word() });
  const terms = await termsOf(world, { stake1: 0n, stake2: 0n, ...played });
  await arena.connect(stranger).create(terms, player, (await now()) + DAY, commitment);
  const matchId = await arena.matchCount();
  await arena.connect(player).join(matchId, await offerHashOf(arena, matchId), answer);
}
