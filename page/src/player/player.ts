import { computed, effect, type ReadonlySignal } from "@preact/signals";
import {
  actionToSend,
  answeredRound,
  Client,
  closeSession,
  COIN,
  customError,
  durationText,
  eventIn,
  explain,
  exposureWarnings,
  heldSecretStore,
  joinMatch,
  modeHash,
  neverCounts,
  sessionCalls,
  sessionClient,
  sessionKey,
  takeTurn,
  type Action,
  type Call,
  type Challenge,
  type Hex,
  type History,
  type MatchRecord,
  type Offer,
  type OpenTurn,
  type Risk,
  type SecretStore,
  type Stage,
  traitsOf,
} from "duello";
import { computeAddress, Contract, type TransactionReceipt } from "ethers";
import { catalogue } from "../catalogue.ts";
import { gameTitle } from "../parts/text.ts";
import type { Chain } from "../store/chain.ts";
import { usesSession } from "../store/settings.ts";
import { walletChain, type Account } from "../wallet/account.ts";
import { WalletSigner } from "../wallet/signer.ts";
import { KeptAnswers } from "./answers.ts";
import { canBatch, isUnbatched, newBatchId, sendBatch, waitForBatch } from "./batches.ts";
import { Keyring, type KeyOrigin } from "./keys.ts";
import { SessionKey, type SessionState } from "./session-key.ts";
import { PageOutbox, type Recorder } from "./transactions.ts";
import { depositWay, type DepositWay } from "./deposits.ts";

/** Price of calls, before the wallet is asked. */
export interface Cost {
  /** Gas units. */
  readonly gas: bigint;
  /** Fee at current prices, in the coin's smallest unit. */
  readonly fee: bigint;
  /** True if all calls could be estimated; of calls that build on each other only the first can. */
  readonly isWhole: boolean;
}

/** Options for taking a seat. */
export interface SeatOptions {
  /** Risks that the person has accepted. */
  readonly acceptedRisks?: readonly Risk[];
  /** True to open a session as well; defaults to the settings. */
  readonly withSession?: boolean;
}

/** Options of an offer. */
interface OfferOptions extends SeatOptions {
  /** Content of the mode, to register if needed. */
  readonly mode?: Hex;
}

/** Gas of a deposit with a permit, for a player who is new to the token. */
const PERMIT_GAS = 100_000n;
/** Milliseconds between two checks for changes that only the passing of time causes. */
const PAUSE = 1000;
/** Maximum milliseconds by which the archive may lag behind the chain. */
const PATIENCE = 30_000;
/** The person with an account on the chain that is shown, and all actions of the person there. */
export class Player {
  readonly address: string;
  /** True if the wallet is on the chain that is shown. */
  readonly isOnChain: ReadonlySignal<boolean>;
  /** The session in which this browser plays without asking the wallet. */
  readonly session: ReadonlySignal<SessionState>;
  readonly keyring: Keyring;
  /** Origin of the keys to the person's committed moves; undefined while the page does not have the keys. */
  readonly keyState: ReadonlySignal<KeyOrigin | undefined>;
  /** Signer of the wallet. */
  readonly signer: WalletSigner;
  private readonly sessionKey: SessionKey;
  private opening?: Promise<PageOutbox>;
  private release = () => {};
  private batching?: Promise<boolean>;

  constructor(
    readonly account: Account,
    readonly chain: Chain,
  ) {
    const { chainId, addresses } = chain.deployment;
    this.address = account.address;
    this.isOnChain = computed(() => walletChain.value === undefined || walletChain.value === BigInt(chainId));
    this.signer = new WalletSigner(account.provider, account.address, chain.provider);
    this.keyring = new Keyring({ chainId, arena: addresses.Arena, player: account.address }, this.signer);
    this.keyState = this.keyring.origin;
    this.sessionKey = new SessionKey(this.address, chain, this.signer);
    this.session = this.sessionKey.state;
  }

