import { resolve } from "node:path";
import { mergeConfig } from "vite";
import page from "../../../page/vite.config.js";

/** The page as it is built, but with one more game in its catalogue. */
export default mergeConfig(page, {
  resolve: {
    // In a folder of this name, as the page's build tells what its Worker runs by folders.
    alias: [{ find: /^duello\/catalogue$/, replacement: resolve("test/page/support/sdk/catalogue.ts") }],
  },
});
