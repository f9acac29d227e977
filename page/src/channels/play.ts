import { modeAgainstProgram, type CatalogueGame } from "duello/catalogue";
import { ZeroAddress } from "ethers";
import { termsIn } from "../parts/terms-fields.tsx";
import { player } from "../player/current.ts";
import { linkTo, open } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { connectGuest } from "../wallet/account.ts";
import { channelsOf } from "./channels.ts";

/** Maximum lifetime, in seconds, of a channel with an agent. */
const SPAN = 7 * 86_400;
const CLOCK = 3600;

/** Opens the channel with the agent, or searches for the agent; without an agent, searches for anybody. */
export async function playAtOnce(chain: Chain, game: CatalogueGame, agent?: string): Promise<void> {
  if (!player.peek()) await connectGuest();
  const you = player.peek();
  if (you?.chain !== chain) throw new Error("The page has not read the chain yet: try again in a moment.");
  const channels = await channelsOf(you);
  const known = channels.seats.peek().findLast((seat) => seat.opponent === agent && seat.state.peek()?.status.held);
  if (known) return open(linkTo("channel", [known.id]));
  const { addresses } = chain.deployment;
  const { FightToken: token } = addresses;
  const mode = modeAgainstProgram(game);
  const rated = agent !== undefined;
  const terms = termsIn(addresses, token, { game, mode, stake: "0", clock: CLOCK, rated });
  if (typeof terms === "string") throw new Error(terms);
  await channels.look({ opponent: agent ?? ZeroAddress, token, amount: 0n, otherAmount: 0n, terms }, SPAN);
}
