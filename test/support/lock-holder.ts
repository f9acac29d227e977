import { acquireLock } from "../../cli/shared/files/lock.js";

/** Holds the lock of a file until it is killed, or prints in one line why it cannot. */
try {
  acquireLock(process.argv[2], "Somebody works");
  console.log("held");
  setInterval(() => undefined, 1_000_000);
} catch (error) {
  console.log((error as Error).message);
}
