import { simulate } from "./simulation.js";

process.exitCode = await simulate(process.argv.slice(2));
