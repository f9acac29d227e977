/** Notes of which sources the generated types are. */
import { recordSources } from "./artifacts.js";

await recordSources(process.cwd());
