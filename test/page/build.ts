import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import hre from "hardhat";
import { buildPage, DIST } from "../../scripts/page/build.js";
import { contentPolicy, withPolicy } from "../../scripts/page/policy.js";
import { siteOf } from "../../scripts/page/site.js";
import { besides } from "../../sdk/games/constructor-args.js";
import { games } from "../../sdk/games/index.js";
import { tokensWith } from "../../sdk/games/list.js";
import { builtPage } from "./support/harness.js";

const KIB = 1024;
/** Maximum compressed sizes: of everything that is sent before anything is shown, and in total. */
const MAX_ENTRY = 110 * KIB;
const MAX_ALL = 330 * KIB;
/** Maximum compressed size of the playground's files, which are loaded with it. */
const MAX_PLAYGROUND = 500_000;

/** Number of bytes at the start of each contract's code that identify it. */
const PROBE = 64;

/** Text of a simulation's error. */
const SIMULATION = "but both survive round 1";

/** Returns the files of a build by name. */
function filesOf(folder: string): Map<string, Buffer> {
  const names = globSync("**/*.*", { cwd: folder }).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

describe("The page's build", () => {
  before(builtPage);

  const code = () => globSync("assets/*.{js,css}", { cwd: DIST });
  const isOfPlayground = (name: string) => /^assets\/playground(?:-(?:contracts|evm|guides))?-[\w-]{8}\.js$/.test(name);
  const playground = () => code().filter(isOfPlayground);
  const others = () => code().filter((name) => !isOfPlayground(name));
  const compressed = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length, 0);

  it("produces the same bytes each time", async () => {
    const folder = await mkdtemp(join("cache", "page-"));
    const hashes = (place: string) =>
      [...filesOf(place)].map(([file, bytes]) => [file, createHash("sha256").update(bytes).digest("hex")]);
    await buildPage(folder);
    expect(hashes(DIST)).not.to.be.empty;
    expect(hashes(folder)).to.deep.equal(hashes(DIST));
    await rm(folder, { recursive: true });
  });

  it("names every file but the page by its content hash, with one stylesheet", () => {
    const names = [...filesOf(DIST).keys()].filter(
      (name) => !["deployment.json", "icon.svg", "index.html", "manifest.webmanifest", "offline.js"].includes(name),
    );
    for (const name of names) expect(name).to.match(/^assets\/[\w.-]+-[\w-]{8}\.\w+$/);
    expect(names.filter((name) => name.endsWith(".css"))).to.have.length(1);
  });

  it("loads at most 110 KiB before it shows anything, and 330 KiB in all without the playground", () => {
    const html = readFileSync(join(DIST, "index.html"), "utf8");
    const entry = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
    expect(entry).not.to.be.empty;
    expect(compressed(entry), "entry").to.be.at.most(MAX_ENTRY);
    expect(compressed(others()), "all").to.be.at.most(MAX_ALL);
  });

  it("loads the playground on demand, in four files of at most 500 KB in all", () => {
    expect(playground()).to.have.length(4);
    expect(compressed(playground())).to.be.at.most(MAX_PLAYGROUND);
    const importing = (pattern: RegExp) =>
      others().filter((name) => pattern.test(readFileSync(join(DIST, name), "utf8")));
    expect(importing(/from\s*["'`]\.\/playground|import\s*["'`]\.\/playground/)).to.deep.equal([]);
    expect(importing(/import\(["'`]\.\/playground/)).to.have.length(1);
    const stored = readFileSync(join(DIST, "offline.js"), "utf8");
    for (const name of playground()) expect(stored).not.to.include(name);
    for (const name of others()) expect(stored).to.include(name);
  });

  it("excludes unused parts of ethers, but from the guides, whose programs have all of it", () => {
    const text = code()
      .filter((name) => !name.startsWith("assets/playground-guides-"))
      .map((name) => readFileSync(join(DIST, name), "utf8"))
      .join("\n");
    // The build contains the replacements, not the modules: only ethers' resolver queries contracts for avatars.
    expect(text).to.include("The page does without this part of ethers.");
    expect(text).not.to.match(/function tokenURI\(uint\) view returns \(string\)|disallowed character/);
    expect(text).not.to.match(
      /invalid FixedNumber|_ethers_typed|gasstation|eth_newFilter|missing chainId|exceeded maximum retry limit/,
    );
  });

  it("excludes the simulations of games", () => {
    const includes = (path: string) => readFileSync(path, "utf8").includes(SIMULATION);
    expect(includes(join("sdk", "games", "pistols", "simulate.ts"))).to.equal(true);
    expect(code().filter((name) => includes(join(DIST, name)))).to.deep.equal([]);
  });

  it("starts the computer player without the page's UI code", () => {
    const [worker, ...others] = code().filter((name) => name.startsWith("assets/opponent-worker-"));
    expect(others).to.deep.equal([]);
    const read = new Set<string>();
    const follow = (name: string) => {
      if (read.has(name)) return;
      read.add(name);
      const text = readFileSync(join(DIST, name), "utf8");
      for (const [, next] of text.matchAll(/(?:from|import)\(?["'`]\.\/([^"'`]+)/g)) follow(`assets/${next}`);
    };
    follow(worker);
    expect([...read].filter((name) => /assets\/(?:start|lobby|page|view)-/.test(name))).to.deep.equal([]);
  });

  it("contains no bytecode but that of the contracts that the playground deploys, in one of its files", async () => {
    const textIn = (names: readonly string[]) => names.map((name) => readFileSync(join(DIST, name), "utf8")).join("\n");
    const contracts = playground().filter((name) => name.startsWith("assets/playground-contracts-"));
    const [text, deployed] = [textIn(code().filter((name) => !contracts.includes(name))), textIn(contracts)];
    const found: string[] = [];
    for (const name of await hre.artifacts.getAllFullyQualifiedNames()) {
      const { bytecode, contractName } = await hre.artifacts.readArtifact(name);
      if (bytecode.length <= 2 + PROBE) continue;
      expect(text.includes(bytecode.slice(2, 2 + PROBE)), name).to.equal(false);
      if (deployed.includes(`"${bytecode}"`) || deployed.includes(`\`${bytecode}\``)) found.push(contractName);
    }
    const ofGames = games.flatMap((game) => [game, ...besides(game)].map(({ contract }) => contract));
    const needed = ["Arena", ...tokensWith(games), ...ofGames];
    expect(found.sort()).to.deep.equal(needed.sort());
  });

  it("puts the content policy for its deployments into the page and the header, and lists them in deployment.json", async () => {
    const rpc = ["https://node.example/key", "http://127.0.0.1:8545"];
    const deployment = { chainId: 1, block: 5, addresses: {} as never, rpc };
    const { files, header } = await siteOf([deployment]);
    const policy = contentPolicy(rpc);
    expect(policy).to.include("connect-src 'self' https://node.example http://127.0.0.1:8545;");
    expect(policy)
      .to.include("require-trusted-types-for 'script'")
      .and.not.to.match(/'unsafe-/);
    expect(header).to.equal(`${policy}; frame-ancestors 'none'`);
    const html = files.get("index.html")!.toString();
    expect(html.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/g)).to.deep.equal([
      `http-equiv="Content-Security-Policy" content="${policy}"`,
    ]);
    expect(withPolicy(html, contentPolicy([])), "replaced, not added").to.equal(
      readFileSync(join(DIST, "index.html"), "utf8"),
    );
    expect(JSON.parse(files.get("deployment.json")!.toString())).to.deep.equal({ deployments: [deployment] });
  });

  it("lets the page query the indexes of its deployments, on other hosts and on the page's host", async () => {
    const about = { chainId: 1, block: 5, addresses: {} as never, rpc: ["https://node.example"] };
    const policyOf = async (index: string) => (await siteOf([{ ...about, index }])).header;
    expect(await policyOf("https://index.example/of/1")).to.include(
      "connect-src 'self' https://node.example https://index.example;",
    );
    for (const path of ["/index", "index/", "../history?a=b"]) {
      expect(await policyOf(path), path).to.include("connect-src 'self' https://node.example;");
    }
    const { files } = await siteOf([{ ...about, index: "/index" }]);
    expect(JSON.parse(files.get("deployment.json")!.toString()).deployments[0].index).to.equal("/index");
  });

  for (const url of ["http://index;script-src *", "//index.example", "ws://index.example", "javascript:alert(1)"]) {
    it(`rejects an index whose URL would change the content policy, or is not HTTP: ${url}`, () => {
      expect(() => contentPolicy([], [url])).to.throw(`index: ${JSON.stringify(url)} is not the URL of an index`);
    });
  }

  it("lets the page query the relays of its deployments, on other hosts and on the page's host", async () => {
    const about = { chainId: 1, block: 5, addresses: {} as never, rpc: ["https://node.example"] };
    const policyOf = async (relay: string) => (await siteOf([{ ...about, relay }])).header;
    expect(await policyOf("https://relay.example/duello")).to.include(
      "connect-src 'self' https://node.example https://relay.example;",
    );
    expect(await policyOf("/relay")).to.include("connect-src 'self' https://node.example;");
    const { files } = await siteOf([{ ...about, relay: "https://relay.example" }]);
    expect(JSON.parse(files.get("deployment.json")!.toString()).deployments[0].relay).to.equal("https://relay.example");
  });

  for (const url of ["http://relay;script-src *", "//relay.example", "ws://relay.example", "javascript:alert(1)"]) {
    it(`rejects a relay whose URL would change the content policy, or is not HTTP: ${url}`, () => {
      expect(() => contentPolicy([], [], [url])).to.throw(`relay: ${JSON.stringify(url)} is not the URL of a relay`);
    });
  }

  for (const url of ["http://node;script-src *", "http://a;b/", "javascript:alert(1)", "node.example", "http://a'b/"]) {
    it(`rejects a node whose URL would change the content policy: ${url}`, () => {
      expect(() => contentPolicy([url])).to.throw(`rpc: ${JSON.stringify(url)} is not the URL of a node`);
    });
  }
});
