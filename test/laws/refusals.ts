import { expect } from "chai";
import { concat, dataLength, dataSlice } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { autoBattlerLaws } from "../support/laws/auto-battler.js";
import { Bench, type Draft } from "../../sdk/laws/bench.js";
import type { LawGame } from "../../sdk/laws/game.js";
import { guardiansLaws } from "../support/laws/guardians.js";
import { miniGamesLaws } from "../support/laws/mini-games.js";
import { pistolsLaws } from "../support/laws/pistols.js";
import { Random } from "../../sdk/laws/random.js";
import { ticTacToeLaws } from "../support/laws/tic-tac-toe.js";
import { ethers, loadFixture, networkHelpers, Seat, Status, time } from "../support/index.js";
import { FREE, expectRefused } from "../support/refusals.js";
import { lawOptions } from "../support/laws/options.js";
import type { Account } from "../../sdk/laws/world.js";

const WORD = 32;
/** Offset of player 1's salt in a reveal: after round and state. */
const OWN_SALT = 34;
const KINDS = ["offer", "answer", "action", "later action"];

/** Faults of an offer, an answer or an action, each with its own error. */
type Names = readonly (readonly [what: RegExp, error: string])[];

/** Faults in any game. */
const ALWAYS: Names = [
  [/: \d+ bytes$/, "WrongLength"],
  [/^answer: sent by a stranger$/, "NotTheOpponent"],
  [/action: sent by (the other player|a stranger)$/, "NotYourTurn"],
];

/** Faults in a game of committed rounds. */
const COMMITTED: Names = [
  ...ALWAYS,
  [/: a salt of zero$/, "ZeroSalt"],
  [/: (a commitment of zero|no commitment|a next commitment of zero)$/, "ZeroCommitment"],
  [/: (round 0|the next round)$/, "WrongRound"],
  [/: another (state|commitment|move|answer|salt|salt in the answer)$/, "WrongRound"],
  [/: made for another opponent$/, "WrongRound"],
  [/: (no salt|no next commitment)$/, "WrongLength"],
];

/** Every game, the minimum number of different match lengths, and its faults. */
const GAMES: [subject: LawGame, min: number, names: Names][] = [
  [
    autoBattlerLaws,
    1,
    [
      ...COMMITTED,
      [/: a fighter twice/, "SameFighterTwice"],
      [/: a fighter of somebody else$/, "NotOwned"],
      [/: (a fighter that was never made|fighter 0)$/, "NotOwned"],
    ],
  ],
  [
    guardiansLaws,
    1,
    [
      ...COMMITTED,
      [/: a card twice$/, "SameCardTwice"],
      [/: a card (less|more)$/, "WrongLength"],
      [/: a card of somebody else$/, "CardNotOwned"],
      [/: (a card that was never made|card 0)$/, "CardNotOwned"],
    ],
  ],
  [miniGamesLaws, 1, [...COMMITTED, [/: (a move too (high|low)|the highest byte)$/, "MoveOutOfBounds"]]],
  [
    pistolsLaws,
    2,
    [
      // Round 2 has longer moves, and every number except 1 is read as round 2.
      [/^action: (round 0|the next round)$/, "WrongLength"],
      ...COMMITTED,
      // This data is as long as a reveal without a commitment, and is read as such a reveal.
      [/: no salt, but a next commitment$/, "WrongRound"],
      [/: (no|eleven) paces$/, "PacesOutOfBounds"],
      [/: (a (Heavy|Light|Steal) |an action of )/, "NoSuchBlades"],
    ],
  ],
  [
    ticTacToeLaws,
    2,
    [
      ...ALWAYS,
      [/: cell (9|255)$/, "UnknownCell"],
      [/: cell \d, which has a mark$/, "OccupiedCell"],
      [/^answer: another position$/, "NotTheFirstCell"],
      [/action: another position$/, "NotTheNextMark"],
    ],
  ],
];

const MATCHES = process.env.THOROUGH ? 4 : 1;

