import { RANK_LETTERS, RANKS, type BoardPawn, type FallenPawn, type WarmancerFrame } from "duello/games/warmancer";
import { faceOf, pawnText, whose } from "./pawn.ts";
import { rankNamed, Token } from "./token.tsx";

/** Bar of a player next to the board: its mark and name, and its fallen pawns. */
export function PlayerBar(props: { player: number; name: string; fallen: readonly FallenPawn[]; turn: number }) {
  const { player, name, fallen, turn } = props;
  const own = fallen.filter((pawn) => pawn.player === player);
  const ranks = [...new Set(own.map(({ rank }) => rank))].sort((one, other) => rankNamed(other) - rankNamed(one));
  return (
    <div class="warmancer-player">
      <span class={`mark${player === 2 ? " two" : ""}`} aria-hidden="true" />
      <strong class="warmancer-whose">{name}</strong>
      <ul class="warmancer-fallen" aria-label={`Fallen pawns of ${name}`}>
        {ranks.map((rank) => {
          const same = own.filter((pawn) => pawn.rank === rank);
          const isNew = same.some((pawn) => pawn.turn === turn);
          return (
            <li key={rank ?? ""} class={isNew ? "new" : ""} title={rank ?? "hidden"}>
              <Token player={player} rank={rank} />
              <span class="hidden">{rank ?? "hidden pawn"}</span>
              {same.length > 1 && <small>×{same.length}</small>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Paths of pawns in a turn. */
export function Ways({ moves, viewer }: { moves: WarmancerFrame["moves"]; viewer: number }) {
  if (moves.length === 0) return null;
  return (
    <ul class="row">
      {moves.map(({ player, from, to }) => (
        <li key={player} class="row">
          <span class={`mark${player === 2 ? " two" : ""}`} aria-hidden="true" />
          <span>
            <span class="hidden">{whose(player, viewer)} pawn </span>
            {from}–{to}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Battles of a turn: who fought whom, and who survived. */
export function Battles({ battles, viewer }: { battles: WarmancerFrame["battles"]; viewer: number }) {
  return (
    <>
      {battles.map(({ tile, attacker, defender, winner, kind }) => {
        const names = [attacker, defender].map(({ player, rank }) => `${whose(player, viewer)} ${rank ?? "pawn"}`);
        const place =
          kind === "swap" ? "They attack each other" : kind === "meet" ? `They meet on ${tile}` : `On ${tile}`;
        const [winning, losing] = winner === attacker.player ? names : [names[1], names[0]];
        const end = winner === 0 ? `${names.join(" and ")} both fall` : `${winning} beats ${losing}`;
        return (
          <div key={tile} class="warmancer-battle">
            {[attacker, defender].map((pawn) => (
              <span key={pawn.player} class={winner === pawn.player ? "" : "lost"}>
                <Token player={pawn.player} rank={pawn.rank} />
              </span>
            ))}
            <p>
              {place}: <strong>{end}</strong>.
            </p>
          </div>
        );
      })}
    </>
  );
}

/** Known facts about a pawn. */
export function PawnInfo({ pawn, tile, viewer }: { pawn: BoardPawn; tile: string; viewer: number }) {
  const rank = rankNamed(faceOf(pawn));
  const text = pawnText(pawn, viewer);
  const facts: string[] = [];
  if (rank >= 0) facts.push(manner(rank));
  if (pawn.rank !== null) facts.push("Everybody knows its rank.");
  else if (pawn.own !== null)
    facts.push(
      pawn.mayBe.length === 1 ? "They can tell what it is." : `To them it may be any of ${pawn.mayBe.length} ranks.`,
    );
  else if (pawn.mayBe.length === 1) facts.push("It can be nothing else.");
  if (pawn.rank === null) facts.push(pawn.moved ? "It has moved." : "It has not moved yet.");
  return (
    <div class="warmancer-info stack tight">
      <div class="row">
        <Token player={pawn.player} rank={faceOf(pawn)} isProved={pawn.rank !== null} isOwn={pawn.own !== null} />
        <h3 class="grow">
          {text[0].toUpperCase() + text.slice(1)} on {tile}
        </h3>
      </div>
      <p class="small">{facts.join(" ")}</p>
      {rank < 0 && (
        <>
          <p class="small">It may still be:</p>
          <RankRow player={pawn.player} ranks={pawn.mayBe} />
        </>
      )}
    </div>
  );
}

/** Ranks as a row of pawns. */
export function RankRow({ player, ranks }: { player: number; ranks: readonly string[] }) {
  return (
    <ul class="warmancer-ranks">
      {ranks.map((rank) => (
        <li key={rank} title={rank}>
          <Token player={player} rank={rank} />
          <span class="hidden">{rank}</span>
        </li>
      ))}
    </ul>
  );
}

/** Describes how pawns of a rank move, and what is special about their battles. */
function manner(rank: number): string {
  const { moves, name } = RANKS[rank];
  const battles: Record<string, string> = {
    Throne: "Whoever loses it loses the game.",
    Assassin: "It beats a Warlord.",
    Seer: "It beats a Trap.",
    Warlord: "Only an Assassin, a Trap or another Warlord stops it.",
    Trap: "It beats all but a Seer, and stays.",
  };
  const way = { no: "It never moves.", step: "It moves one step.", line: "It moves any distance in a straight line." }[
    moves
  ];
  return [way, battles[name]].filter(Boolean).join(" ");
}

/** All ranks, and which beats which. */
export function RankHelp() {
  return (
    <details class="warmancer-help">
      <summary>Ranks and what beats what</summary>
      <p class="small">The higher number wins, and equals both fall. The exceptions are below.</p>
      <table class="small">
        <thead>
          <tr>
            <th scope="col">Pawn</th>
            <th scope="col">Letter</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {RANKS.map(({ name }, rank) => (
            <tr key={name}>
              <th scope="row">
                <span class="row">
                  <Token player={1} rank={name} /> {name}
                </span>
              </th>
              <td>{RANK_LETTERS[rank]}</td>
              <td>{manner(rank)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
