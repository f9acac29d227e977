import { reasonOf, TEST_CHAIN } from "duello";
import { useState } from "preact/hooks";
import { bytecodes } from "virtual:playground-contracts";
import { loadGuides } from "virtual:playground-guides";
import { Select } from "../parts/fields.tsx";
import { Problem } from "../parts/problem.tsx";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo, open } from "../router.ts";
import { PlaygroundChain } from "./chain.ts";
import type { Guides, Snippet, StartChain } from "./guides/guides.ts";

const startChain: StartChain = async (accounts) => PlaygroundChain.start({ chainId: TEST_CHAIN, accounts });

const load = loadGuides as () => Promise<Guides>;

/** The snippets of the guides, one of which is shown. @param name Name of that snippet; defaults to the first one. */
export function GuidesView({ name }: { name?: string }) {
  const { value: loaded, error } = useLoaded(load, []);
  useTitle("Playground");
  if (error !== undefined) {
    return (
      <Problem title="The guides could not be loaded" action={["Load again", () => location.reload()]}>
        The site does not answer, or has a newer version.
      </Problem>
    );
  }
  if (!loaded) return <p class="muted loading">Loading the guides …</p>;
  const { snippets } = loaded;
  const shown = name === undefined ? snippets[0] : snippets.find((each) => each.name === name);
  if (!shown) return <Problem title="There is no such snippet">{`No guide has ${name!.slice(0, 40)}.`}</Problem>;
  return (
    <div class="stack">
      <div class="stack tight">
        <h1>Run the guides</h1>
        <p class="muted narrow">
          These programs are the TypeScript of the guides. They run here as they are, with the real contracts, on a
          chain inside this page: no wallet, no node, nothing to lose.
        </p>
      </div>
      <div class="row">
        <Select
          label="Program"
          value={shown.name}
          options={snippets.map(({ name: each, page, heading }) => [each, `${page}: ${heading}`])}
          onChange={(each) => open(linkTo("playground", ["guides", each]))}
        />
        <a class="button" href={linkTo("playground")}>
          Play a match yourself
        </a>
      </div>
      <Runner key={shown.name} guides={loaded} snippet={shown} />
    </div>
  );
}

/** A run of a snippet: the lines that it has printed, and its end. */
interface Run {
  readonly lines: readonly string[];
  readonly end?: "done" | { readonly error: string };
}

/** The code of a snippet, and what it prints. */
function Runner({ guides, snippet }: { guides: Guides; snippet: Snippet }) {
  const { page, heading, file, code } = snippet;
  const [run, setRun] = useState<Run>();
  const isBusy = run !== undefined && run.end === undefined;

  const start = async () => {
    const lines: string[] = [];
    const show = (end?: Run["end"]) => setRun({ lines: [...lines], end });
    show();
    // The button changes before the chain starts, which takes the processor.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      await guides.runSnippet(snippet, { startChain, bytecodes }, (line) => {
        lines.push(line);
        show();
      });
      show("done");
    } catch (error) {
      show({ error: reasonOf(error) });
    }
  };

  return (
    <>
      <div class="stack tight">
        <h2>{heading}</h2>
        <p class="small muted">
          From the guide “{page}”, {file}.
        </p>
        <div class="row">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void start()}>
            {run?.end === undefined ? "Run" : "Run again"}
          </button>
          <span class="muted" role="status">
            {statusOf(run)}
          </span>
        </div>
      </div>
      <div class="playground guide">
        <pre class="code mono small" tabIndex={0} aria-label="Code">
          {code}
        </pre>
        <section class="stack tight" aria-label="Output">
          <h3>What it prints</h3>
          {run && run.lines.length > 0 && <pre class="code lines mono small">{run.lines.join("\n")}</pre>}
          {typeof run?.end === "object" && (
            <p class="notice bad" role="alert">
              {run.end.error}
            </p>
          )}
          <p class="small muted">
            Each run starts a new chain with what the guides expect: all contracts, players with FIGHT and fighters, and
            match 1 between accounts 2 and 3. The chain of <code>npm start</code> has more matches, and there a
            transaction costs coin. To change a program, run it beside <code>npm start</code>.
          </p>
        </section>
      </div>
    </>
  );
}

function statusOf(run: Run | undefined): string {
  if (!run) return "";
  if (run.end === "done") return "The program has ended.";
  if (run.end) return "The program has failed.";
  return run.lines.length > 0 ? "The program runs …" : "Starting a chain and deploying the contracts …";
}
