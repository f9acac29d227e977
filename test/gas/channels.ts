import { keccak256, type ContractTransactionResponse } from "ethers";
import { encodeMode } from "../../sdk/games/mini-games/mode.js";
import { CLASSIC } from "../../sdk/games/warmancer/mode.js";
import { stateHashIn } from "../../sdk/games/warmancer/state.js";
import { Random } from "../../sdk/laws/random.js";
import { placeOf } from "../../sdk/protocol/channels/messages.js";
import { transcriptOf } from "../../sdk/protocol/channels/transcript.js";
import { decodeCommitment, NO_STATE, stateHashOf } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import {
  Channels__factory,
  MiniGames__factory,
  TicTacToe__factory,
  Warmancer__factory,
  type Channels,
} from "../../typechain-types/index.js";
import { FIRST, keyOf, marks, oneRound, Pair, type Moves, type Signing } from "../support/channels.js";
import { EngineDriver, fierce } from "../support/warmancer.js";
import { DAY, UNIT, type Player } from "./chain.js";
import { planMatch, termsFor, usual } from "./match.js";
import { friendly, register, type Costs, type World } from "./world.js";

const ROCK_PAPER_SCISSORS = encodeMode({ kind: 0, ties: 1 });
const [ROCK, PAPER, SCISSORS] = ["0x00", "0x01", "0x02"];
/** A draw with all nine marks: no game is longer. */
const NINE_MARKS = [0, 2, 1, 3, 5, 4, 6, 8, 7];
const AMOUNT = 400n * UNIT;

/** Channels of returning players: opening, matches of every length, disputes and closing; Alice has seat One. */
export async function channels(world: World): Promise<Costs> {
  const bench = await Bench.deployed(world);
  const { alice, bob, carol, dave, stranger } = world;
  const other = await bench.pairOf(carol, dave);
  await bench.open(other);
  await bench.put("open: the first time", bench.open(bench.pair));

  const rps = await termsFor(world, { game: bench.miniGames, mode: keccak256(ROCK_PAPER_SCISSORS) });
  const byAlice = { sender: Seat.One };
  const what = "play rock-paper-scissors, rated, with stakes";
  await bench.put(`${what}: first-time players`, bench.playRounds(rps, alice, byAlice));
  await bench.put(`${what}: by the committer`, bench.playRounds(rps, alice, byAlice));
  await bench.put(`${what}: by the other`, bench.playRounds(rps, bob, { sender: Seat.Two }));
  await bench.put(`${what}: by anyone`, bench.playRounds(rps, stranger));
  const unrated = { ...rps, ...friendly };
  await bench.put("play rock-paper-scissors, unrated, without stakes", bench.playRounds(unrated, alice, byAlice));
  for (const count of [10, 30]) {
    await bench.put(
      `play ${count} of rock-paper-scissors in one: each`,
      bench.playRounds(rps, alice, byAlice, count),
      count,
    );
  }

  const battle = await termsFor(world);
  const { createData, joinData, revealData } = await planMatch(world, alice, bob, {
    wanted: usual,
    matchId: bench.pair.matchIdOf(bench.nonce),
  });
  const head = { round: 1, state: NO_STATE };
  const position = stateHashOf(head, decodeCommitment(createData).commitment);
  await bench.put(
    "play an auto-battle of 30 attacks, rated, with stakes",
    bench.play(battle, alice, { position, actions: [joinData, revealData] }, byAlice),
  );

  const marks = await termsFor(world, { game: await bench.deploy(TicTacToe__factory) });
  await bench.play(marks, bob, nineMarks, { sender: Seat.Two });
  await bench.put(
    "play tic-tac-toe of nine marks, rated, with stakes",
    bench.play(marks, bob, nineMarks, { sender: Seat.Two }),
  );

  const classic = await termsFor(world, { game: await bench.deploy(Warmancer__factory) });
  await bench.playClassic(classic);
  await bench.put("play Warmancer Classic, rated, with stakes", bench.playClassic(classic));

  await bench.put("challenge: unknown terms", bench.challenge(rps));
  await bench.put("reveal after a challenge", bench.reveal());
  await bench.put("challenge: known terms", bench.challenge(rps));
  await bench.put("take a challenge back by a play", bench.supersede(rps));
  await bench.challenge(rps);
  await world.wait(2 * DAY);
  await bench.put("time out after a challenge", world.stranger.arena.timeout(bench.pair.matchIdOf(bench.nonce - 1)));
  await bench.put("checkpoint", bench.checkpoint());
  await bench.challenge(rps);
  await bench.put("take a challenge back by a checkpoint", bench.checkpoint({ stake: rps.stake1 }));
  await bench.put("close", bench.checkpoint({ close: true }));
  await bench.put("open: again", bench.open(bench.pair));
  await world.wait(40 * DAY);
  await bench.put("expire", bench.contract.expire(bench.pair.channel));
  await bench.put("collect house shares", bench.contract.collect(rps.token));

  await register(world, unrated);
  const rated = { ...unrated, rated: true };
  await bench.put("a newcomer opens and plays in one, rated, without stakes", bench.welcome(rated));
  return bench.costs;
}

const nineMarks = marks(NINE_MARKS);

class Bench {
  readonly costs: Costs = {};
  nonce = 0;
  private readonly random = new Random("channels");
  /** Reveal of the latest challenged match. */
  private hidden: Hex = "0x";

  private constructor(
    private readonly world: World,
    readonly contract: Channels,
    readonly miniGames: Hex,
    readonly token: string,
    readonly pair: Pair,
  ) {}

