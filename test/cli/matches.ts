import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { openMatches } from "../../cli/shared/match/matches.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { urlOf } from "../../scripts/local-chain.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const ALICE = 4;

describe("The list of open matches", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let context: CommandContext;
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await world.terminal(["--account", String(ALICE)]);
    process.env.DUELLO_DEPLOYMENTS = world.folder;
    context = await CommandContext.open({ rpc: urlOf(world.port) }, new Vault(alice.home)).finally(
      () => delete process.env.DUELLO_DEPLOYMENTS,
    );
  });
  afterEach(async () => {
    context.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  /** Lists the open matches. @param onFirst Called once the first match is read. */
  async function listed(onFirst?: () => Promise<void>): Promise<bigint[]> {
    const found: bigint[] = [];
    for await (const { matchId } of openMatches(context)) {
      if (found.push(matchId) === 1) await onFirst?.();
    }
    return found;
  }

  it("includes a match whose end was undone while the list was read", async () => {
    for (let i = 0; i < 2; i++) await alice.end("create", "tic-tac-toe", "4");
    const before: unknown = await world.provider.send("evm_snapshot", []);
    await alice.run("cancel", "2");
    const during = await listed(async () => {
      await world.provider.send("evm_revert", [before]);
      await world.pass(1);
      await world.pass(1);
    });
    expect(during).to.deep.equal([3n]);
    expect(await listed()).to.deep.equal([3n, 2n]);
  });

  it("includes, on the next read, a match that was offered while the list was read", async () => {
    await alice.end("create", "tic-tac-toe", "4");
    const offer = async () => {
      await alice.end("create", "tic-tac-toe", "4");
    };
    expect(await listed(offer)).to.deep.equal([2n]);
    expect(await listed()).to.deep.equal([3n, 2n]);
  });

  it("fails as invalid data of the node if the answer about a match is too short", async () => {
    await alice.end("create", "tic-tac-toe", "4");
    const { provider } = context;
    const send = provider.send.bind(provider);
    const { selector } = context.arena.interface.getFunction("matchOf");
    provider.send = async (method, params) => {
      const answer = (await send(method, params)) as string;
      const isMatch = method === "eth_call" && (params as [{ data: string }])[0].data.startsWith(selector);
      return isMatch ? answer.slice(0, -64) : answer;
    };
    const failure: unknown = await listed().catch((error: unknown) => error);
    expect(failure).to.include({ code: "BAD_DATA" });
  });

  it("is rejected with its file name if its version is newer or missing", async () => {
    await listed();
    const folder = join(alice.home, "matches");
    const file = join(folder, (await readdir(folder))[0]);
    const { version, ...content } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    expect(version).to.equal(1);
    for (const [changed, found] of [
      [{ version: 2, ...content }, "version 2"],
      [content, "no version"],
    ] as const) {
      await writeFile(file, JSON.stringify(changed));
      expect(await listed().catch((error: unknown) => (error as Error).message)).to.match(
        new RegExp(`^${file}: it has ${found} of the list of matches, and this program reads version 1: `),
      );
    }
  });
});
