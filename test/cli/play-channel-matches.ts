import { expect } from "chai";
import { ZeroHash } from "ethers";
import { channelsOf } from "../../sdk/chain/channels.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { Channels__factory } from "../../typechain-types/index.js";
import { FIRST, marks, Pair } from "../support/channels.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB] = [4, 5];

describe("npm run play: channel matches on the chain", () => {
  let world: PlayWorld;
  let terminal: Terminal;
  let pair: Pair;
  let matchId: string;

  before(async () => {
    world = await startWorld();
    terminal = await world.terminal([]);
    const signers = await world.provider.listAccounts();
    const { Arena, TicTacToe: game } = world.addresses;
    const channels = Channels__factory.connect(channelsOf(Arena), signers[0]);
    const feeBps = await world.arena.feeBps();
    pair = await Pair.of(channels, 31_337, [signers[ALICE], signers[BOB]], { token: COIN, feeBps });
    await (await pair.open(0n, 0n, 2 ** 31)).wait();
    const stakes = { stake1: 0n, stake2: 0n, token: COIN, feeBps };
    const terms: Terms = { game, mode: ZeroHash, clock: 3600n, rated: true, ...stakes };
    const transcript = await pair.transcript(FIRST, terms, marks([0, 4, 1, 8, 2]), { seen: true });
    await (await channels.play(pair.channel, FIRST, terms, [transcript], { gasLimit: 8_000_000 })).wait();
    matchId = String(pair.matchIdOf(FIRST));
  });
  after(() => world.close());

  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await terminal.end(...args);
    expect([code, stderr], stdout).to.deep.equal([0, ""]);
    return stdout;
  }

  it("are shown with players, channel, result and marks", async () => {
    const { player1, player2 } = pair.channel;
    const shown = JSON.parse(await printed("show", matchId, "--json")) as object;
    const channel = { id: pair.id, nonce: FIRST };
    expect(shown).to.deep.include({ matchId, player1, player2, game: "tic-tac-toe", mode: "default", channel });
    const text = await printed("show", matchId);
    expect(text).to.contain(`Match ${matchId}: player 1 won\n`);
    expect(text).to.contain(`  channel   ${pair.id}, match ${FIRST} of it\n`);
    expect(text.match(/marks cell/g)).to.have.length(5);
  });

  it("are watched to their end", async () => {
    expect(await printed("watch", matchId)).to.match(/It is over: player 1 won\./);
  });

  it("are replayed", async () => {
    expect(await printed("replay", matchId)).to.contain("every payment are identical.");
  });

  it("are not found under a number that no channel submitted", async () => {
    const { code, stderr } = await terminal.end("show", String(pair.matchIdOf(FIRST + 1)));
    expect(code).to.equal(1);
    expect(stderr).to.match(/^There is no match \d+ that a channel brought to the chain\.\n$/);
  });
});
