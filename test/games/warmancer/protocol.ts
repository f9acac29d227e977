import { expect } from "chai";
import { AbiCoder, concat, dataLength, dataSlice, keccak256, toBeHex, toNumber, ZeroHash } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { legalMoves, STUCK } from "../../../sdk/games/warmancer/legal-moves.js";
import {
  copyOf,
  decodePosition,
  encodePosition,
  Phase,
  positionLength,
} from "../../../sdk/games/warmancer/position.js";
import { act } from "../../../sdk/games/warmancer/act.js";
import { create, join } from "../../../sdk/games/warmancer/create-join.js";
import { Kind, stateHashIn, type State } from "../../../sdk/games/warmancer/state.js";
import { encodeSetup, rootOf } from "../../../sdk/games/warmancer/setup.js";
import { simulateWarmancer } from "../../../sdk/games/warmancer/simulate.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import { Random } from "../../../sdk/laws/random.js";
import { EngineDriver, expectContractError, type Sent } from "../../support/warmancer.js";

const MODES: Record<string, Mode> = {
  quick: QUICK,
  skirmish: SKIRMISH,
  "always hidden": { ...SKIRMISH, alwaysHidden: true },
  sequential: { ...SKIRMISH, sequential: true },
  "sequential and always hidden": { ...QUICK, sequential: true, alwaysHidden: true },
  casual: { ...QUICK, casual: true },
  "casual and sequential": { ...QUICK, casual: true, sequential: true },
  bought: { ...QUICK, budget: 40 },
  "of few turns": { ...QUICK, maxTurns: 3 },
};

/** Returns the state hash by the page's formula. */
function naiveStateHash({ turn, round, state, commitment, answer }: State): Hex {
  if (turn === Seat.None) return ZeroHash;
  const types = ["uint256", "bytes32", "bytes32", "bytes32"];
  const values = [round, state, commitment, answer === undefined ? ZeroHash : keccak256(answer)];
  return keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
}

type Entry = [number, number] | "stuck";

function entryOf(move: Hex): Entry {
  return toNumber(move) === STUCK ? "stuck" : [toNumber(dataSlice(move, 0, 1)), toNumber(dataSlice(move, 1))];
}

/** Returns the turns of a match in the format of a simulation, from its reveals and a reply to Stuck. */
function turnsOf(sent: readonly Sent[]): Entry[][] {
  return sent.slice(2).flatMap(({ seat, data }) => {
    const kind = toNumber(dataSlice(data, 0, 1)) % 0x80;
    const body = 1 + positionLength(toNumber(dataSlice(data, 59, 60)));
    const at = kind === Kind.Reveal ? 32 : 0;
    if (kind !== Kind.Reveal && kind !== Kind.Move) return [];
    const own = entryOf(dataSlice(data, body + at, body + at + 2));
    const others = kind === Kind.Reveal ? entryOf(dataSlice(data, body + at + 2, body + at + 4)) : "stuck";
    return [seat === Seat.One ? [own, others] : [others, own]];
  });
}

const playoutOf = (mode: Mode, seed: string) => EngineDriver.of(mode, new Random(seed)).start();

