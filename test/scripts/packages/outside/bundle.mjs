import { isBuiltin } from "node:module";
import { build } from "vite";

const [entry, outDir] = process.argv.slice(2);
const lib = { entry, formats: ["es"], fileName: () => "bundle.js" };

/** Refuses modules of Node, which vite would replace by empty ones. */
const forPages = {
  name: "for-pages",
  enforce: "pre",
  resolveId(id) {
    if (isBuiltin(id)) throw new Error(`${id} is a module of Node`);
  },
};

await build({ configFile: false, logLevel: "warn", plugins: [forPages], build: { lib, outDir } });
