import { execFileSync } from "node:child_process";

// Hardhat ends the process at an uncaught error, and no later test is run or counted. Mocha fails the running test.
process.removeAllListeners("uncaughtException");
process.removeAllListeners("unhandledRejection");
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** Milliseconds after the last test in which a run ends by itself. */
const PATIENCE = 60_000;

/** Ends a run that a process or a connection keeps alive after its last test, and names the open handles. */
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
