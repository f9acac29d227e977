import { keccak256 } from "ethers";
import { Random } from "../../scripts/soak/random.js";
import { History } from "../../sdk/chain/history.js";
import {
  channelRecord,
  offeredPosition,
  progressOf,
  type OfferedMatch,
  type SeatAction,
} from "../../sdk/games/channel-match.js";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { CLASSIC, encodeMode, QUICK, SKIRMISH } from "../../sdk/games/warmancer/mode.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { Channels__factory, Game__factory, type Channels } from "../../typechain-types/index.js";
import { teamOf as fightersOf } from "./auto-battler.js";
import { FIRST, Pair } from "./channels.js";
import { statsOf, teamOf as cardsOf } from "./guardians.js";
import { deployed, deployMock, ethers, HOUR, UNIT, ZERO_HASH, type World } from "./index.js";

/** A world with all games, in which alice and bob have characters, and money in their purses. */
export interface ChannelWorld extends World {
  channels: Channels;
  chainId: bigint;
  history: History;
  /** Modes that tests play, by the name of the game. */
  modes: Readonly<Record<string, readonly Hex[]>>;
}

const MODES: Readonly<Record<string, readonly Hex[]>> = {
  "auto-battler": ["0x"],
  guardians: ["0x"],
  "mini-games": [games[2].modes["rock-paper-scissors"].content, games[2].modes["rolled-dice"].content],
  pistols: ["0x"],
  "tic-tac-toe": ["0x"],
  warmancer: [encodeMode(QUICK), encodeMode({ ...QUICK, casual: true }), encodeMode({ ...QUICK, sequential: true })],
};

/** A mode of Warmancer with many moves. */
export const LONG_MODE = encodeMode({ ...SKIRMISH, casual: true });

/** Modes of Warmancer that channels refuse. */
export const REFUSED_MODES = {
  "casual and sequential": encodeMode({ ...CLASSIC, casual: true, sequential: true }),
};

/** Deploys all games, registers modes, and gives alice and bob their characters and money. */
export async function channelWorld(): Promise<ChannelWorld> {
  const world = await deployed();
  const { arena, fight, fighters, cards, autoBattler, guardians, owner, alice, bob } = world;
  const known = { Arena: arena, FightToken: fight, Fighters: fighters, GuardianCards: cards };
  const contracts: Record<string, { getAddress(): Promise<string> }> = {
    ...known,
    AutoBattler: autoBattler,
    Guardians: guardians,
  };
  for (const name of ["MiniGames", "Pistols", "TicTacToe", "Warmancer"]) {
    contracts[name] = await deployMock(name, arena);
  }
  const addresses: Record<string, string> = {};
  for (const [name, contract] of Object.entries(contracts)) addresses[name] = await contract.getAddress();
  for (const { name, contract } of games) {
    const game = Game__factory.connect(addresses[contract], owner);
    const others = name === "warmancer" ? [LONG_MODE, ...Object.values(REFUSED_MODES)] : [];
    for (const mode of [...MODES[name], ...others]) if (mode !== "0x") await game.registerMode(mode);
  }
  for (const player of [alice, bob]) {
    await fightersOf(world, player);
    await cardsOf(world, player, [1, 2, 3].map(statsOf));
  }
  const { chainId } = await ethers.provider.getNetwork();
  const history = new History(ethers.provider, addresses as unknown as History["addresses"]);
  const channels = Channels__factory.connect(await arena.channels(), owner);
  return { ...world, channels, chainId, history, modes: MODES };
}

/** Returns terms of a game: 10 against 10 FIGHT, unrated, with a clock of an hour. */
export function channelTerms(
  { history }: ChannelWorld,
  { contract }: Pick<GameModule, "contract">,
  mode: Hex,
  changes: Partial<Terms> = {},
): Terms {
  const { addresses } = history;
  return {
    game: addresses[contract],
    stake1: 10n * UNIT,
    token: addresses.FightToken,
    stake2: 10n * UNIT,
    mode: mode === "0x" ? ZERO_HASH : keccak256(mode),
    clock: HOUR,
    feeBps: 2000n,
    rated: false,
    ...changes,
  };
}

/** A match that was played to its end with random moves. */
export interface Played {
  match: OfferedMatch;
  actions: SeatAction[];
}

/** Changes to the default, an unrated match that is the first of its channel. */
interface Plan {
  nonce?: number;
  terms?: Partial<Terms>;
}

/** Returns the channel in which alice and bob play matches of all games. */
export async function channelPair({ channels, chainId, alice, bob, fight }: ChannelWorld): Promise<Pair> {
  return Pair.of(channels, chainId, [alice, bob], { token: await fight.getAddress() });
}

/** Plays a match of alice against bob in the engine, with moves derived from a seed. */
export async function playedAt(
  world: ChannelWorld,
  module: GameModule,
  mode: Hex,
  seed: string,
  plan: Plan = {},
): Promise<Played> {
  return new Random(seed).instead(() => played(world, module, mode, plan));
}

async function played(world: ChannelWorld, module: GameModule, mode: Hex, plan: Plan): Promise<Played> {
  const { history, chainId, alice, bob } = world;
  const pair = await channelPair(world);
  const terms = channelTerms(world, module, mode, plan.terms);
  const players = [alice.address, bob.address];
  const stores = players.map((player) => new MemorySecretStore({ chainId, game: terms.game, player }));
  const first = firstTurn(terms, players[0], history);
  const data = await module.moves.create(await module.moves.suggest(first, stores[0]), first, stores[0]);
  const { nonce = FIRST } = plan;
  const draft = { chainId, channelId: pair.id, channel: pair.channel, nonce, terms, swapped: false, data };
  const match = { ...draft, position: await offeredPosition(channelRecord(draft), module, history) };
  const actions: SeatAction[] = [];
  for (let turn: bigint = Seat.Two; turn !== Seat.None;) {
    const side = Number(turn) - 1;
    const own = turnOf(channelRecord(match, actions), turn, players[side], history);
    const move = await module.moves.suggest(own, stores[side]);
    const send = actions.length === 0 ? module.moves.join : module.moves.act;
    actions.push({ seat: turn, data: await send(move, own, stores[side]) });
    ({ turn } = await progressOf(channelRecord(match, actions), module, history));
  }
  return { match, actions };
}
