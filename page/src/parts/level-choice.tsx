import { LEVELS, type Level } from "duello/practice";
import { level } from "../store/level.ts";

const NAMES: Readonly<Record<Level, string>> = { easy: "Easy", usual: "Usual", hard: "Hard" };

/** Choice of the level at which the computer plays, from its next move on. */
export function LevelChoice() {
  return (
    <fieldset>
      <legend>Level of the computer</legend>
      <div class="row levels">
        {LEVELS.map((each) => (
          <label key={each} class="check">
            <input type="radio" name="level" checked={level.value === each} onChange={() => (level.value = each)} />
            <span>{NAMES[each]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
