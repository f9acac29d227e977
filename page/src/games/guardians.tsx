import { guardiansStrategy } from "duello/bots";
import { decodeMode, defaultMode, TYPES, type CardStats, type GuardiansFrame, type Mode } from "duello/games/guardians";
import type { GameView } from "./game.ts";
import { CardEmblem, cardOf, Wheel, type Card } from "./guardians/card.tsx";
import type { FaceTraits } from "./guardians/face.ts";
import { hintAt } from "./guardians/hints.ts";
import { orderOf } from "./guardians/order.ts";
import "./guardians.css";
import { Course } from "./teams/course.tsx";
import { blowOf } from "./teams/fight.ts";
import type { TeamKind } from "./teams/kind.ts";
import { teamPicker } from "./teams/picker.tsx";
import { fightScene } from "./teams/scene.tsx";

const kind: TeamKind<Mode, CardStats, Card> = {
  modeOf: (content) => (content === "0x" ? defaultMode : decodeMode(content)),
  sizeOf: ({ teamSize }) => teamSize,
  traitsOf: (data) => data as CardStats,
  memberOf: (data) => cardOf(data as FaceTraits),
  strategy: guardiansStrategy(),
  groups: { label: "Type", names: TYPES },
  Emblem: CardEmblem,
  Rules,
  twiceText: "Cards never tire: one that is committed in two matches fights in both.",
};

/** Describes how cards fight, with the wheel of types. */
function Rules({ mode, member }: { mode: Mode; member?: Card }) {
  const { dodgeCap, maxTurns } = mode;
  return (
    <div class="guardians-rules">
      <Wheel type={member?.type} />
      <ul class="teams-list">
        <li>A type hurts the one that it beats by 15 % more, and the one that beats it by 15 % less.</li>
        <li>
          The fastest acts first, round after round, and strikes whoever has its own slot, or the next one living.
        </li>
        <li>A hit does power less half of the defense; a critical hit twice that.</li>
        <li>Luck is the chance to dodge, {dodgeCap / 10} % at most.</li>
        <li>After {maxTurns} attacks the side with more hp wins.</li>
      </ul>
    </div>
  );
}

const Scene = fightScene<GuardiansFrame, Card>({
  teamsOf: ({ teams }) =>
    teams.map((team) => team.map((card) => ({ ...cardOf({ ...card, type: TYPES.indexOf(card.type) }), hp: card.hp }))),
  orderOf,
  notesOf: ({ attack, teams }) => {
    if (!attack) return [];
    const typeOf = ({ player, slot }: { player: number; slot: number }) => teams[player - 1][slot].type;
    const [own, other] = [typeOf(attack.attacker), typeOf(attack.defender)];
    const types = {
      attacker: [`${own} beats ${other}: +15 %`],
      defender: [`${other} beats ${own}: −15 %`],
    };
    return [
      ...(attack.critical ? ["Critical: twice the damage"] : []),
      ...(attack.strongType && !attack.dodge ? types[attack.strongType] : []),
    ];
  },
  isStrong: ({ attack }) => attack?.critical === true,
  Emblem: CardEmblem,
});

export default { Scene, Course, Picker: teamPicker(kind), blowOf, hintAt } satisfies GameView<GuardiansFrame>;
