import { createHash } from "node:crypto";
import { globSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Interface, type InterfaceAbi } from "ethers";
import { build, defineConfig, normalizePath, type Alias, type Plugin, type Rolldown } from "vite";
import { moduleOf, playgroundSnippets } from "../scripts/page/guides.js";
import { contentPolicy, withPolicy } from "../scripts/page/policy.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Folder of this project, as ids of modules name it. */
const PROJECT = `${normalizePath(realpathSync(here("..")))}/`;

/** Writes an ABI as fragments of ethers, at a third of the size. */
const fragmentsOf = (abi: string) => new Interface(abi).format(false);

/** Returns everything that ethers reads from an ABI. For an event's input, `indexed: false` may be given or omitted. */
const jsonOf = (abi: InterfaceAbi) => new Interface(abi).formatJson().replaceAll(',"indexed":false', "");

/** Factories from which the SDK takes its declarations of events. */
const EVENTS = /^(?:Arena|Channels|Characters|Game)__factory$/;
/** Factories of decoders and previews, which the page never calls. */
const BESIDE = /(?:Log|Preview)__factory$/;

/** Functions, errors and events that the page neither calls nor meets; most are those of OpenZeppelin. */
const UNUSED = [
  "acceptOwnership|pendingOwner|renounceOwnership|transferOwnership|OwnershipTransferred|OwnershipTransferStarted",
  "approveAndCall|transferFromAndCall|InvalidShortString|StringTooLong|EIP712DomainChanged|DOMAIN_SEPARATOR|totalSupply",
  "onTransferReceived|setFeeBps|setTreasury|setApprovalForAll|safeTransferFrom|matchIdOf|MinterChanged|postedOf|burn|transferFrom|Approval",
  "characterOf|collect|lock|rate|release|setMinter|sharesOf|start|tokenURI|totalOf|void",
].join("|");
const UNUSED_FRAGMENT = new RegExp(`^(?:constructor|\\w+ (?:${UNUSED}))\\(`);

/**
 * Returns whether the page uses a fragment of a factory's ABI: it deploys nothing, and reads each event by one
 * declaration.
 */
function isUsed(factory: string, fragment: string): boolean {
  if (UNUSED_FRAGMENT.test(fragment)) return false;
  // The page signs permits of tokens.
  if (fragment.startsWith("function eip712Domain(")) return factory === "FightToken__factory";
  if (fragment.startsWith("error ")) return true;
  return !BESIDE.test(factory) && (!fragment.startsWith("event ") || EVENTS.test(factory));
}

