import { expect } from "chai";
import { JsonRpcProvider } from "ethers";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import { Random } from "../../../scripts/soak/random.js";
import { modeHash } from "../../../sdk/games/modes.js";
import { isOpenTurn } from "../../../sdk/games/moves.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import type { GameModule, Team } from "../../../sdk/games/module.js";
import { operatorChecks } from "../../../sdk/games/operators.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { otherSeat } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { chooseIn, Practice } from "../../../sdk/player/practice.js";
import { replay } from "../../../sdk/verify/replay.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";

/** Number of turns after which a player resigns, in a mode with long matches. */
const LONG = process.env.THOROUGH ? 40 : 12;

const plain = (text: string) => text;
const carried = <T>(saved: T): T => JSON.parse(JSON.stringify(saved)) as T;

/** Returns whether matches of a mode end within a few turns. */
const isShort = ({ demo, modes }: GameModule, content: Hex) => demo === undefined || modes[demo].content === content;

/** Suggests a move of any kind. */
async function suggested(practice: Practice): Promise<unknown> {
  const turn = (await practice.turn())!;
  return practice.game.moves.suggest(turn, practice.secretStoreOf(turn.seat));
}

/** Plays any moves of both players, up to a number of turns. */
async function played(practice: Practice, turns = Infinity): Promise<Practice> {
  for (let n = 0; n < turns && !practice.isOver; n++) await practice.play(await suggested(practice));
  return practice;
}

/** Starts a practice match in a game's first mode. */
const begun = (game: GameModule, seat: bigint = Seat.One) =>
  Practice.start(game, { mode: Object.values(game.modes)[0].content, seat });

