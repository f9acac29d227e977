import { explain } from "duello";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { brink } from "../src/brink.js";
import view, { type BrinkFrame } from "../src/view.js";
import { Table, type Played } from "./match.js";

const { Scene, Picker } = view;
const NAMES = ["You", "The program"] as const;

/** Asks for a move, shows the steps of the match, and then its result, drawing and log. */
function Page({ table }: { table: Table }) {
  const [steps, setSteps] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [played, setPlayed] = useState<Played>();
  const [purse, setPurse] = useState("");
  useEffect(() => void table.purse().then(setPurse), [played]);

  async function play(move: unknown) {
    setBusy(true);
    setSteps([]);
    setPlayed(undefined);
    const report = (text: string) => setSteps((earlier) => [...earlier, text]);
    try {
      const match = await table.play(await move, report);
      match.result.forEach(report);
      setPlayed(match);
    } catch (error) {
      report(explain(error, { games: [brink] }));
    }
    setBusy(false);
  }

  const frames = (played?.frames ?? []) as BrinkFrame[];
  const scene = { frames, names: NAMES, isMoving: false, hasLanded: true, viewer: 1, pictureOf } as const;
  const { turn, secretStore } = table;
  const picker = { module: brink, turn, secretStore, frames: [], mode: "0x", names: NAMES, isBusy, pictureOf };
  return (
    <>
      <h1>{brink.title}</h1>
      <p>{brink.summary}</p>
      <p>Your purse: {purse}</p>
      {Picker && <Picker {...picker} onPlay={(move) => void play(move)} />}
      <ol aria-live="polite">
        {steps.map((text) => (
          <li>{text}</li>
        ))}
      </ol>
      {Scene && frames.map((frame, step) => <Scene {...scene} frame={frame} step={step} />)}
      <pre>{played?.log.join("\n")}</pre>
    </>
  );
}

/** The game has no tokens, so there are no pictures of them. */
const pictureOf = async () => undefined;

const main = document.querySelector("main")!;
Table.open().then(
  (table) => render(<Page table={table} />, main),
  (error: unknown) => render(explain(error), main),
);
