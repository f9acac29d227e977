import { relay } from "./program.js";

process.exitCode = await relay(process.argv.slice(2));