  static async deployed(world: World): Promise<Bench> {
    const contract = Channels__factory.connect(await world.arena.channels(), world.deployer);
    const token = await world.fight.getAddress();
    const miniGames = await (await new MiniGames__factory(world.deployer).deploy(world.arena)).getAddress();
    const pair = await Pair.of(contract, world.chainId, [world.alice.signer, world.bob.signer], { token });
    return new Bench(world, contract, miniGames, token, pair);
  }

  async put(what: string, sent: Promise<ContractTransactionResponse>, matches = 1): Promise<void> {
    const name = `channels, ${what}`;
    this.costs[name] = Math.ceil((await this.world.recordedGas(name, sent)) / matches);
  }

  async deploy(Factory: typeof TicTacToe__factory | typeof Warmancer__factory): Promise<Hex> {
    return (await new Factory(this.world.deployer).deploy(this.world.arena)).getAddress();
  }

  pairOf(one: Player, two: Player): Promise<Pair> {
    return Pair.of(this.contract, this.world.chainId, [one.signer, two.signer], { token: this.token });
  }

  async open(pair: Pair) {
    this.nonce = Number(await this.contract.firstNonceOf(pair.id));
    return pair.open(AMOUNT, AMOUNT, (await this.world.now()) + 30 * DAY);
  }

  async play(terms: Terms, { signer }: Player, moves: Moves, how: Signing) {
    const transcript = await this.pair.transcript(this.nonce, terms, moves, how);
    return this.contract.connect(signer).play(this.pair.channel, this.nonce++, terms, [transcript]);
  }

  /** Plays matches of rock-paper-scissors, which the players win alternately. */
  async playRounds(terms: Terms, { signer }: Player, how: Signing = {}, count = 1) {
    const first = this.nonce;
    const transcripts = [];
    for (; this.nonce < first + count; this.nonce++)
      transcripts.push(await this.pair.transcript(this.nonce, terms, this.round(), how));
    return this.contract.connect(signer).play(this.pair.channel, first, terms, transcripts);
  }

  /** Settles a Classic game whose end both players have signed. The transcript contains only its last action. */
  async playClassic(terms: Terms) {
    const { chainId, alice, bob } = this.world;
    const match = { chainId, game: terms.game, players: [alice.address, bob.address] as const, mode: CLASSIC };
    const matchId = this.pair.matchIdOf(this.nonce);
    const driver = EngineDriver.of(CLASSIC, this.random, fierce(this.random), { ...match, matchId, rated: true });
    const [offered, ...sent] = driver.start().play().sent;
    const positions = sent.map(({ outcome }) => stateHashIn(outcome.state));
    const count = sent.length - 1;
    const signed = await this.pair.signedMatch(
      this.nonce,
      terms,
      { position: stateHashIn(offered.outcome.state), actions: sent.map(({ data }) => data) },
      {
        seats: sent.map(({ seat }) => seat),
        places: sent.map(({ outcome }, i) => placeOf(outcome.step.turn, positions[i])),
        seen: true,
      },
    );
    const base = { count, turn: sent[count].seat, position: positions[count - 1] };
    const transcript = transcriptOf(signed, base);
    return this.contract.connect(this.world.stranger.signer).play(this.pair.channel, this.nonce++, terms, [transcript]);
  }

  /** Lets Bob challenge with a match of rock-paper-scissors after his answer. */
  async challenge(terms: Terms) {
    const { position, actions } = this.round();
    this.hidden = actions[1];
    const how = { sender: Seat.Two };
    const transcript = await this.pair.transcript(this.nonce, terms, { position, actions: [actions[0]] }, how);
    return this.contract.connect(this.world.bob.signer).challenge(this.pair.channel, this.nonce++, terms, transcript);
  }

  reveal() {
    return this.world.alice.arena.act(this.pair.matchIdOf(this.nonce - 1), this.hidden);
  }

  /** Lets Alice play the match with which Bob has challenged. */
  supersede(terms: Terms) {
    this.nonce--;
    return this.playRounds(terms, this.world.alice, { sender: Seat.One });
  }

  /**
   * Lets Alice send a balance that is a hundred matches newer, with slightly different amounts.
   * @param stake Stake of each player in a match that it takes back.
   */
  async checkpoint({ close = false, stake = 0n } = {}) {
    this.nonce += 100;
    const { amount1, amount2 } = await this.pair.state();
    const amounts = [amount1 + stake - 5n, amount2 + stake + 5n] as const;
    const args = await this.pair.balance(this.nonce, ...amounts, { close, sender: 1 });
    return this.contract.connect(this.world.alice.signer).checkpoint(...args);
  }

  /** Lets Carol open a channel with a newcomer, whose account is its browser key, and settle their first match. */
  async welcome(terms: Terms) {
    const { world, contract } = this;
    const [newcomer, carol] = [keyOf("newcomer"), world.carol];
    const pair = await Pair.of(contract, world.chainId, [newcomer, carol.signer], {
      keys: [newcomer, keyOf("key of Carol")],
      token: this.token,
    });
    const moves = oneRound(world.chainId, terms.game, newcomer.address, [PAPER, ROCK], "the newcomer's match");
    const transcript = await pair.transcript(FIRST, terms, moves, { sender: Seat.Two });
    const opening = await pair.opening(0n, 0n, (await world.now()) + DAY);
    const calls = [
      contract.interface.encodeFunctionData("open", [...opening]),
      contract.interface.encodeFunctionData("play", [pair.channel, FIRST, terms, [transcript]]),
    ];
    return contract.connect(carol.signer).multicall(calls);
  }

  private round() {
    const answer = this.nonce % 2 === 0 ? ROCK : SCISSORS;
    const { chainId, alice } = this.world;
    return oneRound(chainId, this.miniGames, alice.address, [PAPER, answer], `match ${this.nonce}`);
  }
}
