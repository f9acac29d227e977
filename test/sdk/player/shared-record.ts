import { expect } from "chai";
import { decodeRlp, encodeRlp, getBytes, toBeHex, type RlpStructuredData } from "ethers";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import { Random } from "../../../scripts/soak/random.js";
import type { Archive } from "../../../sdk/chain/archive.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { load } from "../../../sdk/games/catalogue.js";
import { stockGame } from "../../../sdk/games/index.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { Practice } from "../../../sdk/player/practice.js";
import { decodeRecord, encodeRecord, MAX_SHARED_RECORD } from "../../../sdk/player/shared-record.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { replay } from "../../../sdk/verify/replay.js";
import { recorded } from "../../support/recorded.js";

/** Indexes in the list of a shared record. */
const Place = { Version: 0, Name: 1, Mode: 5, Terms: 6, Player2: 8, Join: 10, Actions: 11, Characters: 12, Status: 13 };

const plain = (text: string) => text;

/** Returns the error message that rejects a text. */
async function refusal(text: unknown, what = "it"): Promise<Error> {
  const decoded = decodeRecord(text as string, stockGame);
  return decoded.then(
    () => expect.fail(`${what} was decoded`),
    (error: unknown) => error as Error,
  );
}

const packed = (bytes: Uint8Array) => deflateRawSync(bytes).toString("base64url");
const itemsOf = (text: string) =>
  decodeRlp(inflateRawSync(Buffer.from(text, "base64url"))) as unknown as RlpStructuredData[];

/** Returns a text with one item of its list replaced. */
function changed(text: string, place: number, item: RlpStructuredData): string {
  return packed(getBytes(encodeRlp(itemsOf(text).with(place, item))));
}

/** Returns everything that is displayed about a match. */
async function shown(game: GameModule, record: MatchRecord, archive: Archive): Promise<unknown[]> {
  return [
    await game.frames!(record, archive),
    await game.story(record, archive, plain),
    await game.decodeLog(record, archive),
    await game.actionTexts!(record, archive),
    await game.view?.(record, archive, plain),
  ];
}

