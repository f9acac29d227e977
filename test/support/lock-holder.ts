import { acquireLock } from "../../cli/shared/files/lock.js";

/** Holds the lock of a file until it is ended, or prints in a line why it cannot. */
try {
  acquireLock(process.argv[2], "Somebody works");
  console.log("held");
  setInterval(() => undefined, 1_000_000);
} catch (error) {
  console.log((error as Error).message);
}
