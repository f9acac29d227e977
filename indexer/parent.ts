import { Worker } from "node:worker_threads";

/** Watches the pipe to standard input, in a thread that a long query does not block. */
const WATCH = `
  const end = () => process.kill(process.pid, "SIGKILL");
  new (require("node:net").Socket)({ fd: 0 }).resume().on("close", end).on("error", () => undefined);
`;

/**
 * Ends this process when its parent ends, even if the parent is killed: that closes the parent's end of the pipe to
 * this process's standard input. No data is lost, since rows are written in transactions.
 */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true }).unref();
}
