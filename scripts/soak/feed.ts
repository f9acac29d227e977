import type { Addresses } from "../../sdk/chain/addresses.js";
import { Archive } from "../../sdk/chain/archive.js";
import { ALL_TOPICS, decodeEvent, type AnyEvent } from "../../sdk/chain/events.js";
import { SETTINGS, type Chain } from "./chain.js";

/** All events of a chain's contracts, read as they come: asking the chain for them each time would take ever longer. */
export class Feed {
  private readonly events: AnyEvent[] = [];
  private read = 0;

  constructor(
    private readonly chain: Chain,
    private readonly addresses: Addresses,
  ) {}

  /** An archive of nothing yet. */
  fresh(): Archive {
    const { chain, addresses } = this;
    const content = { chainId: BigInt(SETTINGS.chainId), events: [], last: { number: 0, hash: "" } };
    return new Archive(chain.provider, addresses, content);
  }

  /** Adds what an archive has not read yet. */
  bring(archive: Archive): void {
    for (; this.read < this.chain.logs.length; this.read++) {
      const log = this.chain.logs[this.read];
      const isOurs = log.address !== this.addresses.FightToken && ALL_TOPICS.includes(log.topics[0]);
      if (isOurs) this.events.push(decodeEvent(log));
    }
    archive.add(this.events.slice(archive.all.length));
  }
}
