import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { FileChannelLog } from "../../cli/shared/channels/files.js";
import { openChannelMessages } from "../../cli/verify/channel-messages.js";
import { games } from "../../sdk/games/index.js";
import { Reading } from "../../sdk/verify/reading.js";
import { verify } from "../../sdk/verify/verify.js";
import { livedChannel, type ChannelLife } from "../support/channel-life.js";
import { ethers, loadFixture } from "../support/index.js";

describe("Channel messages that the verify command reads", () => {
  let life: ChannelLife;
  let folder: string;
  let file: string;

  before(async () => {
    life = await loadFixture(livedChannel);
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "messages-"));
    const own = join(folder, "31337", life.pair.channel.player1);
    mkdirSync(own, { recursive: true });
    file = join(own, `${life.pair.id}.jsonl`);
    const log = new FileChannelLog(file);
    await log.read();
    for (const [place, message] of life.messages.entries()) await log.append(message, place);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Verifies with messages. @returns the verdicts on a base and a balance, each with its problem if there is one. */
  async function signedBy(source: string) {
    const messages = await openChannelMessages(source, life.pair.at);
    const { mismatch, signed } = await verify(await Reading.open(ethers.provider, life.addresses), games, { messages });
    expect(mismatch).to.equal(undefined);
    return signed!.map(({ verdict, problem }) => [verdict, problem]);
  }

  it("are read from a player's log, or from a folder of logs", async () => {
    const shown = ["agreed and shown", undefined];
    expect(await signedBy(file)).to.deep.equal([shown, shown]);
    expect(await signedBy(folder)).to.deep.equal([shown, shown]);
  });

  it("prove nothing if the log is damaged, and the result names the damaged log", async () => {
    appendFileSync(file, "{}\n");
    for (const [verdict, problem] of await signedBy(folder)) {
      expect(verdict).to.equal("agreed, not shown");
      expect(problem)
        .to.contain(file)
        .and.to.match(/^[^\n]*$/);
    }
  });

  it("are rejected if the path does not exist", async () => {
    const error = await openChannelMessages(join(folder, "none"), life.pair.at).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.equal(`--messages: there is no ${join(folder, "none")}`);
  });
});
