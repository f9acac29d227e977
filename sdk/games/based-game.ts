import type { BaseContract } from "ethers";
import type { GameDefinition, GameModule } from "./module.js";

/** Parts of a module that its base derives from the game's rules. */
type Derived = "modeFormat" | "moves" | "replay" | "decodeLog";

/** `GameModule.simulate` of a game, typed by its output. */
interface Simulating<Output> {
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}

/** Game as declared on a base. A part of the module that the game defines overrides the part that the base derives. */
export type BasedDefinition<Rules, Output> = Omit<GameDefinition, Derived | "simulate"> &
  Partial<Pick<GameDefinition, Derived> & Simulating<Output>> & { readonly rules: Rules };

/** Module that a base has made. */
export interface BasedGame<Rules, Output extends object> extends GameModule, Simulating<Output> {
  /** Rules of the game, with which test benches play. */
  readonly rules: Rules;
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}
