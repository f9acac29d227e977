import { expect } from "chai";
import type { Page, Response } from "playwright-core";
import { History } from "../../sdk/chain/history.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { readSetup, warmancer } from "../../sdk/games/warmancer/index.js";
import { RelayTransport } from "../../sdk/player/away/relay-transport.js";
import { walletSigner } from "../../sdk/player/away/signers.js";
import { walletSecretStore } from "../../sdk/player/secrets.js";
import { agreementRequest, askRequest, NEVER } from "../../sdk/protocol/away/signatures.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { DAY, termsHash } from "../../sdk/protocol/terms.js";
import type { TestChain } from "./support/chain.js";
import { PATIENCE } from "../support/patience.js";
import { look } from "./support/axe.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";
import { anyMoves, clickIfEnabled, connect, isOver, openedMatch, until } from "./support/playing.js";
import { TestRelay } from "./support/relay.js";

/** Accounts of the two visitors. */
const ONE = 4;
const TWO = 5;

/** Armies with the Throne at the back, so that no first turn ends the game. */
const ARMIES = ["TGLS", "GTLS"] as const;

const SIGN = "Sign once, and play";
const SIGNING = "eth_signTypedData_v4";
const SENDING = "eth_sendTransaction";

/** A chain and a relay, and two people who begin a match away from the chain. */
interface Begun {
  chain: TestChain;
  relay: TestRelay;
  one: Visitor;
  two: Visitor;
  matchId: bigint;
}

const relays: TestRelay[] = [];

/** Opens a browser with a wallet. */
async function visitor(chain: TestChain, relay: TestRelay, account: number, hash = "#/"): Promise<Visitor> {
  const opened = await visit({ wallets: [{ account }], chain, deployments: [relay.deployment] });
  await opened.open(hash);
  await connect(opened);
  return opened;
}

/** Starts a relay for the chain of all tests. */
async function relayed(): Promise<Pick<Begun, "chain" | "relay">> {
  const chain = await pageChain();
  const relay = await TestRelay.start(chain);
  relays.push(relay);
  return { chain, relay };
}

/** Has one offer a match to two, who joins it, both in their pages. */
async function begunInPages(): Promise<Begun> {
  const { chain, relay } = await relayed();
  const [one, two] = [await visitor(chain, relay, ONE), await visitor(chain, relay, TWO)];
  await one.open(`#/play/warmancer/quick-away?to=${two.wallet.address}`);
  await one.page.getByRole("button", { name: "Fortress" }).click();
  await one.page.getByRole("button", { name: "Commit to this army" }).click();
  const matchId = await openedMatch(one.page);
  await two.open(`#/match/${matchId}`);
  await two.page.getByRole("button", { name: "Assault" }).click();
  await two.page.getByRole("button", { name: "Commit to this army" }).click();
  return { chain, relay, one, two, matchId };
}

/** Has one offer a match to two, who joins it, both outside of their pages, which are opened then. */
async function begun(): Promise<Begun> {
  const { chain, relay } = await relayed();
  const { Warmancer: game, FightToken: token } = chain.addresses;
  const [challenger, opponent] = await Promise.all([ONE, TWO].map((account) => chain.client(account)));
  const [ones, twos] = await Promise.all([challenger, opponent].map((client) => walletSecretStore(client, game)));
  const history = new History(chain.provider, chain.addresses);
  const { moves, modes } = warmancer;
  const mode = modeHash(modes["quick-away"].content);
  const first = firstTurn({ game, mode }, challenger.address, history);
  const offer = await challenger.create({
    terms: { game, token, stake1: 0n, stake2: 0n, mode, clock: DAY, rated: true },
    opponent: opponent.address,
    data: await moves.create(readSetup([ARMIES[0]]), first, ones),
  });
  const { matchId } = offer;
  const second = turnOf(await history.match(matchId), Seat.Two, opponent.address, history);
  await opponent.join(offer, await moves.join(readSetup([ARMIES[1]]), second, twos));
  const [one, two] = await Promise.all(
    [ONE, TWO].map((account) => visitor(chain, relay, account, `#/match/${matchId}`)),
  );
  return { chain, relay, one, two, matchId };
}

