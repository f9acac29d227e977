import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import hre from "hardhat";
import { artifactsOfTypes, recordSources, restoreArtifacts, sourcesHash } from "../../scripts/build/artifacts.js";

const ROOT = process.cwd();
const INPUTS = ["contracts", "hardhat.config.ts", "package-lock.json"];

describe("A cache of artifacts", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "duello-"));
    for (const name of INPUTS) await cp(join(ROOT, name), join(root, name), { recursive: true });
  });

  afterEach(() => rm(root, { recursive: true }));

  it("has the ABI and the bytecode of the compiled artifacts, under the same names", async () => {
    const artifacts = await artifactsOfTypes(ROOT);
    const names = [...(await hre.artifacts.getAllFullyQualifiedNames())].filter((name) =>
      name.startsWith("contracts/"),
    );
    const compiled = await Promise.all(
      names.map(async (name) => {
        const { contractName, sourceName, abi, bytecode } = await hre.artifacts.readArtifact(name);
        return { contractName, sourceName, abi, bytecode };
      }),
    );
    const ordered = <T extends { sourceName: string }>(all: T[]) =>
      all.toSorted((a, b) => (a.sourceName < b.sourceName ? -1 : 1));
    // The generator omits contracts without a function, an event or an error.
    const isTyped = ({ sourceName }: { sourceName: string }) =>
      artifacts.some((each) => each.sourceName === sourceName);
    expect(ordered(artifacts)).to.deep.equal(ordered(compiled.filter(isTyped)));
    expect(compiled.filter((each) => !isTyped(each) && each.abi.length > 0)).to.deep.equal([]);
  });

  it("is not used if sources, settings or compilers have changed", async () => {
    const hash = await sourcesHash(root);
    const { integrity } = (
      JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
        packages: Record<string, { integrity: string }>;
      }
    ).packages["node_modules/solc"];
    for (const [file, from, to] of [
      ["contracts/Arena.sol", "contract Arena", "contract  Arena"],
      ["hardhat.config.ts", "10_000", "10_001"],
      ["package-lock.json", integrity, "another"],
    ]) {
      const path = join(root, file);
      const text = await readFile(path, "utf8");
      await writeFile(path, text.replace(from, to));
      expect(await sourcesHash(root), file).to.not.equal(hash);
      await writeFile(path, text);
    }
    expect(await sourcesHash(root)).to.equal(hash);
    await mkdir(join(root, "typechain-types"));
    expect(await restoreArtifacts(root)).to.equal(false);
    await recordSources(root);
    expect(await restoreArtifacts(root)).to.equal(true);
    await writeFile(join(root, "contracts", "New.sol"), "contract New {}");
    expect(await restoreArtifacts(root)).to.equal(false);
  });

  it("replaces artifacts on disk only if their code differs", async () => {
    const factories = join(root, "typechain-types/factories");
    await mkdir(factories, { recursive: true });
    await writeFile(
      join(factories, "Arena__factory.ts"),
      `export class Arena__factory { static abi = []; static bytecode = "0x01"; }`,
    );
    await recordSources(root);
    const path = join(root, "artifacts/contracts/Arena.sol/Arena.json");
    const bytecodes = async () => {
      const { bytecode, deployedBytecode } = JSON.parse(await readFile(path, "utf8")) as Record<string, string>;
      return [bytecode, deployedBytecode];
    };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify({ abi: [], bytecode: "0x01", deployedBytecode: "0x02" }));
    expect([await restoreArtifacts(root), ...(await bytecodes())]).to.deep.equal([true, "0x01", "0x02"]);
    await writeFile(path, JSON.stringify({ abi: [], bytecode: "0x03", deployedBytecode: "0x02" }));
    expect([await restoreArtifacts(root), ...(await bytecodes())]).to.deep.equal([true, "0x01", "0x"]);
  });
});

describe("A build", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "duello-"));
    for (const name of [...INPUTS, "scripts/build.sh"])
      await cp(join(ROOT, name), join(root, name), { recursive: true });
    for (const name of ["artifacts/contracts", "typechain-types", "node_modules/.bin"])
      await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, "node_modules/.bin/tsx"), "#!/bin/sh\n", { mode: 0o755 });
    await writeFile(join(root, "node_modules/.bin/hardhat"), `#!/bin/sh\necho build >>${join(root, "builds")}\n`, {
      mode: 0o755,
    });
  });

  afterEach(() => rm(root, { recursive: true }));

  it("is repeated if a contract was changed, added or removed, but not if only packages were written", async () => {
    const build = () =>
      execFileSync("sh", [join(root, "scripts/build.sh"), "--if-changed"], {
        env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
      });
    const builds = async () => (await readFile(join(root, "builds"), "utf8")).match(/build/g)!.length;
    const added = join(root, "contracts", "New.sol");
    const steps: [name: string, change: () => Promise<unknown>, isNew: boolean][] = [
      ["first", async () => {}, true],
      ["nothing", async () => {}, false],
      ["added", () => writeFile(added, "contract New {}"), true],
      ["changed", () => writeFile(added, "contract New { }"), true],
      ["removed", () => rm(added), true],
      ["packages", () => mkdir(join(root, "contracts", "packed")), false],
      ["settings", () => writeFile(join(root, "hardhat.config.ts"), ""), true],
    ];
    for (const [name, change, isNew] of steps) {
      const before = name === "first" ? 0 : await builds();
      await change();
      build();
      expect((await builds()) - before, name).to.equal(isNew ? 1 : 0);
    }
  });
});
