import { decodeRecord, replay, mismatchText } from "duello";
import { viewOfGame } from "../games/game.ts";
import { Problem } from "../parts/problem.tsx";
import { Stage } from "../parts/stage.tsx";
import { gameTitle } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { route } from "../router.ts";
import { load } from "duello/catalogue";
import { modeNameOf } from "../store/present.ts";
import { gameCalled } from "../parts/text.ts";

/** A match that a link holds: replayed here, and compared with no chain. */
export default function SharedReplay() {
  const [text = ""] = route.value.args;
  const { value, error } = useLoaded(() => open(text), [text]);
  useTitle("Replay");
  if (error !== undefined) return <Problem title="This link holds no match">It may have been cut off when it was copied.</Problem>;
  if (!value) return <p class="muted loading">Replaying …</p>;
  const { view, frames, title, mismatch } = value;
  return (
    <div class="stack">
      <div class="row apart">
        <h1>{title}</h1>
        <span class="tag">Not compared with a chain</span>
      </div>
      {mismatch !== undefined && <p class="notice bad">The link does not fit together: {mismatch}</p>}
      <Stage view={view} frames={frames} viewer={0} names={["Player 1", "Player 2"]} pictureOf={async () => undefined}>
        <p class="card">
          This match came inside the link. The engines of this page have replayed it from both players' moves; whether it was
          ever played on a chain, nobody says.
        </p>
      </Stage>
    </div>
  );
}

async function open(text: string) {
  const { game, record, archive } = await decodeRecord(text);
  const module = await load(game);
  const [view, frames, checked] = await Promise.all([
    viewOfGame(game),
    module.frames?.(record, archive) ?? [],
    replay(archive, [module], record.matchId),
  ]);
  const facts = gameCalled(game)!;
  return {
    view,
    frames,
    title: gameTitle(facts, modeNameOf(facts, record.terms)),
    mismatch: checked.mismatch && mismatchText(checked.mismatch),
  };
}
