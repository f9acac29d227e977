import { ZeroAddress } from "ethers";
import { AutoBattler__factory, Characters__factory } from "../../../typechain-types/index.js";
import { nextTime } from "../../chain/time.js";
import type { MoveContext, Team } from "../module.js";
import { decodeTeam, obstacleOf } from "./moves.js";

/** Warns of obstacles to a team's fight: fighters that are not the player's own, can be taken away, or must wait. */
export async function moveChecks(
  team: Team,
  { player, game: address, history, committed }: MoveContext,
): Promise<string[]> {
  const { addresses, provider } = history;
  const token = Characters__factory.connect(addresses.Fighters, provider);
  const game = AutoBattler__factory.connect(address, provider);
  const now = BigInt(await nextTime(provider));
  const about = async (id: bigint): Promise<string[]> => {
    const owner = await token.ownerOf(id);
    if (owner !== player) return [`Fighter ${id} belongs to ${owner}: the team fights only while it is yours.`];
    const [approved, busy] = await Promise.all([token.getApproved(id), game.busyUntil(id)]);
    const obstacle = obstacleOf(busy, now);
    const other = committed.find((each) => decodeTeam(each.move).includes(id));
    const said = [
      approved !== ZeroAddress && `Fighter ${id} is approved to ${approved}, who can take it before the fight.`,
      obstacle !== undefined && `Fighter ${id} (${obstacle}) cannot fight yet.`,
      other &&
        `Fighter ${id} is committed in match ${other.matchId} too: after one fight it may have to rest through the other.`,
    ];
    return said.filter((sentence) => typeof sentence === "string");
  };
  return (await Promise.all(team.map(about))).flat();
}
