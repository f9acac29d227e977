import { deployment as deployments, mode, operator, terms, termsNumber } from "../ponder.schema.js";
import type { CharacterContract } from "../../sdk/chain/character-contract.js";
import { isOfChannelMatch, type AnyEvent, type ChainEvent, type EventName } from "../../sdk/chain/events.js";
import { plainFields } from "../../sdk/chain/saved.js";
import { deployedCharacters } from "../../sdk/games/list.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import type { Setting } from "../setting.js";
import { noteMinted, noteOwner } from "./characters.js";
import type { Db } from "./db.js";
import { games } from "./games.js";
import { eventOf, type PonderEvent } from "./event.js";
import { balance, challenge, collect, open, play, playUnder, settleFromChannel, start, takeBack } from "./channels.js";
import { act, create, fund, join, note, settle, type MatchContext } from "./matches.js";
import { changePurse, changeToken } from "./money.js";
import { RowHistory } from "./row-history.js";

/** Key of the deployment's only row. */
const ID = { id: 1 };

/** An event as Ponder passes it to a handler. */
export interface Passed {
  event: PonderEvent & { block: { timestamp: bigint } };
  context: { db: Db };
}

/** Applies an event to the tables. */
export type Handler = (passed: Passed) => Promise<void>;

/** Makes a handler for events with a given name. */
function on<N extends EventName>(name: N, apply: (db: Db, event: ChainEvent<N>) => Promise<unknown>): Handler {
  return async ({ event, context: { db } }) => {
    await apply(db, eventOf(name, event));
  };
}

/** Makes the handlers for the events of a character contract. */
function handlersOfTokens({ contract, minted }: CharacterContract): [string, Handler][] {
  const transferred = on("Transfer", (db, { address, args }) => noteOwner(db, address, args.id, args.to));
  const noted = on(minted, (db, event) =>
    noteMinted(db, event.address, event.args.id, event.args.to, plainFields(event)),
  );
  return [
    [`${contract}:Transfer`, transferred],
    [`${contract}:${minted}`, noted],
  ];
}

/** Makes the handlers for all events of a deployment, by contract and name. */
export function handlersOf({
  chainId,
  genesis,
  block,
  addresses,
}: Pick<Setting, "chainId" | "genesis" | "block" | "addresses">): Record<string, Handler> {
  /** Makes a handler for match events with a given name. */
  function onMatch<N extends EventName>(
    name: N,
    apply: (event: ChainEvent<N>, context: MatchContext) => Promise<unknown>,
  ): Handler {
    return async ({ event: passed, context: { db } }) => {
      const event = eventOf(name, passed);
      // The index stores no events of matches from channels.
      if (isOfChannelMatch(event as AnyEvent)) return;
      const history = new RowHistory(db, addresses, BigInt(chainId));
      await apply(event, { db, history, time: passed.block.timestamp });
    };
  }

  /** Makes a handler for events with a given name that channels or their matches cause. */
  function onChannel<N extends EventName>(
    name: N,
    apply: (event: ChainEvent<N>, context: Pick<MatchContext, "db" | "time">) => Promise<unknown>,
  ): Handler {
    return async ({ event, context: { db } }) => {
      await apply(eventOf(name, event), { db, time: event.block.timestamp });
    };
  }
  const settled = onMatch("Settled", settle);
  const settledFromChannel = onChannel("Settled", settleFromChannel);

  return {
    "Arena:setup": async ({ context: { db } }) => {
      await db.insert(deployments).values({ ...ID, chainId, arena: addresses.Arena, genesis, block, feeBps: 0 });
    },
    "Arena:FeeChanged": on("FeeChanged", (db, { args }) =>
      db.update(deployments, ID).set({ feeBps: Number(args.feeBps) }),
    ),
    "Arena:TreasuryChanged": on("TreasuryChanged", (db, { args }) => db.update(deployments, ID).set(args)),
    "Arena:TermsAdded": on("TermsAdded", async (db, { args: { termsId, terms: added } }) => {
      const hash = termsHash(added);
      await db.insert(terms).values({ hash, termsId, ...added });
      await db.insert(termsNumber).values({ termsId, hash });
    }),
    "Game:ModeRegistered": on("ModeRegistered", (db, { address: game, args: { mode: hash, content } }) =>
      db
        .insert(mode)
        .values({ game, hash, content, wins1: 0, wins2: 0, draws: 0, forfeits: 0 })
        .onConflictDoUpdate({ content }),
    ),
    "Arena:Deposited": on("Deposited", async (db, { args: { token, player, amount } }) => {
      await changePurse(db, player, token, { deposited: amount });
      await changeToken(db, token, { deposited: amount });
    }),
    "Arena:Withdrawn": on("Withdrawn", async (db, { args: { token, player, amount } }) => {
      await changePurse(db, player, token, { withdrawn: amount });
      await changeToken(db, token, { withdrawn: amount });
    }),
    "Arena:OperatorAllowed": on("OperatorAllowed", (db, { args }) =>
      db.insert(operator).values(args).onConflictDoUpdate({ until: args.until }),
    ),
    ...Object.fromEntries(deployedCharacters(games, addresses).flatMap(handlersOfTokens)),
    "Arena:Created": onMatch("Created", create),
    "Arena:Funded": onMatch("Funded", fund),
    "Arena:Joined": onMatch("Joined", join),
    "Arena:Acted": onMatch("Acted", act),
    "Arena:Declined": onMatch("Declined", note),
    "Arena:Settled": async (passed) => {
      await settled(passed);
      await settledFromChannel(passed);
    },
    "Arena:Started": onChannel("Started", start),
    "Arena:Voided": onChannel("Voided", takeBack),
    "Channels:Opened": onChannel("Opened", open),
    "Channels:PlayedUnder": onChannel("PlayedUnder", playUnder),
    "Channels:Played": onChannel("Played", play),
    "Channels:Challenged": onChannel("Challenged", challenge),
    "Channels:Balanced": onChannel("Balanced", balance),
    "Channels:Collected": onChannel("Collected", collect),
    "Game:Log": onMatch("Log", note),
  };
}
