/** Faults in the messages that arrived. */
export interface Faults {
  /** Messages whose sender was told that they are stored, and that have not arrived. */
  lost: number;
  /** Messages that arrived again. */
  doubled: number;
  /** Messages that arrived after a later one, or before an earlier one. */
  disordered: number;
}

/** Messages of one author that arrived at one reader. The author numbers them from 1. */
export class Ledger {
  private doubled = 0;
  private disordered = 0;
  /** Messages that arrived before an earlier one. */
  private readonly early = new Set<number>();

  /** @param complete Number of the last message up to which all have arrived. */
  constructor(private complete = 0) {}

  /** Notes a message. @returns false if it had arrived already */
  take(number: number): boolean {
    if (number <= this.complete || this.early.has(number)) {
      this.doubled++;
      return false;
    }
    if (number > this.complete + 1) this.disordered++;
    this.early.add(number);
    while (this.early.delete(this.complete + 1)) this.complete++;
    return true;
  }

  /** @param acknowledged Number of the last message whose sender was told that it is stored. */
  faults(acknowledged: number): Faults {
    const arrived = this.complete + [...this.early].filter((number) => number <= acknowledged).length;
    return { lost: Math.max(0, acknowledged - arrived), doubled: this.doubled, disordered: this.disordered };
  }
}

/** Adds up faults. */
export function sumOf(all: readonly Faults[]): Faults {
  const sum = (name: keyof Faults) => all.reduce((total, faults) => total + faults[name], 0);
  return { lost: sum("lost"), doubled: sum("doubled"), disordered: sum("disordered") };
}

/** Describes faults; undefined if there are none. @param where Place at which messages arrived. */
export function textOf({ lost, doubled, disordered }: Faults, where: string): string | undefined {
  if (lost + doubled + disordered === 0) return undefined;
  return `${where}: ${lost} lost, ${doubled} doubled, ${disordered} out of order`;
}
