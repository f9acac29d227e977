import { expect } from "chai";
import type { Filter, Log, Provider } from "ethers";
import { Archive } from "../sdk/archive.js";
import { History } from "../sdk/history.js";
import { InputError } from "../sdk/input.js";
import { replay } from "../sdk/replay.js";
import { Status } from "../sdk/status.js";
import { verify, type Stage } from "../sdk/verify/verify.js";
import { Original, type Doctored } from "./verify-doctored.js";
import { provider } from "./verify-support.js";

const PLAYED = [Status.P1Win, Status.P2Win, Status.Draw];
const OTHER = "0x1212121212121212121212121212121212121212";

/** The chain, but for what it says of logs. */
function logsFrom(getLogs: (filter: Filter) => Promise<Log[]>): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value = name === "getLogs" ? getLogs : (Reflect.get(target, name) as unknown);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

describe("Verifying", function () {
  this.timeout(120_000);
  let original: Original;

  before(async () => {
    original = await Original.ofRecording();
  });

  describe("an honest arena", () => {
    it("finds it identical, whatever has happened on it, and the chain's state with it", async () => {
      const { archive, ask } = original;
      const stages: Partial<Record<Stage, [number, number]>> = {};
      const verdict = await verify(archive, { ask, onProgress: (stage, ...come) => (stages[stage] = come) });
      const { arena } = original;
      const matches = Number(await arena.matchCount());
      const { answers, ...rest } = verdict;
      expect(rest).to.deep.equal({ matches, foreign: 6, events: archive.all.length, block: archive.last.number });
      expect(answers).to.be.greaterThan(2 * matches);
      expect(stages).to.deep.include({
        "Replaying matches": [matches, matches],
        "Comparing with the chain": [answers, answers],
      });
    });

    it("has met every game, and every way in which a match ends or stands", async () => {
      const { archive } = original;
      const seen = new Set<string>();
      for (const { args } of archive.find(archive.addresses.Arena, "Created")) {
        const { terms, settlement } = await archive.match(args.matchId);
        const [name] = Object.entries(archive.addresses).find(([, address]) => address === terms.game) ?? ["foreign"];
        const { status } = await original.arena.matchOf(args.matchId);
        expect(status).to.equal(settlement?.status ?? status);
        seen.add(name).add(`status ${status}`);
      }
      const games = ["AutoBattler", "Guardians", "MiniGames", "Pistols", "TicTacToe", "Warmancer", "foreign"];
      const statuses = Object.values(Status).map((status) => `status ${status}`);
      expect([...seen]).to.include.members([...games, ...statuses]);
    });

    it("tells the same of single matches, and neither asks for the state nor for times that it does not need", async () => {
      const { archive } = original;
      const { addresses, chainId, last, all } = archive;
      const fresh = new Archive(provider, addresses, { chainId, last, events: all });
      const { matchId } = original.match("Pistols", /Settled$/, PLAYED);
      const verdict = await verify(fresh, { matches: [matchId, 1n] });
      expect(verdict).to.deep.equal({ matches: 2, foreign: 0, events: all.length, block: last.number, answers: 0 });
      const timed = all.filter(({ block }) => fresh.timeOf(block) !== undefined);
      const own = timed.filter(({ args }) => "matchId" in args && [matchId, 1n].includes(args.matchId));
      expect(new Set(timed.map(({ block }) => block))).to.deep.equal(new Set(own.map(({ block }) => block)));
    });

    it("refuses a match that there is not", async () => {
      const error = await verify(original.archive, { matches: [1n, 999n] }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InputError);
      expect((error as Error).message).to.equal("match: there is no match 999");
    });
  });

  describe("single matches", () => {
    it("finds what is wrong with them, and not what is with others", async () => {
      const fast = original.match("TicTacToe", /Acted Settled$/, PLAYED);
      const other = original.match("MiniGames", /Acted Settled$/, PLAYED);
      const doctor = (d: Doctored) => d.event("Settled", fast).args.paid1++;
      expect(await original.found(doctor, [fast.matchId])).to.match(
        /^match \d+, Settled, block \d+: paid1: settled with/,
      );
      expect(await original.found(doctor, [other.matchId])).to.equal(undefined);
      expect(await original.found(doctor)).to.match(/paid1/);
    });

    it("finds a rating that does not follow from the matches before", async () => {
      const { addresses } = original.archive;
      const settled = original.archive.find(addresses.Arena, "Settled").filter(({ args }) => args.rating1 > 0n);
      const duels = settled.map(({ args }) => args).filter(({ matchId }) => original.isOf(matchId, addresses.Pistols));
      const won = duels.find(({ status }) => status !== Status.Draw)!;
      const status = won.status === Status.P1Win ? Status.P2Win : Status.P1Win;
      const doctor = (d: Doctored) => d.change("Settled", { matchId: won.matchId }, { status });
      const last = duels.at(-1)!.matchId;
      expect(await original.found(doctor, [last])).to.match(
        /^match \d+, Settled, block \d+: rating1: expected \d+, found \d+$/,
      );
    });
  });

  describe("an archive", () => {
    it("answers like a history that reads the chain", async () => {
      const { archive } = original;
      const live = new History(provider, archive.addresses);
      for (const { args } of archive.find(archive.addresses.Arena, "Created")) {
        const { matchId } = args;
        expect(await archive.match(matchId)).to.deep.equal(await live.match(matchId));
        const told = (error: unknown) => (error as Error).message;
        const [kept, read] = await Promise.all([archive, live].map((each) => replay(each, matchId).catch(told)));
        expect(kept).to.deep.equal(read);
      }
      const player = archive.find(archive.addresses.Arena, "Created")[0].args.player1;
      for (const history of [archive, live]) {
        expect(await history.fightersOf(player)).to.deep.equal(Array.from({ length: 15 }, (_, i) => BigInt(i + 1)));
        expect(await history.cardsOf(player)).to.have.length(6);
      }
      expect(await archive.offeredBy(player)).to.deep.equal(await live.offeredBy(player));
      expect(await archive.fighter(3n)).to.deep.equal(await live.fighter(3n));
      expect(await archive.card(3n)).to.deep.equal(await live.card(3n));
      expect(await archive.events(archive.addresses.Pistols, "ModeRegistered")).to.deep.equal([]);
      for (const [asked, message] of [
        [archive.match(999n), "There is no match 999."],
        [archive.fighter(999n), "The fighter 999 was never minted."],
        [archive.card(999n), "The card 999 was never minted."],
        [archive.mode(OTHER, "0x"), `The mode 0x was never registered with the game ${OTHER}.`],
      ] as const) {
        expect(await asked.catch((error: unknown) => (error as Error).message)).to.equal(message);
      }
    });

    it("is read in spans that shrink where a node gives less at once", async () => {
      const { archive } = original;
      const spans: number[] = [];
      const told: [number, number][] = [];
      const meagre = logsFrom(async (filter) => {
        spans.push(Number(filter.toBlock) + 1 - Number(filter.fromBlock));
        if (spans.at(-1)! > 100) throw new Error("too much");
        return provider.getLogs(filter);
      });
      const read = await Archive.read(meagre, archive.addresses, 0, (...come) => told.push(come));
      expect(read.all).to.deep.equal(archive.all);
      expect(spans[0]).to.equal(archive.last.number + 1);
      expect(Math.max(...spans.filter((span) => span <= 100))).to.equal(100);
      const all = archive.last.number + 1;
      expect(told[0]).to.deep.equal([100, all]);
      expect(told.at(-1)).to.deep.equal([all, all]);
    });

    it("passes on what keeps it from being read at all", async () => {
      const broken = logsFrom(() => Promise.reject(new Error("gone")));
      const error = await Archive.read(broken, original.archive.addresses).catch(String);
      expect(error).to.equal("Error: gone");
    });

    it("knows whether the chain still has its last block", async () => {
      const { archive } = original;
      expect(await archive.isCurrent()).to.equal(true);
      const { addresses, chainId } = archive;
      const last = { ...archive.last, hash: "0x" };
      const other = new Archive(provider, addresses, { chainId, events: [], last });
      expect(await other.isCurrent()).to.equal(false);
    });
  });
});
