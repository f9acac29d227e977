import type { Hex } from "duello";
import type { TeamStrategy } from "duello/bots";
import type { ComponentType } from "preact";

/** Property of a character, as on its card. */
export interface Stat {
  readonly label: string;
  readonly short: string;
  readonly text: string;
  /** Rank of a character in lists, the higher the better. */
  readonly value: number;
  /** Tier 1 to 3, if the property has tiers. */
  readonly tier?: number;
}

/** Character to draw. */
export interface Member {
  /** Id of the token, a decimal number. */
  readonly id: string;
  readonly name: string;
  /** Words that are shown next to the character's name. */
  readonly note?: string;
  /** Group by which a long list is filtered, e.g. the character's type. */
  readonly group?: string;
  readonly stats: readonly Stat[];
}

/** Picture of a character. */
export interface EmblemProps<E extends Member> {
  readonly member: E;
  /** True to cut the character out, without a tile behind it. */
  readonly isCut?: boolean;
}

/** Game of teams, as far as a picker and a scene need it. `C` is a character as the game's engine accepts it. */
export interface TeamKind<M, C, E extends Member> {
  modeOf(content: Hex): M;
  sizeOf(mode: M): number;
  /** Reads a description of a character by `Characters.describe`. */
  traitsOf(data: object): C;
  memberOf(data: object, mode: M): E;
  readonly strategy: TeamStrategy<M, C>;
  /** Name of the groups, if there are any. */
  readonly groups?: { readonly label: string; readonly names: readonly string[] };
  /** Draws a character by its traits. */
  readonly Emblem: ComponentType<EmblemProps<E>>;
  /** Describes the rules for choosing a team. */
  readonly Rules: ComponentType<{ mode: M; member?: E }>;
  /** Describes the consequences of committing a character to two matches. */
  readonly twiceText: string;
}
