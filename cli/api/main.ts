import { api } from "./program.js";

process.exitCode = await api(process.argv.slice(2));
