/** Restores the artifacts of the contracts from their generated types. Exits with 1 if the types have other sources. */
import { restoreArtifacts } from "./artifacts.js";

process.exitCode = (await restoreArtifacts(process.cwd())) ? 0 : 1;
