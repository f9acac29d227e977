import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { MemoryChannelTransport } from "../../sdk/player/channels/transport.js";
import { channelIdOf, type Channel } from "../../sdk/protocol/channels/messages.js";
import { isSoughtIn, type Seek } from "../../sdk/protocol/channels/seek.js";

/** A relay in memory: a lobby, and a transport for each channel. */
export class MemoryPlace implements MeetingPlace {
  readonly seeks = new Map<string, Seek>();
  readonly transports = new Map<string, { channel: Channel; transport: MemoryChannelTransport }>();
  readonly lobby: MeetingPlace["lobby"] = {
    put: async (seek) => void this.seeks.set(`${seek.key} ${seek.opponent}`, seek),
    seeks: async (player) => [...this.seeks.values()].filter((seek) => isSoughtIn(seek, player)),
    channels: async (key) => {
      const made = [...this.transports.values()].filter(({ transport }) => transport.lines.length > 0);
      return made.map(({ channel }) => channel).filter(({ key1, key2 }) => key === key1 || key === key2);
    },
  };

  /** True to answer with an error after it has stored a message. */
  isLate = false;

  transportOf(channel: Channel): MemoryChannelTransport {
    const id = channelIdOf(channel);
    const known = this.transports.get(id) ?? { channel, transport: new MemoryChannelTransport() };
    this.transports.set(id, known);
    const { transport } = known;
    if (this.isLate) {
      transport.put = async (line) => {
        await MemoryChannelTransport.prototype.put.call(transport, line);
        throw new Error("the relay is late");
      };
    }
    return transport;
  }

  close(): void {
    // There is nothing to close.
  }

  /** Makes the transport of a channel fail. */
  break(channel: Channel): void {
    this.transportOf(channel).after = () => Promise.reject(new Error("the relay is down"));
  }
}
