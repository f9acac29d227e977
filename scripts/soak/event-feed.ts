import type { Addresses } from "../../sdk/chain/addresses.js";
import { Archive } from "../../sdk/chain/archive.js";
import { allTopics, decodeEvent, type AnyEvent } from "../../sdk/chain/events.js";
import { SETTINGS, type Chain } from "./chain.js";

/** Adds new events of a chain to archives: reading the whole chain again each time would take longer and longer. */
export class EventFeed {
  private readonly events: AnyEvent[] = [];
  private read = 0;

  constructor(
    private readonly chain: Chain,
    private readonly addresses: Addresses,
  ) {}

  /** Returns an empty archive. */
  newArchive(): Archive {
    const { chain, addresses } = this;
    const content = { chainId: BigInt(SETTINGS.chainId), events: [], last: { number: 0, hash: "" } };
    return new Archive(chain.provider, addresses, content);
  }

  /** Adds to an archive the events that it lacks. */
  update(archive: Archive): void {
    for (; this.read < this.chain.logs.length; this.read++) {
      const log = this.chain.logs[this.read];
      const isOurs = log.address !== this.addresses.FightToken && allTopics().includes(log.topics[0]);
      if (isOurs) this.events.push(decodeEvent(log));
    }
    archive.add(this.events.slice(archive.all.length));
  }
}
