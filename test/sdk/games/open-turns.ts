import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { turnOf, type SecretStore } from "../../../sdk/games/moves.js";
import { openTurns } from "../../../sdk/games/open-turns.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import { Seat } from "../../../sdk/protocol/status.js";

/** The tests need no chain or store: the mode is the default, and the moves are open. */
const NO_HISTORY = undefined as unknown as History;
const NO_STORE = undefined as unknown as SecretStore;

const record = {
  matchId: 7n,
  terms: { mode: ZeroHash, game: ZeroAddress },
  createData: "0x04",
  joinData: "0x0400",
  actions: [{ seat: Seat.One, data: "0x0302" }],
  logs: [],
} as unknown as MatchRecord;

describe("A game with open turns", () => {
  const turn = (changes: Partial<MatchRecord> = {}, seat: bigint = Seat.Two) =>
    turnOf({ ...record, ...changes }, seat, ZeroAddress, NO_HISTORY);

  it("given a move, it encodes the move alone, after the first move, or after the number of the move", async () => {
    const { moves } = ticTacToe;
    expect(await moves.create(4, turn({}, Seat.One), NO_STORE)).to.equal("0x04");
    expect(await moves.join(0, turn({ joinData: undefined, actions: [] }), NO_STORE)).to.equal("0x0400");
    expect(await moves.act(2, turn({ actions: [] }, Seat.One), NO_STORE)).to.equal("0x0302");
    expect(await moves.act(6, turn(), NO_STORE)).to.equal("0x0406");
  });

  it("given a turn, it lists the legal moves, and suggests one of them", async () => {
    const { moves } = ticTacToe;
    const free = [1, 3, 5, 6, 7, 8];
    expect(await moves.choices!(turn())).to.deep.equal(free.map(String));
    for (let n = 0; n < 20; n++) expect(await moves.suggest(turn(), NO_STORE)).to.be.oneOf(free);
  });

  it("given a strategy, its bot plays the moves that the strategy finds for the position", async () => {
    const { rules } = ticTacToe;
    const { bot: _, ...bare } = ticTacToe;
    const chosen = openTurns({ ...bare, rules: { ...rules, choose: ({ x }) => (x === 0x14 ? 6 : 1) } });
    expect(await chosen.bot!.strategy(turn(), NO_STORE)).to.equal(6);
  });

  it("given a match, it draws each move with the resulting position", async () => {
    const { frame: _, ...rules } = ticTacToe.rules;
    const plain = openTurns({
      name: "plain",
      contract: "Plain",
      abi: [],
      modes: { default: { content: "0x" } },
      rules,
    });
    const frames = await plain.frames!(record, NO_HISTORY);
    expect(frames.map(({ text }) => text)).to.deep.equal(
      [4, 0, 2].map((cell, i) => `Player ${1 + (i % 2)} marks cell ${cell}`),
    );
    const position = { cell: 2, side: 0, x: 0b10100, o: 1, winner: 0, finished: false };
    const last = { text: "Player 1 marks cell 2", move: { player: 1, text: "2" }, position, result: null };
    expect(frames.at(-1)).to.deep.equal(last);
  });

  it("given a simulation with a mode, it plays by that mode, and otherwise by the default mode", async () => {
    const { simulate: _, ...bare } = ticTacToe;
    const { simulate } = openTurns(bare);
    const full = [0, 1, 2, 4, 3, 5, 7, 6, 8];
    expect(await simulate({ moves: full })).to.include({ winner: 0, finished: true });
    expect(await simulate({ mode: { ties: 0 }, moves: full })).to.include({ winner: 1, finished: true });
  });

  it("given the content of a mode, its random match contains the mode in the format's JSON", () => {
    const { odds: _, modeFormat: __, rules, ...bare } = ticTacToe;
    const mode = { ...rules.mode!, toJson: ({ ties }: { ties: number }) => ({ ties: `rule ${ties}` }) };
    const worded = openTurns({ ...bare, rules: { ...rules, mode } });
    for (const content of ["0x", "0x00"] as const) {
      const input = worded.odds!.atRandom(content, new SeededRandom(ZeroHash)) as { mode: object };
      expect(input.mode).to.deep.equal(worded.modeFormat!.decode(content));
    }
    expect(worded.modeFormat!.decode("0x00")).to.deep.equal({ ties: "rule 0" });
  });

  it("given a move that its rules reject without a reason, its error says that the move is illegal", async () => {
    const { rules } = ticTacToe;
    const { simulate: _, ...bare } = ticTacToe;
    const strict = openTurns({ ...bare, rules: { ...rules, legalMoves: () => [0] } });
    const refused = await strict.simulate({ moves: [0, 1] }).then(String, (error: unknown) => (error as Error).message);
    expect(refused).to.equal("moves[1]: 1 is no legal mark");
  });
});
