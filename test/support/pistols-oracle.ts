/**
 * A second implementation of the rules page of pistols, as slow and plain as possible: tables instead of formulas, a
 * case for every combination, words written bit by bit. It shares no code with either engine.
 */

/** Dice 1..100: player 1's crit and hit, player 2's crit and hit. */
export type Dice4 = readonly [number, number, number, number];

export interface Case {
  archetypes: readonly [number, number];
  strengths: readonly [number, number];
  /** Health of both, from 1 to 3 each; 3 each before a round of pistols. */
  health: readonly [number, number];
  paces: readonly [number, number];
  /** Blades of both; undefined for a round of pistols. */
  blades?: readonly [readonly [number, number], readonly [number, number]];
  /** Dice of slots 1, 2 and 3; a round of pistols uses only slot 1. */
  dice: readonly [Dice4, Dice4, Dice4];
}

export interface End {
  entries: bigint[];
  health: [number, number];
  winner: number;
  pot: number;
  honour: [number, number];
}

const NONE = 0;
const VILLAIN = 1;
const TRICKSTER = 2;
const LORD = 3;

/** Base chances by paces; the last column is blades. */
const CRIT_BASE = [NaN, 5, 6, 8, 10, 11, 13, 15, 16, 18, 20, 20];
const HIT_BASE = [NaN, 100, 92, 83, 74, 65, 56, 47, 38, 29, 20, 75];
const LETHAL_BASE = [NaN, 80, 72, 64, 55, 47, 39, 30, 22, 14, 5];
export const BLADES = 11;

/** Bonuses at full strength by archetype: none, villainous, trickster, honourable. */
const CRIT_BONUS = [0, 0, 6, 12];
const HIT_BONUS = [0, 20, 10, 0];

function final(base: number, bonus: number, penalty: number): number {
  let chance = base + bonus;
  for (let i = 0; i < penalty && chance > 0; i++) chance--;
  if (chance < Math.trunc(base / 2)) chance = Math.trunc(base / 2);
  return chance > 100 ? 100 : chance;
}

/** Returns true if a duelist's chances are lower because the opponent is a trickster. */
function suffers(own: number, other: number): boolean {
  return other === TRICKSTER && own !== TRICKSTER && own !== NONE;
}

export function critChance(own: number, strength: number, other: number, column: number, match: number): number {
  const bonus = Math.trunc((CRIT_BONUS[own] * strength) / 100);
  return final(CRIT_BASE[column], bonus + match, suffers(own, other) ? 2 : 0);
}

export function hitChance(own: number, strength: number, other: number, column: number, health: number): number {
  const injury = [NaN, 20, 10, 0][health];
  return final(
    HIT_BASE[column],
    Math.trunc((HIT_BONUS[own] * strength) / 100),
    injury + (suffers(own, other) ? 10 : 0),
  );
}

/** Packs the fields of a log entry by their lowest bit. */
function entry(fields: Record<number, number>): bigint {
  return Object.entries(fields).reduce((sum, [bit, value]) => sum + (BigInt(value) << BigInt(bit)), 0n);
}

export type When = "first" | "second" | "neither";

/** Returns the bonus to a crit chance by the order of round 1. */
export function matchBonus(own: number, when: When): number {
  if (own === LORD && when === "first") return 10;
  if (own === VILLAIN && when === "second") return 10;
  return 0;
}

export function lethalChance(other: number, column: number, when: When): number {
  const base = LETHAL_BASE[column];
  if (other !== LORD || when !== "first") return base;
  return base < 10 ? 0 : base - 10;
}

/** Returns the side that shoots first, 0 or 1; undefined if both shoot at once. */
export function firstToShoot(archetypes: readonly number[], paces: readonly number[]): 0 | 1 | undefined {
  if (paces[0] < paces[1]) return 0;
  if (paces[1] < paces[0]) return 1;
  if (archetypes[0] === TRICKSTER && archetypes[1] !== TRICKSTER) return 0;
  if (archetypes[1] === TRICKSTER && archetypes[0] !== TRICKSTER) return 1;
  return undefined;
}

