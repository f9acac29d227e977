import { ponder, type Context } from "ponder:registry";
import { deployment as deployments, mode, operator, terms } from "ponder:schema";
import type { ChainEvent, EventName } from "../../sdk/chain/events.js";
import { plainFields } from "../../sdk/chain/saved.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import { ownSetting } from "../setting.js";
import { noteMinted, noteOwner } from "./characters.js";
import type { Db } from "./db.js";
import { eventOf, type PonderEvent } from "./event.js";
import { act, agree, create, fund, join, note, settle, type MatchContext } from "./matches.js";
import { changePurse, changeToken } from "./money.js";
import { RowHistory } from "./row-history.js";

const { chainId, genesis, block, addresses } = ownSetting();

/** The row of the deployment. */
const ID = { id: 1 };

/** An event as Ponder passes it to a handler. */
interface Passed {
  event: PonderEvent & { block: { timestamp: bigint } };
  context: Pick<Context, "db">;
}

/** Makes a handler of the events of a name. */
function on<N extends EventName>(name: N, apply: (db: Db, event: ChainEvent<N>) => Promise<unknown>) {
  return async ({ event, context: { db } }: Passed): Promise<void> => {
    await apply(db, eventOf(name, event));
  };
}

/** Makes a handler of the events of a name that are of matches. */
function onMatch<N extends EventName>(
  name: N,
  apply: (event: ChainEvent<N>, context: MatchContext) => Promise<unknown>,
) {
  return async ({ event, context: { db } }: Passed): Promise<void> => {
    const history = new RowHistory(db, addresses, BigInt(chainId));
    await apply(eventOf(name, event), { db, history, time: event.block.timestamp });
  };
}

ponder.on("Arena:setup", async ({ context: { db } }) => {
  await db.insert(deployments).values({ ...ID, chainId, arena: addresses.Arena, genesis, block, feeBps: 0 });
});

ponder.on(
  "Arena:FeeChanged",
  on("FeeChanged", (db, { args }) => db.update(deployments, ID).set({ feeBps: Number(args.feeBps) })),
);

ponder.on(
  "Arena:TreasuryChanged",
  on("TreasuryChanged", (db, { args }) => db.update(deployments, ID).set(args)),
);

ponder.on(
  "Arena:TermsAdded",
  on("TermsAdded", (db, { args }) =>
    db.insert(terms).values({ hash: termsHash(args.terms), termsId: args.termsId, ...args.terms }),
  ),
);

ponder.on(
  "Game:ModeRegistered",
  on("ModeRegistered", (db, { address: game, args: { mode: hash, content } }) =>
    db
      .insert(mode)
      .values({ game, hash, content, wins1: 0, wins2: 0, draws: 0, forfeits: 0 })
      .onConflictDoUpdate({ content }),
  ),
);

ponder.on(
  "Arena:Deposited",
  on("Deposited", async (db, { args: { token, player, amount } }) => {
    await changePurse(db, player, token, { deposited: amount });
    await changeToken(db, token, { deposited: amount });
  }),
);

ponder.on(
  "Arena:Withdrawn",
  on("Withdrawn", async (db, { args: { token, player, amount } }) => {
    await changePurse(db, player, token, { withdrawn: amount });
    await changeToken(db, token, { withdrawn: amount });
  }),
);

ponder.on(
  "Arena:OperatorAllowed",
  on("OperatorAllowed", (db, { args }) => db.insert(operator).values(args).onConflictDoUpdate({ until: args.until })),
);

const transferred = on("Transfer", (db, { address, args }) => noteOwner(db, address, args.id, args.to));

ponder.on("Fighters:Transfer", transferred);
ponder.on("GuardianCards:Transfer", transferred);

ponder.on(
  "Fighters:FighterMinted",
  on("FighterMinted", (db, event) => noteMinted(db, event.address, event.args.id, event.args.to, plainFields(event))),
);

ponder.on(
  "GuardianCards:CardMinted",
  on("CardMinted", (db, event) => noteMinted(db, event.address, event.args.id, event.args.to, plainFields(event))),
);

ponder.on("Arena:Created", onMatch("Created", create));
ponder.on("Arena:Funded", onMatch("Funded", fund));
ponder.on("Arena:Joined", onMatch("Joined", join));
ponder.on("Arena:Acted", onMatch("Acted", act));
ponder.on("Arena:Declined", onMatch("Declined", note));
ponder.on("Arena:Pledged", onMatch("Pledged", note));
ponder.on("Arena:Agreed", onMatch("Agreed", agree));
ponder.on("Arena:Settled", onMatch("Settled", settle));
ponder.on("Game:Log", onMatch("Log", note));