describe("A shared record", () => {
  it("contains a match of any game and mode, which is replayed and shown as from the chain", async () => {
    const { archive, matches } = await recorded();
    for (const { game, record } of matches) {
      const text = await encodeRecord(record, archive, game);
      expect(text).to.match(/^[\w-]+$/);
      const shared = await decodeRecord(text, load);
      expect([shared.game, shared.matchId], game.name).to.deep.equal([game, record.matchId]);
      const { record: again, mismatch } = await replay(shared.archive, [game], shared.matchId);
      expect(mismatch, game.name).to.equal(undefined);
      // Ratings depend on other matches.
      const settlement = { ...record.settlement, rating1: 0n, rating2: 0n };
      expect(again, game.name).to.deep.equal({ ...record, settlement });
      expect(await shown(game, again, shared.archive)).to.deep.equal(await shown(game, record, archive));
      expect(await encodeRecord(again, shared.archive, game)).to.equal(text);
    }
  });

  it("contains a match of players with earlier results", async () => {
    await new Random("shared").instead(async () => {
      const game = stockGame("pistols");
      const recorder = new MatchSynthesizer();
      let last = 0n;
      for (let n = 0; n < 40; n++) last = await recorder.play(game, "0x");
      const archive = recorder.done();
      const record = await archive.match(last);
      const drawn = (await game.frames!(record, archive))[0] as unknown as { duelists: { strength: number }[] };
      expect(drawn.duelists.map(({ strength }) => strength)).not.to.include(0);
      const shared = await decodeRecord(await encodeRecord(record, archive, game), stockGame);
      expect((await replay(shared.archive, [game], last)).mismatch).to.equal(undefined);
      const again = await shared.archive.match(last);
      expect(await shown(game, again, shared.archive)).to.deep.equal(await shown(game, record, archive));
    });
  });

  it("contains a match that is in play, or that ended by a resignation or by the clock", async () => {
    const game = stockGame("pistols");
    const practice = await Practice.start(game, { mode: "0x", seat: Seat.One });
    const next = async () => {
      const turn = (await practice.turn())!;
      await practice.play(await game.moves.suggest(turn, practice.secretStoreOf(turn.seat)));
    };
    await next();
    const offer = await practice.record();
    const nothing = await encodeRecord(offer, practice.archive, game).catch(String);
    expect(nothing).to.equal("InputError: match: nobody has joined match 1, so that there is nothing to replay");
    await next();
    const open = await practice.record();
    const text = await encodeRecord(open, practice.archive, game);
    expect(await (await decodeRecord(text, stockGame)).archive.match(1n)).to.deep.equal(open);

    const ended = changed(text, Place.Status, toBeHex(Status.P2WinInactive));
    const { archive } = await decodeRecord(ended, stockGame);
    expect((await archive.match(1n)).settlement).to.deep.include({ status: Status.P2WinInactive });
    await practice.resign();
    const resigned = await encodeRecord(await practice.record(), practice.archive, game);
    const again = await decodeRecord(resigned, stockGame);
    expect((await again.archive.match(1n)).settlement).to.deep.equal((await practice.record()).settlement);
    expect((await replay(again.archive, [game], 1n)).mismatch).to.equal(undefined);
  });

  it("never queries a node for missing data", async () => {
    const { archive, matches } = await recorded();
    for (const { game, record } of matches) {
      const shared = await decodeRecord(await encodeRecord(record, archive, game), stockGame);
      const { addresses, provider } = shared.archive;
      const refused = await provider.call({ to: addresses.Arena, data: "0x12345678" }).catch(String);
      expect(refused).to.include("Nothing in memory answers");
    }
  });

  describe("from a hostile source", () => {
    let text: string;
    let fight: string;

    before(async () => {
      const { archive, matches } = await recorded();
      const of = async (name: string) => {
        const { game, record } = matches.find((match) => match.game.name === name)!;
        return encodeRecord(record, archive, game);
      };
      [text, fight] = [await of("tic-tac-toe"), await of("auto-battler")];
    });

    it("is rejected if it is not text, not a record, or too long", async () => {
      const junk: unknown[] = [
        undefined,
        5,
        {},
        "",
        "%00",
        "-",
        "AAAA",
        `${text}=`,
        `${text} `,
        text.slice(0, -9),
        packed(getBytes("0x")),
        packed(getBytes("0x01")),
        packed(getBytes("0xc0")),
        packed(getBytes(encodeRlp(["0x01"]))),
        packed(new Uint8Array(1_000_000).fill(0xc1)),
        packed(new Uint8Array(8_000_000)),
        // A list of 30,000 empty items, which ethers takes seconds to encode.
        packed(Uint8Array.of(0xf9, 30_000 >> 8, 30_000 & 0xff, ...new Uint8Array(30_000).fill(0x80))),
      ];
      for (const each of junk) expect(await refusal(each), String(each).slice(0, 40)).to.be.instanceOf(InputError);
      const long = await refusal("A".repeat(MAX_SHARED_RECORD + 1));
      expect(String(long)).to.equal("InputError: record: 262145 characters, more than 262144");
      expect(String(await refusal(packed(new Uint8Array(8_000_000))))).to.include("more than 2097152 bytes");
    });

    it("is rejected if any part is impossible", async () => {
      const terms = itemsOf(text)[Place.Terms] as string[];
      const actions = itemsOf(text)[Place.Actions] as [string, string][];
      const characters = itemsOf(fight)[Place.Characters] as string[][];
      const wrong: Record<string, string> = {
        version: changed(text, Place.Version, "0x02"),
        "a list for a version": changed(text, Place.Version, []),
        "no such game": changed(text, Place.Name, toBeHex(0x6368657373)),
        "a name of control characters": changed(text, Place.Name, "0x1b5b326a"),
        "no text": changed(text, Place.Name, "0xff"),
        "another game": changed(text, Place.Name, `0x${Buffer.from("pistols").toString("hex")}`),
        mode: changed(text, Place.Mode, "0x05"),
        "a fee above all": changed(text, Place.Terms, terms.with(4, "0xffff")),
        "a fee of many bytes": changed(text, Place.Terms, terms.with(4, "0x010000")),
        "rated twice": changed(text, Place.Terms, terms.with(5, "0x02")),
        "terms too few": changed(text, Place.Terms, terms.slice(1)),
        address: changed(text, Place.Player2, "0x01"),
        join: changed(text, Place.Join, "0x0102"),
        "no seat": changed(text, Place.Actions, [["0x03", actions[0][1]]]),
        "out of turn": changed(text, Place.Actions, [actions[0], actions[0]]),
        "an action more": changed(text, Place.Actions, [...actions, actions[0]]),
        "characters of a game without": changed(text, Place.Characters, characters),
        "a character less": changed(fight, Place.Characters, characters.slice(1)),
        "a tier above all": changed(fight, Place.Characters, [characters[0].with(2, "0x04"), ...characters.slice(1)]),
        "a trait less": changed(fight, Place.Characters, [characters[0].slice(1), ...characters.slice(1)]),
        status: changed(text, Place.Status, toBeHex(Status.P2WinInactive)),
        "no status": changed(text, Place.Status, "0x"),
        canceled: changed(changed(text, Place.Actions, []), Place.Status, toBeHex(Status.P1Canceled)),
        "a draw": changed(changed(text, Place.Actions, []), Place.Status, toBeHex(Status.Draw)),
        "no end": changed(changed(text, Place.Actions, []), Place.Status, toBeHex(Status.AllJoined)),
      };
      for (const [what, each] of Object.entries(wrong)) {
        const error = await refusal(each, what);
        expect(error, `${what}: ${error.stack}`).to.be.instanceOf(InputError);
        expect(error.message, what).to.match(/^[ -~…]*$/);
      }
    });

    it("is either refused or replayed without a mismatch, whatever byte was changed", async () => {
      const random = new Random("hostile");
      for (const whole of [text, fight]) {
        const bytes = inflateRawSync(Buffer.from(whole, "base64url"));
        for (let n = 0; n < 300; n++) {
          const other = Uint8Array.from(bytes);
          other[random.below(other.length)] = random.below(256);
          const decoded = decodeRecord(packed(other), stockGame);
          const outcome = await decoded.then(
            ({ game, archive, matchId }) => replay(archive, [game], matchId),
            (error: unknown) => error,
          );
          if (outcome instanceof Error) expect(outcome, outcome.stack).to.be.instanceOf(InputError);
          else expect(outcome).to.have.property("mismatch", undefined);
        }
      }
    });
  });
});
