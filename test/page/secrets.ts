import { expect } from "chai";
import { History } from "../../sdk/chain/history.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, type SecretStore } from "../../sdk/games/moves.js";
import type { Client } from "../../sdk/player/client.js";
import { randomKey, secretStoreWith, walletKeys } from "../../sdk/player/secrets.js";
import { takeTurn } from "../../sdk/player/turn.js";
import { Status } from "../../sdk/protocol/status.js";
import type { TestChain } from "./support/chain.js";
import { describePage, pageChain } from "./support/harness.js";
import { answer, isOver, offer, OTHER, PERSON, until, visitWith } from "./support/playing.js";

const REJECTED = { error: { code: 4001, message: "User rejected the request." } };

/** Makes the secret store of the person's wallet, for use outside of the page. */
async function storeOf(chain: TestChain, client: Client): Promise<SecretStore> {
  const { Arena, MiniGames } = chain.addresses;
  return secretStoreWith(await walletKeys(client.signer, 31_337, Arena), client.committer(MiniGames));
}

/** Offers a match without a stake outside of the page. @returns its number */
async function offered(chain: TestChain, client: Client, to: number, store: SecretStore): Promise<bigint> {
  const { MiniGames: game, FightToken: token } = chain.addresses;
  const mode = modeHash(miniGames.modes["rock-paper-scissors"].content);
  const terms = { game, token, stake1: 0n, stake2: 0n, mode, clock: 86_400n, rated: false };
  const turn = firstTurn(terms, client.address, new History(chain.provider, chain.addresses));
  const data = await miniGames.moves.create(1, turn, store);
  const [opponent, firmUntil] = [(await chain.account(to)).address, (await client.now()) + 86_400];
  return (await client.create({ terms, data, firmUntil, opponent })).matchId;
}

describePage("The page: secrets", () => {
  it("derives secrets from the wallet, so that a move made in the page can be revealed elsewhere", async () => {
    const visitor = await visitWith();
    const { page, chain } = visitor;
    const matchId = await offer(visitor, "rock-paper-scissors", "0");
    await page.goto("about:blank");
    await answer(chain, matchId);
    const client = await chain.client(PERSON);
    const secretStore = await storeOf(chain, client);
    await takeTurn(client, new History(chain.provider, chain.addresses), matchId, {
      secretStore,
      move: async () => undefined,
    });
    expect(await isOver(chain, matchId)).to.equal(true);
  });

  it("derives secrets from the wallet, so that a move made elsewhere can be revealed in the page", async () => {
    const chain = await pageChain();
    const client = await chain.client(PERSON);
    const matchId = await offered(chain, client, OTHER, await storeOf(chain, client));
    await answer(chain, matchId);
    const { page } = await visitWith({}, `#/match/${matchId}`);
    await page.getByRole("button", { name: "Unlock my moves" }).click();
    await page.getByRole("button", { name: "Reveal your move" }).click();
    await until(() => isOver(chain, matchId));
    await page.locator(".result").waitFor();
  });

  it("never answers one commitment with two moves, even in two tabs", async () => {
    const chain = await pageChain();
    const other = await chain.client(OTHER);
    const matchId = await offered(
      chain,
      other,
      PERSON,
      secretStoreWith(randomKey(), other.committer(chain.addresses.MiniGames)),
    );
    const visitor = await visitWith({}, `#/match/${matchId}`);
    const { page, wallet } = visitor;
    const tab = await visitor.openTab(`#/match/${matchId}`);
    const answered = wallet.answer.bind(wallet);
    let reject: (() => void) | undefined;
    wallet.answer = async (asked) =>
      asked.method === "eth_sendTransaction"
        ? new Promise((resolve) => (reject = () => resolve(REJECTED)))
        : answered(asked);
    const play = async (each: typeof page, move: string) => {
      await each.getByRole("radio", { name: move }).check();
      await each.getByRole("button", { name: `Play ${move}` }).click();
    };
    await play(page, "rock");
    await until(async () => reject !== undefined);
    await play(tab, "paper");
    await tab.getByText("This is being done in another tab of this browser: look there.").waitFor();
    wallet.answer = answered;
    reject!();
    await page.getByText("It was rejected in the wallet: nothing was sent.").waitFor();
    await play(tab, "paper");
    await tab.getByText("This commitment was answered with rock before: send that again.").waitFor();
    expect((await chain.arena.matchOf(matchId)).status).to.equal(Status.P1Deposited);
    await play(tab, "rock");
    await until(async () => (await chain.arena.matchOf(matchId)).status === Status.AllJoined);
  });
});
