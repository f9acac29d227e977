import { expect } from "chai";
import { computeAddress, parseEther, SigningKey } from "ethers";
import type { BrowserContextOptions } from "playwright-core";
import { RelayChannelTransport } from "../../sdk/player/channels/relay-transport.js";
import { RelayLobby } from "../../sdk/player/channels/lobby.js";
import { channelIdOf, NO_END, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { channelMessageText, signedWith, type BalanceMessage } from "../../sdk/protocol/channels/wire.js";
import { look } from "./support/axe.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";
import { anyMoves, clickIfEnabled, connect, until } from "./support/playing.js";
import { TestRelay } from "./support/relay.js";

/** Accounts of the two visitors. */
const ONE = 4;
const TWO = 5;

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };

const SIGNING = "eth_signTypedData_v4";
const SENDING = "eth_sendTransaction";

/** Two people who each have a wallet and have opened the lobby. */
interface People {
  relay: TestRelay;
  one: Visitor;
  two: Visitor;
}

const relays: TestRelay[] = [];

/** Opens the lobby for two people. @param second Options that differ in the second person's browser. */
async function people(second: BrowserContextOptions = {}): Promise<People> {
  const chain = await pageChain();
  const relay = await TestRelay.start(chain);
  relays.push(relay);
  const opened = async (account: number, options: BrowserContextOptions = {}) => {
    const visitor = await visit({ wallets: [{ account }], chain, deployments: [relay.deployment], ...options });
    await visitor.open();
    await connect(visitor);
    return visitor;
  };
  return { relay, one: await opened(ONE), two: await opened(TWO, second) };
}