describe("Warmancer: matches", () => {
  for (const [name, mode] of Object.entries(MODES)) {
    it(`run from creation to the last setup: ${name}`, () => {
      for (let n = 0; n < 8; n++) {
        const driver = EngineDriver.of(mode, new Random(`${name} ${n}`));
        driver.rides = n % 2 === 1;
        const { sent, match } = driver.start().play();
        const logs = sent.flatMap(({ outcome }) => outcome.logs);
        expect(logs.map(({ round }) => Number(round))).to.deep.equal(logs.map((_, i) => i + 1));
        for (const [i, { seat, outcome }] of sent.entries()) {
          const { state, step } = outcome;
          if (i > 0) expect(seat).to.equal(sent[i - 1].outcome.step.turn);
          expect(stateHashIn(state)).to.equal(naiveStateHash(state));
          const winner = i === sent.length - 1 ? state.winner : Seat.None;
          expect(step).to.deep.equal({ turn: state.turn, winner, taker: winner });
          if (i < 1) continue;
          const bytes = encodePosition(state.position!);
          expect(dataLength(bytes)).to.equal(positionLength(match.mode.army.reduce((sum, count) => sum + count)));
          expect(encodePosition(decodePosition(bytes))).to.equal(bytes);
          if (state.turn !== Seat.None) expect(state.state).to.equal(keccak256(bytes));
        }
      }
    });
  }

  it("reach the same result as a simulation of the same moves", async () => {
    for (const mode of [QUICK, SKIRMISH, MODES["always hidden"], MODES["of few turns"]]) {
      for (let n = 0; n < 6; n++) {
        const { sent, setups, state } = playoutOf(mode, `same ${n}`).play();
        const { passable, setup1, setup2, army, alwaysHidden, maxTurns } = mode;
        const masks = Object.entries({ passable, setup1, setup2 }).map(([key, mask]) => [key, toBeHex(mask, 32)]);
        const board = { ...(Object.fromEntries(masks) as object), army };
        const ranks = setups.map((setup) => setup.ranks);
        const turns = turnsOf(sent);
        const simulated = await simulateWarmancer({ board, mode: { alwaysHidden, maxTurns }, setups: ranks, turns });
        const words = sent.flatMap(({ outcome }) => outcome.logs.flatMap((log) => log.entries.map(hexWord)));
        expect(simulated).to.deep.include({ winner: Number(state.winner), words });
      }
    }
  });
});

