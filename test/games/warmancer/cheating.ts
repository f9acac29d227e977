import { expect } from "chai";
import { hexlify, concat, dataSlice, keccak256, toBeHex, ZeroHash } from "ethers";
import { QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { readSetup } from "../../../sdk/games/warmancer/notation.js";
import { Kind } from "../../../sdk/games/warmancer/state.js";
import { TRAP, WARLORD } from "../../../sdk/games/warmancer/ranks.js";
import {
  encodeProof,
  encodeSetup,
  leafOf,
  leafSaltOf,
  proofOf,
  rootOf,
  type Setup,
} from "../../../sdk/games/warmancer/setup.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat, Status, time } from "../../support/index.js";
import { Contest, WIDER } from "../../support/warmancer/contest.js";
import { outcomeOf } from "../../support/refusals.js";

const { One, Two } = Seat;
/** Turns in which the pawns from b1 and e1 fight in turn 2. The reveal of that turn is the fifth action. */
const TURNS = ["b1-c1 e1-d1", "c1-d1 d1-c1", "b2-c2 e2-d2", "c2-d2 d2-c2"];
const TO_THE_FIRST_ANSWER = 1;
const TO_THE_SECOND_ANSWER = 3;
const TO_THE_REVEAL = 4;
const TO_THE_PROOF = 5;
/** Slot of the pawn on b1. */
const FIGHTER = 1;
const NOTHING = "0x";

/** Levels of the tree over 64 leaves, from the leaves to the root. */
function treeOver(leaves: readonly Hex[]): Hex[][] {
  const levels = [[...leaves]];
  while (levels[0].length > 1) {
    const below = levels[0];
    levels.unshift(below.flatMap((left, i) => (i % 2 === 0 ? [keccak256(concat([left, below[i + 1]]))] : [])));
  }
  return levels.reverse();
}

/** Returns the levels of a setup's tree that has a second rank for a slot, in a leaf that belongs to no slot. */
function planted(player: string, { secret, ranks }: Setup, slot: number, rank: number, place: number): Hex[][] {
  const leaf = (at: number, each: number) => hexlify(leafOf(player, at, each, leafSaltOf(secret, at)));
  const leaves = Array.from({ length: 64 }, (_, at) => (at < ranks.length ? leaf(at, ranks[at]) : ZeroHash));
  return treeOver(leaves.with(place, leaf(slot, rank)));
}

/** Returns the body of a reveal, or of an action that only proves, with these proofs. */
function withProofs({ driver }: Contest, kind: number, proofs: Hex): Hex {
  return concat([driver.fight(kind).head, proofs]);
}

/**
 * Lets the other player concede, so that the cheater must show its setup. Expects the setup to be refused, and the
 * cheater to lose.
 */
async function expectUnmasked(contest: Contest, error: string, setup = contest.driver.setups[0]): Promise<void> {
  await contest.send(contest.action(Kind.Concede, contest.driver.concession()));
  await contest.expectRefused(contest.action(Kind.Setup, encodeSetup(setup)), error);
  await contest.expectLostByTheClock(One);
}

describe("Warmancer: cheating", () => {
  it("given a rank in the wrong place of the committed tree, the rank cannot be proved, and the setup is refused", async () => {
    const [rank, place] = [WARLORD, 5];
    const plant = (player: string, setup: Setup) => planted(player, setup, FIGHTER, rank, place);
    const contest = await Contest.open({
      setups: ["TG/SL", "LT/GS"],
      turns: TURNS,
      roots: ([player], [setup]) => [plant(player, setup)[6][0]],
    });
    const { driver } = await contest.play(TO_THE_REVEAL);
    const setup = driver.setups[0];
    const tree = plant(driver.match.players[0], setup);
    const proof = (shown: number, at: number) => {
      const siblings = tree.slice(0, 6).map((level, depth) => level[(at >> depth) ^ 1]);
      return encodeProof({ slot: FIGHTER, rank: shown, salt: leafSaltOf(setup.secret, FIGHTER), siblings });
    };
    const reveal = (bytes: Hex) => contest.action(Kind.Reveal, withProofs(contest, Kind.Reveal, bytes));
    await contest.expectRefused(reveal(proof(rank, place)), "WrongProof");
    await contest.expectRefused(reveal(proof(rank, FIGHTER)), "WrongProof");
    await contest.expectRefused(reveal(concat([toBeHex(place, 1), dataSlice(proof(rank, place), 1)])), "ProofNotDue");
    await contest.send(reveal(proof(setup.ranks[FIGHTER], FIGHTER)));
    await expectUnmasked(contest, "WrongSetup");
  });

  it("a proof for another slot is refused under that slot and under the expected slot", async () => {
    const contest = await Contest.open({ turns: TURNS });
    const { match, setups } = (await contest.play(TO_THE_REVEAL)).driver;
    const other = proofOf(match.players[0], setups[0], 3);
    for (const [slot, error] of [
      [3, "ProofNotDue"],
      [FIGHTER, "WrongProof"],
    ] as const) {
      const proofs = encodeProof({ ...other, slot });
      await contest.expectRefused(contest.action(Kind.Reveal, withProofs(contest, Kind.Reveal, proofs)), error);
    }
    await contest.expectLostByTheClock(One);
  });

  it("given two pawns of a rank that allows one, the second cannot be proved, in a later battle or in the same turn", async () => {
    const later = await Contest.open({ setups: ["TL/SL", "LT/GS"], turns: TURNS });
    await later.play(TO_THE_PROOF + 5);
    const proofs = (contest: Contest, kind: number) =>
      withProofs(contest, kind, contest.driver.proofs(contest.driver.fight(kind).due));
    await later.expectRefused(later.action(Kind.Prove, proofs(later, Kind.Prove)), "TooManyOfRank");
    await later.expectLostByTheClock(One);
    const atOnce = await Contest.open({ mode: QUICK, setups: ["TL/SL", "TS/LG"], turns: ["b1-c1 c2-b2"] });
    await atOnce.play(2);
    expect(atOnce.driver.fight(Kind.Reveal).due).to.deep.equal([1, 3]);
    await atOnce.expectRefused(atOnce.action(Kind.Reveal, proofs(atOnce, Kind.Reveal)), "TooManyOfRank");
    await atOnce.expectLostByTheClock(One);
  });

  for (const [what, setup, first, error] of [
    ["a moved Trap", "TX/SL", "b1-c1 e1-d1", "RankCannotMove"],
    ["a far-moving Grunt", "TG/SL", "b1-c1 e1-d1", "RankCannotMoveFar"],
  ] as const) {
    const army = WIDER.army.map((count, rank) => (rank === TRAP || count > 0 ? 1 : 0));
    const mode: Mode = { ...WIDER, army: setup.includes("X") ? army.with(4, 0) : WIDER.army };
    const turns = error === "RankCannotMove" ? [first, TURNS[1]] : ["b1-d1 e2-d2", "d1-e1 e1-d1"];

    it(`given ${what}, its rank cannot be proved`, async () => {
      const contest = await Contest.open({ mode, setups: [setup, "LT/SG"], turns });
      const { driver } = await contest.play(TO_THE_REVEAL);
      const proofs = withProofs(contest, Kind.Reveal, driver.proofs([FIGHTER]));
      await contest.expectRefused(contest.action(Kind.Reveal, proofs), error);
      await contest.expectLostByTheClock(One);
    });

    it(`given ${what}, the player's setup is refused, so the opponent wins`, async () => {
      const contest = await Contest.open({ mode, setups: [setup, "LT/SG"], turns });
      await expectUnmasked(await contest.play(TO_THE_SECOND_ANSWER), error);
    });
  }

  it("given no Throne, the setup is not a legal army, and no other setup matches the commitment", async () => {
    const contest = await Contest.open({ setups: ["LG/SL", "LT/GS"], turns: TURNS });
    const [{ secret }] = (await contest.play(TO_THE_FIRST_ANSWER)).driver.setups;
    await expectUnmasked(contest, "WrongArmy");
    const liar = await Contest.open({ setups: ["LG/SL", "LT/GS"], turns: TURNS });
    await expectUnmasked(await liar.play(TO_THE_FIRST_ANSWER), "WrongSetup", { secret, ranks: readSetup(["TG/SL"]) });
  });

  it("an unaffordable army is refused at the end, or immediately in a casual match", async () => {
    const mode = { ...WIDER, budget: 20 };
    const contest = await Contest.open({ mode, setups: ["TL/LL", "LT/GS"], turns: TURNS });
    await expectUnmasked(await contest.play(TO_THE_FIRST_ANSWER), "OverBudget");
    const { world, terms } = await Contest.open({ mode: { ...mode, casual: true }, turns: TURNS });
    const ranks = concat([new Uint8Array(readSetup(["TL/LL"]))]);
    const sent = world.arena.connect(world.alice).create(terms, world.bob, (await time.latest()) + 3600, ranks);
    expect(await outcomeOf(world, sent)).to.equal("OverBudget(30, 20)");
  });

  it("given a withheld proof, the turn waits for it, and the clock ends the match", async () => {
    const contest = await Contest.open({ turns: TURNS });
    const { driver } = await contest.play(TO_THE_PROOF);
    await contest.expectRefused(contest.action(Kind.Prove, driver.commitmentOf(TO_THE_PROOF).body), "WrongLength");
    await contest.expectRefused(contest.action(Kind.Prove, NOTHING, driver.setups[1]), "WrongLength");
    await contest.expectLostByTheClock(Two);
  });

  it("given a withheld reveal, no other move can be revealed, and the clock ends the match", async () => {
    const contest = await Contest.open({ turns: TURNS });
    const { driver } = await contest.play(2);
    const { head } = driver.fight(Kind.Reveal);
    const other = concat([dataSlice(head, 0, 32), "0x1112", dataSlice(head, 34), driver.commitmentOf(1).body]);
    await contest.expectRefused(contest.action(Kind.Reveal, other), "WrongRound");
    await contest.expectLostByTheClock(One);
  });

  it("a second answer is refused, both in the opponent's turn and later", async () => {
    const contest = await Contest.open({ turns: TURNS });
    const { driver } = await contest.play(2);
    const answer = driver.sent[3].data;
    await contest.expectRefusedOutOfTurn(Two, answer);
    await contest.expectRefusedOutOfTurn(Two, concat([dataSlice(answer, 0, -2), "0x1413"]));
    await contest.play(TO_THE_PROOF - 2);
    await contest.expectRefused(driver.sent[5].data, "WrongRound");
    await contest.expectRefused(contest.action(Kind.Answer, concat([ZeroHash, "0x1413"])), "NotDue");
  });

  it("an answer out of turn is refused, both before the commitment and if the committing player sends it", async () => {
    const contest = await Contest.open({ turns: TURNS });
    const { driver } = contest;
    await contest.expectRefusedOutOfTurn(Two, contest.action(Kind.Answer, concat([ZeroHash, "0x0403"])));
    await contest.expectRefused(contest.action(Kind.Answer, concat([ZeroHash, "0x0102"])), "NotDue");
    await contest.play(1);
    await contest.expectRefusedOutOfTurn(One, contest.action(Kind.Answer, concat([driver.state.commitment, "0x0102"])));
    await contest.play(1);
    await contest.expectRefused(contest.action(Kind.Answer, concat([driver.state.commitment, "0x0102"])), "NotDue");
  });

  for (const [what, mode, turn, actions, status] of [
    ["sent in place of a commitment", WIDER, "stuck e1-d1", 3, Status.P2Win],
    ["sent in place of an answer", WIDER, "b1-c1 stuck", 4, Status.P1Win],
    ["sent first in a casual match", { ...WIDER, casual: true }, "stuck e1-d1", 2, Status.P2Win],
    ["sent second in a casual match", { ...WIDER, casual: true }, "b1-c1 stuck", 2, Status.P1Win],
    ["sent in a sequential match", { ...WIDER, sequential: true }, "stuck e1-d1", 3, Status.P2Win],
  ] as const) {
    it(`a false Stuck, ${what}, lets the opponent win with any legal move`, async () => {
      const contest = await Contest.open({ mode, turns: [turn] });
      await contest.play(actions);
      await contest.expectStatus(status);
    });
  }

  it("a copied root is useless: its leaves belong to another player, so no proof or setup matches it", async () => {
    const roots = ([player]: readonly string[], [setup]: readonly Setup[]) => {
      const root = rootOf(player, setup);
      return [root, root];
    };
    const turns = ["b2-c2 e2-d2", "c2-b2 f2-e2", "b2-c2 d2-d1", "c2-d2 e2-d2"];
    const plot = { setups: ["TL/SG", "TL/SG"], turns, roots } as const;
    const contest = await Contest.open(plot);
    const { match, setups } = (await contest.play(1 + 2 * turns.length)).driver;
    for (const setup of setups) {
      for (const player of match.players) {
        const proof = encodeProof(proofOf(player, setup, 3));
        await contest.expectRefused(contest.action(Kind.Prove, proof), "WrongProof");
      }
    }
    await contest.expectLostByTheClock(Two);
    const doubted = await Contest.open(plot);
    await doubted.send(doubted.action(Kind.Concede, NOTHING));
    for (const setup of setups)
      await doubted.expectRefused(doubted.action(Kind.Setup, encodeSetup(setup)), "WrongSetup");
    await doubted.expectLostByTheClock(Two);
  });
});
