import { mcp } from "./program.js";

process.exitCode = await mcp(process.argv.slice(2));