/** Shoots at the shooter's health. Returns the damage, and the log entry without the health after it. */
function shoot(c: Case, side: number, health: number, column: number, when: When, dice: Dice4, head: object) {
  const [own, other] = [c.archetypes[side], c.archetypes[1 - side]];
  const lethal = lethalChance(other, column, when);
  const crit = critChance(own, c.strengths[side], other, column, matchBonus(own, when));
  const [critDie, hitDie] = side === 0 ? [dice[0], dice[1]] : [dice[2], dice[3]];
  const fields = { ...head, 4: side, 5: 7, 9: column, 16: crit, 23: critDie, 44: lethal };
  if (critDie <= crit) return { damage: 3, hit: true, entry: entry({ ...fields, 51: 1, 53: 3 }) };
  const chance = hitChance(own, c.strengths[side], other, column, health);
  const rolled = { ...fields, 30: chance, 37: hitDie };
  if (hitDie > chance) return { damage: 0, hit: false, entry: entry(rolled) };
  if (hitDie > lethal) return { damage: 1, hit: true, entry: entry({ ...rolled, 52: 1, 53: 1 }) };
  return { damage: 2, hit: true, entry: entry({ ...rolled, 52: 1, 53: 2 }) };
}

function less(health: number, damage: number): number {
  return damage >= health ? 0 : health - damage;
}

function healthBits([one, two]: readonly number[]): bigint {
  return entry({ 56: one, 58: two });
}

/** Lets both shoot at each other. `formal` is true in round 1, in which the order affects chances. */
function shootOut(c: Case, paces: readonly number[], dice: Dice4, head: object, formal: boolean) {
  const health: [number, number] = [c.health[0], c.health[1]];
  const entries: bigint[] = [];
  const early = firstToShoot(c.archetypes, paces);
  if (early === undefined) {
    const one = shoot(c, 0, health[0], paces[0], "neither", dice, head);
    const two = shoot(c, 1, health[1], paces[1], "neither", dice, head);
    health[0] = less(health[0], two.damage);
    health[1] = less(health[1], one.damage);
    entries.push(one.entry + healthBits(health), two.entry + healthBits(health));
  } else {
    const late = 1 - early;
    const one = shoot(c, early, health[early], paces[early], formal ? "first" : "neither", dice, head);
    health[late] = less(health[late], one.damage);
    entries.push(one.entry + healthBits(health));
    if (health[late] > 0) {
      const two = shoot(c, late, health[late], paces[late], formal ? "second" : "neither", dice, head);
      health[early] = less(health[early], two.damage);
      entries.push(two.entry + healthBits(health));
    }
  }
  return { health, entries };
}

/** Returns the winner if nobody runs: 0 if both are dead or both alive. */
function survivor([one, two]: readonly number[]): number {
  if (one === 0 && two > 0) return 2;
  if (two === 0 && one > 0) return 1;
  return 0;
}

/** Fights a round of pistols, or blades to the end, with the result as the last log entry. */
export function fought(c: Case): End {
  const end = c.blades ? bladesRound(c, c.blades) : pistolsRound(c);
  const { winner, pot, honour } = end;
  end.entries.push(entry({ 0: 3, 2: winner, 4: pot, 8: honour[0], 16: honour[1] }));
  return end;
}

function pistolsRound(c: Case): End {
  const { health, entries } = shootOut(c, c.paces, c.dice[0], { 0: 1 }, true);
  const winner = survivor(health);
  return { entries, health, winner, pot: winner, honour: [10 * c.paces[0], 10 * c.paces[1]] };
}

const NAMES = ["Idle", "Light", "Heavy", "Block", "Flee", "Steal", "Seppuku"];
const isRun = (name: string) => ["Flee", "Steal", "Seppuku"].includes(name);

/** Winner, pot and dead duelists if both run, as listed on the page. */
const BOTH_RUN: Record<string, [winner: number, pot: number, health1: "0" | "", health2: "0" | ""]> = {
  "Flee-Flee": [0, 0, "", ""],
  "Seppuku-Seppuku": [0, 0, "0", "0"],
  "Seppuku-Flee": [0, 0, "0", ""],
  "Flee-Seppuku": [0, 0, "", "0"],
  "Steal-Flee": [0, 1, "", ""],
  "Flee-Steal": [0, 2, "", ""],
  "Seppuku-Steal": [0, 2, "0", ""],
  "Steal-Seppuku": [0, 1, "", "0"],
};

function bladesRound(c: Case, blades: NonNullable<Case["blades"]>): End {
  const names = blades.map((slots) => slots.map((slot) => NAMES[slot]));
  const worth = (side: number) =>
    ({ Flee: 0, Steal: 0, Seppuku: 100 })[names[side][0]] ??
    [NaN, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100][c.paces[side]];
  const honour: [number, number] = [worth(0), worth(1)];
  const [run1, run2] = [isRun(names[0][0]), isRun(names[1][0])];
  if (run1 && run2) return { ...bothRun(c, names[0][0], names[1][0]), honour };
  if (run1) return { ...oneRuns(c, 0, names[0][0], names[1]), honour };
  if (run2) return { ...oneRuns(c, 1, names[1][0], names[0]), honour };

  const first = slot(c, c.health, [names[0][0], names[1][0]], c.dice[0], 1);
  let { health } = first;
  const entries = first.entries;
  if (health[0] > 0 && health[1] > 0) {
    const second = slot(c, health, [names[0][1], names[1][1]], c.dice[1], 2);
    entries.push(...second.entries);
    health = second.health;
  }
  const winner = survivor(health);
  return { entries, health, winner, pot: winner, honour };
}

