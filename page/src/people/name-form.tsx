import { oneLine } from "duello";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { giveName, givenNames } from "./people.ts";
import { likenessOf } from "./recipe.ts";

/** Maximum number of characters of a name that the person gives. */
const MAX_NAME = 24;

/** Lets the person give somebody another name, which stays in this browser. */
export function NameForm({ address }: { address: string }) {
  const [text, setText] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const isOpen = text !== undefined;
  // Runs before the paint, so that a person who opens the form can type immediately.
  useLayoutEffect(() => input.current?.focus(), [isOpen]);
  const given = givenNames.value[address];
  if (text === undefined) {
    return (
      <button type="button" onClick={() => setText(given ?? "")}>
        {given === undefined ? "Give a name …" : "Change the name …"}
      </button>
    );
  }
  const save = (event: Event) => {
    event.preventDefault();
    giveName(address, oneLine(text.trim(), MAX_NAME));
    setText(undefined);
  };
  return (
    <form class="row name-form" onSubmit={save}>
      <label>
        <span>Your name for this person</span>
        <input
          ref={input}
          value={text}
          maxLength={MAX_NAME}
          autoComplete="off"
          placeholder={likenessOf(address).name}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Save
      </button>
      <button type="button" class="quiet" onClick={() => setText(undefined)}>
        Cancel
      </button>
      <p class="small muted">Only this browser knows it. Leave it empty for {likenessOf(address).name}.</p>
    </form>
  );
}
