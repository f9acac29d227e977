import type { BaseContract } from "ethers";
import type { GameDefinition, GameModule } from "./module.js";

/** Parts of a module that a base derives from a game's rules. */
type Derived = "modeFormat" | "moves" | "replay" | "decodeLog";

/** Simulation of a game, as `GameModule.simulate`, by its output. */
interface Simulating<Output> {
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}

/** Game as declared on a base: other parts of a module that it defines override those of the base. */
export type BasedDefinition<Rules, Output> = Omit<GameDefinition, Derived | "simulate"> &
  Partial<Pick<GameDefinition, Derived> & Simulating<Output>> & { readonly rules: Rules };

/** Module made by a base. */
export interface BasedGame<Rules, Output extends object> extends GameModule, Simulating<Output> {
  /** Rules of the game, which test benches play by. */
  readonly rules: Rules;
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}
