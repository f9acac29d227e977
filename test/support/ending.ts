import { execFileSync } from "node:child_process";

// Hardhat would end the process at an uncaught error, without the later tests. Mocha only fails the running test.
process.removeAllListeners("uncaughtException");
process.removeAllListeners("unhandledRejection");
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** Milliseconds after the last test within which a run must end on its own. */
const PATIENCE = 60_000;

/** Ends a run that an open handle keeps alive after its last test, and prints the open handles. */
after(() => {
  // This timer itself does not keep the process alive.
  setTimeout(() => {
    const children = execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" });
    console.error(
      `Still open a minute after the last test: ${process.getActiveResourcesInfo().join(", ")}\n${children}`,
    );
    process.exit(1);
  }, PATIENCE).unref();
});
