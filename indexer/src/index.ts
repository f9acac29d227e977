import { ponder } from "ponder:registry";
import { ownSetting } from "../setting.js";
import { handlersOf, type Handler } from "./handlers.js";

// Ponder refuses names that its configuration does not have.
const registry = ponder as unknown as { on(name: string, handle: Handler): void };

for (const [name, handle] of Object.entries(handlersOf(ownSetting()))) registry.on(name, handle);
