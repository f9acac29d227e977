import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { keccak256 } from "ethers";
import { games } from "../../../sdk/games/index.js";
import { explain } from "../../../sdk/player/errors.js";
import { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { mismatchText } from "../../../sdk/protocol/mismatch.js";
import { replay } from "../../../sdk/verify/replay.js";
import {
  decodeAnswer,
  decodeReveal,
  encodeAnswer,
  encodeReveal,
  NO_STATE,
} from "../../../sdk/protocol/commit-reveal.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { Bench, type Draft } from "../../../sdk/laws/bench.js";
import { Random } from "../../../sdk/laws/random.js";
import { flipped } from "../../../sdk/laws/bytes.js";
import {
  deployMock,
  ethers,
  HOUR,
  loadFixture,
  networkHelpers,
  Status,
  step,
  time,
  UNIT,
  ZERO_HASH,
  offerHashOf,
} from "../../support/index.js";
import { lawOptions } from "../../support/laws/options.js";
import { termsOf } from "../../../sdk/laws/world.js";

const TEAM_BYTES = 80;
const TIMES_30_DAYS = 30n * 24n * HOUR;

/** History whose records of matches are changed by `doctor`. */
class DoctoredHistory extends History {
  doctor: (record: MatchRecord) => MatchRecord = (record) => record;

  override async match(matchId: bigint): Promise<MatchRecord> {
    return this.doctor(structuredClone(await super.match(matchId)));
  }
}

const opened = () => Bench.open(autoBattlerLaws, lawOptions);

describe("Replay", () => {
  let bench: Bench;
  let history: DoctoredHistory;

  beforeEach(async () => {
    bench = await loadFixture(opened);
    const addresses = { ...bench.history.addresses, AutoBattler: bench.address };
    history = new DoctoredHistory(ethers.provider, addresses);
  });

  /** Plays matches to their end until one ends with this status; plays only one match if there is no status. */
  async function fought(status?: bigint): Promise<Draft> {
    for (let n = 0; n < 50; n++) {
      const draft = await bench.draft(new Random(`replay ${n}`));
      await bench.play(draft);
      if (status === undefined || (await bench.world.arena.statusOf(draft.matchId)) === status) return draft;
    }
    throw new Error(`No random match ended with status ${status}.`);
  }

  async function expectIdentical(matchId: bigint, status?: bigint, hasLog = false): Promise<void> {
    const { mismatch, record, replayed } = await replay(history, games, matchId);
    expect(mismatch).to.equal(undefined);
    expect(record.settlement?.status).to.equal(status);
    expect(replayed.logs.length > 0, "log entries were compared").to.equal(hasLog);
  }

  describe("given honest events", () => {
    for (const [name, status] of [
      ["player 1 won", Status.P1Win],
      ["player 2 won", Status.P2Win],
    ] as const) {
      it(`finds no mismatch in a battle that ${name}`, async () => {
        const { matchId } = await fought(status);
        await expectIdentical(matchId, status, true);
      });
    }

    it("finds no mismatch after either player resigned", async () => {
      const { arena, alice, bob } = bench.world;
      for (const [player, status] of [
        [alice, Status.P2Win],
        [bob, Status.P1Win],
      ] as const) {
        const draft = await bench.draft(new Random("resigned"));
        await bench.play(draft, 0, 2);
        await arena.connect(player).resign(draft.matchId);
        await expectIdentical(draft.matchId, status);
      }
    });

    it("finds no mismatch after an offer was cancelled, whether it was funded or not", async () => {
      const { arena, alice } = bench.world;
      const draft = await bench.draft(new Random("cancelled"));
      for (const stake1 of [10n * UNIT, 5000n * UNIT]) {
        await arena.connect(alice).create({ ...draft.terms, stake1 }, ethers.ZeroAddress, 0, draft.pieces[0].data);
        const matchId = await arena.matchCount();
        await arena.connect(alice).cancel(matchId);
        await expectIdentical(matchId, Status.P1Canceled);
      }
    });

    it("finds no mismatch after an offer was declined, whether it was funded or not", async () => {
      const { arena, alice, bob } = bench.world;
      const draft = await bench.draft(new Random("declined"));
      for (const stake1 of [10n * UNIT, 5000n * UNIT]) {
        await arena.connect(alice).create({ ...draft.terms, stake1 }, bob.address, 0, draft.pieces[0].data);
        const matchId = await arena.matchCount();
        await arena.connect(bob).decline(matchId);
        await expectIdentical(matchId, Status.P1Canceled);
        expect((await history.match(matchId)).declinedBy).to.equal(bob.address);
      }
    });

    it("finds no mismatch after an offer lapsed", async () => {
      const draft = await bench.draft(new Random("lapsed"));
      await bench.send(draft, 0);
      await time.increase(TIMES_30_DAYS);
      await bench.world.arena.timeout(draft.matchId);
      await expectIdentical(draft.matchId, Status.P1Canceled);
    });

    it("finds no mismatch if player 2 funds its seat and never joins", async () => {
      const { arena, bob } = bench.world;
      const draft = await bench.draft(new Random("never joined"), { clock: HOUR });
      await bench.send(draft, 0);
      await arena.connect(bob).fund(draft.matchId, await offerHashOf(arena, draft.matchId));
      await time.increase(HOUR + 1n);
      await arena.timeout(draft.matchId);
      await expectIdentical(draft.matchId, Status.P1WinInactive);
    });

    it("finds no mismatch if player 1 never reveals and times out", async () => {
      const draft = await bench.draft(new Random("never opened"), { clock: HOUR });
      await bench.play(draft, 0, 2);
      await time.increase(HOUR + 1n);
      await bench.world.arena.timeout(draft.matchId);
      await expectIdentical(draft.matchId, Status.P2WinInactive);
    });

    it("finds no mismatch in matches that are not over", async () => {
      const { arena, alice, bob } = bench.world;
      const draft = await bench.draft(new Random("not over"));
      const poor = { ...draft.terms, stake1: 5000n * UNIT };
      await arena.connect(alice).create(poor, ethers.ZeroAddress, 0, draft.pieces[0].data);
      await expectIdentical(draft.matchId);
      const open = await bench.draft(new Random("open"));
      await bench.send(open, 0);
      await expectIdentical(open.matchId);
      await arena.connect(bob).fund(open.matchId, await offerHashOf(arena, open.matchId));
      await expectIdentical(open.matchId);
      await bench.send(open, 1);
      await expectIdentical(open.matchId);
    });

    it("finds no mismatch in matches without stakes, in unrated matches and with another house fee", async () => {
      await bench.world.arena.setFeeBps(333);
      for (const changes of [{ stake1: 0n, stake2: 0n }, { rated: false }, { stake1: 1n, stake2: 2n }]) {
        const draft = await bench.draft(new Random("other terms"), { ...changes, feeBps: 333n });
        await bench.play(draft);
        const { mismatch } = await replay(history, games, draft.matchId);
        expect(mismatch).to.equal(undefined);
      }
    });
  });

  describe("given doctored events", () => {
    let draft: Draft;
    let honest: MatchRecord;

    beforeEach(async () => {
      draft = await fought(Status.P1Win);
      honest = await history.match(draft.matchId);
    });

    /** Replays the changed match. @returns the mismatch, or the error message. */
    async function found(doctor: (record: MatchRecord) => void): Promise<string | undefined> {
      history.doctor = (record) => {
        doctor(record);
        return record;
      };
      return replay(history, games, draft.matchId).then(
        ({ mismatch }) => mismatch && mismatchText(mismatch),
        (error: unknown) => explain(error, { games }),
      );
    }

    it("names the first log entry with a flipped bit, wherever the bit is", async () => {
      const { entries } = honest.logs[0];
      for (const [n, bit] of [
        [0, 0n],
        [entries.length - 1, 255n],
        [entries.length >> 1, 77n],
      ] as const) {
        const turned = entries[n] ^ (1n << bit);
        const mismatch = await found(({ logs: [log] }) => {
          log.entries[n] = turned;
          if (n === 0) log.entries[5] ^= 1n;
        });
        expect(mismatch).to.equal(`round 1, log entry ${n + 1}: expected ${entries[n]}, found ${turned}`);
      }
    });

    it("names a missing log entry", async () => {
      const { entries } = honest.logs[0];
      const last = entries.length;
      expect(await found(({ logs: [log] }) => log.entries.pop())).to.match(
        new RegExp(`^round 1, log entry ${last}: expected \\d+, found none$`),
      );
      expect(await found(({ logs: [log] }) => log.entries.splice(2, 1))).to.match(/^round 1, log entry 3: /);
      expect(await found(({ logs: [log] }) => log.entries.splice(0))).to.match(/^round 1, log entry 1: /);
    });

    it("names an extra log entry", async () => {
      const { length } = honest.logs[0].entries;
      const expected = `log entries of round 1: expected ${length}, found ${length + 1}`;
      expect(await found(({ logs: [log] }) => log.entries.push(0n))).to.equal(expected);
    });

    it("names a log that is missing, extra or of another round", async () => {
      expect(await found(({ logs }) => logs.pop())).to.equal("logged rounds: expected 1, found 0");
      expect(await found(({ logs }) => logs.push(logs[0]))).to.equal("logged rounds: expected 1, found 2");
      expect(await found(({ logs }) => (logs[0].round = 2n))).to.equal("round of log 1: expected 1, found 2");
    });

    it("names a wrong payment", async () => {
      for (const [field, right] of [
        ["paid1", 16n * UNIT],
        ["paid2", 0n],
        ["house", 4n * UNIT],
      ] as const) {
        expect(await found(({ settlement }) => settlement![field]++)).to.equal(
          `${field}: expected ${right}, found ${right + 1n}`,
        );
      }
    });

    it("names a wrong status", async () => {
      for (const status of [Status.P2Win, Status.P1WinInactive, Status.Draw, Status.P1Canceled]) {
        expect(await found(({ settlement }) => (settlement!.status = status))).to.equal(
          `status: expected 6, found ${status}`,
        );
      }
    });

    it("explains in what way player 1's reveal does not fit the other data", async () => {
      const where = `match ${draft.matchId}, round 1: `;
      const reveal = decodeReveal(honest.actions[0].data, TEAM_BYTES, TEAM_BYTES);
      for (const [changes, what] of [
        [{ salt: keccak256(reveal.salt) }, "the reveal does not fit the commitment"],
        [{ move: flipped(reveal.move) }, "the reveal does not fit the commitment"],
        [{ answerMove: flipped(reveal.answerMove) }, "the reveal repeats another answer"],
        [{ answerSalt: keccak256(reveal.answerSalt) }, "the reveal repeats another answer"],
        [{ round: 2 }, "sent for another round"],
        [{ state: keccak256(NO_STATE) }, "the states differ"],
      ] as const) {
        const action = encodeReveal({ ...reveal, ...changes });
        expect(await found(({ actions: [first] }) => (first.data = action))).to.equal(where + what);
      }
      expect(await found((record) => (record.createData = flipped(record.createData)))).to.equal(
        `${where}the answer is to another commitment`,
      );
    });

    it("explains in what way player 2's answer does not fit the other data", async () => {
      const where = `match ${draft.matchId}, round 1: `;
      const answer = decodeAnswer(honest.joinData!);
      for (const [changes, what] of [
        [{ move: flipped(answer.move) }, "the reveal repeats another answer"],
        [{ salt: keccak256(answer.salt) }, "the reveal repeats another answer"],
        [{ commitment: flipped(answer.commitment) }, "the answer is to another commitment"],
        [{ round: 7 }, "sent for another round"],
        [{ move: `${answer.move}00` }, `${TEAM_BYTES + 1} bytes are no answer's move`],
      ] as const) {
        const changed = encodeAnswer({ ...answer, ...changes });
        expect(await found((record) => (record.joinData = changed))).to.equal(where + what);
      }
    });

    it("reports an action after the only round", async () => {
      const data = encodeAnswer({ ...decodeAnswer(honest.joinData!), round: 2 });
      expect(await found(({ actions }) => actions.push({ seat: Seat.Two, data }))).to.equal(
        `match ${draft.matchId}: somebody acted after its end`,
      );
    });

    it("names the first log entry that differs if both players' data contain another salt", async () => {
      const answerSalt = keccak256(NO_STATE);
      const reveal = decodeReveal(honest.actions[0].data, TEAM_BYTES, TEAM_BYTES);
      const mismatch = await found((record) => {
        record.joinData = encodeAnswer({ ...decodeAnswer(honest.joinData!), salt: answerSalt });
        record.actions[0].data = encodeReveal({ ...reveal, answerSalt });
      });
      expect(mismatch).to.match(/^round 1, log entry \d+: expected \d+, found \d+$/);
    });

    it("names a salt of zero", async () => {
      const reveal = decodeReveal(honest.actions[0].data, TEAM_BYTES, TEAM_BYTES);
      const mismatch = await found((record) => {
        record.joinData = encodeAnswer({ ...decodeAnswer(honest.joinData!), salt: NO_STATE });
        record.actions[0].data = encodeReveal({ ...reveal, answerSalt: NO_STATE });
      });
      expect(mismatch).to.equal(`match ${draft.matchId}, round 1: the answer's salt is zero`);
    });

    it("reports a missing event by its consequence", async () => {
      for (const [drop, expected] of [
        [
          (record: MatchRecord) => (record.joinData = undefined),
          `match ${draft.matchId}, round 1: revealed without an answer`,
        ],
        [(record: MatchRecord) => (record.actions = []), "logged rounds: expected 0, found 1"],
        [(record: MatchRecord) => (record.settlement = undefined), "the game is over, the match is not"],
        [(record: MatchRecord) => record.funded.pop(), "status 6, but the stakes were not both taken"],
        [(record: MatchRecord) => record.funded.shift(), "status 6, but the stakes were not both taken"],
      ] as const) {
        expect(await found(drop)).to.equal(expected);
      }
    });

    it("reports a settlement that neither a game nor a clock can have caused", async () => {
      const unplayed = (record: MatchRecord) => Object.assign(record, { actions: [], logs: [] });
      const draw = (record: MatchRecord) => (unplayed(record).settlement!.status = Status.Draw);
      expect(await found(draw)).to.equal("status 11, but the game did not end");
      const silent = (record: MatchRecord) => (unplayed(record).settlement!.status = Status.P1WinInactive);
      expect(await found(silent)).to.equal(`paid1: expected ${20n * UNIT}, found ${16n * UNIT}`);
      const refunded = (record: MatchRecord) => {
        const { settlement } = unplayed(record);
        Object.assign(settlement!, { status: Status.P1Canceled, paid1: 0n, house: 0n });
      };
      expect(await found(refunded)).to.equal(`paid1: expected ${10n * UNIT}, found 0`);
    });

    it("reports an impossible result of a declined offer", async () => {
      const declined = (record: MatchRecord) => Object.assign(record, { declinedBy: record.player2 });
      expect(await found(declined)).to.equal("status 6, but the offer was declined");
      const unplayed = { actions: [], logs: [], joinData: undefined, settlement: undefined };
      expect(await found((record) => Object.assign(declined(record), unplayed))).to.equal(
        "the offer was declined, the match is not over",
      );
    });

    it("keeps log entries in the record exactly as they were logged on chain", async () => {
      const { logs } = await ethers.provider.getTransactionReceipt((await lastHash()) as string).then((each) => each!);
      const log = logs.find(({ address }) => address === bench.address)!;
      for (const entry of honest.logs[0].entries) expect(log.data).to.include(hexWord(entry).slice(2));
    });

    async function lastHash(): Promise<string | undefined> {
      return (await ethers.provider.getBlock("latest"))!.transactions[0];
    }
  });

  it("finds terms that were added since the last read, or that a reorganisation moved to an earlier block", async () => {
    const { arena, alice } = bench.world;
    const reveal = async (clock: bigint) => {
      const terms = await termsOf(bench.world, { game: bench.address, mode: ZERO_HASH, clock });
      await arena.connect(alice).create(terms, ethers.ZeroAddress, 0, NO_STATE.replace(/0$/, "1"));
      return (await history.match(await arena.matchCount())).terms;
    };
    const snapshot = await networkHelpers.takeSnapshot();
    await networkHelpers.mine(10);
    expect((await reveal(100n)).clock).to.equal(100n);
    expect((await reveal(200n)).clock).to.equal(200n);
    await snapshot.restore();
    expect((await reveal(300n)).clock).to.equal(300n);
  });

  describe("given a match that it cannot replay", () => {
    const sentence = (matchId: bigint) =>
      replay(history, games, matchId).then(
        () => "replayed",
        (error: unknown) => explain(error, { games }),
      );

    it("reports that there is no such match", async () => {
      expect(await sentence(99n)).to.equal("There is no match 99.");
    });

    it("reports that a game is not in the deployment", async () => {
      const { arena, alice } = bench.world;
      const address = await (await deployMock("ScriptedGame", arena)).getAddress();
      const terms = await termsOf(bench.world, { game: address, mode: ZERO_HASH });
      await arena.connect(alice).create(terms, ethers.ZeroAddress, 0, step(2n));
      expect(await sentence(await arena.matchCount())).to.equal(`${address}: not a game of this deployment`);
    });

    it("reports that a fighter was never minted", async () => {
      await bench.play(await bench.draft(new Random("fighters")));
      const [owner] = await ethers.getSigners();
      const empty = await ethers.deployContract("Fighters", [owner]);
      const elsewhere = { ...history.addresses, Fighters: await empty.getAddress() };
      history = new DoctoredHistory(ethers.provider, elsewhere);
      expect(await sentence(1n)).to.match(/^The fighter \d+ was never minted\.$/);
    });
  });
});

describe("The SDK", () => {
  const ALLOWED = ["ethers", "hash-wasm"];
  /** Further imports that the laws are allowed, because they are tests. */
  const FOR_TESTS = ["chai"];

  /** Lists the specifiers of a source's imports, exports and dynamic imports. */
  function importsOf(source: string): string[] {
    const statements = /(?<=^|; )(?:import\b|export (?:type )?[*{])[^;"']*["']([^"']+)|\bimport\(["']([^"']+)/gm;
    return [...source.matchAll(statements)].map(([, first, second]) => first ?? second);
  }

  it("finds imports of every kind", () => {
    const source =
      'import "a"; import b from "b"; import {\n c } from "c";\nexport * from "d"; await import("e"); import type f from \'f\'';
    expect(importsOf(source)).to.have.members(["a", "b", "c", "d", "e", "f"]);
  });

  it("imports and uses only what a browser has", async () => {
    for (const folder of ["sdk", "typechain-types"]) {
      // The packed package contains examples, which import the package by its name.
      const files = (await readdir(folder, { recursive: true })).filter(
        (file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith("examples"),
      );
      expect(files.length, folder).to.be.greaterThan(5);
      for (const file of files) {
        const path = join(folder, file);
        const source = await readFile(path, "utf8");
        const isTest = path.startsWith(join("sdk", "laws"));
        for (const specifier of importsOf(source)) {
          if ((isTest ? [...ALLOWED, ...FOR_TESTS] : ALLOWED).includes(specifier)) continue;
          expect(specifier, path).to.match(/^\.\.?\//);
          const target = normalize(join(dirname(path), specifier)).replace(/\.js$/, "");
          expect(target, path).to.match(/^(sdk|typechain-types)\//);
          expect(existsSync(`${target}.ts`) || existsSync(`${target}.d.ts`), `${path}: ${specifier}`).to.equal(true);
        }
        if (folder === "sdk")
          expect(source, path).not.to.match(/\b(process\.|Buffer\b|require\(|__dirname|globalThis\.process)/);
      }
    }
  });
});
