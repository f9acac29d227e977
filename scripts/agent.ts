import { agent } from "./agent/program.js";

process.exitCode = await agent(process.argv.slice(2));
