import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../../scripts/document.js";
import { run } from "./packages/outside.js";

const EXAMPLE = join(ROOT, "examples", "blotto");

/** Contract of another game, which nothing here changes. */
const OTHER = "project/contracts/games/tic-tac-toe/TicTacToe.sol";

/** Compiled files that `npm run build` and `npm run documents` need in addition to committed files and packages. */
const COMPILED = ["artifacts", "cache/compile-cache.json"];

/** Files of the SDK's tests that iterate over the games. */
const LISTS = ["action-texts", "calculator", "catalogue", "frames", "mode-format", "win-rates"];

/**
 * Tests that iterate over the games, in as few processes as their patterns allow. The requirements of each game have
 * separate tests.
 */
const TESTS = [
  ["test/scripts/documents-*.ts test/sdk/verify/verify.ts", ...LISTS.map((name) => `test/sdk/games/${name}.ts`)].join(
    " ",
  ),
  // The other tests in these files reject a deployment before any game is used, name their games, or run golden files.
  'test/scripts/deploy-refusals.ts test/fuzz/*.ts test/cli/agent.ts test/cli/simulate.ts test/sdk/verify/replay.ts --grep "prints the plan|blotto|readers that this test covers|The simulate command|imports and uses only"',
];

/** Returns the modules of the SDK by their export paths. */
function modulesByExport(): Map<string, string> {
  const index = readFileSync(join(ROOT, "sdk/index.ts"), "utf8");
  const named = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from "\.\/([^"]+)";/gms)].flatMap(([, names, file]) =>
    names.split(",").map((name) => [name.replace(/^\s*type\s/, "").trim(), file] as const),
  );
  return new Map(named);
}

/** Changes the imports of a module outside the project to those of a game's folder inside it. */
function moved(module: string): string {
  const modules = modulesByExport();
  return module.replace(/^import \{([^}]*)\} from "duello";/gm, (_, names: string) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => `import { ${name} } from "../../${modules.get(name.replace(/^type /, ""))!}";`)
      .join("\n"),
  );
}

describe("A copy of the project with one more game", () => {
  let folder: string;

  /** Runs a command in the copy. @returns its output. @throws Error if it fails, with its output. */
  async function inCopy(command: string, changes: NodeJS.ProcessEnv = {}): Promise<string> {
    const path = [join(folder, "node_modules", ".bin"), process.env.PATH].join(":");
    // Only the results of the tests matter here, not the number of repetitions.
    return run(command, folder, { PATH: path, THOROUGH: undefined, ...changes });
  }

  const edit = (file: string, change: (text: string) => string) => {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-copy-"));
    const skipped = /^(artifacts|cache|node_modules|coverage|\.git|deployments)$/;
    for (const name of globSync("{*,.*}", { cwd: ROOT }).filter((each) => !skipped.test(each))) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    for (const name of COMPILED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    // Compiled files are looked up by the paths of contracts and compiler.
    edit("cache/compile-cache.json", (text) => text.replaceAll(join(ROOT, "/"), join(folder, "/")));
    edit("hardhat.config.ts", (text) => text.replace(/here\("(.+\/soljson\.js)"\)/, `"${join(ROOT, "$1")}"`));

    const contract = readFileSync(join(EXAMPLE, "contracts/Blotto.sol"), "utf8");
    const module = readFileSync(join(EXAMPLE, "src/blotto.ts"), "utf8");
    const facts = module.match(/^ {2}(name|contract|modes): .*\n/gm)!.join("");
    const files = {
      "contracts/games/blotto/Blotto.sol": contract.replaceAll('"duello-contracts/', '"../../'),
      "sdk/games/blotto/index.ts": moved(module)
        .replace(/^import artifact from .*$/m, 'import { Blotto__factory } from "../../../typechain-types/index.js";')
        .replace("abi: artifact.abi,", "abi: Blotto__factory.abi,")
        .replace("  artifact,\n", '  trust: "stock",\n')
        .replace(/^ {2}(name|contract|modes): .*\n/gm, "")
        .replace("oneRound({\n", "oneRound({\n  ...facts,\n")
        .replace(/^/, 'import { facts } from "./facts.js";\n'),
      "sdk/games/blotto/facts.ts": `import { defineFacts } from "../module.js";\nexport const facts = defineFacts({\n${facts}});\n`,
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    edit("sdk/games/catalogue.ts", (text) =>
      `import { facts as blotto } from "./blotto/facts.js";\n${text}`.replace(
        "\n];",
        '\n  { ...blotto, load: async () => (await import("./blotto/index.js")).blotto },\n];',
      ),
    );
    edit("sdk/games/index.ts", (text) =>
      `import { blotto } from "./blotto/index.js";\n${text}`.replace(
        "ticTacToe, warmancer]",
        "ticTacToe, warmancer, blotto]",
      ),
    );
    await inCopy("sh scripts/build.sh");
    // These are the steps of the page about adding a game.
    await inCopy("hardhat test mocha --no-compile test/scripts/documents-numbers.ts", { UPDATE_DOCUMENTS: "1" });
  });

  after(() => rmSync(folder, { recursive: true }));

  it("lists the new game", async () => {
    expect(await inCopy("tsx cli/simulate/main.ts --help")).to.match(/^Games: .*\bblotto$/m);
  });

  it("compiles no other game again", () => {
    // Each compilation is cached with its output.
    const outputs = globSync("artifacts/build-info/*.output.json", { cwd: folder });
    const added = outputs.filter((file) => !existsSync(join(ROOT, file)));
    expect(added).to.have.length(1);
    const { output } = JSON.parse(readFileSync(join(folder, added[0]), "utf8")) as {
      output: { contracts: Record<string, object> };
    };
    const sources = Object.keys(output.contracts).filter((name) => name.startsWith("project/contracts/games/"));
    expect(sources).to.include("project/contracts/games/blotto/Blotto.sol").and.not.include(OTHER);
  });

  it("plays the new game in a soak", async () => {
    expect(await inCopy("tsx scripts/soak.ts --matches 12 --games blotto")).to.match(/^Every match has ended, /m);
  });

  for (const tests of TESTS) {
    it(`passes ${tests}`, async () => {
      expect(await inCopy(`hardhat test mocha --no-compile ${tests}`)).to.match(/^ +[1-9]\d* passing/m);
    });
  }
});