/** Has both appoint the key of the match. */
async function sit({ one, two }: Begun): Promise<void> {
  for (const { page } of [one, two]) await page.getByRole("button", { name: SIGN }).click();
}

/** Returns the number of moves that a page counts. */
async function moves(page: Page): Promise<number> {
  const text = await page.getByRole("region", { name: "Away from the chain" }).locator("dd").first().textContent();
  return Number(text);
}

/** Returns the button of a page that takes its player's turn, which can be seen while it is that. */
function anyMove(page: Page) {
  return page.getByRole("button", { name: "Any legal move" });
}

/** Returns whether it is the turn of a page's player, and no move of it is on its way. */
async function isFree(page: Page): Promise<boolean> {
  return anyMove(page).evaluateAll(([button]) => button !== undefined && !(button as HTMLButtonElement).disabled);
}

/** Returns whether both pages have one position, in which it is the turn of the first one's player. */
async function isTurnOf(page: Page, other: Page): Promise<boolean> {
  const [count, known] = [await moves(page), await moves(other)];
  return (await isFree(page)) && !(await anyMove(other).isVisible()) && count === known;
}

/** Plays until it is the turn of the first page's player, in a position that both pages have. */
async function playUntilTurn(page: Page, other: Page): Promise<void> {
  await until(async () => {
    const isFar = (await moves(page)) >= 3;
    if (isFar && (await isTurnOf(page, other))) return true;
    // Any move of the first one could end the game.
    await anyMoves(isFar ? [other] : [page, other], async () => true);
    return false;
  });
}

/** Has another program of player 2 propose a result. @param winner Seat of the winner; None for a draw. */
async function propose({ chain, relay, one, matchId }: Begun, winner: bigint): Promise<void> {
  const { Arena: arena } = chain.addresses;
  const ask = { matchId, winner, nonce: await moves(one.page) };
  const signature = await walletSigner(await chain.account(TWO)).sign(askRequest(31_337n, arena, ask));
  const transport = new RelayTransport(relay.url, { chainId: 31_337n, arena, matchId }, { timeLimit: PATIENCE });
  await transport.put({ type: "ask", seat: Seat.Two, winner, nonce: ask.nonce, signature });
}

/** Has another program of player 2 sign for good what it has agreed to for a while. */
async function agreeForGood({ chain, relay, matchId }: Begun): Promise<void> {
  const { Arena: arena } = chain.addresses;
  const transport = new RelayTransport(relay.url, { chainId: 31_337n, arena, matchId }, { timeLimit: PATIENCE });
  const { messages } = await transport.after(0);
  const half = messages.findLast((message) => message.type === "agreement")!;
  const { terms } = await new History(chain.provider, chain.addresses).match(matchId);
  const agreed = { ...half, until: NEVER };
  const request = agreementRequest(31_337n, arena, { ...agreed, matchId, termsHash: termsHash(terms) });
  await transport.put({ ...agreed, signature: await walletSigner(await chain.account(TWO)).sign(request) });
}

/** Does in a page what its player can do on the chain now. */
async function playOn(page: Page): Promise<void> {
  const button = page.getByRole("button", {
    name: /^(Any legal move|Answer on the chain|Post the newest position|Reveal .*|Show .*|Prove .*)$/,
  });
  await clickIfEnabled(button);
}

