import { ZeroAddress } from "ethers";
import { Characters__factory } from "../../../typechain-types/index.js";
import type { MoveContext, Team } from "../module.js";

/** Warns of obstacles to a team's battle: cards that are not the player's own, or can be taken away. */
export async function moveChecks(team: Team, { player, history }: MoveContext): Promise<string[]> {
  const { addresses, provider } = history;
  const token = Characters__factory.connect(addresses.GuardianCards, provider);
  const about = async (id: bigint): Promise<string[]> => {
    const owner = await token.ownerOf(id);
    if (owner !== player) return [`Card ${id} belongs to ${owner}: the team fights only while it is yours.`];
    const approved = await token.getApproved(id);
    if (approved === ZeroAddress) return [];
    return [`Card ${id} is approved to ${approved}, who can take it before the fight.`];
  };
  return (await Promise.all(team.map(about))).flat();
}
