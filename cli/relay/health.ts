/** Milliseconds for which the result of a check is cached. */
const LIFE = 5_000;

/** Parts that a relay needs to accept messages. */
export type Part = "node" | "disk";

/** Checks that the parts of a relay work, and caches the results. */
export class Health {
  private checked?: { time: number; failed: Promise<Part[]> };

  /**
   * @param checks Checks of the parts, which throw if they do not work.
   * @param onTrouble Called with the errors that they throw.
   */
  constructor(
    private readonly checks: Readonly<Record<Part, () => Promise<unknown>>>,
    private readonly onTrouble: (error: unknown) => void,
    private readonly now: () => number,
  ) {}

  /** Returns the parts that do not work. */
  async failed(): Promise<Part[]> {
    const time = this.now();
    if (!this.checked || time - this.checked.time > LIFE) this.checked = { time, failed: this.check() };
    return this.checked.failed;
  }

  private async check(): Promise<Part[]> {
    const parts = Object.entries(this.checks) as [Part, () => Promise<unknown>][];
    const failed = await Promise.all(
      parts.map(async ([part, check]) => {
        try {
          await check();
          return [];
        } catch (error) {
          this.onTrouble(error);
          return [part];
        }
      }),
    );
    return failed.flat();
  }
}
