// Replaces parts of the EVM that the playground does not need.

/** Replaces the package with which the EVM writes to the console. */
export default function debug() {
  return Object.assign(() => undefined, { enabled: false, extend: debug });
}

/** Replaces the EVM's events, to which nobody listens. */
export class EventEmitter {
  on(): this {
    return this;
  }

  emit(): boolean {
    return false;
  }

  listeners(): [] {
    return [];
  }

  listenerCount(): number {
    return 0;
  }
}
