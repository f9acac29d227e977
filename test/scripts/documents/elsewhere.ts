/** A command in the documents that another test runs. */
export interface Elsewhere {
  command: string;
  why: string;
  /** The file that runs the command, and a text in that file that proves it. */
  by: readonly [file: string, words: string];
}

const STAYS = "it runs until it is stopped, and the test has one running already";
const CHECKS = "it checks or rewrites the project under test: npm test does the same";
const LONG = "it takes minutes";

const LISTED = "its module is another project's: examples/blotto has it";
const PACKS = "it packs and installs, which takes a while and leaves files";
const INDEX = "test/indexer/commands.ts";
const PACKED = "test/scripts/packages/outside.ts";
const NETWORK = "it needs a public network, or asks for a secret: that Hardhat knows it as written is tested";
const DOCKER = "it needs Docker, which CI has";
const CI = ".github/workflows/ci.yml";
const SCHEDULED = ".github/workflows/scheduled.yml";
const KNOWN = ["test/scripts/documents-hardhat.ts", "getTask"] as const;

/** Commands that other tests run. Remove a command here when no document contains it any longer. */
export const ELSEWHERE: readonly Elsewhere[] = [
  {
    command: "npm run -s play -- up 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc --account 4",
    why: "it would end a command that stays at the table",
    by: ["test/cli/play-tables.ts", 'alice.run("up")'],
  },
  { command: "npm start", why: STAYS, by: ["test/scripts/start.ts", "start(...args)"] },
  ...agent("--account 3"),
  ...agent("--keystore ~/duello-wallet.json --config ~/agent.json"),
  ...agent("--account 8 --secrets ~/match-7.json"),
  { command: "npm start -- --index", why: STAYS, by: [INDEX, '"--index"'] },
  { command: "npm run index -- --network sepolia", why: NETWORK, by: [INDEX, '"indexer/main.ts"'] },
  {
    command: "npm run relay -- --network sepolia",
    why: NETWORK,
    by: ["docs/relay.md", "npm run -s relay -- "],
  },
  {
    command: "npm run -s relay -- --trust-proxy 127.0.0.1 --metrics 127.0.0.1:9464",
    why: "another relay of the page uses the folder",
    by: ["test/cli/relay-monitoring.ts", '"--trust-proxy"'],
  },
  {
    command: "claude mcp add duello -- npx duello mcp --account 3",
    why: "it configures another program",
    by: ["test/cli/mcp.ts", '"cli/mcp/main.ts"'],
  },
  {
    command:
      "npm run -s conformance -- --account 4 --opponent 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc --game rock-paper-scissors tic-tac-toe",
    why: "it and its bot wait for each other",
    by: ["test/cli/conformance.ts", '"cli/conformance/main.ts"'],
  },
  {
    command:
      "npm run -s play -- sit 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65 --amount 0 --stay --moves random --account 5 --relay http://127.0.0.1:8091",
    why: "it and the conformance kit wait for each other",
    by: ["test/cli/conformance.ts", '"sit", world.accounts[KIT], "--amount", "0"'],
  },
  ...indexOn("duello@db", ""),
  ...indexOn("reader@replica1", " --serve"),
  ...indexOn("reader@replica2", " --serve"),
  {
    command: "npm run -s verify -- --all --index http://127.0.0.1:42069",
    why: "there is no index beside the chain of the pages",
    by: ["test/cli/index.ts", '"--index"'],
  },
  { command: "npm test", why: "it is what runs this", by: [".ci/run", "npm test"] },
  { command: "npm run build", why: CHECKS, by: ["scripts/check.ts", "npm run -s build"] },
  { command: "npm pack -w sdk -w contracts", why: PACKS, by: [PACKED, "npm pack -w sdk -w contracts"] },
  { command: "npm install ./duello-*.tgz ethers tsx", why: PACKS, by: [PACKED, "npm install ./duello-*.tgz"] },
  { command: "npm run lint", why: CHECKS, by: ["scripts/check.ts", "npm run -s lint:ts"] },
  { command: "npm run format", why: CHECKS, by: ["scripts/check.ts", "oxfmt --check"] },
  {
    command: "npx hardhat test mocha test/sdk/protocol/dice.ts",
    why: CHECKS,
    by: ["scripts/check.ts", "hardhat test"],
  },
  {
    command: "npx hardhat test mocha test/proofs/proofs.ts",
    why: CHECKS,
    by: ["test/proofs/proofs.ts", "hasSolver"],
  },
  {
    command: "npx hardhat test mocha test/laws/laws.ts --grep tic-tac-toe",
    why: CHECKS,
    by: ["test/laws/laws.ts", "ticTacToeLaws"],
  },
  { command: "npm run page -- --build", why: "it writes page/dist", by: ["test/page/build.ts", "siteOf("] },
  {
    command: "npm run page -- --build --index https://index.example",
    why: "it asks the index of somebody",
    by: ["test/page/serving.ts", '"--index", index.url'],
  },
  { command: "npm run documents", why: CHECKS, by: ["test/scripts/documents-numbers.ts", "UPDATE_DOCUMENTS"] },
  { command: "npm run gas", why: "it rewrites test/gas.json", by: ["test/gas/gas.ts", "UPDATE_GAS"] },
  { command: "npm run coverage", why: LONG, by: ["test/scripts/coverage.ts", "judge"] },
  { command: "npm run -s soak", why: LONG, by: ["scripts/check.ts", "scripts/soak.ts"] },
  {
    command: "npm run -s soak -- --matches 20 --seed planted",
    why: LONG,
    by: ["test/scripts/soak.ts", '"--seed", SEED'],
  },
  { command: "npm run reproduce", why: LONG, by: [CI, "npm run reproduce"] },
  {
    command: "npm run -s mutants -- contracts --sample 100",
    why: LONG,
    by: ["scripts/check.ts", "--sample 30 --recorded"],
  },
  {
    command: "npm run -s mutants -- sdk --sample 100",
    why: LONG,
    by: ["test/scripts/mutants-sdk.ts", "trySdk("],
  },
  { command: "npm run guided", why: LONG, by: [SCHEDULED, "npm run -s guided"] },
  { command: "npm run explore", why: LONG, by: [SCHEDULED, "npm run -s explore"] },
  { command: "npm run advisories", why: "it asks npm's registry", by: [SCHEDULED, "npm run -s advisories"] },
  { command: "npm run test:anvil", why: CHECKS, by: ["test/scripts/anvil.ts", "played("] },
  { command: "npm run -s bench", why: LONG, by: ["test/scripts/bench.ts", "scripts/bench.ts"] },
  { command: "npm run -s bench -- --parity 100000", why: LONG, by: ["test/scripts/bench.ts", '"--parity", "5"'] },
  { command: "npm run -s bench -- --verified 10000", why: LONG, by: ["test/scripts/bench.ts", '"--verified", "5"'] },
  {
    command: "npm run -s bench -- --index 1000 --no-win-rates",
    why: LONG,
    by: ["test/scripts/bench.ts", '"--index", "30"'],
  },
  {
    command: "npm run deploy -- --network NAME",
    why: "NAME stands for any",
    by: ["test/scripts/deploy.ts", "deployLocally("],
  },
  {
    command: "npm run deploy -- --network localhost",
    why: "its chain is a running one here",
    by: ["test/scripts/deploy-refusals.ts", "runLocally()"],
  },
  {
    command: "npm run deploy -- --network baseSepolia",
    why: NETWORK,
    by: ["test/scripts/deploy-refusals.ts", '"baseSepolia"'],
  },
  {
    command: "npm run deploy -- --network baseSepolia --create2 v1",
    why: NETWORK,
    by: ["test/scripts/deploy-create2.ts", 'toRollup("--create2", "v1")'],
  },
  {
    command: "npm run deploy -- --network baseSepolia --tokens deployments-1/84532.json",
    why: NETWORK,
    by: ["test/scripts/deploy-tokens.ts", '"--tokens", file'],
  },
  ...["warmancer", "blotto --games ~/blotto/src/blotto.ts"].map((game) => ({
    command: `npm run deploy -- --network baseSepolia --game ${game}`,
    why: NETWORK,
    by: ["test/scripts/deploy-game.ts", '"--game", "noughts", "--games", GAMES'] as const,
  })),
  {
    command: "docker compose -f containers/compose.yaml --env-file ~/duello.env up --build --detach --wait",
    why: DOCKER,
    by: [CI, "docker compose up --detach --wait"],
  },
  ...[
    "build relay",
    "up --detach --wait",
    "run --rm play challenge tic-tac-toe --yes --opponent 0xBcd4042DE499D14e55001CcbB24a551F3b954096 --account 4 --network local",
    "down --volumes",
  ].map((words) => ({
    command: `docker compose -f containers/compose.yaml -f containers/compose.local.yaml --env-file containers/local.env ${words}`,
    why: DOCKER,
    by: [CI, `docker compose ${words}`] as const,
  })),
  {
    command: "npm run -s play -- --games ~/blotto/src/blotto.ts create blotto 4 3 3 --account 4",
    why: LISTED,
    by: ["test/cli/own-games.ts", '"--games", GAMES'],
  },
  {
    command: "DUELLO_GAMES=~/blotto/src/blotto.ts npm run -s play -- list --account 5",
    why: LISTED,
    by: ["test/cli/own-games.ts", "DUELLO_GAMES: TYPESCRIPT"],
  },
  {
    command: "npm run page -- --build --games ~/blotto/src/blotto.ts",
    why: LISTED,
    by: ["test/page/own-games.ts", "ownGames(await loadGames(FILE), FILE)"],
  },
  {
    command: "npx anvil --chain-id 4242 --slots-in-an-epoch 0",
    why: STAYS,
    by: ["test/scripts/documents.ts", 'TestNode.start("anvil"'],
  },
  {
    command: "npx hardhat node --hostname 127.0.0.1",
    why: STAYS,
    by: ["test/support/deploy-support.ts", 'HARDHAT, "node", "--hostname", HOST'],
  },
  ...hardhat("keystore set SEPOLIA_RPC_URL"),
  ...hardhat("keystore set BASE_SEPOLIA_RPC_URL"),
  ...hardhat("keystore set DUELLO_DEPLOYER_KEY"),
  ...hardhat("keystore set ETHERSCAN_API_KEY"),
  ...hardhat("ignition track-tx TX_HASH chain-84532 --network baseSepolia"),
  ...hardhat("ignition status chain-84532"),
  ...hardhat('ignition wipe chain-84532 "Duello#Arena"'),
  ...hardhat("ignition verify chain-84532 --network baseSepolia"),
  ...hardhat("verify sourcify --network baseSepolia ADDRESS OWNER"),
  ...hardhat("verify blockscout --network baseSepolia ADDRESS OWNER TREASURY"),
  ...hardhat("verify etherscan --network baseSepolia ADDRESS ARENA FIGHTERS"),
];

function agent(words: string): Elsewhere[] {
  const by = ["test/cli/agent-process.ts", 'runScript("cli/agent/main.ts"'] as const;
  return [{ command: `npm run agent -- ${words}`, why: "it runs until it is stopped", by }];
}

function indexOn(database: string, more: string): Elsewhere[] {
  const url = `postgresql://${database}.example/duello`;
  const command = `DATABASE_URL=${url} npm run index -- --network sepolia${more}`;
  return [{ command, why: NETWORK, by: ["test/indexer/rows.ts", "isReplica"] }];
}

function hardhat(words: string): Elsewhere[] {
  return [{ command: `npx hardhat ${words}`, why: NETWORK, by: KNOWN }];
}
