/** Replaces the package with which the EVM writes to the console. */
export default function debug() {
  return Object.assign(() => undefined, { enabled: false, extend: debug });
}
