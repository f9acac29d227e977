import type { Frame, GameModule } from "./module.js";
import type { SecretStore, Turn } from "./moves.js";

/** Data that a scene draws. The match is on a chain, in the page alone, or from a link. */
export interface SceneProps<F extends Frame = Frame> {
  /** All steps of the match so far. */
  readonly frames: readonly F[];
  /** Place of the step that is shown. */
  readonly step: number;
  /** The step that is shown. */
  readonly frame: F;
  /** True if the step follows the previously shown step, so that the change between the two is animated. */
  readonly isMoving: boolean;
  /** False while the scene moves, until the blow of the step lands (`blowOf`). Until then, no effect is shown. */
  readonly hasLanded: boolean;
  /** Player who looks at the match, 1 or 2; 0 for a spectator, who sees it from player 1's side. */
  readonly viewer: 0 | 1 | 2;
  /** Short names of player 1 and player 2. */
  readonly names: readonly [string, string];
  /** Addresses of player 1 and player 2, if known: players are drawn from them. */
  readonly players?: readonly (string | undefined)[];
  /** Loads a token's picture, which its contract draws, as the address of an image; undefined if it has no picture. */
  readonly pictureOf: (id: bigint) => Promise<string | undefined>;
}

/** Data of the course of a match. */
export interface CourseProps<F extends Frame = Frame> extends Pick<SceneProps<F>, "frames" | "step" | "names"> {
  /** Number of steps, from the first one on, that the viewer may see already. */
  readonly known: number;
}

/** Inputs that a player needs to choose a move. `V` is a move of the game, as in its `Moves`. */
export interface PickerProps<F extends Frame = Frame, V = unknown> {
  readonly module: GameModule;
  /** The player's turn, with the history that the game queries. */
  readonly turn: Turn;
  readonly secretStore: SecretStore;
  /** Steps of the match so far; empty before the first. */
  readonly frames: readonly F[];
  /** Content of the match's mode; `0x` for the game's default. */
  readonly mode: string;
  readonly names: readonly [string, string];
  /** True while a move is being sent, so that no other can be chosen. */
  readonly isBusy: boolean;
  readonly pictureOf: (id: bigint) => Promise<string | undefined>;
  /** Plays a move or the result of a promise; undefined if none is needed. A rejection is shown above the picker. */
  readonly onPlay: (move: V | undefined | Promise<V | undefined>) => void;
}

/** Blow that a scene shows. */
export interface ShownBlow {
  /** Fraction of the target's health that the blow costs, 0 to 1; undefined for a blow without a sound. */
  readonly force?: number;
  /** Milliseconds after which the blow lands while the scene moves. */
  readonly after: number;
}

/** Moment of a practice match at which a newcomer may need a hint: before a choice, or after the end. */
export interface HintMoment {
  /** Number of turns that the person has played. */
  readonly turns: number;
  readonly isOver: boolean;
}

/**
 * Views of a game on the web page, in addition to its module: components of Preact, which return a `Node`. The SDK
 * itself draws nothing, and does not need Preact.
 */
export interface GameView<F extends Frame = Frame, Node = unknown> {
  /** Draws a step; by default only the sentences of the match are shown. */
  readonly Scene?: (props: SceneProps<F>) => Node;
  /** Draws the course of the match behind the slider of its steps. */
  readonly Course?: (props: CourseProps<F>) => Node;
  /** Lets a player choose a move; defaults to a field for its arguments. */
  readonly Picker?: (props: PickerProps<F>) => Node;
  /** True if the picker itself draws the state of the match, instead of the last step's scene. */
  readonly isPickedInScene?: boolean;
  /** Describes a step to the viewer; defaults to the step's own sentence, with the names of the players. */
  readonly sentence?: (props: Pick<SceneProps<F>, "frame" | "viewer" | "names">) => string;
  /** Returns the milliseconds for which a step is shown while the match plays by itself; defaults to 900. */
  readonly timeOf?: (frame: F) => number;
  /** Returns the blow that a step shows, for its sound and the time of its effect; undefined for none. */
  readonly blowOf?: (frame: F) => ShownBlow | undefined;
  /** Returns a newcomer's hint for a moment, in a sentence or two; undefined for none. */
  readonly hintAt?: (moment: HintMoment) => string | undefined;
}

/**
 * Views of the games of a list, by name; the list's file exports them as `views` beside the games. Each is loaded when
 * its game is shown: `() => import("./view.js")`, a module whose default export is the view.
 */
export type GameViews = Readonly<Record<string, () => Promise<{ readonly default: GameView<never> }>>>;