/** Returns the error of a rejected promise. */
async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("Practice", () => {
  for (const game of games) {
    for (const [i, [name, { content }]] of Object.entries(game.modes).entries()) {
      it(`plays ${game.name}, ${name}, between a person and the strategy, while saved and loaded at each turn`, () =>
        new Random(`${game.name} ${name}`).instead(async () => {
          let practice = await Practice.start(game, { mode: content, seat: i % 2 === 0 ? Seat.Two : Seat.One });
          const { characters } = game;
          let turns = 0;
          for (; !practice.isOver && (turns < LONG || isShort(game, content)); turns++) {
            const turn = (await practice.turn())!;
            const isPerson = turn.seat === practice.seat;
            const move = isPerson ? await suggested(practice) : await programs(practice, turn.seat);
            expect(structuredClone(move)).to.deep.equal(move);
            const args = await game.moves.args(move, turn);
            const store = practice.secretStoreOf(turn.seat);
            expect(await game.moves.args(await game.moves.parse(args, turn, store), turn)).to.deep.equal(args);
            const context = { player: turn.player, game: turn.game, history: practice.archive, committed: [] };
            // In a turn that only reveals there is no move to check.
            if (move !== undefined && characters) {
              expect(await characters.moveChecks(move as Team, context)).to.deep.equal([]);
              expect(await operatorChecks(characters, turn.player, practice.archive)).to.deep.equal([]);
            }
            await game.moves.choices?.(turn, store);
            await practice.play(move);
            expect(carried(practice.save())).to.deep.equal(practice.save());
            practice = await Practice.load(game, carried(practice.save()));
          }
          if (!practice.isOver) await practice.resign();
          await expectTold(practice);
        }));
    }
  }

  /** Chooses the program's move as a Worker does, which has none of the other player's secrets. */
  async function programs(practice: Practice, seat: bigint): Promise<unknown> {
    const other = otherSeat(seat);
    const saved = practice.saveFor(seat);
    expect(saved.secrets[Number(other) - 1]).to.deep.equal([]);
    const sent = saved.sent.map(({ data }) => data).join(" ");
    const pending = practice.save().secrets[Number(other) - 1].filter(([, , salt]) => !sent.includes(salt.slice(2)));
    const text = JSON.stringify(saved);
    for (const [, , salt] of pending) expect(text).not.to.include(salt.slice(2));
    return chooseIn(await Practice.load(practice.game, structuredClone(saved)));
  }

  /** Expects all views of a match that is over to agree with its replay. */
  async function expectTold({ game, archive, matchId, terms }: Practice): Promise<void> {
    const { record, replayed, mismatch } = await replay(archive, [game], matchId);
    expect(mismatch).to.equal(undefined);
    expect(record.settlement).to.deep.include({ paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n });
    expect(record.logs).to.deep.equal(replayed.logs);
    expect(terms).to.deep.include({ rated: false, stake1: 0n, stake2: 0n });
    const frames = await game.frames!(record, archive);
    const { result } = replayed;
    const end = result ? { winner: Number(result.winner), taker: Number(result.taker) } : null;
    expect(frames.at(-1)?.result ?? null).to.deep.equal(end);
    expect(await game.story(record, archive, plain)).to.be.an("array");
    expect(await game.actionTexts?.(record, archive)).to.have.length(2 + record.actions.length);
    await game.view?.(record, archive, plain);
  }

  it("writes the unrevealed secret of a player only into that player's save", async () => {
    for (const game of games.filter(({ moves }) => moves.pendingCommitments)) {
      const practice = await played(await begun(game), 1);
      const [[, , salt]] = practice.save().secrets[0];
      expect(JSON.stringify(practice.saveFor(Seat.One)), game.name).to.include(salt);
      expect(JSON.stringify(practice.saveFor(Seat.Two)), game.name).not.to.include(salt.slice(2));
      await practice.play(await suggested(practice));
      const blind = await Practice.load(game, practice.saveFor(Seat.Two));
      const turn = (await blind.turn())!;
      if (turn.seat !== Seat.One) continue;
      const committed = (await practice.record()).createData;
      expect(String(await refusal(blind.secretStoreOf(Seat.One).reveal(committed)))).to.include("not in this store");
    }
  });

  it("rejects an illegal move without any change", async () => {
    const wrong: Record<string, unknown> = {
      "auto-battler": [1n, 2n, 3n, 4n, 16n],
      guardians: [1n, 2n, 16n],
      "mini-games": 3,
      pistols: 11,
      "tic-tac-toe": 9,
      warmancer: [1, 1, 1, 1],
    };
    for (const game of games) {
      const practice = await begun(game);
      const before = practice.save();
      for (const move of [wrong[game.name], undefined]) {
        expect(await refusal(practice.play(move)), game.name).to.be.instanceOf(InputError);
        expect(practice.save(), game.name).to.deep.equal(before);
        expect(practice.archive.find(practice.archive.addresses.Arena, "Created"), game.name).to.deep.equal([]);
      }
    }
  });

  it("rejects a mark on a taken cell, and a team with duplicate characters or characters of the opponent", async () => {
    const game = stockGame("tic-tac-toe");
    const practice = await played(await begun(game), 2);
    const [cell] = (await game.moves.choices!((await practice.turn())!)).slice(-1);
    await practice.play(Number(cell));
    const before = practice.save();
    expect(await refusal(practice.play(Number(cell)))).to.be.an("error");
    expect(practice.save()).to.deep.equal(before);

    const cards = await begun(stockGame("guardians"));
    for (const ids of [
      [9n, 1n, 2n],
      [1n, 1n, 2n],
      [1n, 2n],
    ]) {
      expect(String(await refusal(cards.play(ids)))).to.match(
        /InputError: (move|team): (card \d is (not|in it twice)|2 cards instead of 3)/,
      );
    }
    expect(cards.save().secrets).to.deep.equal([[], []]);
  });

  it("keeps no secret of a move that the game refuses", async () => {
    const stock = stockGame("mini-games");
    const replay = async () => {
      throw new InputError("move", "refused");
    };
    const practice = await begun({ ...stock, replay });
    expect(String(await refusal(practice.play(await suggested(practice))))).to.equal("InputError: move: refused");
    expect(practice.save().secrets).to.deep.equal([[], []]);
  });

  it("plays one move at a time, and no move after the end of the match", async () => {
    const practice = await begun(stockGame("tic-tac-toe"));
    const move = await suggested(practice);
    const [first, second] = await Promise.all([practice.play(move), refusal(practice.play(move))]);
    expect([first, String(second)]).to.deep.equal([undefined, "Error: Another move is being played."]);
    await played(practice);
    expect(await practice.turn()).to.equal(undefined);
    expect(String(await refusal(practice.play(move)))).to.equal("Error: The match is over.");
    expect(String(await refusal(chooseIn(practice)))).to.equal("Error: The match is over.");
  });

  it("ends after a resignation with the status of a win by the opponent", async () => {
    for (const [seat, status] of [
      [Seat.One, Status.P2Win],
      [Seat.Two, Status.P1Win],
    ] as const) {
      const game = stockGame("pistols");
      const practice = await begun(game, seat);
      const early = await refusal(practice.resign());
      expect(String(early)).to.equal("Error: There is no match in play to resign.");
      await played(practice, 2);
      await practice.resign();
      expect((await practice.record()).settlement).to.deep.include({ status });
      expect((await replay(practice.archive, [game], practice.matchId)).mismatch).to.equal(undefined);
      expect(String(await refusal(practice.resign()))).to.equal(String(early));
      const loaded = await Practice.load(game, carried(practice.save()));
      expect((await loaded.record()).settlement).to.deep.include({ status });
      expect(loaded.isOver).to.equal(true);
    }
  });

  describe("when the person takes back moves", () => {
    /** Plays a turn that is not the person's choice. @returns false if there is none */
    async function step(practice: Practice): Promise<boolean> {
      const turn = await practice.turn();
      if (!turn) return false;
      const isPerson = turn.seat === practice.seat;
      const move = isPerson ? await suggested(practice) : await chooseIn(practice, "easy");
      if (isPerson && move !== undefined) return false;
      await practice.play(move);
      return true;
    }

    /** Returns a copy in which the match continues until the person must choose, or the match is over. */
    async function onward(practice: Practice): Promise<Practice> {
      const copy = await Practice.load(practice.game, practice.save());
      while (await step(copy));
      return copy;
    }

    /** Returns what the person sees before choosing, and the commitment that the person's move answers. */
    async function look(practice: Practice) {
      const { game, archive, seat } = practice;
      const turn = (await practice.turn())!;
      if (!isOpenTurn(turn)) return { frames: [], answered: undefined };
      const viewer = { seat, secretStore: practice.secretStoreOf(seat) };
      const frames = await game.frames!(turn.record, archive, viewer);
      return { frames, answered: await game.moves.answeredCommitment?.(turn) };
    }

    for (const game of games) {
      for (const seat of [Seat.One, Seat.Two]) {
        it(`shows again what the person saw before each move, and makes a new commitment: ${game.name}, seat ${seat}`, () =>
          new Random(`back ${game.name} ${seat}`).instead(async () => {
            const { content } = game.modes[game.demo ?? Object.keys(game.modes)[0]];
            const expectBack = async (back: Practice, { frames, answered }: Awaited<ReturnType<typeof look>>) => {
              const { secrets, sent } = back.save();
              const data = sent.map((each) => each.data).join(" ");
              for (const [commitment] of secrets.flat()) expect(data).to.include(commitment.slice(2));
              const now = await look(await onward(back));
              expect(now.frames).to.deep.equal(frames);
              expect(now.answered === undefined).to.equal(answered === undefined);
              if (answered !== undefined) expect(now.answered).not.to.equal(answered);
            };
            const practice = await Practice.start(game, { mode: content, seat });
            while (await step(practice));
            expect(await practice.takenBack()).to.equal(undefined);
            while (!practice.isOver) {
              const before = await look(practice);
              await practice.play(await suggested(practice));
              do {
                const saved = practice.save();
                const back = await practice.takenBack();
                if (!game.hidden) expect(back === undefined).to.equal(practice.isOver);
                if (back) await expectBack(back, before);
                expect(practice.save()).to.deep.equal(saved);
              } while (await step(practice));
            }
            expect(await practice.takenBack()).to.equal(undefined);
          }));
      }
    }

    it("goes back to the first move, one by one", async () => {
      const game = stockGame("tic-tac-toe");
      let practice = await begun(game, Seat.Two);
      const looks = [];
      for (let n = 0; n < 2; n++) {
        practice = await onward(practice);
        looks.push(await look(practice));
        await practice.play(await suggested(practice));
      }
      while (looks.length > 0) {
        practice = (await practice.takenBack())!;
        expect(await look(practice)).to.deep.equal(looks.pop());
      }
      expect(await practice.takenBack()).to.equal(undefined);
    });

    it("does not take back a move after which the opponent has shown a hidden pawn", () =>
      new Random("hidden pawn").instead(async () => {
        const game = stockGame("warmancer");
        const { hidden } = game;
        let practice = await Practice.start(game, { mode: game.modes.skirmish.content, seat: Seat.One });
        const shown = async () => hidden!.shownParts(await practice.record(), Seat.Two);
        do {
          practice = await onward(practice);
          await practice.play(await suggested(practice));
          expect(await practice.takenBack()).not.to.equal(undefined);
          practice = await onward(practice);
        } while ((await shown()) === 0);
        expect(practice.isOver).to.equal(false);
        expect(await practice.takenBack()).to.equal(undefined);
      }));
  });

  it("gives both players equal characters of different strengths", async () => {
    for (const game of games.filter(({ characters }) => characters)) {
      const { archive, players, terms } = await begun(game);
      const { ownedBy, describe: described } = game.characters!;
      const told = async (player: string) => {
        const ids = await ownedBy(player, archive);
        return Promise.all(ids.map((id) => described(id, archive, terms.game)));
      };
      const [own, others] = await Promise.all(players.map(told));
      expect(own, game.name).to.have.length(8);
      expect(own.map(({ text }) => text)).to.deep.equal(others.map(({ text }) => text));
      expect(new Set(own.map(({ text }) => text)).size, game.name).to.be.above(4);
      expect([...own, ...others].flatMap(({ obstacle }) => obstacle ?? [])).to.deep.equal([]);
      const { counters } = game.characters!;
      expect(await counters([1n, 9n], archive, 1, terms.game), game.name).to.have.length(2);
    }
  });

  it("draws characters from the source that it is given", async () => {
    const game = stockGame("guardians");
    const fixed = { below: () => 0 };
    const { characters } = (await Practice.start(game, { mode: "0x", seat: Seat.One, random: fixed })).save();
    expect(new Set(characters.map(String)).size).to.equal(1);
  });

  it("rejects an impossible seat, an impossible mode, and an invalid saved practice match", async () => {
    const game = stockGame("tic-tac-toe");
    const saved = (await played(await begun(game), 4)).save();
    const [first, second, third] = saved.sent;
    const hostile: unknown[] = [
      undefined,
      null,
      [],
      {},
      "text",
      { ...saved, version: 2 },
      { ...saved, game: "chess" },
      { ...saved, seat: 3 },
      { ...saved, mode: "0xzz" },
      { ...saved, mode: `0x${"00".repeat(100)}` },
      { ...saved, characters: [[1]] },
      { ...saved, resigned: 3 },
      { ...saved, sent: [], resigned: 1 },
      { ...saved, sent: [second, first] },
      { ...saved, sent: [first, second, { ...third, seat: 3 - third.seat }] },
      { ...saved, sent: [first, second, { ...third, data: "0x00" }] },
      { ...saved, sent: [{ ...first, data: 5 }] },
      { ...saved, secrets: [[]] },
      { ...saved, secrets: [[["0x00", "0x", "0x"]], []] },
      { ...saved, more: 1 },
    ];
    for (const each of hostile) {
      expect(await refusal(Practice.load(game, each)), JSON.stringify(each)).to.be.instanceOf(InputError);
    }
    expect(String(await refusal(Practice.load(game, { ...saved, version: 2 })))).to.equal(
      "InputError: practice: it has version 2 of a practice match, and this program reads version 1: use the newer program that wrote it",
    );
    for (const seat of [0n, 3n]) {
      expect(await refusal(Practice.start(game, { mode: "0x", seat }))).to.be.instanceOf(InputError);
    }
    expect(await refusal(Practice.start(game, { mode: "0xff", seat: Seat.One }))).to.be.instanceOf(InputError);
    expect(await refusal(Practice.start(stockGame("pistols"), { mode: "0x00", seat: Seat.One }))).to.be.instanceOf(
      InputError,
    );
    const fighters = await begun(stockGame("auto-battler"));
    const strong = { ...fighters.save(), characters: [[1, 4, 1, 1, 1, 1, 1, 0]] };
    expect(await refusal(Practice.load(fighters.game, strong))).to.be.instanceOf(InputError);
  });

  it("plays an unpublished mode", async () => {
    const game = stockGame("guardians");
    const mode = game.modeFormat!.encode({ ...game.modeFormat!.decode("0x"), teamSize: 2 });
    const practice = await played(await Practice.start(game, { mode, seat: Seat.One }));
    expect(practice.isOver).to.equal(true);
    expect(practice.terms.mode).to.equal(modeHash(mode));
  });

  it("sends no request to a node", async () => {
    const { _send } = JsonRpcProvider.prototype;
    JsonRpcProvider.prototype._send = async () => expect.fail("a request");
    try {
      for (const game of games.filter(({ demo }) => demo === undefined)) await played(await begun(game));
    } finally {
      JsonRpcProvider.prototype._send = _send;
    }
  });
});

// The scripts that record matches write them as practice does.
describe("The writer of synthetic events", () => {
  it("answers `ownerOf` for a character, but rejects unknown views", async () => {
    const { archive, addresses, players } = new MatchSynthesizer();
    const { provider } = archive;
    expect(await archive.ownedBy(players[1], fighterContract)).to.deep.equal([6n, 7n, 8n, 9n, 10n]);
    expect(await archive.operatorsOf(players[0], addresses.Fighters)).to.deep.equal([]);
    expect(String(await refusal(provider.call({ to: addresses.Arena, data: "0x12345678" })))).to.include("answers");
  });
});
