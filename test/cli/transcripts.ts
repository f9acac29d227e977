import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openTranscripts, type TranscriptPlace, type TranscriptSources } from "../../cli/verify/transcripts.js";
import { QUICK } from "../../sdk/games/warmancer/mode.js";
import { Random } from "../../sdk/laws/random.js";
import { entryText } from "../../sdk/player/away/log.js";
import { messageText, type AwayMove } from "../../sdk/protocol/away/messages.js";
import { versionLine } from "../../sdk/protocol/version.js";
import { AwayWorld, type AwayTable } from "../support/away-tables.js";

const OTHER = "0x1212121212121212121212121212121212121212";

describe("A transcript to verify by", () => {
  let world: AwayWorld;
  let table: AwayTable;
  let place: TranscriptPlace;
  let folder: string;

  before(async () => {
    world = await AwayWorld.open();
    table = await (await world.join({ ...QUICK, away: true }, new Random("transcripts"))).play();
    await table.settle(table.driver.state.winner);
    const { hash } = (await world.provider.getBlock(0))!;
    const { addresses } = world;
    place = { chainId: table.client(1n).chainId, genesis: hash!, deployment: { chainId: 31_337, addresses, block: 0 } };
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "transcripts-"));
  });

  function lines(moves: readonly AwayMove[]): string {
    return moves.map((move) => `${messageText(move)}\n`).join("");
  }

  async function verdict(sources: TranscriptSources, meanwhile?: () => void) {
    const transcripts = await openTranscripts(sources, place);
    meanwhile?.();
    const { agreed, mismatch } = await world.verify({ transcripts });
    expect(mismatch).to.equal(undefined);
    return agreed![0];
  }

  /** Runs a function while a relay has all moves of every match. @param onAsked Called for each request. */
  async function withRelay(run: (relay: string) => Promise<void>, onAsked?: () => void): Promise<void> {
    const server = createServer(({ url }, response) => {
      onAsked?.();
      const from = Number(url!.split("/").at(-1));
      const messages = table.moves.slice(from).map(messageText);
      response.end(`{"messages":[${messages.join()}],"seen":${table.moves.length}}`);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const shown = { matchId: 1n, verdict: "agreed and shown" };

  it("is found as a file, in a folder, and in the folder of a relay", async () => {
    const file = join(folder, "1.jsonl");
    writeFileSync(file, lines(table.moves.toReversed()));
    expect(await verdict({ path: file })).to.deep.equal(shown);
    expect(await verdict({ path: folder })).to.deep.equal(shown);
    const own = join(folder, "data", `${place.chainId}-${place.genesis.slice(2, 18)}-${world.addresses.Arena}`);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "1.jsonl"), lines(table.moves));
    writeFileSync(file, lines(table.moves.slice(0, 2)));
    expect(await verdict({ path: folder })).to.deep.equal(shown);
  });

  it("is extracted from a player's log", async () => {
    const [first, ...later] = table.moves;
    const entries = [
      { type: "message", message: first } as const,
      { type: "signature", nonce: 1, signature: first.signature } as const,
      { type: "post", nonce: 1 } as const,
      { type: "post", nonce: null } as const,
      ...later.map((message) => ({ type: "message", message }) as const),
    ];
    writeFileSync(
      join(folder, `1-${world.players[0].address}.jsonl`),
      entries.map((each) => `${entryText(each)}\n`).join(""),
    );
    expect(await verdict({ path: folder })).to.deep.equal(shown);
  });

  it("is read after the version line of a relay's archive or a player's log, unless it is newer", async () => {
    for (const [name, format] of [
      ["1.jsonl", "the archive of a relay"],
      [`1-${world.players[0].address}.jsonl`, "the log of a seat"],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, `${versionLine(format)}\n${lines(table.moves)}`);
      expect(await verdict({ path: folder })).to.deep.equal(shown);
      writeFileSync(file, `${versionLine(format).replace("1", "2")}\n${lines(table.moves)}`);
      expect((await verdict({ path: folder })).problem).to.equal(
        `${file}:1: it has version 2 of ${format}, and this program reads version 1: use the newer program that wrote it`,
      );
      rmSync(file);
    }
  });

  it("ends before a line that is being written", async () => {
    writeFileSync(join(folder, "1.jsonl"), `${lines(table.moves)}{"type":"mo`);
    expect(await verdict({ path: folder })).to.deep.equal(shown);
    // A file written by hand need not end with a line break.
    writeFileSync(join(folder, "1.jsonl"), lines(table.moves).trimEnd());
    expect(await verdict({ path: folder })).to.deep.equal(shown);
  });

  it("is ignored if it belongs to another chain or arena", async () => {
    for (const name of [
      `1-${world.addresses.Arena}`,
      `${place.chainId}-${OTHER}`,
      `${place.chainId}-${"0".repeat(16)}-${world.addresses.Arena}`,
    ]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "1.jsonl"), lines(table.moves));
    }
    expect(await verdict({ path: folder })).to.deep.equal({ matchId: 1n, verdict: "agreed, not shown" });
  });

  it("is reported as a problem, not a mismatch, if it cannot be read", async () => {
    const file = join(folder, "1.jsonl");
    writeFileSync(file, `${lines(table.moves.slice(0, 1))}nonsense\n`);
    expect(await verdict({ path: folder })).to.deep.equal({
      matchId: 1n,
      verdict: "agreed, not shown",
      problem: `${file}:2: not JSON`,
    });
    expect((await verdict({ relay: "http://127.0.0.1:9" })).problem).to.match(
      /^--relay: The relay at .* does not answer/,
    );
  });

  it("is reported as a problem, not a mismatch, if it is removed meanwhile", async () => {
    const file = join(folder, "1.jsonl");
    writeFileSync(file, lines(table.moves));
    const { problem, ...found } = await verdict({ path: folder }, () => rmSync(file));
    expect(found).to.deep.equal({ matchId: 1n, verdict: "agreed, not shown" });
    expect(problem).to.match(/1\.jsonl: there is no such file$/);
    // A folder cannot be read.
    writeFileSync(file, lines(table.moves));
    const swap = () => {
      rmSync(file);
      mkdirSync(file);
    };
    expect((await verdict({ path: file }, swap)).problem).to.match(/1\.jsonl: it is a folder, not a file$/);
  });

  it("is looked for in files, even if some are broken, then at the relay", async () => {
    const kept = (side: number) => join(folder, `1-${world.players[side].address}.jsonl`);
    const last = table.moves.at(-1)!;
    const longer = [...table.moves.slice(0, -1), { ...last, action: "0x00" }, { ...last, nonce: last.nonce + 1 }];
    for (const bad of ["nonsense\n", "", lines(table.moves.slice(0, 2)), lines(longer)]) {
      writeFileSync(join(folder, "1.jsonl"), bad);
      for (const side of [0, 1]) {
        writeFileSync(kept(side), bad);
        writeFileSync(kept(1 - side), lines(table.moves));
        expect(await verdict({ path: folder })).to.deep.equal(shown);
      }
      for (const side of [0, 1]) rmSync(kept(side));
      expect((await verdict({ path: folder })).problem).to.be.a("string");
      await withRelay(async (relay) => {
        expect(await verdict({ path: folder, relay })).to.deep.equal(shown);
      });
    }
  });

  it("is requested from a relay within a time limit per match and in total", async () => {
    let [time, step, questions] = [0, 0, 0];
    const onAsked = () => {
      time += step;
      questions++;
    };
    await withRelay(async (relay) => {
      const transcripts = (await openTranscripts({ relay }, place, () => time))!;
      const ask = async (matchId: bigint) => {
        const [reading] = transcripts(matchId);
        return Promise.resolve(reading).catch((error: unknown) => (error as Error).message);
      };
      step = 61_000;
      const tooLong = "--relay: it takes more than 60 s for a match, or 600 s for all";
      expect([await ask(1n), questions]).to.deep.equal([tooLong, 1]);
      // Each takes two requests, the second of which finds no more.
      step = 30_000;
      for (let matchId = 2n; matchId <= 10n; matchId++) expect(await ask(matchId)).to.deep.equal(table.moves);
      expect([await ask(11n), questions]).to.deep.equal([tooLong, 19]);
    }, onAsked);
  });

  it("is rejected by name: a missing path, a file of no match, and an invalid relay address", async () => {
    writeFileSync(join(folder, "moves.txt"), "");
    for (const [sources, problem] of [
      [{ path: join(folder, "none") }, /^--transcripts: there is no /],
      [{ path: join(folder, "moves.txt") }, /^--transcripts: .* has no name like 17.jsonl/],
      [{ relay: "relay" }, /^--relay: relay is not an address of HTTP/],
    ] as const) {
      const error = await openTranscripts(sources, place).catch((thrown: unknown) => thrown);
      expect((error as Error).message).to.match(problem);
    }
  });
});
