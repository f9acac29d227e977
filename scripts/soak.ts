import { soakAsTold } from "./soak/command.js";

process.exitCode = await soakAsTold(process.argv.slice(2));
