import { ZeroAddress } from "ethers";
import { Characters__factory } from "../../../typechain-types/index.js";
import type { Hex } from "../../protocol/hex.js";
import type { MoveContext } from "../module.js";
import { decodeTeam } from "./moves.js";

/** Warns of obstacles to a team's battle: cards that are not the player's own, or may be taken away. */
export async function moveChecks(move: Hex, { player, history }: MoveContext): Promise<string[]> {
  const { addresses, provider } = history;
  const token = Characters__factory.connect(addresses.GuardianCards, provider);
  const about = async (id: bigint): Promise<string[]> => {
    const owner = await token.ownerOf(id);
    if (owner !== player) return [`Card ${id} belongs to ${owner}: the team fights only while it is yours.`];
    const approved = await token.getApproved(id);
    if (approved === ZeroAddress) return [];
    return [`Card ${id} is approved to ${approved}, who can take it before the fight.`];
  };
  return (await Promise.all(decodeTeam(move).map(about))).flat();
}
