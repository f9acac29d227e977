import { verifyAsTold } from "./command.js";

process.exitCode = await verifyAsTold(process.argv.slice(2));
