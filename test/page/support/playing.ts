import type { Locator, Page } from "playwright-core";
import { History } from "../../../sdk/chain/history.js";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { turnOf } from "../../../sdk/games/moves.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { offerOf } from "../../../sdk/protocol/offer.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import type { TestChain } from "./chain.js";
import { visit, type Visitor } from "./harness.js";
import type { WalletOptions } from "./wallet.js";

/** Accounts of the person at the browser and of the other player. */
export const PERSON = 2;
export const OTHER = 3;

/** Connects the visitor's wallet with the button in the header. */
export async function connect({ page }: Visitor): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mock Wallet" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Opens the page with a connected wallet. */
export async function visitWith(
  options: WalletOptions = {},
  hash = "#/purse",
  chain?: TestChain,
  account = PERSON,
): Promise<Visitor> {
  const visitor = await visit({ wallets: [{ account, options }], chain });
  await visitor.open(hash);
  await connect(visitor);
  return visitor;
}

/** Returns the number of the match that a page has opened. */
export async function openedMatch(page: Page): Promise<bigint> {
  await page.waitForURL(/#\/match\//);
  return BigInt(/match\/(\d+)/.exec(page.url())![1]);
}

/** Plays legal moves, each on the page of the player whose turn it is, until a condition holds. */
export async function anyMoves(pages: readonly Page[], holds: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    for (const page of pages) {
      await clickIfEnabled(page.getByRole("button", { name: "Next match", exact: true }));
      await clickIfEnabled(page.getByRole("button", { name: "Any legal move" }));
    }
    return holds();
  });
}

/** Clicks the first of the shown buttons if it is enabled. Check and click are one step. */
export async function clickIfEnabled(buttons: Locator): Promise<void> {
  await buttons.evaluateAll(([first]) => (first as HTMLButtonElement | undefined)?.click());
}

/** Offers a match of mini-games to the other player. @returns number of the match */
export async function offer(
  visitor: Visitor,
  mode = "rock-paper-scissors",
  stake = "5",
  clock = "86400",
): Promise<bigint> {
  const { page, chain } = visitor;
  const opponent = (await chain.account(OTHER)).address;
  await visitor.open(`#/play/mini-games/${mode}?to=${opponent}&stake=${stake}&clock=${clock}`);
  await page.getByRole("button", { name: "Any legal move" }).click();
  return openedMatch(page);
}

/** Makes the other player answer a match. */
export async function answer(chain: TestChain, matchId: bigint): Promise<void> {
  const client = await chain.client(OTHER);
  const { addresses } = chain;
  const record = await new History(chain.provider, addresses).match(matchId);
  const { terms } = record;
  await client.deposit(terms.token, terms.stake2);
  const turn = turnOf(record, Seat.Two, client.address, new History(chain.provider, addresses));
  const store = secretStoreWith(randomKey(), client.committer(terms.game));
  const move = await miniGames.moves.suggest(turn, store);
  await client.join(offerOf(record), await miniGames.moves.join(move, turn, store), { acceptedRisks: ["short-clock"] });
}

/** Waits until an action is over. */
export async function done(page: Page, title: string): Promise<void> {
  await page.getByRole("log").locator(".transaction").filter({ hasText: title }).getByText("Done.").waitFor();
}

/** Returns true if a match is over. */
export async function isOver({ arena }: TestChain, matchId: bigint): Promise<boolean> {
  return (await arena.matchOf(matchId)).status > Status.AllJoined;
}

/** Waits until a condition holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Counts the transactions that the browser stores. */
export function keptTransactions(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open("duello");
        opening.onsuccess = () => {
          const counting = opening.result.transaction("transactions").objectStore("transactions").count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );
}
