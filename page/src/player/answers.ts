import type { Round, ShownAnswer, ShownAnswers } from "duello";
import { databaseIfKept } from "../store/database.ts";

/** Answers that a person has shown on a chain, stored in this browser. */
export class KeptAnswers implements ShownAnswers {
  /** @param genesis Hash of the chain's first block: a restarted local chain is a different one. */
  constructor(private readonly genesis: string) {}

  async shown(round: Round): Promise<ShownAnswer | undefined> {
    const kept = await databaseIfKept();
    return (await kept?.get("answers", this.nameOf(round))) as ShownAnswer | undefined;
  }

  async shownElsewhere(round: Round): Promise<ShownAnswer[]> {
    const prefix = this.prefixOf(round);
    const kept = await databaseIfKept();
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    const keys = (await kept?.getAllKeys("answers", range)) ?? [];
    const others = keys.filter((key) => key !== this.nameOf(round));
    return (await Promise.all(others.map((key) => kept!.get("answers", key)))) as ShownAnswer[];
  }

  async keepShown(round: Round, shown: ShownAnswer, before?: ShownAnswer): Promise<boolean> {
    const kept = await databaseIfKept();
    if (!kept) return true;
    const change = kept.transaction("answers", "readwrite");
    const name = this.nameOf(round);
    const now = (await change.store.get(name)) as ShownAnswer | undefined;
    const isFree = now?.answer === before?.answer;
    if (isFree) await change.store.put(shown, name);
    await change.done;
    return isFree;
  }

  private nameOf(round: Round): string {
    return `${this.prefixOf(round)}${round.commitment}`;
  }

  private prefixOf({ chainId, arena, matchId, after }: Round): string {
    return `${chainId}-${this.genesis}-${arena}-${matchId}/${after}-`;
  }
}
