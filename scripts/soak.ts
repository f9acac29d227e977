import { runSoak } from "./soak/command.js";

process.exitCode = await runSoak(process.argv.slice(2));
