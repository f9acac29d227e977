import {
  battleOdds,
  battle,
  boardPawns,
  foreseenTurn,
  Kind,
  moveOf,
  ownRanks,
  pendingMoves,
  playerIn,
  RANKS,
  replayMatch,
  STUCK,
  tileName,
  tileOf,
  tilesOf,
  tilesOfMove,
  type BoardPawn,
  type Move,
  type Player,
  type Position,
  type WarmancerFrame,
  type WarmancerMove,
} from "duello/games/warmancer";
import { useMemo, useState } from "preact/hooks";
import type { PickerProps } from "../game.ts";
import { useLoaded } from "../../parts/use.ts";
import { Board } from "./board.tsx";
import { layoutOf } from "./layout.ts";
import { Battles, PawnInfo, RankHelp, RankRow, Ways } from "./panels.tsx";
import { asked, consequences, labelOf } from "./prospect.ts";
import { Scene } from "./scene.tsx";
import { Table } from "./table.tsx";
import { rankNamed } from "./token.tsx";

/** Lets a player choose its move on the board, once its secrets are read. */
export function MovePicker(props: PickerProps<WarmancerFrame, WarmancerMove>) {
  const { turn, secretStore, frames, names } = props;
  const { record, history, seat } = turn;
  const key = `${record!.matchId} ${record!.actions.length} ${record!.actions.at(-1)?.data}`;
  const { value, error } = useLoaded(
    async () => ({ key, player: await playerIn(await replayMatch(record!, history), seat, secretStore) }),
    [key],
  );
  if (value?.key === key) return <Choosing key={key} player={value.player} {...props} />;
  const frame = frames.at(-1);
  // The board stays while the secrets are read.
  if (error === undefined)
    return frame ? <Scene frame={frame} isMoving={false} viewer={Number(seat) as 1 | 2} names={names} /> : null;
  return (
    <p class="notice bad" role="alert">
      Your army cannot be read: {(error as Error).message}
    </p>
  );
}

/** Board on which a player chooses the inputs of its action. */
function Choosing({
  player,
  frames,
  names,
  isBusy,
  onPlay,
}: PickerProps<WarmancerFrame, WarmancerMove> & { player: Player }) {
  const viewer = player.side + 1;
  const prospect = useMemo(() => player.foresee(), [player]);
  const [first, setFirst] = useState<Move>();
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  const [isConceding, setConceding] = useState(false);

  // The player who moves second in an open turn chooses a move, sees the turn, and then chooses the move of the next
  // turn.
  const outcome = useMemo(() => (first === undefined ? prospect : player.outcome(first)), [player, prospect, first]);
  const foreseen = useMemo(() => foreseenTurn(player, outcome), [player, outcome]);
  const { board } = outcome;
  const wanted = player.wanted(prospect);
  const position = board ?? player.position;
  const pawns = useMemo(
    () => (board === undefined && foreseen ? foreseen.board : boardPawns(position, ownRanks(player))),
    [player, board, foreseen, position],
  );
  const legal = useMemo(() => targetsBy(board ? player.legal(board) : []), [player, board]);
  const tiles = useMemo(() => tilesOf(position.rules.passable).map(tileName), [player]);
  const layout = useMemo(() => layoutOf(tiles, viewer === 2), [tiles, viewer]);
  const movable = useMemo(() => new Set(isBusy ? [] : legal.keys()), [legal, isBusy]);
  const pending = useMemo(() => (foreseen ? [] : pendingMoves(player)), [player, foreseen]);

  const move = from && to ? moveOf(tileOf(from)!, tileOf(to)!) : board && legal.size === 0 ? STUCK : undefined;
  const isFirst = wanted === 2 && first === undefined;
  const isLast = !isFirst || move === undefined || move === STUCK || player.after(move) === undefined;
  const isReady = board === undefined || move !== undefined;
  const label = labelOf({ player, prospect, move, isLast });
  const targets = from === undefined ? undefined : legal.get(from);

  const pick = (tile: string | undefined) => {
    setFrom(tile);
    setTo(undefined);
  };
  const go = () => {
    if (isBusy || !isReady) return;
    const orders = [first, move].filter((each) => each !== undefined);
    if (isLast) return onPlay(orders);
    setFirst(move);
    pick(undefined);
  };
  const press = (tile: string, isEnter: boolean) => {
    if (isBusy) return;
    if (targets?.has(tile)) {
      if (tile === to && isEnter) go();
      else setTo(tile);
    } else pick(tile === from ? undefined : tile);
  };
  const looked = from === undefined ? undefined : pawns[from];

  return (
    <Table
      viewer={viewer}
      names={names}
      fallen={[...(frames.at(-1)?.fallen ?? []), ...(foreseen?.fallen ?? [])]}
      turn={foreseen?.turn ?? frames.at(-1)?.turn ?? 0}
      layout={layout}
      board={
        <Board
          label={`Board of turn ${position.turn}`}
          layout={layout}
          tiles={tiles}
          pawns={pawns}
          viewer={viewer}
          last={foreseen ?? frames.at(-1)}
          pending={pending}
          isMoving
          picked={from}
          targets={targets}
          chosen={to}
          movable={movable}
          onPress={press}
          onDrag={pick}
          onDrop={(start, end) => {
            pick(start);
            if (legal.get(start)?.has(end)) setTo(end);
          }}
          onCancel={() => (to ? setTo(undefined) : pick(undefined))}
        />
      }
      isReady={isReady}
      head={
        <>
          <h2>Turn {position.turn}</h2>
          <p class="warmancer-prompt" role="status">
            {promptOf({ from, to, looked, targets }) ?? asked(player, prospect, { isFirst, isStuck: legal.size === 0 })}
            {to && <span class="warmancer-keys"> Enter plays it, Escape takes it back.</span>}
          </p>
          <ul class="warmancer-consequences small">
            {consequences(player, prospect, move).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <div class="row">
            <button type="button" class="primary grow" disabled={!isReady} aria-disabled={isBusy} onClick={go}>
              {label}
            </button>
            {first !== undefined && (
              <button
                type="button"
                disabled={isBusy}
                onClick={() => {
                  pick(undefined);
                  setFirst(undefined);
                }}
              >
                Back to turn {player.position.turn}
              </button>
            )}
          </div>
        </>
      }
    >
      {foreseen && (
        <div class="notice stack tight">
          <p class="small">Your next action plays turn {foreseen.turn}:</p>
          <Ways moves={foreseen.moves} viewer={viewer} />
          <Battles battles={foreseen.battles} viewer={viewer} />
        </div>
      )}
      {from && looked && <PawnInfo pawn={looked} tile={from} viewer={viewer} />}
      {from && targets && (
        <div class="warmancer-targets" role="group" aria-label={`Targets of the pawn on ${from}`}>
          {[...targets].map((tile) => (
            <button
              key={tile}
              type="button"
              aria-pressed={tile === to}
              aria-label={pawns[tile] ? `${tile}, attack` : tile}
              disabled={isBusy}
              onClick={() => setTo(tile)}
            >
              {pawns[tile] ? `× ${tile}` : tile}
            </button>
          ))}
        </div>
      )}
      {from && to && board && looked && <Attack {...{ player, board, looked, target: pawns[to], tile: to }} />}
      <RankHelp />
      {prospect.kind !== Kind.Setup && (
        <details class="warmancer-help" onToggle={() => setConceding(false)}>
          <summary>Concede</summary>
          <div class="stack tight">
            <p class="small">
              You lose, but only if the other player shows an army that followed the rules. Resigning asks for no proof.
            </p>
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => (isConceding ? onPlay("concede") : setConceding(true))}
            >
              {isConceding ? "Yes, concede the match" : "Concede"}
            </button>
          </div>
        </details>
      )}
    </Table>
  );
}

