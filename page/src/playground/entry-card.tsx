import { PlayerMark } from "../parts/player-name.tsx";
import type { Entry, Field } from "./entries.ts";

/** Longest text that shares its line with others. */
const SHORT = 24;

/** Shows what a transaction did, part by part, or why it was refused; the newest one is opened. */
export function EntryCard({ entry, isNewest }: { entry: Entry; isNewest: boolean }) {
  const { by, title, note, block, gas, call, events = [], words = [], secret, code, contracts, error } = entry;
  return (
    <li class={error === undefined ? "card stack tight entry" : "card stack tight entry refused"}>
      <div class="row apart">
        <h3 class="row">
          {by && <PlayerMark player={by} />} {title}
        </h3>
        <span class="row small">
          {error !== undefined && <span class="tag bad">Refused</span>}
          {block !== undefined && <span class="tag">Block {block}</span>}
          {gas !== undefined && <span class="tag number">{gas.toLocaleString("en")} gas</span>}
        </span>
      </div>
      <p>{note}</p>
      {error !== undefined && <p class="mono small">{error}</p>}
      {secret && (
        <div class="notice small stack tight">
          <strong>Kept secret by player {by}</strong>
          <Fields fields={secret} />
        </div>
      )}
      {words.length > 0 && (
        <details open={isNewest}>
          <summary>The game's log: {countOf(words.length, "word")}</summary>
          <ol class="stack tight">
            {words.map(({ word, fields }, i) => (
              <li key={i} class="word stack tight">
                <Word word={word} />
                <Fields fields={fields} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {call && (
        <details open={isNewest}>
          <summary>
            Call of {call.to}.{call.name}
          </summary>
          <Fields fields={call.fields} />
        </details>
      )}
      {events.length > 0 && (
        <details>
          <summary>{countOf(events.length, "event")}</summary>
          <ul class="stack tight">
            {events.map((event, i) => (
              <li key={i} class="stack tight">
                <strong class="mono small">
                  {event.by}.{event.name}
                </strong>
                <Fields fields={event.fields} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {contracts && (
        <details>
          <summary>{countOf(contracts.length, "contract")}</summary>
          <Fields
            fields={contracts.map(({ name, gas: used }) => ({ name, text: `${used.toLocaleString("en")} gas` }))}
          />
        </details>
      )}
      {code !== undefined && (
        <details>
          <summary>The same with the SDK</summary>
          <pre class="mono small wide" tabIndex={0} aria-label="Code">
            {code.join("\n")}
          </pre>
          <p class="small muted">As in the guide “The client”, docs/integrating/client.md.</p>
        </details>
      )}
    </li>
  );
}

/** A word of 32 bytes, whose leading zeros are muted. */
function Word({ word }: { word: string }) {
  const [, zeros, rest] = /^0x(0*)(.*)$/.exec(word)!;
  return (
    <code class="mono small">
      <span class="muted">0x{zeros}</span>
      <b>{rest}</b>
    </code>
  );
}

function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <dl class="fields small">
      {fields.map(({ name, text }, i) => (
        <div key={i} class={text.length > SHORT ? "whole" : undefined}>
          <dt>{name}</dt>
          <dd class="mono">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
