import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import manifest from "../../sdk/package.json" with { type: "json" };
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { Refusal } from "../api/refusal.js";
import { accountShape, challengeShape, gameShape, inputs, newsShape, stateShape } from "./shapes.js";
import type { Tools } from "./tools.js";

const INSTRUCTIONS = `You play duels against other players. Call account for the games, challenge somebody or wait for challenges, and accept one. In a loop: wait; if it is your turn, call game, then move. A turn that only reveals an earlier move is played for you. Players are addresses. Amounts are in the smallest unit of their token, times in seconds since 1970.`;

const done = z.object({ done: z.literal(true) }).strict();

/**
 * Creates the MCP server of a player.
 * @param onTrouble Called with each failure that the model does not get to know in detail.
 */
export function mcpServer(tools: Tools, onTrouble: (error: unknown) => void): McpServer {
  const server = new McpServer({ name: "duello", version: manifest.version }, { instructions: INSTRUCTIONS });
  const { id } = inputs;
  const reading = { readOnlyHint: true, openWorldHint: true };
  const acting = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
  /** Answers a tool with its result as text and as data, or with the error in one sentence. */
  const answer = async (run: () => unknown): Promise<CallToolResult> => {
    try {
      const data = (await run()) as Record<string, unknown> | undefined;
      const structuredContent = data ?? { done: true };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: errorText(error, onTrouble) }] };
    }
  };

  server.registerTool(
    "account",
    {
      description: "Your address, your money, your largest stake, and the games with their modes and moves.",
      outputSchema: accountShape.shape,
      annotations: reading,
    },
    () => answer(() => tools.account()),
  );
  server.registerTool(
    "list_challenges",
    {
      description: "Open challenges to you (in) and from you (out). One with an obstacle cannot be accepted.",
      outputSchema: { challenges: z.array(challengeShape) },
      annotations: reading,
    },
    () => answer(() => tools.challenges()),
  );
  server.registerTool(
    "challenge",
    {
      description:
        "Challenge a player, or anybody in the lobby, to a match. The game starts once the other player agrees.",
      inputSchema: {
        opponent: inputs.opponent.optional(),
        game: inputs.game,
        mode: inputs.mode.optional(),
        stake: inputs.stake.optional(),
      },
      outputSchema: challengeShape.shape,
      annotations: acting,
    },
    (asked) => answer(() => tools.challenge(asked)),
  );
  server.registerTool(
    "accept",
    { description: "Accept a challenge to you.", inputSchema: { id }, outputSchema: done.shape, annotations: acting },
    (asked) => answer(() => tools.accept(asked.id)),
  );
  server.registerTool(
    "decline",
    { description: "Decline a challenge to you.", inputSchema: { id }, outputSchema: done.shape, annotations: acting },
    (asked) => answer(() => tools.decline(asked.id)),
  );
  server.registerTool(
    "cancel",
    {
      description: "Withdraw a challenge of yours.",
      inputSchema: { id },
      outputSchema: done.shape,
      annotations: acting,
    },
    (asked) => answer(() => tools.cancel(asked.id)),
  );
  server.registerTool(
    "games",
    { description: "Your games in play.", outputSchema: { games: z.array(gameShape) }, annotations: reading },
    () => answer(() => tools.games()),
  );
  server.registerTool(
    "game",
    {
      description:
        "A game: its rules, the board as you see it, the moves so far and, if it is your turn, the format of a move and the legal moves. If legalMoves is null, there are too many to list.",
      inputSchema: { id },
      outputSchema: stateShape.shape,
      annotations: reading,
    },
    (asked) => answer(() => tools.game(asked.id)),
  );
  server.registerTool(
    "move",
    {
      description: "Make a move when it is your turn. An illegal move is refused, and you can try again.",
      inputSchema: { id, move: inputs.move },
      outputSchema: stateShape.shape,
      annotations: acting,
    },
    (asked) => answer(() => tools.move(asked.id, asked.move)),
  );
  server.registerTool(
    "resign",
    {
      description: "Give up a game. You make no further move in it, and lose it.",
      inputSchema: { id },
      outputSchema: done.shape,
      annotations: { ...acting, destructiveHint: true },
    },
    (asked) => answer(() => tools.resign(asked.id)),
  );
  server.registerTool(
    "draw",
    { description: "Always refused: there is no draw by agreement.", inputSchema: { id }, annotations: reading },
    (asked) => answer(() => tools.draw(asked.id)),
  );
  server.registerTool(
    "wait",
    {
      description:
        "Wait until it is your turn, a challenge arrives, or a game is over; with an id, only for that game. Returns nothing as news if the time is over: then call it again.",
      inputSchema: { seconds: inputs.seconds, id: id.optional() },
      outputSchema: newsShape.shape,
      annotations: reading,
    },
    (asked, { signal }) => answer(() => tools.wait(asked.seconds, asked.id, signal)),
  );
  return server;
}

/** Returns an error in one sentence. Errors that may quote a relay or a node are only reported. */
function errorText(error: unknown, onTrouble: (error: unknown) => void): string {
  if (isKind(error, InputError)) return oneLine(error.message);
  if (error instanceof Refusal && error.cause === undefined) return oneLine(error.message);
  onTrouble(error);
  return "The request failed: the reason is on the standard error of the server.";
}
