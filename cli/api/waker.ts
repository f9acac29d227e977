/** Ends the waits of a loop early. A call while the loop works ends its next wait. */
export class Waker {
  private isWoken = false;
  private wakeUp: () => void = () => undefined;

  wake(): void {
    this.isWoken = true;
    this.wakeUp();
  }

  /** Returns once it was woken, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.isWoken) {
      await new Promise<void>((resolve) => {
        this.wakeUp = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.isWoken = false;
  }
}
