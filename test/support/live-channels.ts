import { concat, id } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { channelled, FIRST, type Signing } from "./channels.js";
import { HOUR, Seat, step, termsFor, time, UNIT, type Terms } from "./index.js";
import { inPlay } from "./matches.js";

const AMOUNT = 100n * UNIT;
const STAKE = 10n * UNIT;
const ANSWER = concat([step(Seat.One), id("answered")]);
const WIN = step(Seat.None, Seat.One);
const DRAW = step(Seat.None, Seat.None);
const REFUSED = "0x09";

/** Uses channels of the test chain in every way, and plays an ordinary match. @returns the deployment. */
export async function liveChannels(): Promise<Addresses> {
  const w = await channelled();
  const { pair, channels, arena, alice, bob, stranger } = w;
  const rated = await termsFor(w);
  let nonce = FIRST;
  const moves = (actions: readonly Hex[]) => ({ position: id("offered"), actions });
  const play = async (actions: readonly Hex[], terms: Terms = rated, how: Signing = {}) => {
    const transcript = await pair.transcript(nonce, terms, moves(actions), how);
    return channels.connect(stranger).play(pair.channel, nonce++, terms, [transcript], { gasLimit: 8_000_000 });
  };
  const challenge = async (terms: Terms = rated, how: Signing = {}) => {
    const transcript = await pair.transcript(nonce, terms, moves([ANSWER]), how);
    const sender = how.swapped ? alice : bob;
    return channels.connect(sender).challenge(pair.channel, nonce, terms, transcript);
  };
  await play([ANSWER, WIN]);
  await play([ANSWER, WIN], { ...rated, rated: false, stake2: 3n * STAKE }, { swapped: true });
  await play([REFUSED], rated, { seen: true });
  await challenge();
  await play([ANSWER, WIN]);
  await challenge({ ...rated, stake1: 2n * STAKE }, { swapped: true });
  await arena.connect(bob).act(pair.matchIdOf(nonce++), WIN);
  await challenge();
  await time.increase(Number(HOUR) + 1);
  await arena.timeout(pair.matchIdOf(nonce++));
  const { id: ordinary } = await inPlay(w);
  await arena.connect(alice).act(ordinary, WIN);
  await challenge();
  const { amount1, amount2 } = await pair.state();
  await channels.checkpoint(...(await pair.balance(++nonce, amount1 + STAKE - 3n, amount2 + STAKE)));
  await channels.collect(rated.token);
  await play([ANSWER, DRAW]);
  const rest = await pair.state();
  await channels.checkpoint(...(await pair.balance(++nonce, rest.amount1 - 5n, rest.amount2, { close: true })));
  await pair.open(AMOUNT, 0n, w.times.until);
  const other = await w.pairOf(alice, w.carol, ["one", "two"]);
  await other.open(STAKE, STAKE, w.times.until);
  await time.increaseTo(w.times.until);
  await time.increase(10);
  await channels.expire(pair.channel);
  const named = {
    Arena: w.arena,
    FightToken: w.fight,
    Fighters: w.fighters,
    AutoBattler: w.autoBattler,
    GuardianCards: w.cards,
    Guardians: w.guardians,
  };
  const entries = await Promise.all(
    Object.entries(named).map(async ([name, contract]) => [name, await contract.getAddress()]),
  );
  return Object.fromEntries(entries) as Addresses;
}
