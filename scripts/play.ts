import { play } from "./play/program.js";

process.exitCode = await play(process.argv.slice(2));
