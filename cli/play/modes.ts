import { addressOfGame, gameNamed } from "../../sdk/games/list.js";
import { formatOf } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/protocol/input.js";
import { readNumber } from "../../sdk/protocol/arguments.js";
import { textOf, type PlayCommand } from "../shared/command/command.js";
import { modeInTerms, registeredModes, viewMode, type ModeView } from "../../sdk/player/modes.js";
import { readMode } from "../shared/command/modes.js";
import type { Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";

/** Command that lists, shows and registers modes. */
export const modes: readonly PlayCommand[] = [
  {
    usage: "mode <game> [mode]",
    description:
      "list the modes of a game; or show MODE, a name or a hash; or register MODE, a JSON file whose name ends in .json",
    examples: ["mode pistols", "mode warmancer quick --template > mine.json"],
    options: [
      ["--template", "print a mode as JSON to begin from; the game's usual one by default"],
      ["--limit <count>", "largest number of modes that players have registered", "20"],
    ],
    async run(context, [name, text], flags) {
      const game = gameNamed(name, context.games);
      if (flags.template === true) return template(context, game, text ?? Object.keys(game.modes)[0]);
      if (text?.endsWith(".json")) return register(context, game, text);
      if (text !== undefined) return report([await found(context, game, text)]);
      return list(context, game, Number(readNumber(textOf(flags, "limit")!, "--limit", 0n, 10_000n)));
    },
  },
];

/** Lists the published modes of a game, then the modes made by players, newest first. */
async function list(context: CommandContext, game: GameModule, limit: number): Promise<Result> {
  const published = Object.values(game.modes).map(({ content }) => content);
  const registered = await registeredModes(context.history, game);
  const { data, text } = report([...published, ...registered.slice(0, limit)].map((each) => viewMode(game, each)));
  const left = registered.length - limit;
  return { data, text: left > 0 ? [...text, `Players have registered ${left} more: --limit shows them.`] : text };
}

/** Prints a mode as JSON, as a template for users. */
async function template(context: CommandContext, game: GameModule, text: string): Promise<Result> {
  // A game with only a default mode has no template.
  formatOf(game);
  const { values, rules } = await found(context, game, text);
  if (!values) throw new Error(rules.join(" "));
  return { data: values, text: JSON.stringify(values, null, 2).split("\n") };
}

/** Finds a mode by its name or hash. @throws InputError if there is none. */
async function found(context: CommandContext, game: GameModule, text: string): Promise<ModeView> {
  const { mode, own } = await readMode(game, text, "mode");
  if (own !== undefined) return viewMode(game, own);
  const view = await modeInTerms(context, { game: addressOfGame(game, context.deployment.addresses), mode });
  if (!view) throw new InputError("mode", `nobody has registered ${mode} with ${game.title}`);
  return view;
}

/** Registers the mode in a file, unless it is already registered. */
async function register(context: CommandContext, game: GameModule, file: string): Promise<Result> {
  const { own } = await readMode(game, file, "mode");
  const view = viewMode(game, own!);
  const { text } = report([view]);
  const address = addressOfGame(game, context.deployment.addresses);
  const known = [...text, `content ${view.content}`];
  if (view.name !== undefined) return { data: view, text: [...known, `It is the published mode ${view.name}.`] };
  const isRegistered = (await modeInTerms(context, { game: address, mode: view.mode })) !== undefined;
  if (isRegistered) return { data: view, text: [...known, "It is registered already."] };
  const client = await context.client();
  const action = { call: "registerMode", what: `register a mode of ${game.name}`, content: [address, view.content] };
  const { hash } = await context.once(action, async () => {
    const { receipt } = await client.registerMode(address, view.content);
    // Another account may have registered the mode in the meantime.
    if (!receipt) throw new Error(`The mode ${view.mode} is registered already.`);
    return receipt;
  });
  return { data: { ...view, transaction: hash }, text: [...known, `It is registered: --mode ${view.mode} plays it.`] };
}

/** Formats modes, each with its description. */
function report(views: readonly ModeView[]): { data: readonly ModeView[]; text: string[] } {
  const heading = ({ name, mode }: ModeView) => `${name ?? "not published"}  ${mode}`;
  return { data: views, text: views.flatMap((view) => [heading(view), ...view.rules.map((line) => `  ${line}`)]) };
}
