import type { Command } from "commander";
import { modeNamed } from "../../sdk/games/modes.js";
import { readNumber } from "../../sdk/protocol/arguments.js";
import { statusText } from "../../sdk/protocol/status.js";
import type { SharedMatch } from "../../sdk/player/shared-record.js";
import { textOf, type Flags } from "../shared/command/command.js";
import { loadGames } from "../shared/command/games.js";
import { KeptMatches, readKeptMatch } from "../shared/files/kept-matches.js";
import { addExamples } from "../shared/command/program.js";
import { paint, print, type Result } from "../shared/command/output.js";
import { tableOf } from "../shared/command/table.js";
import { Vault } from "../shared/files/vault.js";
import { tellingOf, TELLING } from "./telling.js";

/** Adds the command for matches that `replay` has stored. It needs no node. */
export function addKept(program: Command): void {
  const command = program
    .command("kept [match]")
    .description("tell a match that replay has kept, by its number or file, or list those that are kept")
    .option("--limit <count>", "largest number of matches in the list", "20");
  addExamples(command, ["kept", "kept 7 --turns"]);
  for (const [flags, text, fallback] of TELLING) command.option(flags, text, fallback);
  command.action(async (match: string | undefined) => {
    const flags = command.optsWithGlobals<Flags>();
    print(match === undefined ? await list(flags) : await tell(match, flags), flags.json);
  });
}

const HEAD = ["match", "game", "players", "chain", "state"];

/** Lists the matches, the last stored one first, then the problems of unreadable files. */
async function list(flags: Flags): Promise<Result> {
  const limit = Number(readNumber(textOf(flags, "limit")!, "--limit", 1n, 10_000n));
  const games = await loadGames(flags.games);
  const data: object[] = [];
  const rows: string[][] = [];
  const problems: string[] = [];
  for (const file of (await new KeptMatches(new Vault().folder).files()).slice(0, limit)) {
    try {
      const summary = await summaryOf(await readKeptMatch(file, games));
      data.push(summary.data);
      rows.push(summary.row);
    } catch (error) {
      const problem = (error as Error).message;
      data.push({ file, problem });
      problems.push(problem);
    }
  }
  const none = problems.length > 0 ? [] : ["No match is kept: replay keeps those that are over."];
  return { data, text: [...(rows.length > 0 ? tableOf([HEAD, ...rows]) : none), ...problems] };
}

/** Describes a stored match. */
async function tell(match: string, flags: Flags): Promise<Result> {
  const games = await loadGames(flags.games);
  const file = /^\d+$/.test(match) ? await new KeptMatches(new Vault().folder).fileOf(match) : match;
  const shared = await readKeptMatch(file, games);
  const { game, archive } = shared;
  const { record, data, row } = await summaryOf(shared);
  const story = await game.story(record, archive, paint, tellingOf(flags));
  const log = await game.decodeLog(record, archive);
  return {
    data: { ...data, log },
    text: [...story, "", row.join("  "), "This is what the file says; nothing of it was compared with a chain."],
  };
}

/** Summarises a stored match: its record, as data, and as a row of the list. */
async function summaryOf({ game, archive, matchId }: SharedMatch) {
  const record = await archive.match(matchId);
  const { chainId, player1, player2, terms, settlement } = record;
  const mode = modeNamed(game, terms.mode);
  const status = settlement?.status ?? 0n;
  const name = mode === undefined || mode === "default" ? game.name : `${game.name} ${mode}`;
  const row = [String(matchId), name, `${player1} : ${player2}`, String(chainId), statusText[String(status)]];
  return { record, data: { chainId, matchId, game: game.name, mode, player1, player2, status }, row };
}
