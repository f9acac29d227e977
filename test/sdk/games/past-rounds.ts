import { expect } from "chai";
import type { History, PastActions, PastQuery } from "../../../sdk/chain/history.js";
import { pastRounds } from "../../../sdk/games/past-rounds.js";
import { encodeReveal, NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { Seat } from "../../../sdk/protocol/status.js";

const QUERY = { player: "0xA1", game: "0xB2", modes: ["0x"], max: 3, lengths: [1, 1] as const };
const SALT = `0x${"11".repeat(32)}`;

/** Reveal of a round of one-byte moves. */
const reveal = (move: string, answerMove: string) =>
  encodeReveal({ round: 1, state: NO_STATE, salt: SALT, move, answerMove, answerSalt: SALT, next: "0x" });

/** Reads the rounds of a history with some actions. */
async function roundsOf(past: PastActions) {
  const asked: PastQuery[] = [];
  const history = {
    pastActions: async (query: PastQuery) => {
      asked.push(query);
      return past;
    },
  } as unknown as History;
  const rounds = await pastRounds(history, QUERY);
  const { lengths: _, ...query } = QUERY;
  expect(asked).to.deep.equal([query]);
  return rounds;
}

describe("The list of past rounds", () => {
  it("includes only revealed rounds, from the player's side in either seat", async () => {
    const actions = [
      { matchId: 1n, seat: Seat.Two, data: "0x00" },
      { matchId: 1n, seat: Seat.One, data: reveal("0x01", "0x02") },
      { matchId: 2n, seat: Seat.One, data: reveal("0x03", "0x04") },
    ];
    expect(await roundsOf({ joined: new Set([2n]), actions })).to.deep.equal([
      { played: "0x01", faced: "0x02" },
      { played: "0x04", faced: "0x03" },
    ]);
  });

  it("excludes rounds that no arena can have accepted but that an index may return", async () => {
    const actions = ["0x", "0x01", "nonsense"].map((data) => ({ matchId: 1n, seat: Seat.One, data }));
    expect(await roundsOf({ joined: new Set(), actions })).to.deep.equal([]);
  });
});
