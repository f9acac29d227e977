/** Sentences for the errors of a file system that a user can fix, by their codes. */
const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "this user may not open it",
  EISDIR: "it is a folder, not a file",
  ENOENT: "there is no such file",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is no folder",
  EPERM: "this user may not open it",
  EROFS: "its folder is read-only",
};

/** Explains in a sentence why a file could not be read or written. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : SENTENCES[code]) ?? message;
}
