// Accepts every challenge without stake, and plays a random legal move. Run: node bot.ts
const url = process.env.DUELLO_API ?? "http://127.0.0.1:8100";
const headers = { Authorization: `Bearer ${process.env.DUELLO_API_TOKEN}` };

async function post(path: string): Promise<void> {
  const response = await fetch(url + path, { method: "POST", headers });
  if (!response.ok) console.error(path, await response.text());
}

async function* lines(path: string) {
  const response = await fetch(url + path, { headers });
  if (!response.ok) throw new Error(await response.text());
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    for (const line of parts) if (line !== "") yield JSON.parse(line);
  }
}

async function play(id: string): Promise<void> {
  for await (const line of lines(`/api/board/game/stream/${id}`)) {
    const { isMyTurn, legalMoves, anyMove, result } = line.state ?? line;
    if (result) console.log(`Game ${id}: ${result.text}`);
    const moves = legalMoves ?? [anyMove];
    const move = moves[Math.floor(Math.random() * moves.length)];
    if (isMyTurn && move !== null) await post(`/api/board/game/${id}/move/${encodeURIComponent(move)}`);
  }
}

for await (const { type, challenge, game } of lines("/api/stream/event")) {
  if (type === "challenge" && challenge.direction === "in") {
    await post(`/api/challenge/${challenge.id}/${challenge.free ? "accept" : "decline"}`);
  }
  if (type === "gameStart") play(game.id).catch(console.error);
}
