/** A part of the manual. */
export interface Part {
  title: string;
  /** Paths of the pages in the project, in the order in which to read them. */
  pages: readonly string[];
  /** Parts within this part. */
  parts?: readonly Part[];
}

const games = ["mini-games", "tic-tac-toe", "auto-battler", "guardians", "pistols", "warmancer"];

/** All pages of the manual, in the order of the sidebar. */
export const PARTS: readonly Part[] = [
  { title: "Start", pages: ["README.md", "docs/README.md", "docs/page.md"] },
  {
    title: "Play",
    pages: [
      "docs/players.md",
      "docs/playing/accounts-and-nodes.md",
      "docs/playing/offers.md",
      "docs/playing/following-matches.md",
      "docs/playing/keys-and-operators.md",
      "docs/playing/characters.md",
      "docs/playing/stats-and-rankings.md",
      "docs/playing/modes-and-own-games.md",
      "docs/playing/tables.md",
      "docs/playing/for-programs.md",
      "docs/playing/warnings-and-errors.md",
      "docs/channels.md",
    ],
    parts: [{ title: "Games", pages: games.map((game) => `docs/games/${game}.md`) }],
  },
  {
    title: "Build",
    pages: [
      "docs/integrators.md",
      "docs/integrating/showing-matches.md",
      "docs/integrating/events-and-views.md",
      "docs/integrating/client.md",
      "docs/integrating/wallets.md",
      "docs/integrating/viem-and-wagmi.md",
      "docs/integrating/from-a-contract.md",
      "docs/integrating/statistics-and-indexes.md",
      "docs/integrating/errors.md",
      "docs/protocol.md",
      "docs/addresses.md",
    ],
    parts: [
      {
        title: "A new game",
        pages: [
          "docs/tutorial.md",
          "create/README.md",
          "docs/adding-a-game.md",
          "docs/testing-a-game.md",
          "examples/blotto/README.md",
        ],
      },
    ],
  },
  {
    title: "Run",
    pages: [
      "docs/agent.md",
      "docs/api.md",
      "docs/relay.md",
      "docs/mcp.md",
      "docs/conformance.md",
      "docs/indexing.md",
      "docs/containers.md",
      "docs/scaling.md",
      "docs/own-chain.md",
      "docs/chains.md",
      "docs/deployment.md",
      "docs/upgrading.md",
    ],
  },
  {
    title: "Audit",
    pages: [
      "docs/auditing.md",
      "docs/verifying.md",
      "docs/security.md",
      "docs/attacks.md",
      "docs/decisions.md",
      "docs/sources.md",
      "SECURITY.md",
    ],
  },
  { title: "Project", pages: ["CONTRIBUTING.md", "CHANGELOG.md"] },
];

/** Lists the pages of parts in order, including those of inner parts. */
export function pagesOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ pages, parts = [] }) => [...pages, ...pagesOf(parts)]);
}
