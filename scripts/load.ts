import { runLoad } from "./load/command.js";

process.exitCode = await runLoad(process.argv.slice(2));
