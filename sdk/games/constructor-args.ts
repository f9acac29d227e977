import type { Decoder, GameModule } from "./module.js";

/** Contracts of a deployment by name: their addresses, or placeholders for them. */
type Contracts<C> = Readonly<Record<string, C>>;

/** Returns the arguments of the constructor of a game's contract: the arena, and the tokens if there are any. */
export function gameArgs<C>({ characters }: GameModule, contracts: Contracts<C>): C[] {
  return [contracts.Arena, ...(characters ? [contracts[characters.contract]] : [])];
}

/** Lists a game's auxiliary contracts. */
export function besides({ decoder, preview }: Pick<GameModule, "decoder" | "preview">): Decoder[] {
  return [decoder ?? [], preview ?? []].flat();
}

/** Returns the constructor arguments of an auxiliary contract: the tokens if there are any. */
export function besideArgs<C>({ characters }: Pick<Decoder, "characters">, contracts: Contracts<C>): C[] {
  return characters ? [contracts[characters]] : [];
}
