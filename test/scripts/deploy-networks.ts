import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { encryptKeystoreJson, hexlify, JsonRpcProvider, randomBytes, Wallet } from "ethers";
import { readNetworks } from "../../cli/shared/node/networks.js";
import { InputError } from "../../sdk/protocol/input.js";
import { FightToken__factory } from "../../typechain-types/index.js";
import {
  deploy,
  DEPLOYER,
  DEPLOYER_KEY,
  expectRefused,
  HARDHAT,
  hasAnvil,
  TestNode,
} from "../support/deploy-support.js";
import { runScript, type Ended } from "../support/running.js";

const CHAIN = 4242;
const FRESH = new Wallet(hexlify(randomBytes(32)));

/** One command of every program that accepts --network. */
const COMMANDS = [["play", "list"], ["verify", "--all"], ["mint", "minters"], ["agent"]] as const;

describe("The list of chains in deployments/networks.json", () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "duello-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (content: unknown) =>
    writeFileSync(join(folder, "networks.json"), typeof content === "string" ? content : JSON.stringify(content));
  const mychain = { name: "mychain", chainId: CHAIN, rpc: "http://127.0.0.1:1" };
  async function inFolder<T>(read: () => Promise<T>): Promise<T> {
    const before = process.env.DUELLO_DEPLOYMENTS;
    process.env.DUELLO_DEPLOYMENTS = folder;
    try {
      return await read();
    } finally {
      if (before === undefined) delete process.env.DUELLO_DEPLOYMENTS;
      else process.env.DUELLO_DEPLOYMENTS = before;
    }
  }
  const command = (script: string, ...args: string[]): Promise<Ended> =>
    runScript(script, args, { DUELLO_DEPLOYMENTS: folder, DUELLO_RPC_URL: undefined, HOME: folder }).ended;

  for (const [content, message] of [
    ["[", /networks\.json: not JSON: /],
    [{}, /networks\.json: an object is not a list$/],
    [[{ ...mychain, name: "" }], /networks\.json\[0\]\.name: not a letter and up to 31 letters, digits, - or _$/],
    [[{ ...mychain, name: "my chain" }], /\[0\]\.name: not a letter/],
    [[{ ...mychain, name: "__proto__" }], /\[0\]\.name: not a letter/],
    [[{ ...mychain, name: "default" }], /\[0\]\.name: default is the name/],
    [[{ ...mychain, name: "sepolia" }], /\[0\]\.name: sepolia is the name of a network that is always there$/],
    [[mychain, { ...mychain, chainId: 1 }], /\[1\]\.name: mychain is the name of entry 0 too$/],
    [[{ ...mychain, chainId: 0 }], /\[0\]\.chainId: 0 is below 1$/],
    [[{ ...mychain, chainId: "4242" }], /\[0\]\.chainId: "4242" is not an integer$/],
    [[{ ...mychain, rpc: undefined }], /\[0\]\.rpc: left out$/],
    [[{ ...mychain, rpc: "127.0.0.1:8545" }], /\[0\]\.rpc: "127\.0\.0\.1:8545" is not an http or https URL$/],
    [[{ ...mychain, explorer: "ftp://x" }], /\[0\]\.explorer: "ftp:\/\/x" is not an http or https URL$/],
    [[{ ...mychain, kind: "l2" }], /\[0\]\.kind: "l2" is not one of generic, l1, op$/],
    [[{ ...mychain, privateKey: DEPLOYER_KEY }], /\[0\]\.privateKey: unknown field$/],
    [[{ ...mychain, "\u001b[2J": 1 }], /\[0\]\["\\u001b\[2J"\]: unknown field$/],
    [Array.from({ length: 101 }, (_, i) => ({ ...mychain, name: `c${i}` })), /networks\.json: more than 100 items$/],
  ] as const) {
    it(`is refused: ${JSON.stringify(content).slice(0, 100)}`, async () => {
      write(content);
      const error = await inFolder(readNetworks).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InputError);
      expect((error as InputError).message)
        .to.match(message)
        .and.to.not.include(DEPLOYER_KEY);
    });
  }

  it("is rejected with a one-line error by commands that use it, and ignored by other commands", async () => {
    write([{ ...mychain, chainId: 1.5 }]);
    const reason = /networks\.json\[0\]\.chainId: 1\.5 is not an integer\n$/;
    expectRefused(await deploy(folder, ["--network", "mychain"]).ended, reason);
    const { code, stderr } = await command("cli/play/main.ts", "list", "--network", "mychain");
    expect([code, stderr]).to.match(/^2,/).and.to.match(reason);
    expect(await command("scripts/start.ts", "--help")).to.include({ code: 0, stderr: "" });
  });

  it("is printed if an unknown chain is named", async () => {
    write([mychain, { ...mychain, name: "other" }]);
    expectRefused(
      await deploy(folder, ["--network", "nowhere"]).ended,
      /^--network: no network nowhere; there are mychain, other, localhost, sepolia, baseSepolia\n$/,
    );
    for (const [script, ...args] of COMMANDS) {
      const { code, stderr } = await command(`cli/${script}/main.ts`, ...args, "--network", "nowhere");
      expect([code, stderr]).to.match(/^2,--network: no network nowhere; \S+networks\.json names mychain, other\n$/);
    }
    rmSync(join(folder, "networks.json"));
    expect((await command("cli/play/main.ts", "list", "--network", "mychain")).stderr).to.match(
      /^--network: no network mychain; \S+networks\.json names none\n$/,
    );
  });

  describe("with a node", () => {
    let node: TestNode;

    before(async function () {
      if (!hasAnvil()) this.skip();
      node = await TestNode.start("anvil", "--chain-id", String(CHAIN));
    });
    after(() => node?.stop());

    async function keystore(): Promise<string> {
      const file = join(folder, "owner.json");
      writeFileSync(file, await encryptKeystoreJson(FRESH, "secret", { scrypt: { N: 1024, r: 8, p: 1 } }));
      return file;
    }

    it("refuses a node of another chain", async () => {
      write([{ ...mychain, chainId: 777, rpc: node.url }]);
      const served = "mychain is chain 777, the node serves chain 4242";
      for (const [script, ...args] of COMMANDS) {
        const { code, stderr } = await command(`cli/${script}/main.ts`, ...args, "--network", "mychain");
        expect([code, stderr]).to.deep.equal([2, `--network: ${served}\n`]);
      }
      const args = ["--network", "mychain", "--keystore", await keystore()];
      const { stderr } = await deploy(folder, args, { DUELLO_PASSWORD: "secret" }).ended;
      expect(stderr)
        .to.match(/777.*4242|4242.*777/)
        .and.to.match(/^[^\n]+\n$/);
    });

    it("takes the deployer's key from a keystore, and asks before it sends", async () => {
      write([{ ...mychain, rpc: node.url }]);
      const run = async (password?: string, ...args: string[]) =>
        deploy(folder, ["--network", "mychain", ...args], { DUELLO_PASSWORD: password }).ended;
      const file = await keystore();
      expectRefused(await run("secret", "--keystore", `${file}.none`), /^--keystore: .*: there is no such file$/m);
      expectRefused(await run("wrong", "--keystore", file), /^--keystore: the password is wrong/);
      expectRefused(await run(undefined, "--keystore", file), /^DUELLO_PASSWORD: not set/);
      expectRefused(await run("secret", "--keystore", file), new RegExp(`^The deployer ${FRESH.address} has 0.0 coin`));
      await node.rpc("anvil_setBalance", FRESH.address, "0x56bc75e2d63100000");
      expectRefused(await run("secret", "--keystore", file), /^mychain is public: add --yes/);
      expect(await node.nonce(FRESH.address)).to.equal(0);
    });

    it("publishes sources on the chain's Blockscout without a change of the Hardhat configuration", async () => {
      const requests: string[] = [];
      const explorer = createServer((request, response) => {
        void bodyOf(request).then((body) => {
          const action = /action=(\w+)/.exec(`${request.url} ${body}`)?.[1] ?? "";
          requests.push(`${request.method} ${new URL(request.url!, "http://x").pathname} ${action}`);
          const isCheck = action === "checkverifystatus";
          const result = isCheck ? "Pass - Verified" : action === "getsourcecode" ? [{ SourceCode: "" }] : "guid";
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ status: "1", message: "OK", result }));
        });
      });
      explorer.listen(0, "127.0.0.1");
      await once(explorer, "listening");
      try {
        const url = `http://127.0.0.1:${(explorer.address() as AddressInfo).port}`;
        write([{ ...mychain, rpc: node.url, explorer: `${url}/` }]);
        const provider = new JsonRpcProvider(node.url, CHAIN, { staticNetwork: true, cacheTimeout: -1 });
        const signer = new Wallet(DEPLOYER_KEY, provider);
        const token = await (await new FightToken__factory(signer).deploy(DEPLOYER)).waitForDeployment();
        provider.destroy();
        const { code, output } = await hardhat(
          "verify",
          "blockscout",
          "--network",
          "mychain",
          "--contract",
          "contracts/tokens/FightToken.sol:FightToken",
          await token.getAddress(),
          DEPLOYER,
        );
        expect(code, output).to.equal(0);
        expect(output).to.include(`${url}/address/${await token.getAddress()}`);
        expect(requests).to.include.members(["POST /api verifysourcecode", "GET /api checkverifystatus"]);
      } finally {
        explorer.closeAllConnections();
        explorer.close();
      }
    });

    /** Runs Hardhat with the networks in the test's folder. */
    async function hardhat(...args: string[]): Promise<{ code: number; output: string }> {
      const env = { ...process.env, DUELLO_DEPLOYMENTS: folder, DUELLO_DEPLOYER_KEY: DEPLOYER_KEY, NO_COLOR: "1" };
      const child = spawn(process.execPath, [HARDHAT, ...args], { env });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      }
      const [code] = (await once(child, "close")) as [number];
      return { code, output };
    }
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8").slice(0, 1000);
}