describePage("Matches away from the chain in the page", () => {
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });

  it("plays Warmancer Quick to its settlement, with one signature of each wallet and one transaction", async () => {
    const match = await begunInPages();
    const { chain, one, two, matchId } = match;
    await one.page.getByRole("button", { name: SIGN }).waitFor();
    await two.page.getByRole("button", { name: SIGN }).waitFor();
    const before = [one, two].map(({ wallet }) => [wallet.promptsOf(SIGNING), wallet.promptsOf()]);
    await sit(match);
    const settle = (page: Page) => page.getByRole("button", { name: "Settle the match" });
    await anyMoves(
      [one.page, two.page],
      async () => (await settle(one.page).isVisible()) || settle(two.page).isVisible(),
    );
    const winner = (await settle(one.page).isVisible()) ? one : two;
    for (const [i, { wallet }] of [one, two].entries()) {
      expect(wallet.promptsOf(SIGNING) - before[i][0]).to.equal(1);
      expect(wallet.promptsOf() - before[i][1]).to.equal(1);
    }
    await settle(winner.page).click();
    await until(() => isOver(chain, matchId));
    expect(winner.wallet.promptsOf(SENDING)).to.be.greaterThan(0);
    const { status } = await chain.arena.matchOf(matchId);
    const won = winner === one ? Status.P1Win : Status.P2Win;
    // A game of any moves may be drawn.
    expect(status).to.be.oneOf([won, Status.Draw]);
    await winner.page.getByText(status === won ? "You win." : "A draw.", { exact: true }).waitFor();
    await winner.page.getByRole("button", { name: "Agreed and shown" }).click();
    await winner.page
      .getByText(/Both players have signed the result\. The engine of this page has replayed all/)
      .waitFor();
    await winner.picture("away-settled");
    expect(await moves(winner.page)).to.be.greaterThan(5);
  });

  it("goes on where it was after a reload, also in the middle of a turn, and is shown to a spectator", async () => {
    const match = await begun();
    const { chain, relay, one, two, matchId } = match;
    await sit(match);
    for (const count of [2, 4]) {
      await anyMoves([one.page, two.page], async () => (await moves(one.page)) >= count);
      const before = await moves(one.page);
      const signatures = one.wallet.promptsOf();
      await one.page.reload();
      await until(async () => (await moves(one.page)) >= before);
      expect(one.wallet.promptsOf()).to.equal(signatures);
      expect(await one.page.getByText("had not kept all your moves").count()).to.equal(0);
    }
    await anyMoves([one.page, two.page], async () => (await moves(two.page)) >= 6);
    // Who has no seat sees what was relayed, with what of it is verified.
    const spectator = await visit({ chain, deployments: [relay.deployment] });
    await spectator.open(`#/match/${matchId}`);
    await spectator.page.getByText("You watch what the players have signed").waitFor();
    await until(async () => (await moves(spectator.page)) >= 6);
    await spectator.picture("away-spectator");
  });

  it("does not play a match from changed browser data, and says where to continue", async () => {
    const match = await begun();
    const { one, two } = match;
    await sit(match);
    await anyMoves([one.page, two.page], async () => (await moves(one.page)) >= 2);
    await one.page.evaluate(async () => {
      const result = async <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error!);
        });
      const store = (await result(indexedDB.open("duello"))).transaction("away", "readwrite").objectStore("away");
      const [[key], [entry]] = [await result(store.getAllKeys()), (await result(store.getAll())) as string[]];
      const changed = entry.replace(/(?<="signature":"0x\w{40})\w/, (digit) => (digit === "1" ? "2" : "1"));
      await result(store.put(changed, key));
    });
    await one.page.reload();
    await one.page
      .getByText(
        /^Play this match in another browser, which takes your messages back from the relay: entry 1 of what this one has kept is damaged: move\.signature: /,
      )
      .waitFor();
    expect(await anyMove(one.page).isVisible()).to.equal(false);
  });

  it("says why a match cannot be opened, and opens it once that is fixed", async () => {
    const { two, matchId } = await begunInPages();
    const sign = two.page.getByRole("button", { name: SIGN });
    await sign.waitFor();
    await two.open("#/");
    await two.page.getByRole("heading", { name: "Live" }).waitFor();
    await two.disturbNode(({ method, params: [block] }) =>
      method === "eth_getBlockByNumber" && block === "0x0" ? { result: null } : undefined,
    );
    await two.open(`#/match/${matchId}`);
    const problem = two.page.getByRole("alert").filter({ hasText: "This match cannot be opened" });
    await problem.getByText("The node does not have the first block of the chain.", { exact: true }).waitFor();
    await two.picture("away-not-opened");
    two.calmNode();
    await problem.getByRole("button", { name: "Try again" }).click();
    await sign.waitFor();
    expect(await problem.count()).to.equal(0);
  });

  it("says that the relay is gone, and finishes on the chain", async () => {
    const match = await begunInPages();
    const { chain, relay, one, two, matchId } = match;
    await sit(match);
    await playUntilTurn(one.page, two.page);
    for (const each of [one, two]) each.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/);
    await relay.kill();
    await one.page.getByText(/The relay at .* does not answer/).waitFor();
    await one.picture("away-relay-gone");
    // Who has lost what it kept could sign two moves of one number, so no page signs before it has read the relay.
    await one.page.reload();
    await one.page.getByText("No relay has told yet what was sent before").waitFor();
    expect(await anyMove(one.page).count()).to.equal(0);
    await one.page.getByRole("definition").getByText("the relay", { exact: true }).waitFor();
    await one.picture("away-relay-not-read");
    await one.page.getByRole("button", { name: "Play on on the chain …" }).click();
    await one.page.getByRole("button", { name: "Post the position" }).click();
    await two.page.getByText(/plays on on the chain|has posted an older position/).waitFor();
    await two.picture("away-posted");
    const accepted = (page: Page) => page.getByRole("heading", { name: "Goes on on the chain" });
    await until(async () => {
      for (const { page } of [one, two]) await playOn(page);
      return accepted(two.page).isVisible();
    });
    // Whoever has not seen how the position came about sees how the match stands all the same.
    const spectator = await visit({ chain, deployments: [relay.deployment] });
    spectator.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/);
    await spectator.open(`#/match/${matchId}`);
    await accepted(spectator.page).waitFor();
    await spectator.page.getByText(/^The position that was accepted on the chain is not known here/).waitFor();
    expect(await spectator.page.getByText("the game is over").count()).to.equal(0);
    await spectator.picture("away-unknown");
    await until(async () => {
      for (const { page } of [one, two]) await playOn(page);
      return isOver(chain, matchId);
    });
    // The story says of a draw that it is one, too.
    for (const { page } of [one, two]) {
      await page
        .locator("p.result")
        .filter({ hasText: /You (win|lose)\.|A draw/ })
        .waitFor();
    }
  });

  it("tells in the lobby which match waits for its player, by what the relay has now", async () => {
    const match = await begunInPages();
    const { relay, one, two, matchId } = match;
    await sit(match);
    // The first one begins, and the page has told that.
    await until(() => isTurnOf(one.page, two.page));
    await until(async () => (await one.page.title()).startsWith("(1) "));
    await anyMove(one.page).click();
    await until(() => isTurnOf(two.page, one.page));
    const yours = ({ page }: Visitor) =>
      page
        .locator("section", { has: page.getByRole("heading", { name: "Your turn" }) })
        .getByRole("link", { name: `#${matchId}` });
    for (const [visitor, count] of [
      [one, 0],
      [two, 1],
    ] as const) {
      const isTold = (response: Response) => response.url().startsWith(relay.url);
      await Promise.all([
        visitor.page.waitForResponse(isTold),
        visitor.open("#/"),
        visitor.page.getByRole("heading", { name: "Live" }).waitFor(),
      ]);
      await until(async () => (await yours(visitor).count()) === count);
    }
    expect(await yours(one).count()).to.equal(0);
  });

  it("agrees on a draw that one proposes, for ten minutes in which nobody moves, and settles it", async () => {
    const match = await begunInPages();
    const { chain, relay, one, two, matchId } = match;
    await sit(match);
    // No first move ends the game.
    await until(() => isTurnOf(one.page, two.page));
    const before = [one, two].map(({ wallet }) => wallet.promptsOf(SIGNING));
    await one.page.getByRole("button", { name: "Propose a draw" }).click();
    await one.page.getByText("You have proposed a draw.").waitFor();
    await two.page.getByText("proposes a draw.").waitFor();
    await two.page.getByRole("button", { name: "Agree to a draw" }).click();
    await two.page.getByText(/You have agreed to a draw until .*: you make no move until then/).waitFor();
    expect(await anyMove(two.page).count()).to.equal(0);
    const leave = two.page.getByRole("button", { name: "Play on on the chain …" });
    expect(await leave.count()).to.equal(0);
    // Who has only proposed has signed no result: it is still its turn.
    await one.page.getByText("The other player has signed what you proposed: a draw. You may move instead.").waitFor();
    await anyMove(one.page).waitFor();
    await one.picture("away-proposal-signed");
    const played = await moves(one.page);
    await anyMove(one.page).click();
    await until(async () => (await moves(two.page)) > played);
    await chain.provider.send("evm_increaseTime", [601]);
    await chain.provider.send("evm_mine", []);
    await playUntilTurn(one.page, two.page);
    await one.page.getByRole("button", { name: "Propose a draw" }).click();
    await two.page.getByRole("button", { name: "Agree to a draw" }).click();
    await one.page.getByText("The other player has signed what you proposed: a draw. You may move instead.").waitFor();
    await agreeForGood(match);
    await two.page.getByText("You have agreed to a draw until the match ends: you make no move until then").waitFor();
    // The other may never sign it, and no time ends it.
    await two.page.getByText(/You have signed a draw for good\. Waiting for .* to sign it too/).waitFor();
    await leave.waitFor();
    await two.picture("away-agreed-for-good");
    await one.page.getByRole("button", { name: "Settle the match" }).click();
    await until(() => isOver(chain, matchId));
    expect((await chain.arena.matchOf(matchId)).status).to.equal(Status.Draw);
    for (const { page } of [one, two]) await page.getByText("Both players have agreed to a draw.").waitFor();
    expect([one, two].map(({ wallet }) => wallet.promptsOf(SIGNING))).to.deep.equal(before);

    // What it rests on a spectator sees as long as a relay shows the moves.
    const spectator = await visit({ chain, deployments: [relay.deployment] });
    await spectator.open(`#/match/${matchId}`);
    await spectator.page.getByRole("button", { name: "Agreed and shown" }).waitFor();
    for (const each of [one, two, spectator]) each.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/);
    await relay.kill();
    await spectator.page.reload();
    await spectator.page.getByRole("button", { name: "Agreed, not shown" }).click();
    await spectator.page.getByText("The moves that led there are not on the chain, and no relay shows them.").waitFor();
  });

  it("plays a match in one tab of a browser at a time", async () => {
    const match = await begunInPages();
    const { one, two, matchId } = match;
    await sit(match);
    await anyMoves([one.page, two.page], async () => (await moves(one.page)) >= 2);
    const tab = await one.openTab(`#/match/${matchId}`);
    await tab.getByText("This match is open in another tab of this browser").waitFor();
    expect(await anyMove(tab).count()).to.equal(0);
    await one.page.close();
    await anyMoves([tab, two.page], async () => (await moves(tab)) >= 4);
  });

  it("breaks no accessibility rule, in any state of the match", async () => {
    const match = await begunInPages();
    const { relay, one, two } = match;
    await one.page.getByRole("button", { name: SIGN }).waitFor();
    const wrong = await look(one.page, "before the signature");
    await sit(match);
    await playUntilTurn(one.page, two.page);
    await one.page.getByRole("button", { name: "Propose a draw" }).click();
    await two.page.getByText("proposes a draw.").waitFor();
    wrong.push(...(await look(two.page, "a draw is proposed")));
    await propose(match, Seat.Two);
    await one.page.getByText("proposes that you have lost.").waitFor();
    // A loss is asked twice.
    await one.page.getByRole("button", { name: "Agree …" }).click();
    await one.page.getByText("The other player takes the pot.").waitFor();
    await one.page.getByRole("button", { name: "Agree", exact: true }).waitFor();
    await one.page.getByRole("button", { name: "Play on on the chain …" }).click();
    wrong.push(...(await look(one.page, "a loss is proposed")));
    await one.picture("away-loss-proposed");
    await one.page.getByRole("button", { name: "Play on", exact: true }).click();
    await one.page.getByRole("button", { name: "Agree …" }).waitFor();
    await two.page.getByText("You have proposed that you have won.").waitFor();
    await one.page.getByRole("button", { name: "Post the position" }).click();
    await two.page.getByText(/plays on on the chain, from the newest position\./).waitFor();
    for (const each of [one, two]) each.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/);
    await relay.kill();
    await two.page.reload();
    await two.page.getByText(/plays on on the chain, from a position that may not be the newest/).waitFor();
    await two.page.getByText(/The relay at .* does not answer/).waitFor();
    wrong.push(...(await look(two.page, "posted")));
    await two.picture("away-relay-unread");
    expect(wrong).to.deep.equal([]);
  });
});
