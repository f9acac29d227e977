import { runVerify } from "./command.js";

process.exitCode = await runVerify(process.argv.slice(2));
