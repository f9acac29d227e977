import type { ComponentChildren } from "preact";
import "./pick.css";

/** Radio button as a card: arrows move among those with the same name, Enter submits their form. */
export function Pick(props: {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}) {
  const { name, isChosen, onChoose, children } = props;
  return (
    <label class="pick">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
