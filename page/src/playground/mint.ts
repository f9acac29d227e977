import type { GameModule, RandomSource } from "duello";
import { Interface } from "ethers";
import type { Deployed } from "./deploy.ts";
import type { PlaygroundProvider } from "./provider.ts";

const minting = new Interface(["function setMinter(address, bool)"]);

/**
 * Gives characters of a game to players.
 * @param gifts Players, the number that each of them gets, and the source of the characters' properties.
 */
export async function mint(
  provider: PlaygroundProvider,
  { characters }: Pick<GameModule, "characters">,
  addresses: Deployed,
  owner: string,
  gifts: { readonly players: readonly string[]; readonly count: number; readonly random: RandomSource },
): Promise<void> {
  const { players, count, random } = gifts;
  if (!characters) return;
  const to = addresses[characters.contract];
  const send = async (data: string): Promise<unknown> =>
    provider.send("eth_sendTransaction", [{ from: owner, to, data }]);
  await send(minting.encodeFunctionData("setMinter", [owner, true]));
  for (const player of players) {
    for (let n = 0; n < count; n++) {
      const stats = characters.atRandom?.(random) ?? characters.example;
      await send(characters.encodeMint(player, stats, "stats"));
    }
  }
}
