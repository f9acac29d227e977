import { setTimeout as pause } from "node:timers/promises";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { isTaken, offererOf } from "../../sdk/player/channels/player.js";
import type { ChannelTransport } from "../../sdk/player/channels/transport.js";
import { wishIn } from "../../sdk/player/channels/wishes.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { channelOf } from "../../sdk/protocol/channels/seek.js";
import type { ChannelWorld } from "./channel-games.js";
import { Person, type PortChanges } from "./channel-seats.js";
import { keyOf } from "./channels.js";

/** Milliseconds between looks at the lobby and at the channel. */
const LOOK = 20;

/** How a bot differs from a correct one. */
export interface WireBot {
  /** Returns changes to its ports. @param way Transport of the correct bot */
  ports?(way: ChannelTransport, at: ChannelsAt): PortChanges;
  choose?: PortChanges["choose"];
  /** Called before each round of reading and acting. */
  onLook?(): void;
  /** Called when it stops at a wish that it cannot fulfil; without it, it plays on. */
  onUnplayable?(): void;
}

/** Runs Bob as a bot that speaks the protocol: he answers the first search for him, and plays what his opponent wants. */
export async function runWireBot(
  world: ChannelWorld,
  place: MeetingPlace,
  { ports, choose, onLook, onUnplayable }: WireBot,
  signal: AbortSignal,
): Promise<void> {
  const { bob, chainId, channels } = world;
  const seeks = () => place.lobby.seeks(bob.address);
  let [seek] = await seeks();
  while (!seek) {
    if (signal.aborted) return;
    onLook?.();
    await pause(LOOK);
    [seek] = await seeks();
  }
  const channel = channelOf(seek, bob.address, keyOf("key 2").address);
  const way = place.transportOf(channel, 2);
  const person = new Person(world, channel, 2, bob, way);
  await person.start({ ...(choose && { choose }), ...ports?.(way, { chainId, channels: channels.target as string }) });
  await person.player.propose(seek.otherAmount, seek.amount, seek.until);
  while (!signal.aborted) {
    onLook?.();
    const { held, chain, current } = await person.step();
    const isFree = held && offererOf(held.nonce) === 2 && !(current && isTaken(current, chain));
    const wish = isFree ? wishIn(await seeks(), { channel, player: 2, held }) : undefined;
    if (wish?.terms) {
      // A match that it cannot play is not offered, and the opponent may ask for another one.
      const isOffered = await person.player.offer(wish.terms).catch(() => false);
      if (!isOffered && onUnplayable) return onUnplayable();
    }
    await person.player.news({ waitMs: LOOK });
  }
}