/** Faulty data to send instead of a piece. */
interface Wrong {
  data: Hex;
  sender?: Account;
}

for (const [subject, min, names] of GAMES) {
  describe(`The game of ${subject.name}`, () => {
    it("refuses each invalid input with its own error, changes no state, and accepts the valid input in the last second", async () => {
      const bench = await loadFixture(function opened() {
        return Bench.open(subject, lawOptions);
      });
      const random = new Random(`refusals of ${subject.name}`);
      const [lengths, met] = [new Set<number>(), new Set<RegExp>()];
      for (let n = 0; n < MATCHES || lengths.size < min; n++) {
        const draft = await bench.draft(random);
        const other = await bench.draft(random, {
          ahead: 2n,
          mode: draft.mode,
          players: [draft.player1, bench.world.carol],
        });
        for (let index = 0; index < draft.pieces.length; index++) {
          for (const [what, wrong] of wrongs(bench, draft, other, index)) {
            const [pattern, error] = names.find(([each]) => each.test(what)) ?? expect.fail(`no error for ${what}`);
            await expectRefusedInABlock(bench, draft, index, wrong, error).catch((failure: unknown) => {
              throw new Error(`${what}: ${String(failure)}`, { cause: failure });
            });
            met.add(pattern);
          }
          if (index > 0) await time.setNextBlockTimestamp((await bench.world.arena.matchOf(draft.matchId)).deadline);
          await bench.send(draft, index);
        }
        expect(await bench.world.arena.statusOf(draft.matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
        lengths.add(draft.pieces.length);
      }
      expect(
        names.filter(([pattern]) => !met.has(pattern)),
        "nothing that it says happened",
      ).to.deep.equal([]);
    });
  });
}

/** All faults of this file, by the names above. */
function* wrongs({ world }: Bench, draft: Draft, other: Draft, index: number): Generator<[string, Wrong]> {
  const { seat, data, wrong, fits } = draft.pieces[index];
  const kind = KINDS[Math.min(index, 3)];
  const length = dataLength(data);
  for (const [what, bytes] of Object.entries(wrong)) yield [`${kind}: ${what}`, { data: bytes }];
  for (const many of [0, 1, length - 1, length + 1, length + 200]) {
    if (many === length || (fits?.(many) ?? false)) continue;
    yield [`${kind}: ${many} bytes`, { data: dataSlice(concat([data, `0x${"11".repeat(200)}`]), 0, many) }];
  }
  if (index > 0) yield [`${kind}: sent by a stranger`, { data, sender: world.stranger }];
  if (index > 1) {
    const sender = seat === Seat.One ? draft.player2 : draft.player1;
    yield [`${kind}: sent by the other player`, { data, sender }];
  }
  // Without commitments, no data is tied to one opponent.
  if (!("a commitment of zero" in draft.pieces[0].wrong) || index === 0) return;
  const foreign = other.pieces.at(index);
  if (foreign) yield [`${kind}: made for another opponent`, { data: foreign.data }];
  const reveals = index > 1 && seat === Seat.One;
  const rest = reveals
    ? concat([dataSlice(data, 0, OWN_SALT), dataSlice(data, OWN_SALT + WORD)])
    : dataSlice(data, 0, -WORD);
  const next = "no next commitment" in wrong ? ", but a next commitment" : "";
  yield [`${kind}: no salt${next}`, { data: rest }];
}

/** Sends faulty data so that its rejection is in a block, and expects the error and an unchanged state. */
async function expectRefusedInABlock(
  bench: Bench,
  draft: Draft,
  index: number,
  { data, sender }: Wrong,
  error: string,
): Promise<void> {
  const { table, world } = bench;
  const pieces = draft.pieces.with(index, { ...draft.pieces[index], data });
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  const before = await ethers.provider.getBlockNumber();
  const send = () => bench.send({ ...draft, pieces }, index, { sender, ...FREE });
  await expectRefused({ ...world, ...table.contracts, game: table.game }, send, error);
  expect(await ethers.provider.getBlockNumber()).to.equal(before + 1);
}
