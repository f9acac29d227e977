/** Lines of the guide of the client that do the same as a step of the playground, with `move` for a certain move. */
export const SNIPPETS = {
  create: [
    "const data = await moves.create(move, first, secretStore);",
    "const { matchId } = await alice.create({ terms: even, opponent: bob.address, data });",
  ],
  join: [
    "const record = await history.match(matchId);",
    "const offer = duello.offerOf(record);",
    "const answer = duello.turnOf(record, duello.Seat.Two, bob.address, history);",
    "await bob.join(offer, await moves.join(move, answer, bobsStore));",
  ],
  reveal: ["await duello.takeTurn(alice, history, matchId, { secretStore, move: async () => undefined });"],
} as const;

/** Returns the lines with which a player acts, whether or not it needs a move. */
export function actingLines(player: 1 | 2, needsMove: boolean): readonly string[] {
  return SNIPPETS.reveal.map((line) => {
    const named = player === 1 ? line : line.replace("alice", "bob").replace("secretStore", "secretStore: bobsStore");
    return needsMove ? named.replace("undefined", "move") : named;
  });
}
