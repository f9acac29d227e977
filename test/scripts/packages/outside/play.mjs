/**
 * Plays a staked match of rock-paper-scissors between two accounts of a local chain, with the SDK and the ethers that are
 * passed in, and replays it. @returns its result in words.
 */
export async function play(duello, { JsonRpcProvider, parseEther }, url, { addresses, block }) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  provider.pollingInterval = 50;
  const history = new duello.History(provider, addresses, block);
  const [alice, bob] = await Promise.all(
    [6, 7].map(async (account) => duello.Client.connect(addresses, duello.games, await provider.getSigner(account))),
  );
  const game = addresses.MiniGames;
  const { moves, modes } = duello.stockGame("mini-games");
  const mode = duello.modeHash(modes["rock-paper-scissors"].content);
  const stake = parseEther("1");
  const terms = { game, mode, token: duello.COIN, stake1: stake, stake2: stake, clock: 86_400n, rated: true };
  await Promise.all([alice, bob].map((player) => player.deposit(duello.COIN, stake)));

  const secretStore = await duello.walletSecretStore(alice, game);
  const first = { seat: duello.Seat.One, player: alice.address, game, mode, history };
  const data = await moves.create(0, first, secretStore);
  const { matchId } = await alice.create({ terms, opponent: bob.address, data });

  const record = await history.match(matchId);
  const answer = duello.turnOf(record, duello.Seat.Two, bob.address, history);
  const bobsStore = duello.secretStoreWith(duello.randomKey(), bob.committer(game));
  const answered = await moves.join(2, answer, bobsStore);
  await bob.join(duello.offerOf(record), answered);

  await duello.takeTurn(alice, history, matchId, { secretStore, move: async () => undefined });
  const { record: played, mismatch } = await duello.replay(history, duello.games, matchId);
  provider.destroy();
  const end = duello.statusText[String(played.settlement.status)];
  return `${end}, ${mismatch ? duello.mismatchText(mismatch) : "identical"}`;
}
