import { CORE, type Addresses } from "../chain/addresses.js";
import type { CharacterContract } from "../chain/character-contract.js";
import { InputError } from "../protocol/input.js";
import { besides } from "./constructor-args.js";
import type { Characters, GameFacts, GameModule } from "./module.js";

/**
 * Returns the game with a name.
 * @throws InputError that lists the names of all games.
 * @example
 * ```ts
 * import { gameNamed, games } from "duello";
 *
 * gameNamed("pistols", games).contract; // => "Pistols"
 * ```
 */
export function gameNamed<G extends Pick<GameModule, "name">>(name: string, games: readonly G[]): G {
  const game = games.find((candidate) => candidate.name === name);
  if (!game) throw new InputError(name, `no such game; there are ${games.map((each) => each.name).join(", ")}`);
  return game;
}

/**
 * Finds the game at an address of a deployment; undefined if there is no such game.
 * @example
 * ```ts
 * import { findGame, games } from "duello";
 *
 * findGame(addresses.Pistols, games, addresses)?.name; // => "pistols"
 * findGame(alice, games, addresses); // => undefined
 * ```
 */
export function findGame<G extends Pick<GameModule, "contract">>(
  address: string,
  games: readonly G[],
  addresses: Addresses,
): G | undefined {
  return games.find(({ contract }) => addresses[contract] === address);
}

/**
 * Returns the game at an address of a deployment.
 * @throws InputError if there is no such game.
 * @example
 * ```ts
 * import { gameAt, games } from "duello";
 *
 * gameAt(addresses.Pistols, games, addresses).name; // => "pistols"
 * gameAt(alice, games, addresses); // throws InputError: 0x7099…: not a game of this deployment
 * ```
 */
export function gameAt(address: string, games: readonly GameModule[], addresses: Addresses): GameModule {
  const game = findGame(address, games, addresses);
  if (!game) throw new InputError(address, "not a game of this deployment");
  return game;
}

/**
 * Selects the games that are deployed together with their tokens.
 * @example
 * ```ts
 * import { deployedGames, games } from "duello";
 *
 * deployedGames(games, { Arena: alice, FightToken: bob }); // => []
 * ```
 */
export function deployedGames(games: readonly GameModule[], addresses: Addresses): GameModule[] {
  const has = (name: string) => Object.hasOwn(addresses, name);
  return games.filter(({ contract, characters }) => has(contract) && (!characters || has(characters.contract)));
}

/** Lists the characters of the games that a deployment has. */
export function deployedCharacters(games: readonly GameModule[], addresses: Addresses): Characters[] {
  return deployedGames(games, addresses).flatMap(({ characters }) => characters ?? []);
}

/**
 * Returns the address of a game in a deployment.
 * @throws InputError if the deployment has no address for it.
 * @example
 * ```ts
 * import { addressOfGame, stockGame } from "duello";
 *
 * addressOfGame(stockGame("pistols"), addresses) === addresses.Pistols; // => true
 * ```
 */
export function addressOfGame({ name, contract }: GameModule, addresses: Addresses): string {
  if (!Object.hasOwn(addresses, contract)) {
    throw new InputError(name, `it is not deployed here: the deployment has no address of ${contract}`);
  }
  return addresses[contract];
}

/** Lists the names of the tokens of a deployment with some games, which belong to no arena. */
export function tokensWith(games: readonly Pick<GameFacts, "characters">[]): string[] {
  return ["FightToken", ...new Set(games.flatMap(({ characters }) => characters?.contract ?? []))];
}

/**
 * Lists the names of all contracts of a deployment with some games.
 * @example
 * ```ts
 * import { contractsWith, stockGame } from "duello";
 *
 * contractsWith([stockGame("tic-tac-toe")]); // => ["Arena", "FightToken", "TicTacToe", "TicTacToeLog"]
 * ```
 */
export function contractsWith(games: readonly GameModule[]): string[] {
  return [
    "Arena",
    ...tokensWith(games),
    ...games.map(({ contract }) => contract),
    ...games.flatMap(besides).map(({ contract }) => contract),
  ];
}

/**
 * Selects the addresses of the core and of some games. A contract under any other name could log anything.
 * @example
 * ```ts
 * import { addressesWith, stockGame } from "duello";
 *
 * const own = addressesWith([stockGame("tic-tac-toe")], addresses);
 * Object.keys(own); // => ["Arena", "FightToken", "TicTacToe"]
 * ```
 */
export function addressesWith(games: readonly GameModule[], addresses: Addresses): Addresses {
  const names = contractsWith(games);
  return Object.fromEntries(Object.entries(addresses).filter(([name]) => names.includes(name))) as Addresses;
}

/**
 * Checks that all games and their contracts have different names.
 * @throws InputError for the first duplicate name.
 * @example
 * ```ts
 * import { checkDistinct, games, stockGame } from "duello";
 *
 * checkDistinct(games);
 * checkDistinct([...games, stockGame("pistols")]); // throws InputError: pistols: there is a game pistols already
 * ```
 */
export function checkDistinct(games: readonly GameModule[]): void {
  const taken = { name: new Set<string>(), contract: new Set<string>(["Arena", ...tokensWith(games)]) };
  const tokens = new Map<string, CharacterContract | undefined>(CORE.map((name) => [name, undefined]));
  for (const game of games) {
    const { name, contract, characters } = game;
    // Games may share a token, but two tokens must not share a name.
    if (characters) {
      const token = characters.contract;
      if (tokens.has(token) && tokens.get(token)?.minted !== characters.minted)
        throw new InputError(name, `there is another contract ${token} already`);
      tokens.set(token, characters);
    }
    for (const [kind, value] of [
      ["name", name],
      ["contract", contract],
      ...besides(game).map((beside) => ["contract", beside.contract] as const),
    ] as const) {
      if (taken[kind].has(value))
        throw new InputError(name, `there is a ${kind === "name" ? "game" : kind} ${value} already`);
      taken[kind].add(value);
    }
  }
}
