import { expect } from "chai";
import { Archive } from "../../sdk/chain/archive.js";
import type { ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { comparedRows } from "../support/compared-rows.js";
import { Original } from "../support/doctored.js";
import { ethers, loadFixture } from "../support/index.js";
import { liveChannels } from "../support/live-channels.js";

describe("Rows that the handlers of an index derive", () => {
  it("are the verifier's after matches of every game and with every end", async () => {
    const { archive } = await Original.ofRecording();
    const { rows, mismatch } = await comparedRows(archive);
    expect(mismatch).to.equal(undefined);
    expect(emptyIn(rows)).to.deep.equal(["channel", "channelMatch", "channelBalance"]);
  });

  it("are the verifier's after everything that channels can do", async () => {
    const { rows, mismatch } = await comparedRows(await Archive.read(ethers.provider, await loadFixture(liveChannels)));
    expect(mismatch).to.equal(undefined);
    expect(emptyIn(rows)).to.deep.equal(["operator", "character", "keeping"]);
  });
});

function emptyIn(rows: ExpectedRows): string[] {
  return Object.entries(rows).flatMap(([table, { length }]) => (length === 0 ? [table] : []));
}
