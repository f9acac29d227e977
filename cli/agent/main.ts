import { agent } from "./program.js";

process.exitCode = await agent(process.argv.slice(2));
