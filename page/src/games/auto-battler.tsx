import { durationText, percentText } from "duello";
import { autoBattlerStrategy } from "duello/bots";
import {
  decodeMode,
  defaultMode,
  TEAM_SIZE,
  type AutoBattlerFrame,
  type Mode,
  type Tiers,
} from "duello/games/auto-battler";
import { FighterEmblem, fighterOf, fighterWith, type Fighter, type Traits } from "./auto-battler/fighter.tsx";
import { hintAt } from "./auto-battler/hints.ts";
import { orderOf } from "./auto-battler/order.ts";
import type { GameView } from "./game.ts";
import { Course } from "./teams/course.tsx";
import { blowOf } from "./teams/fight.ts";
import type { TeamKind } from "./teams/kind.ts";
import { teamPicker } from "./teams/picker.tsx";
import { fightScene } from "./teams/scene.tsx";

const kind: TeamKind<Mode, Tiers, Fighter> = {
  modeOf: (content) => (content === "0x" ? defaultMode : decodeMode(content)),
  sizeOf: () => TEAM_SIZE,
  traitsOf: (data) => (data as Traits).tiers,
  memberOf: (data, mode) => fighterOf(data as Traits, mode),
  strategy: autoBattlerStrategy(),
  Emblem: FighterEmblem,
  Rules,
  twiceText:
    "A fighter that is committed in two matches may have to rest through the second one, which is lost by the clock then.",
};

/** Describes how fighters fight, with the numbers of the mode. */
function Rules({ mode }: { mode: Mode }) {
  const { rangeFactors, comboFactor, dodgeMaxRandom, comboMaxRandom, cooldownSecs } = mode;
  return (
    <ul class="teams-list">
      <li>Slot by slot, one of each team attacks somebody living of the other team, whom a die chooses.</li>
      <li>Attack above defense hurts by attack² ÷ defense, else by attack. At least 1.</li>
      <li>
        Range counts slots: a target one, two or more slots beyond it takes {rangeFactors.map(percentText).join(", ")}.
        The middle slots reach most.
      </li>
      <li>Speed dodges: a die from 0 to {dodgeMaxRandom}, times the attacker's speed, must not be above the own.</li>
      <li>
        Combo lands if it is at least a die from 0 to {comboMaxRandom}, and does {percentText(comboFactor)}.
      </li>
      <li>
        {cooldownSecs === 0
          ? "Nobody rests after a fight."
          : `All but golden fighters rest for ${durationText(cooldownSecs)} after a fight.`}
      </li>
    </ul>
  );
}

const Scene = fightScene<AutoBattlerFrame, Fighter>({
  teamsOf: ({ teams }) => teams.map((team) => team.map((card) => ({ ...fighterWith(card, card), hp: card.hp }))),
  orderOf,
  notesOf: ({ attack }) => [
    ...(attack?.combo ? ["Combo"] : []),
    ...(attack && attack.rangePenalty > 0
      ? [`${attack.rangePenalty} ${attack.rangePenalty === 1 ? "slot" : "slots"} out of range`]
      : []),
  ],
  isStrong: ({ attack }) => attack?.combo === true,
  Emblem: FighterEmblem,
});

export default { Scene, Course, Picker: teamPicker(kind), blowOf, hintAt } satisfies GameView<AutoBattlerFrame>;
