import { verifyAsTold } from "./verify/command.js";

process.exitCode = await verifyAsTold(process.argv.slice(2));
