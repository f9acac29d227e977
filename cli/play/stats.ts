import { countersText } from "../../sdk/games/counters.js";
import { deployedGames, gameNamed } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { characterStats, statsOf, type GameStats, type PlayerStats } from "../../sdk/player/stats.js";
import { InputError } from "../../sdk/protocol/input.js";
import { timeText } from "../../sdk/protocol/text.js";
import { readAddress, readCharacterId } from "../../sdk/protocol/arguments.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { CommandIndex, INDEX_OPTION } from "../shared/match/command-index.js";
import type { Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { amountText, type Token } from "../../sdk/player/amounts.js";
import { tableOf } from "../shared/command/table.js";
import { headToHeadLines, historyLines, headToHead, historyByIndex } from "./index-stats.js";

/** Games whose players own characters; each has a flag with their noun. */
const owning = games.flatMap((game) => (game.characters ? [{ game, noun: game.characters.noun }] : []));

/** Command that shows the on-chain records of players and characters. */
export const stats: readonly PlayCommand[] = [
  {
    usage: "stats [address]",
    description:
      "show a player's duels, ratings, experience and stakes, yours by default; or what a character has done",
    examples: ["stats --game pistols", "stats --fighter 15"],
    options: [
      ["--game <name>", "only this game; all by default"],
      ["--token <token>", "only this token: COIN, FIGHT or an address; COIN and FIGHT by default"],
      ["--against <address>", "also the rated matches against this player"],
      INDEX_OPTION,
      ...owning.map(({ noun, game }) => [`--${noun} <id>`, `a ${noun} of ${game.name} in place of a player`] as const),
    ],
    async run(context, [addressText], flags) {
      const given = owning.filter(({ noun }) => textOf(flags, noun) !== undefined);
      if (given.length === 0) return playerResult(context, addressText, flags);
      const [{ game, noun }, ...others] = given;
      if (addressText !== undefined) throw new InputError("address", `--${noun} is given too`);
      const useless = [...others.map((other) => other.noun), "game", "token", "against", "index"].find(
        (name) => flags[name] !== undefined,
      );
      if (useless !== undefined) throw new InputError(`--${useless}`, `--${noun} is given too`);
      return characterResult(context, game, readCharacterId(textOf(flags, noun)!, noun));
    },
  },
];

async function playerResult(context: CommandContext, addressText: string | undefined, flags: Flags): Promise<Result> {
  const gameName = textOf(flags, "game");
  const chosen = gameName === undefined ? context.games : [gameNamed(gameName, context.games)];
  const tokenName = textOf(flags, "token");
  const player = addressText === undefined ? await context.address() : readAddress(addressText, "address");
  const other =
    textOf(flags, "against") === undefined ? undefined : readAddress(textOf(flags, "against")!, "--against");
  if (other === player) throw new InputError("--against", "nobody plays against itself");
  const names = tokenName === undefined ? ["COIN", "FIGHT"] : [tokenName];
  const tokens = await Promise.all(names.map((name) => context.tokens.read(name)));
  const found = await statsOf(
    context.history,
    chosen,
    player,
    tokens.map(({ address }) => address),
  );
  const deployed = deployedGames(chosen, context.addresses);
  const index = await CommandIndex.open(context, textOf(flags, "index"));
  const past = await index.ask((client) => historyByIndex(context, client, player, deployed));
  const against =
    other === undefined
      ? undefined
      : ((await index.ask((client) => headToHead(context, client, [player, other], deployed))) ??
        (await headToHead(context, undefined, [player, other], deployed)));
  const more = {
    ...(against && { against: { player: other, games: against } }),
    ...(index.isNamed && { history: { source: index.source, ...past } }),
  };
  return {
    data: { ...dataOf(found, tokens), ...more },
    text: [
      ...textsOf(found, tokens),
      ...(past ? historyLines(past, gameName !== undefined) : []),
      ...(against ? headToHeadLines(other!, against) : []),
      ...index.lines,
    ],
  };
}

async function characterResult(context: CommandContext, game: GameModule, id: bigint): Promise<Result> {
  const { data, text, obstacle, counters, block } = await characterStats(context.history, game, id);
  return {
    data: { game: game.name, ...data, counters, obstacle, block },
    text: [`${game.characters!.noun} ${id} of ${game.name}: ${text}`, countersText(counters), obstacle ?? "ready"],
  };
}

/** Replaces the texts of games with their data, and describes the tokens. */
function dataOf(found: PlayerStats, tokens: readonly Token[]) {
  return {
    ...found,
    games: found.games.map(({ own, ...record }) => ({ ...record, ...(own && { own: own.data }) })),
    tokens: found.tokens.map(({ token: _, ...sums }, i) => ({ token: tokens[i], ...sums })),
  };
}

function textsOf({ player, games: ofGames, tokens: ofTokens }: PlayerStats, tokens: readonly Token[]): string[] {
  const where = ofGames.length === 1 ? `at ${ofGames[0].game}` : "at any game";
  const isNew = ofGames.every(({ duels }) => duels === 0n);
  return [
    isNew ? `${player} has fought no rated duel ${where}.` : player,
    ...tableOf([HEAD, ...ofGames.map(rowOf)], { isNumeric: (column) => column > 0 && column < HEAD.length - 1 }),
    ...ofGames.flatMap(({ game, own }) => (own ? [`${game}: ${own.text}`] : [])),
    ...ofTokens.map(({ staked, won, net }, i) => {
      const [stakedText, wonText, netText] = [staked, won, net].map((amount) => amountText(amount, tokens[i]));
      return `all games: staked ${stakedText}, won ${wonText}, net ${netText}`;
    }),
  ];
}

const HEAD = ["game", "rating", "level", "experience", "duels", "wins", "losses", "draws", "forfeits", "last duel"];

function rowOf({
  game,
  rating,
  level,
  experience,
  duels,
  wins,
  losses,
  draws,
  forfeits,
  lastDuel,
}: GameStats): string[] {
  const numbers = [rating, level, experience, duels, wins, losses, draws, forfeits].map(String);
  return [game, ...numbers, lastDuel === 0n ? "never" : timeText(lastDuel)];
}
