import { expect } from "chai";
import { Archive } from "../sdk/archive.js";
import { askChain } from "../sdk/verify/state.js";
import { verify } from "../sdk/verify/verify.js";
import { connection, provider, Recording } from "./verify-support.js";

describe("Verifying", function () {
  this.timeout(120_000);
  let recording: Recording;
  let archive: Archive;

  before(async () => {
    recording = await Recording.make();
    archive = await Archive.read(provider, recording.addresses);
  });

  after(() => connection.close());

  it("finds an arena identical on which everything has happened", async () => {
    const verdict = await verify(archive, { ask: askChain(provider, archive.last.number) });
    console.log(verdict);
    expect(verdict.difference).to.equal(undefined);
  });
});