describe("Warmancer: refusals", () => {
  const MATCH = 7n;

  it("refuses roots of zero, other lengths, rated casual matches and wrong armies", () => {
    const { match, sent } = playoutOf(QUICK, "begin");
    const root = dataSlice(sent[0].data, 0, 32);
    expectContractError(() => create(match, ZeroHash), "ZeroRoot");
    expectContractError(() => create(match, dataSlice(root, 1)), "WrongLength", 31, 32, 128);
    expectContractError(() => create(match, concat([root, new Uint8Array(97)])), "WrongLength", 129, 32, 128);
    const { state } = create(match, root);
    expectContractError(() => join(match, state, concat([root, ZeroHash])), "ZeroRoot");
    expectContractError(() => join(match, state, root), "WrongLength", 32, 64, 160);
    expectContractError(
      () => join(match, state, concat([root, root, new Uint8Array(97)])),
      "WrongLength",
      161,
      64,
      160,
    );
    const other = naiveStateHash({ ...state, state: keccak256(root) });
    expectContractError(
      () => join(match, state, concat([keccak256(root), ZeroHash])),
      "WrongRound",
      MATCH,
      other,
      stateHashIn(state),
    );

    const casual = { ...match, rated: false, mode: MODES.casual };
    expectContractError(() => create({ ...casual, rated: true }, "0x"), "CasualIsUnrated");
    expectContractError(() => create(casual, "0x00020a"), "WrongLength", 3, 4, 4);
    expectContractError(() => create(casual, "0x00020c04"), "UnknownRank", 2, 12);
    expectContractError(() => create(casual, "0x00020a0a"), "WrongArmy", 4, 0, 1, 1);
    const offered = create(casual, "0x00020a04").state;
    expectContractError(() => join(casual, offered, "0x00020a04000204"), "WrongLength", 7, 8, 8);
    expectContractError(() => join(casual, offered, "0x00020a0400020404"), "WrongArmy", 4, 2, 1, 1);
    const error = naiveStateHash({ ...offered, state: keccak256("0x000a0204") });
    expectContractError(
      () => join(casual, offered, "0x000a020400020404"),
      "WrongRound",
      MATCH,
      error,
      stateHashIn(offered),
    );
    expect(join(casual, offered, "0x00020a0400020a04").step.turn).to.equal(Seat.One);
  });

  it("refuses actions out of turn, and every action once a match is over", () => {
    const driver = playoutOf(MODES.casual, "over");
    const [one, two] = driver.match.players;
    expectContractError(() => act(driver.match, driver.state, Seat.Two, "0x"), "NotYourTurn", MATCH, one, two);
    driver.play();
    const status = [Status.Draw, Status.P1Win, Status.P2Win][Number(driver.state.winner)];
    expectContractError(() => act(driver.match, driver.state, Seat.One, "0x"), "WrongStatus", MATCH, status);
  });

  it("refuses actions that are too short for their position", () => {
    const { match, state, position } = playoutOf(QUICK, "short");
    const any = 2n ** 256n - 1n;
    const action = encodeAction(Kind.Commit, position, "0x");
    expectContractError(() => act(match, state, Seat.One, "0x"), "WrongLength", 0, 1, any);
    expectContractError(() => act(match, state, Seat.One, dataSlice(action, 0, 59)), "WrongLength", 59, 60, any);
    expectContractError(
      () => act(match, state, Seat.One, dataSlice(action, 0, 60)),
      "WrongLength",
      60,
      1 + positionLength(4),
      any,
    );
    expectContractError(() => act(match, state, Seat.One, action), "WrongLength", 0, 32, 128);
  });

  it("refuses positions, commitments and answers that differ from those of the match", () => {
    const driver = playoutOf(QUICK, "another");
    for (const phase of [Phase.Commit, Phase.Round, Phase.Round]) {
      const { match, position, state } = driver;
      expect(position.phase).to.equal(phase);
      const kind = driver.due();
      const body = driver.body(kind);
      const other = copyOf(position);
      other.sides[0].moved[0] ^= 1;
      const wrong = [encodeAction(kind, other, body), encodeAction(Kind.Concede, other, driver.concession())];
      if (kind === Kind.Answer)
        wrong.push(encodeAction(kind, position, concat([keccak256(body), dataSlice(body, 32)])));
      if (kind === Kind.Reveal) {
        wrong.push(encodeAction(kind, position, concat([keccak256(body), dataSlice(body, 32)])));
        wrong.push(encodeAction(kind, position, concat([dataSlice(body, 0, 34), "0xffff", dataSlice(body, 36)])));
        const concession = concat([state.commitment, "0xffff"]);
        wrong.push(encodeAction(Kind.Concede, position, concession));
        expectContractError(
          () => act(match, state, state.turn, encodeAction(kind, position, concat([ZeroHash, dataSlice(body, 32)]))),
          "ZeroSalt",
        );
      }
      for (const action of wrong) expect(driver.refusal(action)?.error).to.equal("WrongRound");
      if (kind === Kind.Answer) {
        const uncommitted = encodeAction(kind, position, concat([ZeroHash, dataSlice(body, 32)]));
        expectContractError(() => act(match, state, state.turn, uncommitted), "ZeroCommitment");
      }
      driver.step();
    }
  });

  it("refuses an illegal move in any action, and a committed Stuck", () => {
    const driver = playoutOf(QUICK, "illegal");
    const error = (kind: number, body: Hex) => driver.refusal(encodeAction(kind, driver.position, body))?.error;
    driver.step();
    expect(error(Kind.Answer, concat([driver.state.commitment, "0x0000"]))).to.equal("NoOwnPawn");
    driver.step();
    for (const committed of [0xffff, 0x0000, 0x0110]) {
      const cheat = playoutOf(QUICK, "illegal");
      const { salt, body } = cheat.commitmentOf(committed);
      cheat.send(Seat.One, encodeAction(Kind.Commit, cheat.position, body));
      cheat.step();
      const reveal = concat([salt, toBeHex(committed, 2), cheat.state.answer!]);
      const refusal = cheat.refusal(encodeAction(Kind.Reveal, cheat.position, reveal));
      expect(refusal?.error).to.equal(
        { [0xffff]: "NoOwnPawn", [0]: "OwnPawnThere", [0x0110]: "OwnPawnThere" }[committed] ?? "",
      );
    }
    for (const mode of [MODES.sequential, MODES.casual]) {
      const open = playoutOf(mode, "illegal");
      expect(open.refusal(encodeAction(Kind.Move, open.position, "0x5050"))?.error).to.equal("NoOwnPawn");
    }
  });

  it("rejects setups that differ from the commitment, sent alone or with another action", () => {
    for (const rides of [false, true]) {
      const driver = EngineDriver.of(QUICK, new Random("setups"), () => STUCK).start();
      driver.step();
      expect(driver.position.phase).to.equal(Phase.Reply);
      const { position, setups, match, state } = driver;
      const wrong = { ...setups[1], secret: setups[0].secret };
      const move = toBeHex(
        legalMoves(
          position,
          1,
          Uint8Array.from(setups[1].ranks, (rank) => rank + 1),
        )[0],
        2,
      );
      const roots = [rootOf(match.players[1], wrong), rootOf(match.players[1], setups[1])];
      if (rides) {
        expectContractError(
          () => act(match, state, Seat.Two, encodeAction(Kind.Move, position, move, wrong)),
          "WrongSetup",
          ...roots,
        );
        driver.send(Seat.Two, encodeAction(Kind.Move, position, move, setups[1]));
      } else {
        driver.send(Seat.Two, encodeAction(Kind.Move, position, move));
        const action = encodeAction(Kind.Setup, driver.position, encodeSetup(wrong));
        expectContractError(() => act(match, driver.state, Seat.Two, action), "WrongSetup", ...roots);
        driver.step();
      }
      expect(driver.state).to.deep.include({ turn: Seat.None, winner: Seat.Two });
    }
  });

  it("rejects extra data after the proofs if the opponent must prove next, and extra data before a Stuck", () => {
    let found = 0;
    for (let n = 0; n < 40; n++) {
      const driver = playoutOf(QUICK, `tail ${n}`);
      while (!driver.over && driver.position.phase !== Phase.Prove) {
        const { seat, data } = driver.next();
        const longer = driver.refusal(concat([data, new Uint8Array(32)]))?.values;
        driver.send(seat, data);
        if (driver.position.phase !== Phase.Prove) continue;
        found++;
        expect(longer).to.deep.equal({ length: 32, min: 0, max: 0 });
      }
    }
    expect(found).to.be.above(20);
    const { match, state, position } = playoutOf(MODES.sequential, "stuck");
    const stuck = encodeAction(Kind.Move, position, concat([new Uint8Array(226), "0xffff"]));
    expectContractError(() => act(match, state, Seat.One, stuck), "WrongLength", 228, 2, 2);
    const long = encodeAction(Kind.Move, position, concat([new Uint8Array(227), "0xffff"]));
    expectContractError(() => act(match, state, Seat.One, long), "WrongLength", 229, 2, 228);
  });
});

