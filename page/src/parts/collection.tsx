import { characterStats, countersText, ownCharacters, type GameModule } from "duello";
import { useState } from "preact/hooks";
import type { Chain } from "../store/chain.ts";
import { pictureFrom } from "../store/pictures.ts";
import { useLoaded } from "./use.ts";
import "../styles/collection.css";

/** Characters that are shown before the user asks for more. */
const PAGE = 12;

/** Shows a player's fighters and cards, as the chain draws them, with their records. */
export function Collections({ chain, owner }: { chain: Chain; owner: string }) {
  const { value: modules } = useLoaded(() => chain.allModules(), [chain]);
  return (
    <>
      {modules
        ?.filter(({ characters }) => characters)
        .map((module) => (
          <Collection key={module.name} chain={chain} owner={owner} module={module} />
        ))}
    </>
  );
}

function Collection({ chain, owner, module }: { chain: Chain; owner: string; module: GameModule }) {
  const [count, setCount] = useState(PAGE);
  const characters = module.characters!;
  const archive = chain.archive.value;
  const game = chain.deployment.addresses[module.contract as "Arena"];
  const { value: own } = useLoaded(archive && (() => ownCharacters(characters, owner, { history: archive, game })), [
    archive,
    chain.ledger.value,
    owner,
  ]);
  if (!own || own.length === 0) return null;
  const nouns = `${characters.noun}s`;
  return (
    <section class="card stack tight">
      <h2>
        {own.length} {own.length === 1 ? characters.noun : nouns}
      </h2>
      <ul class="collection">
        {own.slice(0, count).map(({ id, obstacle }) => (
          <Character key={id} {...{ chain, module, id, obstacle }} />
        ))}
      </ul>
      {own.length > count && (
        <button type="button" class="quiet" onClick={() => setCount(count + PAGE)}>
          Show more of {own.length}
        </button>
      )}
    </section>
  );
}

function Character({
  chain,
  module,
  id,
  obstacle,
}: {
  chain: Chain;
  module: GameModule;
  id: bigint;
  obstacle?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const archive = chain.archive.value!;
  const { value: picture } = useLoaded(() => pictureFrom(chain, module)(id), [id]);
  const { value: stats } = useLoaded(isOpen ? () => characterStats(archive, module, id) : undefined, [isOpen]);
  return (
    <li class="stack tight">
      {picture === undefined ? (
        <span class="frame muted">#{String(id)}</span>
      ) : (
        <img class="frame" src={picture} alt={`${module.characters!.noun} ${id}`} />
      )}
      {obstacle !== undefined && <span class="small muted">{obstacle}</span>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="small">#{String(id)}</summary>
        {stats && (
          <p class="small">
            {stats.text}
            <br />
            {countersText(stats.counters)}
          </p>
        )}
      </details>
    </li>
  );
}