/** Lets the first person ask the second to open a channel, and the second accept. @param amount What each locks. */
async function sitDown({ one, two }: People, amount: number, game: string, mode: string): Promise<void> {
  await one.open(`#/play/${game}/${mode}?to=${two.wallet.address}`);
  await one.page.getByRole("link", { name: "Play in a channel" }).click();
  await one.page.getByLabel("You lock").fill(String(amount));
  await one.page.getByRole("button", { name: "Ask to sit down" }).click();
  await one.page.getByText(/^Waiting for .* to sit down/).waitFor();
  await two.page.getByText("asks you").waitFor();
  await two.picture("channels-asked");
  await two.page.getByRole("button", { name: "Sit down", exact: true }).click();
  await Promise.all([one, two].map(({ page }) => page.waitForURL(/#\/channel\//)));
  if (amount > 0) await send(two);
  await offering(one).waitFor();
}

/** Returns the heading of the form in which a person offers a match. */
function offering({ page }: Visitor) {
  return page.getByRole("heading", { name: "Offer a match" });
}

/** Lets the wallet send the next transaction. */
async function send({ page }: Visitor): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

function next({ page }: Visitor) {
  return page.getByRole("button", { name: "Offer the next match" });
}

/** Plays legal moves in both pages until `offerer` can offer the next match. */
async function playOut({ one, two }: People, offerer: Visitor): Promise<void> {
  await anyMoves([one.page, two.page], () => next(offerer).isVisible());
}

/** Returns the amounts of both players that a page shows. */
async function held({ page }: Visitor): Promise<string[]> {
  const amounts = page.getByRole("region", { name: "Channel" }).locator("dd");
  // The amounts appear after the last step of a match.
  await amounts.first().waitFor();
  return amounts.allTextContents();
}

/** Lets both withdraw the money that earlier matches left in their purses. */
async function emptyPurses(both: People): Promise<void> {
  const { chain } = both.one;
  const { FightToken } = chain.addresses;
  for (const [i, purse] of (await pursesOf(both)).entries()) {
    const client = await chain.client([ONE, TWO][i]);
    if (purse > 0n) await client.withdraw(FightToken, purse);
  }
}

async function pursesOf({ one: { chain } }: People): Promise<bigint[]> {
  const { arena, addresses } = chain;
  const players = await Promise.all([ONE, TWO].map((account) => chain.account(account)));
  return Promise.all(players.map(({ address }) => arena.purseOf(address, addresses.FightToken)));
}

/** Reads the session key stored by a page, which only the page's own code can do. */
async function keyIn({ page }: Visitor): Promise<SigningKey> {
  const key = await page.evaluate(async () => {
    const result = async <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    const store = (await result(indexedDB.open("duello"))).transaction(["secrets", "locks"]);
    const secrets = store.objectStore("secrets");
    const name = (await result(secrets.getAllKeys())).find((each) => (each as string).startsWith("channels/"))!;
    const kept = (await result(secrets.get(name))) as { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer };
    const lock = (await result(store.objectStore("locks").getAll()))[0] as CryptoKey;
    const data = await crypto.subtle.decrypt({ name: "AES-GCM", iv: kept.iv }, lock, kept.data);
    return JSON.parse(new TextDecoder().decode(data)) as string;
  });
  return new SigningKey(key);
}

describePage("The page: channels", () => {
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });

  it("pairs two players who search for anybody, one of them a guest without a wallet", async () => {
    const { relay, one } = await people();
    const guest = await visit({ chain: one.chain, deployments: [relay.deployment] });
    await guest.open();
    for (const { page } of [one, guest]) {
      const game = page.getByRole("region", { name: "Play at once" });
      await game.getByLabel("Game").selectOption("Tic-tac-toe");
      await game.getByRole("button", { name: "Play whoever waits" }).click();
      // The second player finds the first one waiting.
      if (page === one.page)
        await page
          .getByText(/^Waiting for anyone to sit down/)
          .first()
          .waitFor();
    }
    await Promise.all([one, guest].map(({ page }) => page.waitForURL(/#\/channel\//)));
    await offering(one).waitFor();
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await guest.page
      .getByText(/offers a match/)
      .first()
      .waitFor();
    expect(one.wallet.promptsOf(SENDING)).to.equal(0);
  });

  it("plays Warmancer with one transaction that opens the channel and one that closes it, even after a reload", async () => {
    const both = await people();
    const { one, two } = both;
    await emptyPurses(both);
    await sitDown(both, 50, "warmancer", "quick");
    const asked = [one, two].map(({ wallet }) => wallet.promptsOf());
    await one.page.getByLabel("Stake of each player").fill("5");
    await one.picture("channels-offer");
    await one.page.getByRole("button", { name: "Fortress" }).click();
    await one.page.getByRole("button", { name: "Commit to this army" }).click();
    await two.page.getByRole("button", { name: "Assault" }).click();
    await two.picture("channels-offered");
    await two.page.getByRole("button", { name: "Commit to this army" }).click();
    await one.page.getByRole("heading", { name: "Your turn." }).waitFor();
    await one.picture("channels-turn");
    await one.page.reload();
    await one.page.getByRole("heading", { name: "Your turn." }).waitFor();
    await playOut(both, two);
    await two.picture("channels-over");
    const [first, second] = (await held(one)).map(parseFloat);
    // A draw changes no amount; otherwise the house takes its share of the pot.
    expect([first, second]).to.be.deep.oneOf([
      [45, 53],
      [53, 45],
      [50, 50],
    ]);
    // The other player offers the rematch.
    await next(two).click();
    expect(await two.page.getByLabel("Stake of each player").inputValue()).to.equal("5");
    await two.page.getByRole("button", { name: "Any legal move" }).click();
    await playOut(both, one);
    expect([one, two].map(({ wallet }) => wallet.promptsOf())).to.deep.equal(asked);
    const [, won, lost, draws] = /^(\d) : (\d)(, 1 draw|, 2 draws|)$/.exec((await held(one))[2])!;
    expect((await held(two))[2]).to.equal(`${lost} : ${won}${draws}`);
    const amounts = (await held(one)).slice(0, 2).map((text) => parseEther(text.replace(" FIGHT", "")));
    await one.page.getByRole("button", { name: "Get up" }).click();
    await two.page.getByRole("button", { name: "Get up too" }).click();
    await send(one);
    for (const { page } of [one, two]) await page.getByRole("link", { name: "Sit down again" }).waitFor();
    await one.picture("channels-closed");
    // Two of these transactions are deposits in the purses.
    expect(one.wallet.promptsOf(SENDING) + two.wallet.promptsOf(SENDING)).to.equal(4);
    expect(await pursesOf(both)).to.deep.equal(amounts);
  });

  it("shows the match that the other player asks for, and shows that an offer was declined", async () => {
    const both = await people(PHONE);
    const { one, two } = both;
    await sitDown(both, 10, "tic-tac-toe", "default");
    await two.page.getByRole("button", { name: "Ask for a match …" }).click();
    await two.page.getByLabel("Game").selectOption("mini-games");
    await two.page.getByLabel("Mode").selectOption("dice");
    await two.page.getByLabel("Stake of each player").fill("11");
    await two.page.getByText(/holds? 10 FIGHT in this channel\.$/).waitFor();
    await two.page.getByLabel("Stake of each player").fill("5");
    await two.picture("channels-phone-asking");
    await two.page.getByRole("button", { name: /^Ask for Mini-games/ }).click();
    await two.page.getByText(/^You ask for Mini-games · Dice, 5 FIGHT each\.$/).waitFor();
    await two.picture("channels-phone-asked");
    await one.page.getByText(/ asks for Mini-games · Dice, 5 FIGHT each\.$/).waitFor();
    await one.picture("channels-wish");
    await one.page.getByRole("button", { name: "Fill in the offer" }).click();
    expect(await one.page.getByLabel("Stake of each player").inputValue()).to.equal("5");
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await two.page.getByText("offers a match.").waitFor();
    await two.page.getByRole("button", { name: "Decline" }).click();
    await two.page.getByText("You decline the match.").waitFor();
    await two.picture("channels-phone-declined");
    await one.page.getByText(/ declines\. Your offer stands until /).waitFor();
    await one.picture("channels-declined");
  });

  it("plays Warmancer Classic without stakes or transactions, even on a phone", async () => {
    const both = await people({ ...PHONE, colorScheme: "dark" });
    const { one, two } = both;
    await two.picture("channels-phone-lobby");
    await sitDown(both, 0, "warmancer", "classic");
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await two.page.getByText("offers a match.").waitFor();
    // The title counts the matches that wait for the person.
    await two.page.waitForFunction(() => document.title.startsWith("(1) "));
    await one.page.waitForFunction(() => !document.title.startsWith("("));
    await two.picture("channels-phone-offered");
    const signed = [one, two].map(({ wallet }) => wallet.promptsOf(SIGNING));
    await anyMoves([two.page, one.page], async () => {
      const [heading] = await two.page.getByText(/^Turn \d+$/).allTextContents();
      // Any legal move can end the game at once, by taking the Throne.
      const isOver = await two.page
        .getByText(/^(You win|You lose|A draw)\b/)
        .first()
        .isVisible();
      return isOver || Number(heading?.slice("Turn ".length) ?? 0) > 2;
    });
    await two.picture("channels-phone-turn");
    expect([one, two].map(({ wallet }) => wallet.promptsOf(SENDING))).to.deep.equal([0, 0]);
    expect([one, two].map(({ wallet }) => wallet.promptsOf(SIGNING))).to.deep.equal(signed);
  });

  it("continues on the chain if a player is silent, with transactions sent by the wallets", async () => {
    const both = await people();
    const { one, two } = both;
    await sitDown(both, 10, "tic-tac-toe", "default");
    const { hash } = new URL(one.page.url());
    await one.page.getByLabel("Stake of each player").fill("1");
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await two.page.getByText("offers a match.").waitFor();
    await one.page.goto("about:blank");
    await two.page.getByRole("button", { name: "Any legal move" }).click();
    await two.page.getByText("is in turn.").waitFor();
    const clock = two.page.getByRole("timer");
    expect(await clock.textContent()).to.match(
      / has [45]:\d\d to answer\. Then the match goes to the chain, with a clock of .+ each\.$/,
    );
    // Longer than the page waits for the other player.
    await one.chain.pass(400);
    await two.page.getByRole("heading", { name: "Bring what was signed to the chain." }).waitFor();
    await two.picture("channels-challenge");
    await send(two);
    await clock.getByText(/ on the chain\. Then you win by the clock\.$/).waitFor();
    await one.open(hash);
    await one.page.getByText("The match goes on on the chain: your wallet sends the move.").waitFor();
    expect(await one.page.getByRole("timer").textContent()).to.match(/^You have .* on the chain\. Then .* wins by /);
    await one.picture("channels-on-chain");
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await one.page.getByRole("heading", { name: "Take your turn on the chain." }).waitFor();
    await until(async () => {
      for (const { page } of [one, two]) {
        await clickIfEnabled(page.getByRole("button", { name: /^(Any legal move|Send)$/ }));
      }
      return next(two).isVisible();
    });
    await two.picture("channels-after-chain");
    // A match on the chain pays into the purses, so the channel holds only the rest.
    expect((await held(two)).slice(0, 2)).to.deep.equal(["9 FIGHT", "9 FIGHT"]);
  });

  it("reports an invalid message of the other player in one line, and continues", async () => {
    const both = await people();
    const { relay, one, two } = both;
    await sitDown(both, 1, "tic-tac-toe", "default");
    const at: ChannelsAt = { chainId: 31_337n, channels: await one.chain.arena.channels() };
    const key = await keyIn(two);
    const [channel] = await new RelayLobby([relay.url], at).channels(computeAddress(key));
    const unsigned = { type: "balance", channel: channelIdOf(channel), nonce: 2 ** 14, close: false, until: NO_END };
    const amounts = { amount1: 0n, amount2: parseEther("2"), player: 2 };
    const message = signedWith<BalanceMessage>(key, at, { ...unsigned, ...amounts } as Omit<
      BalanceMessage,
      "signature"
    >);
    await new RelayChannelTransport([relay.url], at, channel).put(channelMessageText(message));
    await one.page
      .getByText("A message is refused: amount1: 0 instead of 1000000000000000000", { exact: true })
      .waitFor();
    await one.picture("channels-trouble");
    await clickIfEnabled(one.page.getByRole("button", { name: "Any legal move" }));
    await playOut(both, two);
    expect((await held(two)).slice(0, 2)).to.deep.equal(["1 FIGHT", "1 FIGHT"]);
  });

  it("plays a channel in one tab at a time, and in the next tab when the first is closed", async () => {
    const both = await people();
    const { one } = both;
    await sitDown(both, 0, "tic-tac-toe", "default");
    const tab = await one.openTab(new URL(one.page.url()).hash);
    await tab.getByRole("heading", { name: "Open in another tab." }).waitFor();
    await one.page.close();
    await tab.getByRole("heading", { name: "Offer a match" }).waitFor();
  });

  it("asks the wallet again after a rejection only on a click, and keeps a search after a reload", async () => {
    const { one, two } = await people();
    await two.open(`#/sit?to=${one.wallet.address}`);
    await two.page.getByLabel("You lock").fill("3");
    await two.page.getByRole("button", { name: "Ask to sit down" }).click();
    await two.page.getByText(/^Waiting for .* to sit down/).waitFor();
    await two.page.reload();
    await two.page.getByText(/3 FIGHT each/).waitFor();
    two.wallet.rejectNext();
    await one.page.getByRole("button", { name: "Sit down", exact: true }).click();
    const again = two.page.getByRole("button", { name: "Sign, and sit down" });
    await again.waitFor();
    const signed = two.wallet.promptsOf(SIGNING);
    await two.picture("channels-consent");
    await two.page.reload();
    await again.waitFor();
    expect(two.wallet.promptsOf(SIGNING)).to.equal(signed);
    await again.click();
    await one.page.getByRole("heading", { name: "Open the channel." }).waitFor();
    await one.picture("channels-send");
  });

  it("has no accessibility violation", async () => {
    const both = await people();
    const { one, two } = both;
    await sitDown(both, 0, "tic-tac-toe", "default");
    const wrong = await look(one.page, "offering");
    await one.page.getByRole("button", { name: "Any legal move" }).click();
    await two.page.getByText("offers a match.").waitFor();
    wrong.push(...(await look(two.page, "offered")));
    await one.open("#/sit");
    await one.page.getByRole("button", { name: "Wait for anyone" }).waitFor();
    wrong.push(...(await look(one.page, "sitting down")));
    await one.page.getByRole("button", { name: "Wait for anyone" }).click();
    await one.open("#/");
    await one.page.getByText(/^Waiting for anyone to sit down/).waitFor();
    await two.open("#/");
    await two.page.getByText("any game").waitFor();
    wrong.push(...(await look(two.page, "the lobby")));
    expect(wrong).to.deep.equal([]);
  });
});
