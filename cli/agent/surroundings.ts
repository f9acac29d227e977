import type { Client } from "../../sdk/player/client.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import type { Policy } from "../../sdk/player/policy.js";
import type { CommandContext } from "../shared/command/context.js";
import type { ChallengeReviewer } from "./challenge-reviewer.js";
import type { EventLog } from "./event-log.js";
import type { MoveStore } from "./move-store.js";
import type { SponsorBudget } from "./sponsor.js";
import type { UnblockingWallet } from "./unblocking-wallet.js";

/** Parts of the agent outside of its channels. */
export interface Surroundings {
  context: CommandContext;
  client: Client;
  wallet: UnblockingWallet;
  policy: Policy;
  reviewer: ChallengeReviewer;
  moveStore: MoveStore;
  eventLog: EventLog;
  /** Budget for the gas of others' matches; undefined for none. */
  budget?: SponsorBudget;
  /** Undefined without a relay: the agent then starts nothing new. */
  place?: MeetingPlace;
  /** Open matches of the agent on chain. */
  own(): readonly MatchView[];
  /** Reason why the agent currently accepts nothing. */
  problem(): string | undefined;
}
