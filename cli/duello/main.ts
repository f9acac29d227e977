import { duello } from "./program.js";

process.exitCode = await duello(process.argv.slice(2));