describe("Warmancer: stuck players", () => {
  const over = (driver: EngineDriver) => {
    const { outcome } = driver.sent.at(-1)!;
    return { logs: outcome.logs, turn: outcome.step.turn, phase: driver.position.phase };
  };
  const result = (winner: bigint, round = 1n) => [{ round, entries: [5n | (winner << 30n) | (round << 32n)] }];

  it("lose to an opponent who shows a legal move, in every phase that allows Stuck", () => {
    for (const mode of [QUICK, MODES.sequential, MODES.casual]) {
      const driver = EngineDriver.of(mode, new Random("stuck"), (moves, _, side) =>
        side === 0 ? STUCK : moves[0],
      ).start();
      driver.play(2);
      const [turn, phase] = mode.casual ? [Seat.None, Phase.Reply] : [Seat.Two, Phase.Won];
      expect(over(driver)).to.deep.equal({ logs: result(2n), turn, phase });
    }
    for (const mode of [QUICK, MODES.casual]) {
      const driver = EngineDriver.of(mode, new Random("stuck"), (moves, _, side) =>
        side === 1 ? STUCK : moves[0],
      ).start();
      driver.play(mode.casual ? 2 : 3);
      const [turn, phase] = mode.casual ? [Seat.None, Phase.Move] : [Seat.One, Phase.Won];
      expect(over(driver)).to.deep.equal({ logs: result(1n), turn, phase });
    }
  });

  it("draw if both are stuck", () => {
    for (const mode of [QUICK, MODES.sequential, MODES.casual]) {
      const driver = EngineDriver.of(mode, new Random("stuck"), () => STUCK)
        .start()
        .play(2);
      const [turn, phase] = mode.casual ? [Seat.None, Phase.Reply] : [Seat.One, Phase.Drawn];
      expect(over(driver)).to.deep.equal({ logs: result(0n), turn, phase });
    }
  });
});
