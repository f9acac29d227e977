import type { Balance, Call, State } from "./rules.js";

/** Numbers below which a pair fits into one exact number. */
const PARTS = 2 ** 26;

/**
 * Set of states. A state has two parts: the state of the chain, and the state of the honest player. Many states share a
 * part, so each part is stored once, and a state is stored as the numbers of its parts. No state is replaced by a hash,
 * so two states are never taken for one. No symmetric states are merged.
 */
export class VisitedStates {
  private readonly chains = new Parts<Partial<State>>();
  private readonly players = new Parts<Partial<State>>();
  private readonly ids = new Map<number, number>();
  private readonly pairs: number[] = [];

  get size(): number {
    return this.pairs.length;
  }

  /** Adds a state, if it is new. @returns its number; numbers count from zero without gaps. */
  add(s: State): number {
    const { time, opening, open, nonce, held, challenged, arena, purses, house, gains } = s;
    const { looked, texts, signed, balances, challenges, pending, bad } = s;
    const chain = this.chains.add(chainText(s), () => {
      return { time, opening, open, nonce, held, challenged, arena, purses, house, gains };
    });
    const player = this.players.add(playerText(s), () => {
      return { looked, texts, signed, balances, challenges, pending, bad };
    });
    const pair = chain * PARTS + player;
    const known = this.ids.get(pair);
    if (known !== undefined) return known;
    const id = this.pairs.push(pair) - 1;
    this.ids.set(pair, id);
    return id;
  }

  get(id: number): State {
    const pair = this.pairs[id];
    return { ...this.chains.get(Math.floor(pair / PARTS)), ...this.players.get(pair % PARTS) } as State;
  }
}

/** Different parts of states, numbered from zero. */
class Parts<T> {
  private readonly ids = new Map<string, number>();
  private readonly parts: T[] = [];

  add(text: string, part: () => T): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.parts.push(part()) - 1;
    if (id >= PARTS) throw new Error(`There are more than ${PARTS} parts.`);
    this.ids.set(text, id);
    return id;
  }

  get(id: number): T {
    return this.parts[id];
  }
}

/** Returns a text of what the chain knows; it is different for different states. It is faster than JSON. */
function chainText({ time, opening, open, nonce, held, challenged, arena, purses, house, gains }: State): string {
  let text = `${time},${opening},${open},${nonce},${held[0]},${held[1]},${challenged},${purses[0]},${purses[1]},${house}`;
  for (const gain of gains) text += `,${gain}`;
  for (const match of arena) text += `;${match.nonce},${match.text},${match.posted},${match.turn},${match.left}`;
  return text;
}

/** Returns a text of what the honest player knows; it is different for different states. */
function playerText({ looked, texts, signed, balances, challenges, pending, bad }: State): string {
  let text = `${looked},${bad}`;
  for (const each of texts) text += `,${each}`;
  for (const [nonce, each] of signed) text += `;${nonce},${each}`;
  for (const balance of balances) text += `:${balanceText(balance)}`;
  for (const nonce of challenges) text += `!${nonce}`;
  return pending ? `${text}?${pending.raced}${callsText(pending.calls)}` : text;
}

function balanceText({ from, nonce, amounts, both, close }: Balance): string {
  return `${from},${nonce},${amounts[0]},${amounts[1]},${both},${close?.until},${close?.isOwn}`;
}

const texts = new WeakMap<readonly Call[], string>();

function callsText(calls: readonly Call[]): string {
  let text = texts.get(calls);
  if (text === undefined) texts.set(calls, (text = JSON.stringify(calls)));
  return text;
}
