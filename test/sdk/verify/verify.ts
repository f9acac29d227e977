import { expect } from "chai";
import { games } from "../../../sdk/games/index.js";
import { Archive } from "../../../sdk/chain/archive.js";
import { hasBlock } from "../../../sdk/chain/source.js";
import { History } from "../../../sdk/chain/history.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { replay } from "../../../sdk/verify/replay.js";
import { Status } from "../../../sdk/protocol/status.js";
import { verify } from "../../../sdk/verify/verify.js";
import { Original, type Doctored } from "../../support/doctored.js";
import { logsFrom, provider } from "../../support/recording.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";
import { cardContract } from "../../../sdk/games/guardians/cards.js";

const PLAYED = [Status.P1Win, Status.P2Win, Status.Draw];
const OTHER = "0x1212121212121212121212121212121212121212";

describe("Verifying", () => {
  let original: Original;

  before(async () => {
    original = await Original.ofRecording();
  });

  describe("given an honest arena", () => {
    it("finds no mismatch between its events and the chain's state, whatever has happened", async () => {
      const { archive, ask } = original;
      let told: number[] = [];
      const verdict = await verify(archive, games, { ask, onProgress: (...come) => (told = come) });
      const { arena } = original;
      const matches = Number(await arena.matchCount());
      const { answers, ...rest } = verdict;
      expect(rest).to.deep.equal({ matches, foreign: 7, events: archive.all.length, block: archive.last.number });
      expect(answers).to.be.greaterThan(2 * matches);
      expect(told[0]).to.equal(told[1]).and.to.be.greaterThan(matches);
    });

    it("checks every game, and every end and state of a match", async () => {
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

    it("finds no mismatch in single matches, and requests no unneeded state or times", async () => {
      const { archive } = original;
      const { addresses, chainId, last, all } = archive;
      const fresh = new Archive(provider, addresses, { chainId, last, events: all });
      const { matchId } = original.match("Pistols", /Settled$/, PLAYED);
      const verdict = await verify(fresh, games, { matches: [matchId, 1n] });
      expect(verdict).to.deep.equal({ matches: 2, foreign: 0, events: all.length, block: last.number, answers: 0 });
      const timed = all.filter(({ block }) => fresh.timeOf(block) !== undefined);
      const own = timed.filter(({ args }) => "matchId" in args && [matchId, 1n].includes(args.matchId));
      expect(new Set(timed.map(({ block }) => block))).to.deep.equal(new Set(own.map(({ block }) => block)));
    });

    it("rejects a nonexistent match", async () => {
      const error = await verify(original.archive, games, { matches: [1n, 999n] }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InputError);
      expect((error as Error).message).to.equal("match: there is no match 999");
    });
  });

  describe("when it verifies single matches", () => {
    it("reports mismatches in these matches, but not in other matches", async () => {
      const fast = original.match("TicTacToe", /Acted Settled$/, PLAYED);
      const other = original.match("MiniGames", /Acted Settled$/, PLAYED);
      const doctor = (d: Doctored) => d.event("Settled", fast).args.paid1++;
      expect(await original.found(doctor, [fast.matchId])).to.match(
        /^match \d+, Settled, block \d+: paid1: expected \d+, found \d+$/,
      );
      expect(await original.found(doctor, [other.matchId])).to.equal(undefined);
      expect(await original.found(doctor)).to.match(/paid1/);
    });

    it("detects a missing end by the match's on-chain status, and requests nothing else", async () => {
      const fast = original.match("TicTacToe", /Acted Settled$/, PLAYED);
      const resigned = original.match("TicTacToe", /Joined, Settled$/, [Status.P2Win]);
      const asked = new Set<string>();
      const doctor = (d: Doctored) => {
        const { ask } = d;
        d.drop(d.event("Settled", resigned));
        d.ask = (address, data) => {
          asked.add(data);
          return ask(address, data);
        };
      };
      const { matchId } = resigned;
      expect(await original.found(doctor, [matchId])).to.match(
        new RegExp(
          `^match ${matchId}, matchOf\\(${matchId}\\): status: expected ${Status.AllJoined}, found ${Status.P2Win}$`,
        ),
      );
      expect(asked.size).to.equal(2);
      expect(await original.found(doctor, [fast.matchId])).to.equal(undefined);
    });

    it("detects a rating that does not follow from the earlier matches", async () => {
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

  describe("given an archive", () => {
    it("returns the same as a history that reads the chain", async () => {
      const { archive } = original;
      const live = new History(provider, archive.addresses);
      for (const { args } of archive.find(archive.addresses.Arena, "Created")) {
        const { matchId } = args;
        expect(await archive.match(matchId)).to.deep.equal(await live.match(matchId));
        const told = (error: unknown) => (error as Error).message;
        const [kept, read] = await Promise.all([archive, live].map((each) => replay(each, games, matchId).catch(told)));
        expect(kept).to.deep.equal(read);
      }
      const player = archive.find(archive.addresses.Arena, "Created")[0].args.player1;
      for (const history of [archive, live]) {
        expect(await history.ownedBy(player, fighterContract)).to.deep.equal(
          Array.from({ length: 15 }, (_, i) => BigInt(i + 1)),
        );
        expect(await history.ownedBy(player, cardContract)).to.have.length(6);
      }
      expect(await archive.character(fighterContract, 3n)).to.deep.equal(await live.character(fighterContract, 3n));
      expect(await archive.character(cardContract, 3n)).to.deep.equal(await live.character(cardContract, 3n));
      expect(await archive.events(archive.addresses.Pistols, "ModeRegistered")).to.deep.equal([]);
      for (const [asked, message] of [
        [archive.match(999n), "There is no match 999."],
        [archive.character(fighterContract, 999n), "The fighter 999 was never minted."],
        [archive.character(cardContract, 999n), "The card 999 was never minted."],
        [archive.mode(OTHER, "0x"), `The mode 0x was never registered with the game ${OTHER}.`],
      ] as const) {
        expect(await asked.catch((error: unknown) => (error as Error).message)).to.equal(message);
      }
    });

    it("reads the archive in ranges that shrink if a node returns less at once", async () => {
      const { archive } = original;
      const spans: number[] = [];
      const told: [number, number][] = [];
      const meagre = logsFrom(async (filter) => {
        spans.push(Number(filter.toBlock) + 1 - Number(filter.fromBlock));
        if (spans.at(-1)! > 100) throw new Error("block range too large");
        return provider.getLogs(filter);
      });
      const read = await Archive.read(meagre, archive.addresses, 0, { onProgress: (...come) => told.push(come) });
      expect(read.all).to.deep.equal(archive.all);
      const all = archive.last.number + 1;
      expect(spans[0]).to.equal(all);
      expect(told.length).to.be.within(all / 100, all / 50 + 10);
      expect(told.at(-1)).to.deep.equal([all, all]);
    });

    it("passes on an error that prevents reading", async () => {
      const broken = logsFrom(() => Promise.reject(new Error("gone")));
      const error = await Archive.read(broken, original.archive.addresses).catch(String);
      expect(error).to.equal("Refused: The node refuses the logs of one single block, 0: gone");
    });

    it("checks whether the chain still has the archive's last block", async () => {
      const { last } = original.archive;
      expect(await hasBlock(provider, last)).to.equal(true);
      expect(await hasBlock(provider, { ...last, hash: "0x" })).to.equal(false);
    });
  });
});
