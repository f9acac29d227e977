import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { InputError } from "../../sdk/protocol/input.js";
import { readOptions } from "../../scripts/deploy/options.js";
import { deploy, expectRefused } from "../support/deploy-support.js";

const PAYEE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("The parser of the deploy command", () => {
  const bad: [string, string[]][] = [
    ["--network: left out", []],
    ["--network: no network nowhere", ["--network", "nowhere"]],
    ["--network: no network default", ["--network", "default"]],
    ["--url: ", ["--network", "localhost", "--url", "localhost:8545"]],
    ["--url: ", ["--network", "localhost", "--url", ""]],
    ["--treasury: ", ["--network", "localhost", "--treasury", "0x12"]],
    ["--treasury: ", ["--network", "localhost", "--treasury", PAYEE.replace("C8", "c8")]],
    ["--treasury: zero", ["--network", "localhost", "--treasury", `0x${"0".repeat(40)}`]],
    ["--owner: zero", ["--network", "localhost", "--owner", `0x${"0".repeat(40)}`]],
    ["--create2: the name has", ["--network", "localhost", "--create2", ""]],
    ["--create2: the name has", ["--network", "localhost", "--create2", "my arena"]],
    ["--create2: --game adds", ["--network", "localhost", "--create2", "v1", "--game", "pistols"]],
    ["--tokens: --game adds", ["--network", "localhost", "--tokens", "1.json", "--game", "pistols"]],
    ["--reset: ", ["--network", "sepolia", "--reset"]],
  ];
  for (const [message, args] of bad) {
    it(`refuses ${args.join(" ")}`, async () => {
      const error: unknown = await readOptions(args).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InputError);
      expect((error as InputError).message).to.satisfy((text: string) => text.startsWith(message));
    });
  }

  it("accepts an address in any case", async () => {
    const { treasury } = await readOptions(["--network", "localhost", "--treasury", PAYEE.toLowerCase()]);
    expect(treasury).to.equal(PAYEE);
  });

  it("refuses wrong arguments with a one-line error and exit code 1", async () => {
    const folder = mkdtempSync(join(tmpdir(), "duello-"));
    expectRefused(await deploy(folder, ["--network", "nowhere"]).ended, /^--network: no network nowhere;/);
    expectRefused(await deploy(folder, ["--loud"]).ended, /^Unknown option '--loud'/);
    rmSync(folder, { recursive: true });
  });
});
