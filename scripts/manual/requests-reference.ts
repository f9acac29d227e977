import { REFUSALS as INDEX_REFUSALS, REQUESTS as INDEX_REQUESTS } from "../../indexer/requests.js";
import { REFUSALS as API_REFUSALS, REQUESTS as API_REQUESTS } from "../../cli/api/requests.js";
import { REASONS } from "../../cli/relay/refusal.js";
import { REQUESTS as RELAY_REQUESTS } from "../../cli/relay/requests.js";
import type { ServerRequest, ServerRequests } from "../../cli/shared/server/requests.js";
import type { ReferencePage } from "./contracts-reference.js";

/** Servers, each with a sentence about its paths. */
const SERVERS: readonly (ServerRequests & { title: string; paths: string })[] = [
  {
    title: "A relay",
    paths:
      'Run by `npm run relay`; [its page](../docs/relay.md) explains limits and streams. All paths except `/` begin with `/CHAIN/CHANNELS`: the chain\'s id and the address of the channels contract. Bodies and answers are JSON. A refusal is `{"error": "…"}`.',
    requests: RELAY_REQUESTS,
    refusals: Object.values(REASONS),
  },
  {
    title: "An index",
    paths:
      "Run by `npm run index`; [its page](../docs/indexing.md) explains limits and has examples of queries. The fields of queries are in [the tables](tables.md). A refusal is a text.",
    requests: INDEX_REQUESTS,
    refusals: INDEX_REFUSALS,
  },
  {
    title: "An API server",
    paths:
      'Run by `npm run api`; [its page](../docs/api.md) explains tokens, events and limits. Every request needs the header `Authorization: Bearer TOKEN`. Bodies and answers are JSON; the names of types are those of `cli/api/wire.ts`. A refusal is `{"error": "…"}`.',
    requests: API_REQUESTS,
    refusals: API_REFUSALS,
  },
];

/** Returns the reference of the requests of all servers, from the data with which these answer. */
export function requestsPage(): ReferencePage {
  const sections = SERVERS.map(({ title, paths, requests, refusals }) =>
    [`## ${title}`, paths, ...Object.values(requests).map(requestText), "### Refusals", refusalsTable(refusals)].join(
      "\n\n",
    ),
  );
  return { name: "requests.md", markdown: `${["# Requests", ...sections].join("\n\n")}\n` };
}

function requestText({ method, path, does, parameters = {}, body, answer }: ServerRequest): string {
  const shown = path.replaceAll(/:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/g, "{$1}");
  const lines = [
    ...Object.entries(parameters).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
    ...(body === undefined ? [] : [`- Body: ${body}.`]),
    `- Answer: ${answer}.`,
  ];
  return `### ${method} ${shown}\n\n${does}\n\n${lines.join("\n")}`;
}

function refusalsTable(refusals: ServerRequests["refusals"]): string {
  const rows = refusals.map(({ status, when }) => `| ${status} | ${when} |`);
  return ["| status | when |", "| --- | --- |", ...rows].join("\n");
}