/** Describes how an attack on a pawn may end. */
function Attack(props: { player: Player; board: Position; looked: BoardPawn; target?: BoardPawn; tile: string }) {
  const { player, board, looked, target, tile } = props;
  if (target === undefined) return null;
  const rank = rankNamed(looked.own);
  const other = { side: target.player - 1, slot: target.slot };
  const ends = [1, 0, 2].map((end) => target.mayBe.filter((name) => battle(rank, rankNamed(name)) === end));
  const odds = battleOdds(board, rank, other, player.sight(board)[other.side]);
  // The counts of bought armies are unknown.
  const isCounted = board.rules.budget === 0;
  const shares = [odds.win, odds.both, odds.lose];
  const names = ["You win", "Both fall", "You lose"];
  return (
    <div class="warmancer-odds stack tight">
      <h3>
        Your {RANKS[rank].name} against {target.mayBe.length === 1 ? `a ${target.mayBe[0]}` : `the pawn on ${tile}`}
        {board.rules.sequential || board.rules.casual ? "" : ", if it stays"}
      </h3>
      {ends.map(
        (ranks, i) =>
          ranks.length > 0 && (
            <div key={names[i]} class={`warmancer-end ${["good", "", "bad"][i]}`}>
              <strong class="small">
                {names[i]}
                {isCounted && <span> {Math.round(shares[i] * 100)} %</span>}
              </strong>
              <RankRow player={target.player} ranks={ranks} />
            </div>
          ),
      )}
    </div>
  );
}

/** Groups moves: the names of targets by the name of the tile of origin. */
function targetsBy(moves: readonly Move[]): Map<string, Set<string>> {
  const targets = new Map<string, Set<string>>();
  for (const move of moves) {
    const [from, to] = tilesOfMove(move).map(tileName);
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  return targets;
}

/** Describes the picked pawn, and its possible moves. */
function promptOf(at: { from?: string; to?: string; looked?: BoardPawn; targets?: ReadonlySet<string> }) {
  const { from, to, looked, targets } = at;
  if (from === undefined || !looked?.own) return undefined;
  if (to !== undefined) return `${looked.own} from ${from} to ${to}.`;
  if (targets === undefined) return `Your ${looked.own} on ${from} cannot move now.`;
  return `${looked.own} on ${from}: choose where it goes.`;
}
