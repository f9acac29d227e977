import { mint } from "./program.js";

process.exitCode = await mint(process.argv.slice(2));
