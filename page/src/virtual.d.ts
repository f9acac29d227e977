/** Address of the script that a Worker runs as the computer player. */
declare module "virtual:opponent-worker" {
  const url: string;
  export default url;
}

/** Games of the list that was built into the page. */
declare module "virtual:own-games" {
  import type { GameView } from "duello";
  import type { CatalogueGame } from "duello/catalogue";

  /** The games without their engines; empty in a page with stock games only. */
  export const ownGames: readonly CatalogueGame[];
  /** Loads the view that the list contains for a game; undefined for a game without a view. */
  export function loadView(name: string): Promise<GameView | undefined>;
}

/** Creation code of the contracts that the playground deploys, by their names. */
declare module "virtual:playground-contracts" {
  export const bytecodes: Readonly<Record<string, string>>;
}

/** Snippets of the guides, in the build that runs them. */
declare module "virtual:guide-snippets" {
  /** `Snippet[]` of `guides/guides.ts`, which a declaration of a module cannot import. */
  export const snippets: unknown;
}

/** The part of the playground that runs the guides, which is built separately. */
declare module "virtual:playground-guides" {
  /** Returns `Guides` of `guides/guides.ts`. */
  export function loadGuides(): Promise<unknown>;
}
