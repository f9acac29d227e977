/** Records the sources of the generated types. */
import { recordSources } from "./artifacts.js";

await recordSources(process.cwd());
