import { expect } from "chai";
import { parseEther } from "ethers";
import type { Page } from "playwright-core";
import { ticTacToe } from "../../sdk/games/tic-tac-toe/index.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { History } from "../../sdk/chain/history.js";
import { randomKey, secretStoreWith } from "../../sdk/player/secrets.js";
import { modeHash } from "../../sdk/games/modes.js";
import type { Risk } from "../../sdk/player/risks.js";
import type { Offer } from "../../sdk/protocol/offer.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { TestChain } from "./support/chain.js";
import { likenessOf } from "../../page/src/people/recipe.js";
import { describePage, ownChain, pageChain, visit, type Visitor } from "./support/harness.js";
import { anyMoves, done, isOver, openedMatch, until, visitWith } from "./support/playing.js";

/** Accounts of the two visitors; no other file creates their matches. */
const ONE = 4;
const TWO = 5;

/** Opens two browsers with separate wallets. */
async function visitors(chain?: TestChain): Promise<[Visitor, Visitor]> {
  return [await visitWith({}, "#/", chain, ONE), await visitWith({}, "#/", chain, TWO)];
}

/** Waits until a page shows how its player's match has ended. */
async function told(page: Page, result: string): Promise<void> {
  await page.getByText(result, { exact: true }).waitFor();
}

/** Lets the first account offer a match to the second, outside of the page. @returns its number */
async function offered(
  chain: TestChain,
  { game = miniGames, mode = "rock-paper-scissors", stake1 = "1", stake2 = "1", content = "" } = {},
): Promise<bigint> {
  const client = await chain.client(ONE);
  const { FightToken } = chain.addresses;
  const terms = {
    game: (chain.addresses as unknown as Record<string, string>)[game.contract],
    token: FightToken,
    stake1: parseEther(stake1),
    stake2: parseEther(stake2),
    mode: modeHash(content || game.modes[mode].content),
    clock: 3600n,
    rated: true,
  };
  await client.deposit(FightToken, terms.stake1);
  const history = new History(chain.provider, chain.addresses);
  const turn = firstTurn(terms, client.address, history);
  const store = secretStoreWith(randomKey(), client.committer(terms.game));
  const move = await game.moves.suggest(turn, store);
  const data = await game.moves.create(move, turn, store);
  const acceptedRisks: Risk[] = ["worse-odds", "foreign-mode", "short-clock"];
  const firmUntil = (await client.now()) + 3000;
  const opponent = (await chain.account(TWO)).address;
  const { matchId } = await client.create({ terms, data, firmUntil, opponent }, { acceptedRisks });
  return matchId;
}

/** Lets the first account offer a match of tic-tac-toe outside of the page: a soft offer to anyone, or a firm one. */
async function offeredTicTacToe(chain: TestChain, opponent?: string): Promise<Offer> {
  const { FightToken: token, TicTacToe: game } = chain.addresses;
  const mode = modeHash(ticTacToe.modes.default.content);
  const terms = { game, token, stake1: 0n, stake2: 0n, mode, clock: 3600n, rated: true };
  const client = await chain.client(ONE);
  const firm = opponent === undefined ? {} : { opponent, firmUntil: (await client.now()) + 3000 };
  return client.create({ terms, data: "0x00", ...firm });
}

/** Lets the second account mark a cell outside of the page: when it joins a match of tic-tac-toe, or on its turn. */
async function markOutside(chain: TestChain, offer: Offer, cell: number): Promise<void> {
  const { moves } = ticTacToe;
  const client = await chain.client(TWO);
  const history = new History(chain.provider, chain.addresses);
  const turn = turnOf(await history.match(offer.matchId), Seat.Two, client.address, history);
  const store = secretStoreWith(randomKey(), client.committer(offer.terms.game));
  if (turn.record.joinData === undefined) await client.join(offer, await moves.join(cell, turn, store));
  else await client.act(offer.matchId, await moves.act(cell, turn, store));
}

/** Starts a match of tic-tac-toe outside of the page, with the first account in turn. */
async function begunTicTacToe(chain: TestChain): Promise<Offer> {
  const offer = await offeredTicTacToe(chain, (await chain.account(TWO)).address);
  await markOutside(chain, offer, 3);
  return offer;
}

/** Marks a cell as soon as the page allows it. */
async function mark(page: Page, cell: string): Promise<void> {
  await page
    .getByRole("grid", { name: "mark a free cell" })
    .getByRole("gridcell", { name: `${cell}, free` })
    .click();
}

