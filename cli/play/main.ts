import { play } from "./program.js";

process.exitCode = await play(process.argv.slice(2));