  /** Resumes actions that were started before the page was loaded. */
  start(): void {
    this.chain.read();
    this.release = effect(() => {
      if (this.chain.isRestarted.value) {
        void this.opening?.then((outbox) => outbox.abandon());
        this.opening = undefined;
      }
      void this.outbox().catch(() => undefined);
      void this.sessionKey.refresh();
    });
  }

  /** Stops the background tasks. */
  stop(): void {
    this.release();
    this.sessionKey.stop();
  }

  /**
   * Makes a client that sends with the wallet, outside any action. Actions that must survive a reload use `perform`.
   */
  async client(): Promise<Client> {
    return Client.connect(this.chain.deployment.addresses, await this.chain.allModules(), this.signer);
  }

  /** Returns the store of the person's secrets in the game at an address; asks the wallet for its key if needed. */
  async secretStoreOf(game: string): Promise<SecretStore> {
    await this.keyring.keys();
    return this.heldStore(game);
  }

  /** Returns the store of the person's secrets if the page has the keys already; the wallet is not asked. */
  async knownSecretStoreOf(game: string): Promise<SecretStore | undefined> {
    return (await this.keyring.find()) && this.heldStore(game);
  }

  /** Returns a store that has no secret until a move is committed to: only then does it ask the wallet for the key. */
  secretStoreOnDemand(game: string): SecretStore {
    return {
      commit: async (move, scheme) => (await this.secretStoreOf(game)).commit(move, scheme),
      reveal: async (committed, scheme) => {
        const known = await this.knownSecretStoreOf(game);
        if (!known) throw new Error("This browser does not have the key to your committed moves yet.");
        return known.reveal(committed, scheme);
      },
    };
  }

  /**
   * Imports a key, or the secrets of a match, from the text of a file.
   * @returns the number of secrets; 0 for a key.
   * @throws InputError if the text is neither of these, or is another player's.
   */
  async importKeys(backup: string): Promise<number> {
    return this.keyring.import(backup, {
      games: await this.chain.allModules(),
      addresses: this.chain.deployment.addresses,
    });
  }

