import { conformance } from "./program.js";

process.exitCode = await conformance(process.argv.slice(2));
