import { expect } from "chai";
import { encodeAction } from "../sdk/games/warmancer/actions.js";
import { QUICK, type Mode } from "../sdk/games/warmancer/mode.js";
import { STUCK } from "../sdk/games/warmancer/moves.js";
import { KINDS, PHASES, phaseOf, verdictOf } from "../sdk/games/warmancer/phases.js";
import { Phase } from "../sdk/games/warmancer/position.js";
import { act, Kind } from "../sdk/games/warmancer/protocol.js";
import { encodeSetup } from "../sdk/games/warmancer/setup.js";
import type { Hex } from "../sdk/seal.js";
import { Random } from "./laws/random.js";
import { Campaign } from "./warmancer-support.js";

const MODES: Mode[] = [false, true].flatMap((casual) =>
  [false, true].flatMap((sequential) => [3, 50].map((maxTurns) => ({ ...QUICK, casual, sequential, maxTurns }))),
);

/** The body of an action of any kind, in order if that is due. */
function bodyOf(campaign: Campaign, kind: number): Hex {
  const { setups, random, side } = campaign;
  if (campaign.over) return "0x";
  if (kind === Kind.Setup) return encodeSetup(setups[side]);
  if (kind === Kind.Concede) return campaign.concession();
  return kind === campaign.due() ? campaign.body(kind) : random.note(random.below(40));
}

/** Whether an action ends the game in such a way that its sender is the first to show its setup. */
function endsWell({ match, state }: Campaign, action: Hex): boolean {
  const { step, state: next } = act(match, state, state.turn, action);
  return step.turn === state.turn && next.position!.phase >= Phase.Won;
}

/** A row for each cell of the table, as one can be told from another. */
function* cells() {
  for (const kind of KINDS.keys()) {
    for (const riding of [false, true]) yield { kind, riding, cell: `${KINDS[kind]}${riding ? " with a setup" : ""}` };
  }
}

describe("Warmancer's phases", () => {
  const seen = new Set<string>();

  function walk(campaign: Campaign): void {
    const { state, position, setups, side } = campaign;
    const phase = phaseOf({ ...state, position });
    for (const { kind, riding, cell } of cells()) {
      const body = bodyOf(campaign, kind);
      const plain = encodeAction(kind, position, body);
      const action = riding ? encodeAction(kind, position, body, setups[Math.max(side, 0)]) : plain;
      const ends = riding && kind !== Kind.Setup && !campaign.refusal(plain) && endsWell(campaign, plain);
      const told = campaign.refusal(action)?.error ?? "taken";
      expect(told, `${phase}: ${cell}`).to.equal(verdictOf(phase, kind, riding, ends));
      seen.add(`${phase}: ${cell}: ${told}`);
    }
  }

  it("take each kind of action, with and without a setup, as their table says", () => {
    for (let n = 0; n < 120; n++) {
      const random = new Random(`phases ${n}`);
      const campaign = Campaign.of(MODES[n % MODES.length], random, (moves) =>
        random.below(8) ? random.pick(moves) : STUCK,
      );
      campaign.start();
      for (walk(campaign); !campaign.over; walk(campaign)) {
        const concession = encodeAction(Kind.Concede, campaign.position, campaign.concession());
        if (random.below(16) || campaign.refusal(concession)) campaign.step();
        else campaign.send(campaign.state.turn, concession);
      }
    }
    for (const phase of PHASES) {
      for (const { kind, riding, cell } of cells()) {
        for (const ends of [false, true]) {
          expect([...seen]).to.include(`${phase}: ${cell}: ${verdictOf(phase, kind, riding, ends)}`);
        }
      }
    }
  });
});
