import { join } from "node:path";
import type { CommandContext } from "../shared/command/context.js";
import { acquireLock } from "../shared/files/lock.js";

/** Lock of a program that plays for a player through the API. */
export interface PlayerLock {
  player: string;
  /** Path of the program's files, without an extension. */
  path: string;
  release(): void;
}

/** Makes sure that no other program of this machine plays for the player through the API. @throws Locked if one does */
export async function lockPlayer(context: CommandContext): Promise<PlayerLock> {
  const { chainId, arena, player } = await context.keys.scope();
  const path = join(context.vault.folder, "api", `${chainId}-${arena}-${player}`);
  return { player, path, release: acquireLock(`${path}.lock`, `An API or MCP server plays for ${player}`) };
}
