// Matches without a chain: practice in memory, and matches contained in a link.
export { hasLevels, LEVELS, type Level } from "./games/levels.js";
export { MemorySecretStore, type KeptSecret } from "./player/memory-secret-store.js";
export { chooseIn, Practice, type PracticeOptions, type SavedPractice, type SavedSecret } from "./player/practice.js";
export { decodeRecord, encodeRecord, MAX_SHARED_RECORD, type SharedMatch } from "./player/shared-record.js";