  /** Estimates the cost of calls, before the wallet is asked. */
  async cost(calls: readonly Call[]): Promise<Cost> {
    const client = await this.client();
    const all = await Promise.all(calls.map((call) => client.gasOf(call).catch(() => undefined)));
    const gas = all.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n);
    return { ...(await this.priced(gas)), isWhole: !all.includes(undefined) };
  }

  /**
   * Performs an action, or completes it if it was started before a reload, so that it happens only once. @param send
   * Sends with a client whose transactions are stored and shown.
   */
  async perform(action: Action, send: (client: Client) => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    return this.record(action, async (recorder) => send(await this.sender(recorder)));
  }

  /** Offers a match, with as few wallet requests as possible. @returns the number of the match */
  async offer(challenge: Challenge, options: OfferOptions = {}): Promise<bigint> {
    const { terms, opponent } = challenge;
    const title = `Offer a match of ${this.titleOf(terms.game)}`;
    const action = { call: "create", what: title, content: [terms, opponent] };
    const receipt = await this.record(action, async (recorder) => {
      const client = await this.sender(recorder);
      const { token, stake1, game } = terms;
      const lacking = await this.lacking(client, token, stake1);
      const { acceptedRisks, mode } = options;
      const value = token === COIN ? lacking : 0n;
      const { terms: _, ...create } = await client.calls.create(challenge, { value, acceptedRisks });
      const before: Call[] = [];
      if (mode !== undefined && mode !== "0x" && !(await this.isRegistered(game, mode))) {
        before.push(await client.calls.registerMode(game, mode));
      }
      return this.sendWith(recorder, client, { before, token, lacking: lacking - value, options, last: create });
    });
    return createdIn(receipt, this.chain.deployment.addresses.Arena, this.address);
  }

  /**
   * Joins an offer as the person has seen it: in one step if that is safe, otherwise by taking a seat first and
   * answering once the seat is final.
   */
  async join(offer: Offer, move: unknown, options: SeatOptions = {}): Promise<TransactionReceipt> {
    const { matchId, terms } = offer;
    const { acceptedRisks } = options;
    return this.record({ call: "join", what: `Join match ${matchId}`, matchId }, async (recorder) => {
      const client = await this.sender(recorder);
      const receipt = await joinMatch(client, () => this.freshHistory(), offer, {
        secretStore: await this.secretStoreOf(terms.game),
        shownAnswers: await this.shownAnswers(),
        move: async () => move,
        accept: async ({ step }) => {
          if (step === "answer") return {};
          const lacking = await this.lacking(client, terms.token, terms.stake2);
          if (terms.token === COIN) return { value: lacking, acceptedRisks };
          if (lacking > 0n) await this.payIn(client, terms.token, lacking);
          return { acceptedRisks };
        },
        onWait: (seconds) =>
          recorder.wait(`The answer is sent once nothing before it can be undone: ${durationText(seconds)} at most.`),
        pause: this.pause,
      });
      this.openSessionLater(options);
      return receipt;
    });
  }

  /** Pays the person's stake into the person's seat of an offer. @param offer The offer as the person has seen it. */
  async fund(offer: Offer): Promise<TransactionReceipt> {
    const { matchId, terms, player1 } = offer;
    return this.perform({ call: "fund", what: `Pay the stake of match ${matchId}`, matchId }, async (client) => {
      const lacking = await this.lacking(client, terms.token, player1 === this.address ? terms.stake1 : terms.stake2);
      if (terms.token === COIN) return client.fund(offer, { value: lacking });
      if (lacking > 0n) await this.payIn(client, terms.token, lacking);
      return client.fund(offer);
    });
  }

  /**
   * Takes the person's turn: with the session if it is open, otherwise with the wallet.
   * @param turn The turn as the person has seen it.
   */
  async act({ record }: OpenTurn, move: unknown): Promise<TransactionReceipt> {
    const { matchId, actions } = record;
    const title = `Take your turn in match ${matchId}`;
    // The next turn may begin before the page learns that the transaction of this turn was mined.
    const action = { call: "act", what: title, matchId, content: actions.length };
    return this.record(action, (recorder) =>
      this.sendBySession(recorder, (client) => this.turn(client, record, move, recorder)),
    );
  }

  /** Sends a transaction of a channel. @param bySession True to send it with the session, false with the wallet. */
  async sendForChannel(call: Call & { readonly title: string }, bySession: boolean): Promise<TransactionReceipt> {
    const action = { call: call.method!, what: call.title, content: [call.to, call.data] };
    return this.record(action, async (recorder) =>
      bySession
        ? this.sendBySession(recorder, (client) => client.send(call))
        : (await this.sender(recorder)).send(call),
    );
  }

  /** Deposits the amount that the purse lacks. */
  async cover(token: string, amount: bigint): Promise<void> {
    const lacking = await this.lacking(await this.client(), token, amount);
    if (lacking > 0n) await this.deposit(token, lacking);
  }

  /**
   * Describes answers that the person has shown in this turn to commitments that were undone since, one sentence each.
   */
  async exposures(turn: OpenTurn): Promise<string[]> {
    const known = { chainId: this.chain.deployment.chainId, games: await this.chain.allModules() };
    return exposureWarnings(await this.shownAnswers(), known, turn);
  }

  /** Resigns a match: the other player takes the pot. */
  async resign(matchId: bigint): Promise<TransactionReceipt> {
    return this.perform({ call: "resign", what: `Give up match ${matchId}`, matchId }, (client) =>
      client.resign(matchId),
    );
  }

  /** Cancels a soft offer. */
  async cancel(matchId: bigint): Promise<TransactionReceipt> {
    return this.perform({ call: "cancel", what: `Call off match ${matchId}`, matchId }, (client) =>
      client.cancel(matchId),
    );
  }

  /** Declines an offer that names the person. */
  async decline(matchId: bigint): Promise<TransactionReceipt> {
    return this.perform({ call: "decline", what: `Decline match ${matchId}`, matchId }, (client) =>
      client.decline(matchId),
    );
  }

  /** Ends a match whose deadline has passed. */
  async timeout(matchId: bigint): Promise<TransactionReceipt> {
    return this.perform({ call: "timeout", what: `End match ${matchId}, whose time is up`, matchId }, (client) =>
      client.timeout(matchId),
    );
  }

  /** Describes how `deposit` gets an amount into the purse, and the cost. */
  async depositPlan(token: string, amount: bigint): Promise<{ way: DepositWay; cost: Cost }> {
    const client = await this.client();
    const way = await depositWay(client, token, amount);
    // A permit is signed before its transaction can be estimated.
    if (way === "permit") return { way, cost: { ...(await this.priced(PERMIT_GAS)), isWhole: true } };
    return { way, cost: await this.cost(await client.calls.deposit(token, amount)) };
  }

  /** Pays into the purse, as described by `depositPlan`. */
  async deposit(token: string, amount: bigint): Promise<TransactionReceipt> {
    const last = ["deposit", "transferAndCall", "depositWithPermit"];
    const action = { call: "deposit", what: "Pay into the purse", content: [token, amount], last };
    return this.record(action, async (recorder) => {
      const client = await this.sender(recorder);
      const way = await depositWay(client, token, amount);
      if (way === "approve" && (await this.canBatch())) {
        const batched = await this.trySendBatch(recorder, client, await client.calls.deposit(token, amount));
        if (batched) return batched;
      }
      return this.payIn(client, token, amount, way);
    });
  }

  /** Pays out of the purse into the wallet. */
  async withdraw(token: string, amount: bigint): Promise<TransactionReceipt> {
    const action = { call: "withdraw", what: "Pay out of the purse", content: [token, amount] };
    return this.perform(action, (client) => client.withdraw(token, amount));
  }

  /** Opens a session, or renews it: this browser takes the person's turns for 24 hours without asking the wallet. */
  async openSession(): Promise<void> {
    const key = sessionKey(await this.keyring.keys());
    await this.record({ call: "session", what: "Let this browser take your turns", last: [] }, async (recorder) => {
      const client = await this.sender(recorder);
      const calls = await sessionCalls(client, key);
      const batched = calls.length > 1 ? await this.trySendBatch(recorder, client, calls) : undefined;
      if (batched) return batched;
      let receipt: TransactionReceipt | undefined;
      for (const call of calls) receipt = await client.send(call);
      return receipt!;
    });
    await this.sessionKey.begin(computeAddress(key));
  }

  /** Closes the session: revokes it, and returns its remaining coin. */
  async closeSession(): Promise<void> {
    const key = sessionKey(await this.keyring.keys());
    await this.record({ call: "close-session", what: "End the session", last: [] }, async (recorder) => {
      const { revoked, swept } = await closeSession(await this.sender(recorder), key, this.bySession(recorder, key));
      return (swept ?? revoked)!;
    });
    await this.sessionKey.end();
  }

  /** Explains an error in a sentence. */
  async explain(error: unknown): Promise<string> {
    return explain(error, { games: await this.chain.allModules() });
  }

  /** Forgets a transaction that was requested from the wallet before the page was loaded. */
  async forget(id: string): Promise<void> {
    await (await this.outbox()).forget(id);
  }

  /** Returns the fee for an amount of gas at the current price. */
  private async priced(gas: bigint): Promise<Pick<Cost, "gas" | "fee">> {
    const { gasPrice, maxFeePerGas } = await this.chain.provider.getFeeData();
    return { gas, fee: gas * (gasPrice ?? maxFeePerGas ?? 0n) };
  }

  private heldStore(game: string): SecretStore {
    return heldSecretStore(this.keyring, { chainId: this.chain.deployment.chainId, game, player: this.address });
  }

  private get pause(): number {
    return traitsOf(this.chain.deployment.chainId).minesOnDemand ? PAUSE / 2 : 4 * PAUSE;
  }

  private async record(
    action: Action,
    send: (recorder: Recorder) => Promise<TransactionReceipt>,
  ): Promise<TransactionReceipt> {
    // The user must not be asked to confirm an action that would happen on another chain.
    await this.signer.checkNetwork();
    try {
      return await (await this.outbox()).perform(action, send);
    } finally {
      void this.sessionKey.refresh();
    }
  }

  private outbox(): Promise<PageOutbox> {
    this.opening ??= this.openOutbox().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openOutbox(): Promise<PageOutbox> {
    const { provider, deployment } = this.chain;
    const { hash } = (await provider.getBlock(0))!;
    const games = await this.chain.allModules();
    const outbox = new PageOutbox(
      { chainId: deployment.chainId, genesis: hash!, account: this.address },
      {
        provider,
        waitForBatch: (id, onUnknown) => waitForBatch(this.account.provider, provider, id, onUnknown),
        explain: (error) => explain(error, { games }),
      },
    );
    await outbox.resume();
    return outbox;
  }

  /** Makes a client whose transactions are recorded. */
  private async sender(recorder: Recorder): Promise<Client> {
    const { deployment, provider } = this.chain;
    const signer = new WalletSigner(this.account.provider, this.address, provider, (hash) => recorder.hash(hash));
    return Client.connect(deployment.addresses, await this.chain.allModules(), signer, {
      onStage: (stage) => recorder.stage(stage, this.address),
      onUnknown: async () => recorder.checkChain(),
      estimateGas: true,
    });
  }

  /** Sends with the session if it is open, otherwise with the wallet. */
  private async sendBySession(
    recorder: Recorder,
    send: (client: Client) => Promise<TransactionReceipt>,
  ): Promise<TransactionReceipt> {
    const owner = await this.sender(recorder);
    const key = await this.sessionKey.usableKey(this.keyring);
    if (key === undefined) return send(owner);
    try {
      return await send(await sessionClient(owner, key, this.bySession(recorder, key)));
    } catch (error) {
      // If the session or its coin has just run out, and none of the session's transactions can take effect any more,
      // the wallet sends the same call.
      if (!neverCounts(error) || (await this.sessionKey.isUsable())) throw error;
      await recorder.drop();
      return send(owner);
    }
  }

  private bySession(recorder: Recorder, key: Hex) {
    const from = computeAddress(key);
    const onStage = (stage: Stage) => recorder.stage(stage, from, true);
    const onUnknown = async () => recorder.checkChain();
    return { provider: this.chain.provider, onStage, onUnknown, estimateGas: true };
  }

  private async turn(
    client: Client,
    { matchId, terms }: MatchRecord,
    move: unknown,
    recorder: Recorder,
  ): Promise<TransactionReceipt> {
    return takeTurn(client, await this.freshHistory(), matchId, {
      secretStore: await this.secretStoreOf(terms.game),
      move: async () => move,
      dataToSend: async (composed) => {
        const round = await answeredRound(client, composed.turn);
        return round ? actionToSend(await this.shownAnswers(), client, round, composed) : composed.data;
      },
      onWait: (seconds) =>
        recorder.wait(`Your move is sent once the other player's is final: ${durationText(seconds)} at most.`),
      pause: this.pause,
    });
  }

  /** Opens the store of the answers that the person has shown; two tabs never show two answers in one round. */
  private async shownAnswers(): Promise<KeptAnswers> {
    return new KeptAnswers((await this.outbox()).scope.genesis);
  }

  /** Waits until the archive has caught up with the chain. */
  private async freshHistory(): Promise<History> {
    const { provider, archive } = this.chain;
    const latest = await provider.getBlockNumber();
    for (let waited = 0; waited < PATIENCE; waited += PAUSE / 10) {
      const { value } = archive;
      if (value && value.last.number >= latest) return value;
      await pauseFor(PAUSE / 10);
    }
    throw new Error("The page is behind the chain, as its node does not answer in time: try again in a moment.");
  }

  /** Reads the part of an amount that the purse lacks. */
  private async lacking({ arena }: Client, token: string, amount: bigint): Promise<bigint> {
    const lacking = amount - (await arena.purseOf(this.address, token));
    return lacking > 0n ? lacking : 0n;
  }

  private async payIn(client: Client, token: string, amount: bigint, way?: DepositWay): Promise<TransactionReceipt> {
    const chosen = way ?? (await depositWay(client, token, amount));
    return chosen === "permit" ? client.depositWithPermit(token, amount) : client.deposit(token, amount);
  }

  private async isRegistered(game: string, mode: Hex): Promise<boolean> {
    const contract = new Contract(game, ["function modeOf(bytes32) view returns (bytes)"], this.chain.provider);
    try {
      await contract.modeOf(modeHash(mode));
      return true;
    } catch (error) {
      if (customError(error, await this.chain.allModules())?.name !== "UnknownMode") throw error;
      return false;
    }
  }

  /** Sends the preparatory calls and the last call: as one batch if the wallet can, otherwise one after the other. */
  private async sendWith(
    recorder: Recorder,
    client: Client,
    {
      before,
      token,
      lacking,
      options,
      last,
    }: {
      before: readonly Call[];
      token: string;
      lacking: bigint;
      options: SeatOptions;
      last: Call;
    },
  ): Promise<TransactionReceipt> {
    const { withSession = usesSession.value } = options;
    const key = withSession ? await this.missingSession() : undefined;
    if ((before.length > 0 || lacking > 0n || key !== undefined) && (await this.canBatch())) {
      const calls = [
        ...before,
        ...(lacking > 0n ? await client.calls.deposit(token, lacking) : []),
        ...(key === undefined ? [] : await sessionCalls(client, key)),
        last,
      ];
      const receipt = await this.trySendBatch(recorder, client, calls);
      if (receipt && key !== undefined) await this.sessionKey.begin(computeAddress(key));
      if (receipt) return receipt;
    }
    for (const call of before) await client.send(call);
    if (lacking > 0n) await this.payIn(client, token, lacking);
    const receipt = await client.send(last);
    this.openSessionLater(options);
    return receipt;
  }

  /** Sends calls as one batch. @returns undefined if the wallet cannot do that, and has sent nothing */
  private async trySendBatch(
    recorder: Recorder,
    client: Client,
    calls: readonly Call[],
  ): Promise<TransactionReceipt | undefined> {
    if (!(await this.canBatch())) return undefined;
    await this.signer.checkNetwork();
    const id = newBatchId();
    await recorder.batch(id, calls, this.address);
    let known: string;
    try {
      known = await sendBatch(this.account.provider, client, calls, id);
    } catch (error) {
      if (!isUnbatched(error)) throw error;
      this.batching = Promise.resolve(false);
      await recorder.drop();
      return undefined;
    }
    await recorder.batchSent(known);
    return waitForBatch(this.account.provider, this.chain.provider, known);
  }

  private canBatch(): Promise<boolean> {
    const {
      account: { kind, provider },
      address,
      chain: { deployment },
    } = this;
    if (kind !== "wallet") return Promise.resolve(false);
    return (this.batching ??= canBatch(provider, address, deployment.chainId));
  }

  /** Returns the key of a session to open; undefined if a session is open. */
  private async missingSession(): Promise<Hex | undefined> {
    if (await this.sessionKey.isUsable()) return undefined;
    return sessionKey(await this.keyring.keys());
  }

  /** Opens a session once the match exists. If the person refuses, the wallet confirms every move. */
  private openSessionLater({ withSession = usesSession.value }: SeatOptions): void {
    if (!withSession) return;
    void this.sessionKey.isUsable().then(async (isUsable) => {
      if (!isUsable) await this.openSession().catch(() => undefined);
    });
  }

  private titleOf(game: string): string {
    const { addresses } = this.chain.deployment;
    return gameTitle(catalogue.find(({ contract }) => addresses[contract] === game));
  }
}

/**
 * Reads the number of the match that a player has created; a transaction with several calls may have created others'.
 */
function createdIn(receipt: TransactionReceipt, arena: string, player: string): bigint {
  for (const log of receipt.logs) {
    const created = eventIn({ logs: [log] }, arena, "Created");
    if (created?.args.player1 === player) return created.args.matchId;
  }
  throw new Error("The transaction has made no match.");
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