function bothRun(c: Case, run1: string, run2: string) {
  if (run1 === "Steal" && run2 === "Steal") {
    const { health, entries } = shootOut(c, [1, 1], c.dice[2], { 0: 2, 2: 3 }, false);
    return { entries, health, winner: survivor(health), pot: survivor(health) };
  }
  const [winner, pot, dead1, dead2] = BOTH_RUN[`${run1}-${run2}`];
  const health: [number, number] = [dead1 ? 0 : c.health[0], dead2 ? 0 : c.health[1]];
  return { entries: [], health, winner, pot };
}

function oneRuns(c: Case, runner: number, run: string, blades: string[]) {
  const other = 1 - runner;
  const winner = other + 1;
  const health: [number, number] = [c.health[0], c.health[1]];
  if (run === "Seppuku") {
    health[runner] = 0;
    return { entries: [], health, winner, pot: winner };
  }
  const dice = c.dice[2];
  const attack =
    blades[1] === "Heavy"
      ? stroke(c, other, health[other], "Heavy", dice, 3, false)
      : shoot(c, other, health[other], run === "Flee" ? 10 : 5, "neither", dice, { 0: 2, 2: 3 });
  health[runner] = less(health[runner], attack.damage);
  const entries = [attack.entry + healthBits(health)];
  const stays = { Flee: 0, Steal: attack.hit ? winner : runner + 1 }[run]!;
  return { entries, health, winner, pot: health[runner] === 0 ? winner : stays };
}

/** Makes a Light, Heavy or Block. Returns its points, and its log entry without the health after it. */
function stroke(c: Case, side: number, health: number, name: string, dice: Dice4, slotNumber: number, rollsHit = true) {
  const [own, other] = [c.archetypes[side], c.archetypes[1 - side]];
  const crit = critChance(own, c.strengths[side], other, BLADES, 0);
  const [critDie, hitDie] = side === 0 ? [dice[0], dice[1]] : [dice[2], dice[3]];
  const [ifCrit, ifHit] = { Light: [2, 1], Heavy: [3, 2], Block: [2, 1] }[name]!;
  const fields = { 0: 2, 2: slotNumber, 4: side, 5: NAMES.indexOf(name), 16: crit, 23: critDie };
  if (critDie <= crit) return { damage: ifCrit, hit: true, entry: entry({ ...fields, 51: 1, 53: ifCrit }) };
  if (!rollsHit) return { damage: 0, hit: false, entry: entry(fields) };
  const chance = hitChance(own, c.strengths[side], other, BLADES, health);
  const rolled = { ...fields, 30: chance, 37: hitDie };
  if (hitDie > chance) return { damage: 0, hit: false, entry: entry(rolled) };
  return { damage: ifHit, hit: true, entry: entry({ ...rolled, 52: 1, 53: ifHit }) };
}

/** Fights one slot in which nobody runs. */
export function slot(c: Case, before: readonly [number, number], names: string[], dice: Dice4, number: number) {
  const crit = [0, 1].map((side) =>
    critChance(c.archetypes[side], c.strengths[side], c.archetypes[1 - side], BLADES, 0),
  );
  const executes = [names[0] === "Heavy" && dice[0] <= crit[0], names[1] === "Heavy" && dice[2] <= crit[1]];
  const health: [number, number] = [before[0], before[1]];
  const entries: bigint[] = [];
  if (executes[0] || executes[1]) {
    if (executes[0]) health[1] = 0;
    if (executes[1]) health[0] = 0;
    for (const side of [0, 1]) {
      if (names[side] !== "Heavy") continue;
      entries.push(stroke(c, side, before[side], "Heavy", dice, number, false).entry + healthBits(health));
    }
    return { health, entries };
  }
  const strokes = [0, 1].map((side) =>
    names[side] === "Idle" ? undefined : stroke(c, side, before[side], names[side], dice, number),
  );
  for (const side of [0, 1]) {
    const strikes = names[1 - side] === "Light" || names[1 - side] === "Heavy";
    const damage = strikes ? strokes[1 - side]!.damage : 0;
    const stopped = names[side] === "Block" ? strokes[side]!.damage : 0;
    health[side] = less(before[side], damage > stopped ? damage - stopped : 0);
  }
  for (const each of strokes) if (each) entries.push(each.entry + healthBits(health));
  return { health, entries };
}
