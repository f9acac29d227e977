import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Runs an action while each `fsync` calls a function first, and fails if that does. */
export async function withFsync<T>(before: (file: number) => Promise<void>, action: () => Promise<T>): Promise<T> {
  const { fsync } = fs;
  fs.fsync = Object.assign(
    (file: number, done: fs.NoParamCallback) => void before(file).then(() => fsync(file, done), done),
    fsync,
  );
  syncBuiltinESMExports();
  try {
    return await action();
  } finally {
    fs.fsync = fsync;
    syncBuiltinESMExports();
  }
}
