import type { BaseContract } from "ethers";
import type { GameDefinition, GameModule } from "./module.js";

/** Parts of a module that a base makes of a game's rules. */
type Derived = "modeFormat" | "moves" | "replay" | "decodeLog";

/** Simulation of a game, as `GameModule.simulate`, by its output. */
interface Simulating<Output> {
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}

/** Game as it is declared on a base: whatever else of a module it brings is taken in place of what the base makes. */
export type BasedDefinition<Rules, Output> = Omit<GameDefinition, Derived | "simulate"> &
  Partial<Pick<GameDefinition, Derived> & Simulating<Output>> & { readonly rules: Rules };

/** Module that a base makes. */
export interface BasedGame<Rules, Output extends object> extends GameModule, Simulating<Output> {
  /** Rules of the game, which test benches play by. */
  readonly rules: Rules;
  simulate(input: unknown, contract?: BaseContract): Promise<Output>;
}
