import type { Frame, GameModule, SecretStore, Turn } from "duello";
import type { ComponentType } from "preact";

/** Where a match is shown and played: on a chain, in this page alone, or out of a link. */
export interface SceneProps<F extends Frame = Frame> {
  /** All steps of the match so far. */
  readonly frames: readonly F[];
  /** Place of the step that is shown. */
  readonly step: number;
  /** The step that is shown. */
  readonly frame: F;
  /** Tells if the step before was shown just now, so that the change between the two is to be seen. */
  readonly isMoving: boolean;
  /** Player who looks at the match, 1 or 2; 0 for a spectator, who sees it from player 1's side. */
  readonly viewer: 0 | 1 | 2;
  /** Short names of player 1 and player 2. */
  readonly names: readonly [string, string];
  /** Loads the picture that the chain draws of a token, as an address of an image; undefined if there is none. */
  readonly pictureOf: (id: bigint) => Promise<string | undefined>;
}

/** What a player needs to choose a move. */
export interface PickerProps<F extends Frame = Frame> {
  readonly module: GameModule;
  /** The player's turn, with the history that the game asks. */
  readonly turn: Turn;
  readonly secretStore: SecretStore;
  /** Steps of the match so far, none before there are any. */
  readonly frames: readonly F[];
  /** Content of the match's mode; `0x` for the game's default. */
  readonly mode: string;
  readonly names: readonly [string, string];
  /** Tells that a move is on its way, so that no other can be chosen. */
  readonly isBusy: boolean;
  readonly pictureOf: (id: bigint) => Promise<string | undefined>;
  /** Plays a move, in the arguments that the command line takes. What is refused is told above the picker. */
  readonly onPlay: (moveArgs: readonly string[]) => void;
}

/** What the page knows of a game beyond its module: a file of this folder exports it as its default. */
export interface GameView<F extends Frame = Frame> {
  /** Draws a step. Left out: the sentences of the match are shown alone. */
  readonly Scene?: ComponentType<SceneProps<F>>;
  /** Lets a player choose a move. Left out: a field for its arguments. */
  readonly Picker?: ComponentType<PickerProps<F>>;
  /** Tells that the picker draws the state of the match itself, in place of the last step's scene. */
  readonly isPickedInScene?: boolean;
}

const files = import.meta.glob<{ default: GameView<never> }>("./*.tsx");

/** Loads the view of a game by its name; an empty one for a game that has none. */
export async function viewOfGame(name: string): Promise<GameView> {
  const load = files[`./${name}.tsx`];
  return load ? ((await load()).default as unknown as GameView) : {};
}
