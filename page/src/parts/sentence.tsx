import { markOf } from "duello";
import type { JSX } from "preact";
import { PlayerMark } from "./player-name.tsx";

/** First of the circled digits with which stories number the places of a team. */
const CIRCLED_ONE = "①".codePointAt(0)!;
const CIRCLED_LAST = "⑳".codePointAt(0)!;

/** Shows a sentence of a story, with the page's player marks instead of the terminal's. */
export function Sentence({ text }: { text: string }) {
  const shown: (string | JSX.Element)[] = [];
  for (const sign of text) {
    const player = ([1, 2] as const).find((each) => markOf(each) === sign);
    const code = sign.codePointAt(0)!;
    if (player !== undefined) shown.push(<PlayerMark key={shown.length} player={player} />, " ");
    else if (code >= CIRCLED_ONE && code <= CIRCLED_LAST)
      shown.push(<sub key={shown.length}>{code - CIRCLED_ONE + 1}</sub>);
    else if (typeof shown.at(-1) === "string") shown[shown.length - 1] = `${shown.at(-1) as string}${sign}`;
    else shown.push(sign);
  }
  return <span>{shown}</span>;
}
