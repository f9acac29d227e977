import type { Seek } from "duello";
import { Name } from "../people/person.tsx";
import type { Player } from "../player/player.ts";
import { linkTo } from "../router.ts";
import { channelsOf } from "./channels.ts";
import { Searching } from "./searching.tsx";
import { standOf } from "./stand.ts";
import { useChannels } from "./use-channels.ts";

// Parts of the lobby that only a connected account needs.

/** Shows what a player waits for. */
export function Waiting({ you }: { you: Player }) {
  const { channels } = useChannels(you);
  return channels ? <Searching channels={channels} /> : null;
}

/** Answers the search of another player. */
export async function answerSeek(you: Player, seek: Seek): Promise<void> {
  await (await channelsOf(you)).answer(seek);
}

/** Channels of a player. */
export function OwnChannels({ you }: { you: Player }) {
  const { channels } = useChannels(you);
  if (!channels) return null;
  const stands = channels.seats.value.map((seat) => ({ seat, ...standOf(seat) }));
  const shown = stands.filter(({ waitsFor }) => waitsFor !== "nothing").toReversed();
  if (shown.length === 0) return null;
  return (
    <ul class="matches" aria-label="Your channels">
      {shown.map(({ seat, waitsFor, text }) => (
        <li key={seat.id} class="match">
          <a class="match-link" href={linkTo("channel", [seat.id])}>
            <strong>
              With <Name address={seat.opponent} />
            </strong>
          </a>
          <span class={["person", "offer"].includes(waitsFor) ? "tag accent" : "tag"}>{text}</span>
        </li>
      ))}
    </ul>
  );
}
