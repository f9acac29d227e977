import { isOwnGame } from "../catalogue.ts";

/** Mark next to the title of a game that is not a stock game; nothing for a stock game. */
export function OwnGameTag({ name }: { name: string }) {
  return isOwnGame({ name }) ? <span class="tag warn">Not a stock game</span> : null;
}

/** Explains what it means that a game is not a stock game; nothing for a stock game. */
export function OwnGameNotice({ name, title }: { name: string; title: string }) {
  if (!isOwnGame({ name })) return null;
  return (
    <p class="notice">
      <strong>{title} is not one of Duello's stock games.</strong> Whoever published this page added it from a list of
      their own. Duello has not audited it: its contract decides its matches, and its code runs in this page, with the
      keys that the page keeps in this browser. Play for a stake only if you trust whoever published it.
    </p>
  );
}
