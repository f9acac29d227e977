import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { contentPolicy, withPolicy } from "../scripts/page/policy.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Reduces the factories of contracts to their ABIs: the page deploys nothing, so it needs no bytecode. */
const abiOnly: Plugin = {
  name: "abi-only",
  enforce: "pre",
  transform: {
    filter: { id: /\/typechain-types\/factories\/.+__factory\.ts$/ },
    handler(code, id) {
      const abi = /const _abi = (\[.*?\n\]) as const;/s.exec(code)?.[1];
      const name = /export class (\w+__factory)/.exec(code)?.[1];
      if (abi === undefined || name === undefined) throw new Error(`${id} is no factory as TypeChain writes them.`);
      const entries: unknown = JSON.parse(abi);
      // What a type is called in Solidity is for people.
      const text = JSON.stringify(entries, (key, value: unknown) => (key === "internalType" ? undefined : value));
      return {
        code: `import { Contract, Interface } from "ethers";
const abi = ${text};
export class ${name} {
  static abi = abi;
  static createInterface() { return new Interface(abi); }
  static connect(address, runner) { return new Contract(address, abi, runner); }
}`,
        map: null,
        moduleSideEffects: false,
      };
    },
  },
};

/** Writes the policy of a page that asks no node; whoever serves the page replaces it. */
const strictPolicy: Plugin = {
  name: "strict-policy",
  transformIndexHtml: (html) => withPolicy(html, contentPolicy([])),
};

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [abiOnly, strictPolicy],
  resolve: {
    alias: [
      { find: /^@adraffy\/ens-normalize$/, replacement: here("src/no-names.ts") },
      { find: /^duello$/, replacement: here("../sdk/index.ts") },
      { find: /^duello\/bots$/, replacement: here("../sdk/bots.ts") },
      { find: /^duello\/practice$/, replacement: here("../sdk/practice.ts") },
      { find: /^duello\/catalogue$/, replacement: here("../sdk/games/catalogue.ts") },
      { find: /^duello\/games\/([\w-]+)$/, replacement: `${here("../sdk/games")}/$1/index.ts` },
    ],
  },
  build: {
    target: "es2023",
    outDir: here("dist"),
    emptyOutDir: true,
    // A file as an address of data is blocked, and one stylesheet is one request.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // A Worker runs the same files, and has no document to put links into.
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === "html" ? dependencies : []),
    },
    reportCompressedSize: false,
  },
  worker: { format: "es", plugins: () => [abiOnly] },
});
