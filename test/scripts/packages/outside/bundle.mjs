import { build } from "vite";

const [entry, outDir] = process.argv.slice(2);
const lib = { entry, formats: ["es"], fileName: () => "bundle.js" };
await build({ configFile: false, logLevel: "warn", build: { lib, outDir } });