/** Reduces the factories of contracts to their ABIs, or to parts of them. */
const abiOnly = (isIncluded: typeof isUsed): Plugin => ({
  name: "abi-only",
  enforce: "pre",
  transform: {
    filter: { id: /\/typechain-types\/factories\/.+__factory\.ts$/ },
    handler(code, id) {
      const abi = /const _abi = (\[.*?\n\]) as const;/s.exec(code)?.[1];
      const name = /export class (\w+__factory)/.exec(code)?.[1];
      if (abi === undefined || name === undefined) throw new Error(`${id} is no factory as TypeChain writes them.`);
      const fragments = fragmentsOf(abi);
      if (jsonOf(fragments) !== jsonOf(abi)) throw new Error(`${id} cannot be written as fragments.`);
      const used = id.startsWith(PROJECT) ? fragments.filter((each) => isIncluded(name, each)) : fragments;
      return {
        code: `import { Contract, Interface } from "ethers";
const abi = ${JSON.stringify(used)};
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
});

/** Leaves out the simulations of games, and their odds: only commands compute them. */
const withoutSimulations: Plugin = {
  name: "without-simulations",
  enforce: "pre",
  transform: {
    filter: { id: /\/sdk\/games\/[\w-]+\/(?:calculator|simulate)\.ts$/ },
    handler(code, id) {
      // Games of a list may be in folders of the same names.
      if (!id.startsWith(PROJECT)) return undefined;
      const names = [...code.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name);
      return { code: `export const ${names.map((name) => `${name} = undefined`).join(", ")};`, map: null };
    },
  },
};

/** Makes a plugin that serves the code of a module without a file. */
const virtualModule = (name: string, code: (context: Rolldown.PluginContext) => string): Plugin => ({
  name,
  resolveId: { filter: { id: new RegExp(`^${name}$`) }, handler: () => name },
  load: {
    filter: { id: new RegExp(`^${name}$`) },
    handler() {
      return code(this);
    },
  },
});

/**
 * Provides the address of the computer player's script. It is a chunk of the same build, so that the page and its
 * Worker share the code of the games.
 */
const opponent = virtualModule("virtual:opponent-worker", (context) => {
  const chunk = context.emitFile({ type: "chunk", id: here("src/store/opponent-worker.ts") });
  return `export default import.meta.ROLLUP_FILE_URL_${chunk};`;
});

/** Name of the script that stores the page for offline use: a browser looks for a new version under this name. */
const OFFLINE = "offline.js";
/** Files without a hash in their names that the script stores. */
const PLAIN_FILES = ["./", "icon.svg", "manifest.webmanifest"];

/** Names of the playground's files, which practice does not need. */
const PLAYGROUND_FILE = /^assets\/playground/;

/** Adds the script that stores the page, with the names of all files of the build but those of the playground. */
const offline: Plugin = {
  name: "offline",
  buildStart() {
    this.emitFile({ type: "chunk", id: here("src/offline-worker.ts"), fileName: OFFLINE });
  },
  generateBundle: {
    // Runs after the stylesheet exists.
    order: "post",
    handler(_, bundle) {
      const all = [...PLAIN_FILES, ...Object.keys(bundle).filter((name) => name.startsWith("assets/"))].sort();
      const files = all.filter((name) => !PLAYGROUND_FILE.test(name));
      const version = createHash("sha256").update(all.join()).digest("hex").slice(0, 8);
      const chunk = bundle[OFFLINE] as Rolldown.OutputChunk;
      const list = JSON.stringify(JSON.stringify(files)).slice(1, -1);
      chunk.code = chunk.code.replace("__FILES__", () => list).replace("__VERSION__", version);
    },
  },
};

/** Factories of the contracts that the playground deploys: the arena, the tokens, and the games with their decoders. */
const PLAYGROUND_FACTORIES = "{Arena,tokens/*,games/*/*}__factory.ts";
/** Creation code in a factory. That of a library is much shorter, and is part of the games that use it. */
const BYTECODE = /const _bytecode =\s*"(0x[0-9a-f]{200,})"/;

/** Provides the creation code of these contracts from their factories, which need no compiler. */
const playgroundContracts = virtualModule("virtual:playground-contracts", (context) => {
  const bytecodes = globSync(PLAYGROUND_FACTORIES, { cwd: here("../typechain-types/factories") })
    .sort()
    .flatMap((name) => {
      const file = here(`../typechain-types/factories/${name}`);
      context.addWatchFile(file);
      const [, bytecode] = BYTECODE.exec(readFileSync(file, "utf8")) ?? [];
      return bytecode === undefined ? [] : [[basename(name, "__factory.ts"), bytecode] as const];
    });
  return `export const bytecodes = ${JSON.stringify(Object.fromEntries(bytecodes))};`;
});

/** Code of the EVM, which has copies of one version of the same packages. */
const EVM = /\/node_modules\/@ethereumjs\//;

/** Makes the packages of the EVM share one copy of their hashes and curves. */
const oneCopy: Plugin = {
  name: "one-copy",
  enforce: "pre",
  resolveId: {
    filter: { id: /^@noble\// },
    handler(id, importer = "") {
      const isOther = EVM.test(normalizePath(importer)) && !importer.includes("/@ethereumjs/evm/");
      return isOther ? this.resolve(id, EVM_ENTRY, { skipSelf: true }) : undefined;
    },
  },
};
const EVM_ENTRY = here("../node_modules/@ethereumjs/evm/dist/esm/index.js");

/** Entry points of the SDK by the names of its package. */
const SDK_ENTRIES: Alias[] = [
  { find: /^duello$/, replacement: here("../sdk/index.ts") },
  { find: /^duello\/bots$/, replacement: here("../sdk/bots.ts") },
  { find: /^duello\/practice$/, replacement: here("../sdk/practice.ts") },
  { find: /^duello\/catalogue$/, replacement: here("../sdk/games/catalogue.ts") },
  { find: /^duello\/games\/([\w-]+)$/, replacement: `${here("../sdk/games")}/$1/index.ts` },
];

const SNIPPET = /^virtual:guide-snippet\/(\d+)$/;

/** Provides the snippets of the guides, and a module for each of them. */
const guideSnippets: Plugin = {
  name: "guide-snippets",
  resolveId: { filter: { id: /^virtual:guide-snippet/ }, handler: (id) => id },
  load: {
    filter: { id: /^virtual:guide-snippet/ },
    handler(id) {
      const snippets = playgroundSnippets();
      const [, number] = SNIPPET.exec(id) ?? [];
      if (number !== undefined) return { code: moduleOf(snippets[Number(number)]), moduleType: "ts" };
      const imports = snippets.map((_, i) => `import { run as run${i} } from "virtual:guide-snippet/${i}";`);
      const listed = snippets.map(({ name, page, heading, file, block }, i) => {
        return `{ ...${JSON.stringify({ name, page, heading, file, code: block.text })}, run: run${i} }`;
      });
      return `${imports.join("\n")}\nexport const snippets = [${listed.join(", ")}];`;
    },
  },
};

/**
 * Builds the snippets of the guides with all of the SDK and of ethers that they use, as programs that install the packages
 * have them. This build shares no code with the page, whose files would otherwise grow.
 */
async function buildGuides(): Promise<string> {
  const built = await build({
    configFile: false,
    root: here("."),
    logLevel: "warn",
    plugins: [guideSnippets, abiOnly(() => true), withoutSimulations, browserOnly],
    resolve: {
      alias: [{ find: /^duello\/factories$/, replacement: here("../typechain-types/index.ts") }, ...SDK_ENTRIES],
    },
    build: {
      target: "es2023",
      write: false,
      rolldownOptions: {
        input: here("src/playground/guides/run.ts"),
        preserveEntrySignatures: "strict",
        output: { codeSplitting: false },
        treeshake: { propertyReadSideEffects: false },
      },
      modulePreload: false,
      reportCompressedSize: false,
    },
  });
  const [{ code }] = (built as Rolldown.RolldownOutput).output;
  return code;
}

/** Provides the guides as a file of their own. */
const playgroundGuides: Plugin = {
  name: "playground-guides",
  resolveId: { filter: { id: /^virtual:playground-guides$/ }, handler: (id) => id },
  load: {
    filter: { id: /^virtual:playground-guides$/ },
    async handler() {
      const file = this.emitFile({ type: "asset", name: "playground-guides.js", source: await buildGuides() });
      return `export const loadGuides = () => import(import.meta.ROLLUP_FILE_URL_${file});`;
    },
  },
};

const OWN_GAMES = "virtual:own-games";

/** Games of the deployer's own list, from the module that the build of the page has written; empty without one. */
const ownGames = virtualModule(OWN_GAMES, () => {
  const file = process.env.DUELLO_PAGE_GAMES;
  if (file !== undefined) return readFileSync(here(`../${file}`), "utf8");
  return "export const ownGames = []; export const loadView = async () => undefined;";
});

/** Rejects modules that only Node has, which games of a list may import. */
const browserOnly: Plugin = {
  name: "browser-only",
  enforce: "pre",
  resolveId(id, importer) {
    if (isBuiltin(id)) throw new Error(`${importer ?? "A file"} imports ${id}, which a browser does not have.`);
  },
};

/** Writes the content policy of a page without nodes; the server of the page replaces it. */
const strictPolicy: Plugin = {
  name: "strict-policy",
  transformIndexHtml: (html) => withPolicy(html, contentPolicy([])),
};

/** Replaces the preloading of imports: a Worker has no document for links, and there is one stylesheet. */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: { filter: { id: /^\0vite\/preload-helper/ }, handler: () => "export const __vitePreload = (load) => load();" },
};

/** Modules of ethers and its dependencies that the page does not need. */
const LEFT_OUT =
  /^(?:\.\/(?:authorization|ens-resolver|fetch|network|subscriber-filterid|subscriber-polling|units|wrappers)\.js|\.\.?\/typed\.js|@noble\/hashes\/sha512)$/;

/** Imports through which the providers of ethers would include the code that signs and reads transactions. */
const SIGNING = /^(?:\.\.\/hash\/index|\.\/abstract-signer)\.js$/;
const READING = /^\.\.\/transaction\/index\.js$/;

/** Keeps signing code out of the providers: the page reads chains long before it signs, if it ever does. */
const readingProviders: Plugin = {
  name: "reading-providers",
  enforce: "pre",
  resolveId: {
    filter: { id: [SIGNING, READING] },
    handler(id, importer = "") {
      const isLeftOut =
        (SIGNING.test(id) && importer.endsWith("/providers/provider-jsonrpc.js")) ||
        (READING.test(id) && importer.endsWith("/providers/abstract-provider.js"));
      return isLeftOut ? here("src/left-out.ts") : undefined;
    },
  },
};

/** Returns the path of a module in this project: games of a list may be in folders of the same names. */
const pathOf = (id: string) => (id.startsWith(PROJECT) ? id.slice(PROJECT.length) : id);

/** Code that the page and its Worker share, and the engines of games in that code. */
const SDK =
  /^(?:sdk|typechain-types)\/|(?:^|\/)node_modules\/(?:ethers|hash-wasm|@noble)\/|^page\/src\/(?:catalogue|left-out)\.ts/;
const ENGINE = /^sdk\/games\/([\w-]+)\//;
/** Code that only channels need. */
const CHANNELS = /^(?:page\/src|sdk\/player)\/channels\//;
/**
 * Code that the lobby loads for a visitor without an account: first the part that the Worker shares, then the part of
 * the page alone. Their imports are included.
 */
const CHAIN =
  /^sdk\/(?:chain\/(?:archive|deployment|index-page|time)|games\/modes|player\/(?:amounts|outcome|channels\/listed-seeks))\.ts$|\/ethers\/lib\.esm\/providers\/provider-(?:jsonrpc|websocket)\.js$/;
const LOBBY = /^page\/src\/(?:live\.ts|parts\/lobby-matches\.tsx|channels\/(?:at-once|section)\.tsx)$/;
/** View of a game, and code that views share. */
const VIEW = /^page\/src\/games\/([\w-]+)(?:\/|\.tsx$)/;

/** True for code that only the playground needs. */
const isOfPlayground = (id: string) =>
  /^page\/src\/(?:(?:views|styles)\/)?playground|^virtual:playground-guides$/.test(pathOf(id));
const isOfEvm = (id: string) => EVM.test(id) || /^page\/src\/playground\/(?:chain|gas|left-out)\.ts$/.test(pathOf(id));

/** True for code that the page and its Worker share. */
const isShared = (id: string) => (SDK.test(pathOf(id)) && !EVM.test(id)) || id === OWN_GAMES;
const isOfChannels = (id: string) => CHANNELS.test(pathOf(id));

/** True if a module is for the page only: the Worker is a file of its own, as it has no document. */
const isOfPage = (id: string) =>
  (/^page\/src\//.test(pathOf(id)) || /\/node_modules\/(?:idb|@?preact)\//.test(id)) && !id.endsWith("-worker.ts");

/**
 * Few files, since each is compressed separately: code of the SDK and of the page that is needed before anything is
 * shown; then the code of both that the lobby needs; the rest of the SDK; each game's engine, which a Worker runs
 * without its view; the views; the rest of the page; code that only channels need.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: "base", tags: ["$initial"], test: isShared },
  { name: "start", tags: ["$initial"], test: isOfPage },
  { name: "chain", test: (id: string) => CHAIN.test(pathOf(id)) },
  { name: "lobby", test: (id: string) => LOBBY.test(pathOf(id)) },
  { name: "sdk", test: (id: string) => isShared(id) && !ENGINE.test(pathOf(id)) && !isOfChannels(id) },
  { name: (id: string) => ENGINE.exec(pathOf(id))?.[1], debugName: "engines" },
  { name: "view-shared", test: (id: string) => /^page\/src\/games\/(?:shared|teams)\//.test(pathOf(id)) },
  { name: (id: string) => VIEW.exec(pathOf(id))?.[1].replace(/^/, "view-"), debugName: "views" },
  { name: "page", test: (id: string) => isOfPage(id) && !isOfChannels(id) && !isOfPlayground(id) && !isOfEvm(id) },
  { name: "channels", test: isOfChannels },
  { name: "playground-contracts", test: /^virtual:playground-contracts$/ },
  { name: "playground-evm", test: isOfEvm },
  { name: "playground", test: isOfPlayground },
];

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [
    abiOnly(isUsed),
    withoutSimulations,
    browserOnly,
    plainImports,
    readingProviders,
    offline,
    oneCopy,
    opponent,
    ownGames,
    playgroundContracts,
    playgroundGuides,
    strictPolicy,
  ],
  // The view of a listed game may be in a folder whose tsconfig differs, or in a folder without one.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: {
    // A list of games may be in a folder with other copies of these packages, and two copies are incompatible.
    dedupe: ["ethers", "preact", "@preact/signals"],
    alias: [
      // Paths in the locked version of ethers; a test checks that the parts are gone.
      { find: LEFT_OUT, replacement: here("src/left-out.ts") },
      { find: /^(?:debug|eventemitter3)$/, replacement: here("src/playground/left-out.ts") },
      ...SDK_ENTRIES,
    ],
  },
  build: {
    target: "es2023",
    outDir: here("dist"),
    emptyOutDir: true,
    // Files inlined as data URLs are blocked, and one stylesheet is one request.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // Reading a property has no side effects.
    rolldownOptions: { output: { codeSplitting: { groups } }, treeshake: { propertyReadSideEffects: false } },
    modulePreload: {
      polyfill: false,
      // A Worker runs the same files, and has no document to put links into.
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === "html" ? dependencies : []),
    },
    reportCompressedSize: false,
  },
});
