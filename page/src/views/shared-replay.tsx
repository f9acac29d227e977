import { id } from "ethers";
import { modeNamed, mismatchText, replay } from "duello";
import { decodeRecord } from "duello/practice";
import { load } from "../catalogue.ts";
import { viewOfGame } from "../games/game.ts";
import { OwnGameNotice } from "../parts/own-game.tsx";
import { Problem } from "../parts/problem.tsx";
import { endingBySettlement } from "../parts/result.tsx";
import { Stage } from "../parts/stage.tsx";
import { gameCalled, gameTitle } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { route } from "../router.ts";
import { framesOf, toldFrames } from "../store/frames.ts";

/** A link does not contain the names of the players. */
const NAMES = ["First player", "Second player"] as const;

/** A match from a link: replayed here, and not compared with any chain. */
export default function SharedReplay() {
  const [text = ""] = route.value.args;
  const { value, error } = useLoaded(() => open(text), [text]);
  useTitle("Replay");
  if (error !== undefined)
    return <Problem title="This link holds no match">It may have been cut off when it was copied.</Problem>;
  if (!value) return <p class="muted loading">Replaying …</p>;
  const { game, view, frames, title, mismatch, ending, players } = value;
  return (
    <div class="stack">
      <div class="row apart">
        <h1>{title}</h1>
        <span class="tag">Not compared with a chain</span>
      </div>
      <OwnGameNotice name={game.name} title={game.title} />
      {mismatch !== undefined && <p class="notice bad">The link does not fit together: {mismatch}</p>}
      <Stage
        key={text}
        view={view}
        frames={frames}
        viewer={0}
        names={NAMES}
        players={players}
        pictureOf={async () => undefined}
        seenKey={id(text)}
        ending={ending}
      >
        {() => (
          <p class="card">
            This match came inside the link. The engines of this page have replayed it from both players' moves; whether
            it was ever played on a chain, nobody says.
          </p>
        )}
      </Stage>
    </div>
  );
}

async function open(text: string) {
  const { game, archive, matchId } = await decodeRecord(text, load);
  const record = await archive.match(matchId);
  const view = await viewOfGame(game.name);
  const [drawn, checked] = await Promise.all([framesOf(game, view, record, archive), replay(archive, [game], matchId)]);
  const facts = gameCalled(game.name)!;
  const { settlement, terms, player1, player2 } = record;
  const frames = toldFrames(drawn, view, 0, NAMES);
  return {
    ending: settlement && endingBySettlement(settlement, terms, { viewer: 0, names: NAMES, frames }),
    players: [player1, player2],
    view,
    frames,
    game,
    title: gameTitle(facts, modeNamed(facts, terms.mode)),
    mismatch: checked.mismatch && mismatchText(checked.mismatch),
  };
}
