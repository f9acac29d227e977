import { outcomeFor, outcomeText } from "duello";
import type { PistolsFrame } from "duello/games/pistols";
import type { SceneProps } from "../game.ts";
import { fromViewer, subjectOf } from "../shared/grammar.ts";

const FULL_HEALTH = 3;

type Told = Pick<SceneProps<PistolsFrame>, "frame" | "viewer" | "names">;

/** Describes a step of a duel: the choices of both players, a shot or stroke, or the end of the duel. */
export function sentence(told: Told): string {
  const { blow, honour } = told.frame;
  if (honour) return endText(told, honour);
  return blow ? blowText(told, blow) : choiceText(told);
}

function pacesText(count: number): string {
  return count === 1 ? "1 pace" : `${count} paces`;
}

function choiceText({ frame: { blades, paces }, viewer, names }: Told): string {
  const choices = fromViewer(viewer).map((player) => {
    const { does } = subjectOf(player, viewer, names);
    if (!blades) return `${does("walk")} ${pacesText(paces[player - 1])}`;
    const [first, second] = blades[player - 1];
    // Some actions take both moments of a round.
    return `${does("bring")} ${second === "idle" ? first : `${first} and ${second}`}`;
  });
  return choices.join(", ");
}

function blowText({ viewer, names }: Told, blow: NonNullable<PistolsFrame["blow"]>): string {
  const { player, action, points, critical, hit, paces } = blow;
  const { does } = subjectOf(player, viewer, names);
  const isYou = player === viewer;
  const other = subjectOf(3 - player, viewer, names).object;
  if (action === "block") return points === 0 ? `${does("block")} in vain` : `${does("block")} and can stop ${points}`;
  const act =
    action === "shot"
      ? `${does("shoot")} at ${pacesText(paces)}`
      : `${does("strike")} ${action === "light" ? "lightly" : "heavily"}`;
  if (!critical && !hit) return `${act} and ${isYou ? "miss" : "misses"}`;
  if (points === FULL_HEALTH) return `${act} and ${isYou ? "execute" : "executes"} ${other}`;
  return `${act} and ${isYou ? "hit" : "hits"} ${other} for ${points}`;
}

function endText({ frame: { result, text }, viewer, names }: Told, honour: readonly [number, number]): string {
  if (!result) return text;
  const seat = viewer === 0 ? result.winner || 1 : viewer;
  const [name, other] = seat === 1 ? names : names.toReversed();
  const outcome = outcomeFor({ winner: BigInt(result.winner), taker: BigInt(result.taker) }, BigInt(seat));
  const end = outcomeText(outcome, viewer === 0 ? { name, other } : undefined);
  const honours = names.map(
    (each, side) => `${side + 1 === viewer ? "your honour" : `${each}'s honour`} ${honour[side]}`,
  );
  return `${end} In this duel: ${honours.join(", ")}.`;
}