/** Watches a board after a move. @returns a function that returns true if another move was possible since */
async function watchBoard(page: Page): Promise<() => Promise<boolean>> {
  const watch = await page.evaluateHandle(() => {
    const watched = { isOpenAgain: false };
    const look = () => (watched.isOpenAgain ||= document.querySelector("[role=grid] [aria-disabled=false]") !== null);
    new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
    look();
    return watched;
  });
  return () => watch.evaluate(({ isOpenAgain }) => isOpenAgain);
}

/**
 * Withholds events from the page from now on. @param isOff Returns true if the page gets none. @returns a function that
 * waits until the page has requested them twice without success, and then releases them
 */
async function keepEvents(visitor: Visitor, isOff: () => Promise<boolean>): Promise<() => Promise<void>> {
  let refused = 0;
  visitor.allow(/Failed to load resource/);
  await visitor.disturbNode(async ({ method }) => {
    if (method !== "eth_getLogs" || !(await isOff())) return undefined;
    refused++;
    return { status: 429 };
  });
  return async () => {
    const enough = refused + 2;
    await until(async () => refused >= enough);
    visitor.calmNode();
  };
}

describePage("The page: matches of two players", () => {
  it("plays rock-paper-scissors on a firm offer, from the challenge to the rematch", async () => {
    const [one, two] = await visitors();
    const { page } = one;
    await one.open(`#/play/mini-games/rock-paper-scissors?to=${two.wallet.address}&stake=2`);
    await page.getByRole("radio", { name: "paper" }).check();
    await page.getByRole("button", { name: "Play paper" }).click();
    const matchId = await openedMatch(page);
    await page.getByText("It is a firm offer").waitFor();

    const yours = two.page.locator("section", { has: two.page.getByRole("heading", { name: "Your turn" }) });
    const link = yours.getByRole("link", { name: `in match ${matchId}` });
    await link.waitFor();
    // Matches that wait for the player come first, and the introduction to the page is gone.
    await two.page.locator(".lobby > section:first-of-type #your-turn").waitFor();
    expect(await two.page.getByRole("link", { name: "Play rock paper scissors now" }).count()).to.equal(0);
    expect(await two.page.title()).to.match(/^\(\d+\) Duello$/);
    await link.click();
    await two.page.getByText("for a pot of 4 FIGHT, house fee").waitFor();
    await two.page.getByRole("radio", { name: "rock" }).check();
    await two.page.getByRole("button", { name: "Play rock" }).click();

    await told(page, "You win.");
    await told(two.page, "You lose.");
    const [gain, loss] = [page, two.page].map((each) => each.getByRole("dialog", { name: /^You/ }));
    await gain.getByText("Pot 4 FIGHT − fee 0.8 FIGHT = 3.2 FIGHT to you. Your stake was 2 FIGHT.").waitFor();
    await gain.getByText("+1.2 FIGHT", { exact: true }).last().waitFor();
    await loss.getByText("−2 FIGHT", { exact: true }).last().waitFor();
    // Other tests may have changed both ratings before.
    await gain.getByText(/\d+ → \d+ \+\d+/).waitFor();
    await loss.getByText(/\d+ → \d+ −\d+/).waitFor();
    expect(await page.evaluate(() => document.activeElement!.textContent)).to.equal("Rematch, 2 FIGHT each");
    // A line with the result stays above the board, even after a reload.
    await page.keyboard.press("Escape");
    const line = page.getByRole("region", { name: "Result" });
    await line.getByText("+1.2 FIGHT", { exact: true }).waitFor();
    await page.reload();
    await line.getByText("You win.", { exact: true }).waitFor();
    expect(await gain.count()).to.equal(0);
    await line.getByRole("button", { name: "Show the result" }).click();
    await gain.waitFor();
    for (const each of [page, two.page]) await each.getByRole("button", { name: "Replay verified" }).waitFor();
    const { status } = await one.chain.arena.matchOf(matchId);
    expect(status).to.equal(Status.P1Win);
    await two.page.waitForFunction(() => !document.title.startsWith("("));

    await two.page.getByRole("link", { name: "Rematch" }).click();
    await two.page.getByText(/Fee of the chain: about .* for .* gas/).waitFor();
    const terms = async () =>
      Promise.all(
        ["Opponent", "Mode", "Stake of each player", "Token", "Clock of each player"].map((label) =>
          two.page.getByLabel(label).inputValue(),
        ),
      );
    expect(await terms()).to.deep.equal([one.wallet.address, "rock-paper-scissors", "2", "FIGHT", "86400"]);
    // The form for the same mode is already open.
    await two.open(`#/play/mini-games/rock-paper-scissors?to=${one.wallet.address}&stake=7&token=COIN&clock=3600`);
    await two.page.getByText(/Fee of the chain: about .* for .* gas/).waitFor();
    expect(await terms()).to.deep.equal([one.wallet.address, "rock-paper-scissors", "7", "COIN", "3600"]);
  });

  it("plays tic-tac-toe after an open soft offer that the opponent joins in two steps, by the challenge's link", async () => {
    const [one, two] = await visitors();
    const { page } = one;
    await one.open("#/play/tic-tac-toe/default?stake=1");
    await page.getByRole("gridcell", { name: "row 1, column 1, free" }).click();
    const matchId = await openedMatch(page);
    await page.getByText("Anyone may take it.").waitFor();
    await page.getByRole("button", { name: "Copy the link" }).click();
    const link = await page.getByLabel("Copy this link").inputValue();

    await two.page.goto(link);
    await two.page.getByText("An open offer is joined in two steps").waitFor();
    await two.page.getByRole("gridcell", { name: "row 2, column 1, free" }).click();
    for (const [each, cell] of [
      [page, "row 1, column 2"],
      [two.page, "row 2, column 2"],
      [page, "row 1, column 3"],
    ] as const) {
      await mark(each, cell);
    }
    await told(page, "You win.");
    await told(two.page, "You lose.");
    expect(await isOver(one.chain, matchId)).to.equal(true);
    const { arena } = one.chain;
    expect(await arena.queryFilter(arena.filters.Funded(matchId))).to.have.length(1);
  });

  it("offers a turn only once, even if its result is read late", async () => {
    const one = await visitWith({}, "#/", undefined, ONE);
    const { page, chain } = one;
    await one.open(`#/match/${(await begunTicTacToe(chain)).matchId}`);
    await page.getByRole("grid", { name: "mark a free cell" }).waitFor();
    const letThrough = await keepEvents(one, async () => true);
    // Meanwhile the wallet gives the key to the player's secrets, and the page reads the match again.
    await mark(page, "row 1, column 2");
    const isOpenAgain = await watchBoard(page);
    await done(page, "Take your turn");
    await letThrough();
    await page.getByText(/^Waiting for /).waitFor();
    expect(await isOpenAgain()).to.equal(false);
  });

  it("offers to join only once, even if it reads the payment immediately and the join late", async () => {
    const two = await visitWith({}, "#/", undefined, TWO);
    const { page, chain } = two;
    const { matchId } = await offeredTicTacToe(chain);
    await two.open(`#/match/${matchId}`);
    await page.getByText(/Fee of the chain: about/).waitFor();
    const hasJoined = async () => (await chain.arena.matchOf(matchId)).status === Status.AllJoined;
    const letThrough = await keepEvents(two, hasJoined);
    await mark(page, "row 2, column 1");
    const isOpenAgain = await watchBoard(page);
    await done(page, "Join match");
    await page.getByText(/Fee of the chain: about/).waitFor({ state: "detached" });
    await letThrough();
    await page.getByText(/^Waiting for /).waitFor();
    expect(await isOpenAgain()).to.equal(false);
  });

  it("takes a turn even if the node has not yet reported the previous one as mined", async () => {
    const one = await visitWith({}, "#/", undefined, ONE);
    const { page, chain } = one;
    const offer = await begunTicTacToe(chain);
    const { matchId } = offer;
    await one.open(`#/match/${matchId}`);
    await one.disturbNode(({ method }) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined));
    await mark(page, "row 1, column 2");
    await until(async () => (await chain.arena.matchOf(matchId)).turn === Seat.Two);
    await markOutside(chain, offer, 4);
    await mark(page, "row 1, column 3");
    await until(() => isOver(chain, matchId));
    one.calmNode();
    await told(page, "You win.");
  });

  it("plays Warmancer Quick with armies from presets, until one player resigns", async () => {
    const [one, two] = await visitors();
    const { page } = one;
    await one.open(`#/play/warmancer/quick?to=${two.wallet.address}`);
    await page.getByRole("button", { name: "Fortress" }).click();
    await page.getByRole("button", { name: "Commit to this army" }).click();
    const matchId = await openedMatch(page);
    await two.open(`#/match/${matchId}`);
    await two.page.getByRole("button", { name: "Assault" }).click();
    await two.page.getByRole("button", { name: "Commit to this army" }).click();
    const second = page.getByRole("heading", { name: "Turn 2", exact: true });
    await anyMoves([page, two.page], async () => second.isVisible());
    await page.getByRole("button", { name: "Resign …" }).click();
    await page.getByText("The other player takes the pot.").waitFor();
    await page.getByRole("button", { name: "Resign", exact: true }).click();
    await two.page.getByText(`${likenessOf(one.wallet.address).name} resigned.`).waitFor();
    await told(page, "You lose.");
    await told(two.page, "You win.");
    expect(await isOver(one.chain, matchId)).to.equal(true);
    // The next challenge starts with the choices of the last challenge.
    await one.open("#/play");
    await page.getByRole("heading", { name: "New challenge" }).waitFor();
    expect(await page.getByLabel("Game").inputValue()).to.equal("warmancer");
    expect(await page.getByLabel("Mode").inputValue()).to.equal("quick");
  });
});

describePage("The page: offers and ends of matches", () => {
  it("cancels a soft offer, and shows that an offer was canceled or declined", async () => {
    const [one, two] = await visitors();
    const { page } = one;
    for (const [query, by, button] of [
      ["", one, "Call it off"],
      [`?to=${two.wallet.address}`, two, "Decline"],
    ] as const) {
      await one.open(`#/play/mini-games/rock-paper-scissors${query}`);
      await page.getByRole("button", { name: "Any legal move" }).click();
      const matchId = await openedMatch(page);
      if (by === two) await two.open(`#/match/${matchId}`);
      await by.page.getByRole("button", { name: button }).click();
      await by.page.getByRole("link", { name: "To the lobby" }).waitFor();
      await page.getByText("This offer was called off, declined, or has lapsed.").waitFor();
      expect((await one.chain.arena.matchOf(matchId)).status).to.equal(Status.P1Canceled);
    }
  });

  it("offers no move until the player accepts worse odds, and shows the fee", async () => {
    const two = await visitWith({}, "#/purse", undefined, TWO);
    const { page, chain, wallet } = two;
    await (await chain.client(TWO)).deposit(chain.addresses.FightToken, parseEther("9"));
    const matchId = await offered(chain, { stake1: "1", stake2: "2" });
    const before = wallet.promptsOf();
    await two.open(`#/match/${matchId}`);
    const risk = page.getByRole("group", { name: "Before you go on" }).getByLabel("You would stake at worse odds");
    await risk.waitFor();
    await page.getByText(/Fee of the chain: about/).waitFor();
    expect(await page.getByRole("button", { name: "Any legal move" }).count()).to.equal(0);
    expect(wallet.promptsOf()).to.equal(before);
    await risk.check();
    await page.getByRole("radio", { name: "rock" }).check();
    await page.getByRole("button", { name: "Play rock" }).click();
    await until(async () => (await chain.arena.matchOf(matchId)).status === Status.AllJoined);
  });

  it("challenges an agent for no stake in the mode in which the challenger wins ties, and for a stake in the normal mode", async () => {
    const chain = await pageChain();
    const [agent, person] = [await chain.account(ONE), await chain.account(TWO)];
    const { page, ...visitor } = await visit({ deployments: [{ ...chain.deployment, agents: [agent.address] }] });
    await page.goto(`${visitor.url}#/play/mini-games?to=${agent.address}`);
    const isIn = (mode: string) => until(async () => (await page.getByLabel("Mode").inputValue()) === mode);
    await isIn("rock-paper-scissors-challenger");
    await page.getByRole("button", { name: "Other" }).click();
    await page.getByLabel("Stake of each player").fill("1");
    await isIn("rock-paper-scissors");
    await page.getByRole("button", { name: "Free" }).click();
    await isIn("rock-paper-scissors-challenger");
    await page.getByLabel("Opponent").fill(person.address);
    await isIn("rock-paper-scissors");
    await page.getByLabel("Mode").selectOption("coin");
    await page.getByLabel("Opponent").fill(agent.address);
    await isIn("coin");
  });

  it("lets a player end a match after its deadline", async () => {
    const chain = await ownChain([ONE, TWO]);
    const two = await visitWith({}, "#/purse", chain, TWO);
    const { page } = two;
    const matchId = await offered(chain);
    await two.open(`#/match/${matchId}`);
    await page.getByRole("radio", { name: "rock" }).check();
    await page.getByRole("button", { name: "Play rock" }).click();
    await page.getByText(/^Waiting for .* to reveal/).waitFor();
    await chain.pass(3601);
    await page.reload();
    await page.getByText("The deadline has passed.").waitFor();
    await page.getByText("you take the pot").waitFor();
    await page.getByRole("button", { name: "End the match" }).click();
    await page.getByText(/^\w+ \w+ ran out of time\.$/).waitFor();
    await told(page, "You win on time.");
    expect((await chain.arena.matchOf(matchId)).status).to.equal(Status.P2WinInactive);
  });
});
