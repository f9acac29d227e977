import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { computeAddress, encryptKeystoreJsonSync, type Provider } from "ethers";
import { batchReader, template } from "../../cli/mint/mints.js";
import { ChannelFiles } from "../../cli/shared/channels/files.js";
import { readNetworks } from "../../cli/shared/node/networks.js";
import { readProfile } from "../../cli/shared/command/profile.js";
import { readPolicy } from "../../sdk/player/policy.js";
import { holderOf } from "../../cli/shared/files/lock.js";
import { parseJournal } from "../../scripts/deploy/journal.js";
import { readDeploymentFile } from "../../cli/shared/node/deployment.js";
import { readJson, readSmallJson } from "../../cli/shared/files/json.js";
import { judge } from "../../scripts/lcov.js";
import { readDeployments } from "../../sdk/chain/deployment.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { readContent, type SavedArchive } from "../../sdk/chain/saved.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { readExported } from "../../sdk/player/key-store.js";
import { openKeystore } from "../../cli/shared/wallet/wallet.js";
import { channelIdOf } from "../../sdk/protocol/channels/messages.js";
import { contractsWith } from "../../sdk/games/list.js";
import { oneLine } from "../../sdk/protocol/input.js";
import { versioned } from "../../sdk/protocol/version.js";
import { games } from "../../sdk/games/index.js";
import { Tokens } from "../../sdk/player/tokens.js";
import { readShownState } from "../../sdk/verify/shown-state.js";
import { decoder, type Decoder } from "./decoder.js";
import { filesNear, jsonNear, textsNear } from "./near.js";

const GOLDEN = "test/golden";
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const WORD = `0x${"1a".repeat(32)}`;
/** A round with some answer. */
const ROUND = { chainId: 1, arena: ADDRESS, matchId: 7n, after: 1, commitment: WORD };
const SALT = `0x${"07".repeat(32)}`;
const ADDRESS_OF_SALT = computeAddress(SALT);
const addresses = Object.fromEntries(contractsWith(games).map((name) => [name, ADDRESS]));

const KEY = { chainId: 31_337, arena: ADDRESS, player: ADDRESS, key: SALT };
const CHANNEL = {
  player1: ADDRESS,
  key1: ADDRESS,
  player2: ADDRESS_OF_SALT,
  key2: ADDRESS_OF_SALT,
  token: ADDRESS,
  feeBps: 2000n,
};
const SECRET = { chainId: 31_337, game: ADDRESS, player: ADDRESS, commitment: WORD, move: "0x0102", salt: SALT };
const NETWORK = { name: "mine", chainId: 4242, rpc: "http://127.0.0.1:8545", explorer: "https://example.org" };
const DEPLOYMENT = { chainId: 31_337, block: 7, addresses, agents: [ADDRESS] };
const DEPLOYED = { Arena: ADDRESS, FightToken: ADDRESS, Fighters: ADDRESS, GuardianCards: ADDRESS };
const ARCHIVE: SavedArchive = {
  version: 1,
  chainId: "31337",
  genesis: WORD,
  arena: ADDRESS,
  emitters: [ADDRESS, ADDRESS, ADDRESS],
  fromBlock: 0,
  last: { number: 9, hash: WORD },
  blocks: [
    {
      number: 7,
      hash: WORD,
      events: [
        ["TermsAdded", 0, 0, WORD, ["1", [ADDRESS, "1", ADDRESS, "2", WORD, "3600", "100", true]]],
        ["Acted", 0, 1, WORD, ["1", "2", "0x0102"]],
        ["Log", 1, 2, WORD, ["1", "1", ["1", "2"]]],
      ],
    },
  ],
  times: [[7, "1700000000"]],
};
const JOURNAL = [
  { type: "DEPLOYMENT_INITIALIZE", chainId: 31_337 },
  { type: "TRANSACTION_SEND", futureId: "Duello#Arena", transaction: { hash: WORD, fees: { gasPrice: "1" } } },
  { type: "TRANSACTION_CONFIRM", futureId: "Duello#Arena", receipt: { blockNumber: 7, status: "SUCCESS" } },
];
const LCOV = "TN:\nSF:contracts/Arena.sol\nDA:1,7\nDA:2,0\nend_of_record\n";

/** Inputs of a game's golden examples, valid and invalid; one empty input for a game without examples. */
function golden(game: string): unknown[] {
  if (!existsSync(join(GOLDEN, game))) return [{}];
  const files = readdirSync(join(GOLDEN, game)).filter((file) => /\.(in|bad)\.json$/.test(file));
  return files.map((file): unknown => JSON.parse(readFileSync(join(GOLDEN, game, file), "utf8")));
}

/** Returns the decoders of everything that turns files into values. */
export function fileDecoders(): Decoder[] {
  const folder = mkdtempSync(join(tmpdir(), "duello-"));
  const vault = new Vault(folder);
  /** Writes a file with this text into the folder. @returns its path. */
  const written = (name: string, text: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const kept = <T>(name: string, samples: readonly unknown[], decode: () => Promise<T>, covers: string[] = []) => {
    const at = `${name}.json`;
    const read = (text: string) => (written(at, text), decode());
    return decoder(`a file: ${name}`, {
      cost: 20,
      covers: ["cli/shared/files/files.ts: readFileAs", "sdk/protocol/version.ts: readVersioned", ...covers],
      inputs: filesNear(samples),
      decode: read,
    });
  };
  const account = { address: ADDRESS_OF_SALT, privateKey: SALT };
  const keystore = encryptKeystoreJsonSync(account, "", { scrypt: { N: 2, r: 1, p: 1 } });
  const tokens = new Tokens({} as Provider, addresses);
  const context = { chainId: 31_337, games, deployment: { addresses }, tokens } as unknown as CommandContext;
  const simulations = games.map((game) =>
    decoder(`a simulation of ${game.name}`, {
      cost: 20,
      inputs: jsonNear(golden(game.name)),
      decode: (input) => game.simulate(input),
      ...(SIMULATED[game.name] && { covers: SIMULATED[game.name] }),
    }),
  );
  const modes = games.flatMap(({ name, modes: published, modeFormat }) => {
    if (!modeFormat) return [];
    const spec = {
      cost: 5,
      inputs: jsonNear(Object.values(published).map(({ content }) => modeFormat.decode(content))),
      decode: modeFormat.encode,
      // Accepted input has the same meaning when it is encoded again.
      encode: (content: Hex) => modeFormat.encode(modeFormat.decode(content)) === content,
      meant: () => true,
    };
    return [decoder(`a JSON mode of ${name}`, spec)];
  });
  return [
    ...simulations,
    ...modes,
    kept(`keys/31337-${ADDRESS}-${ADDRESS}`, [versioned("the vault", KEY)], () => vault.key(KEY)),
    kept(`secrets/${WORD}`, [versioned("the vault", SECRET)], () => vault.secret(WORD)),
    kept(`answers/1-${ADDRESS}-7/1-${WORD}`, [versioned("the vault", { moveArgs: "1 2 3", answer: WORD })], () =>
      vault.shown(ROUND),
    ),
    kept(
      `channels/1-${channelsOf(ADDRESS)}/${ADDRESS}/${channelIdOf(CHANNEL)}`,
      [versioned("a channel", { channel: { ...CHANNEL, feeBps: 2000 }, block: 7 })],
      async () => {
        const place = { vault, chainId: 1, addresses: { Arena: ADDRESS }, provider: {} as Provider };
        return (await ChannelFiles.of(place, ADDRESS)).find(channelIdOf(CHANNEL));
      },
    ),
    decoder("a profile", {
      covers: ["cli/shared/command/profile.ts: readProfile"],
      inputs: jsonNear([PROFILE]),
      decode: (json) => readProfile(json, "profile.json"),
    }),
    kept("networks", [[NETWORK], [NETWORK, { ...NETWORK, name: "other" }]], () => networksIn(folder), [
      "cli/shared/node/networks.ts: readNetworks",
    ]),
    decoder("a batch of tokens to mint", {
      cost: 5,
      inputs: jsonNear([template([ADDRESS], 2)]),
      decode: (json) => batchReader(context.deployment.addresses)(json, "mint.json"),
    }),
    kept("31337", [DEPLOYMENT], () => deploymentIn(folder), [
      "cli/shared/node/deployment.ts: readDeploymentFile",
      "cli/shared/node/deployment.ts: readDeploymentAt",
      "sdk/chain/deployment.ts: readDeployment",
    ]),
    decoder("the deployments of a page", {
      covers: ["sdk/chain/deployment.ts: readDeployments"],
      inputs: jsonNear([
        { deployments: [{ ...DEPLOYMENT, genesis: WORD, rpc: ["http://127.0.0.1:8545"], name: "Test" }] },
      ]),
      decode: (json) => readDeployments(json, "deployment.json"),
    }),
    decoder("an exported file", {
      covers: [
        "sdk/player/key-store.ts: readExported",
        "sdk/player/key-store.ts: readKeyBackup",
        "sdk/player/key-store.ts: readStoredKey",
        "sdk/player/key-store.ts: readStoredSecret",
        "cli/shared/wallet/secrets.ts: readStored",
      ],
      inputs: jsonNear([KEY, [SECRET], [SECRET, SECRET]]),
      decode: (json) => readExported(json, "backup.json"),
    }),
    decoder("a saved archive", {
      covers: ["sdk/chain/saved.ts: readContent"],
      inputs: jsonNear([ARCHIVE]),
      decode: (json) => readContent(json, DEPLOYED),
    }),
    decoder("a shown state", {
      covers: ["sdk/verify/shown-state.ts: readShownState", "cli/shared/files/shown-states.ts: readShownFile"],
      inputs: jsonNear([{ chainId: 31_337, game: ADDRESS, matchId: "7", player: ADDRESS, move: "0x0102", salt: SALT }]),
      decode: (json) => readShownState(json, "army.json"),
    }),
    decoder("a small file of JSON", {
      covers: ["cli/shared/files/json.ts: readSmallJson"],
      cost: 20,
      inputs: filesNear([DEPLOYMENT]),
      decode: (text) => readSmallJson(written("small.json", text), 1000),
    }),
    decoder("a file of JSON", {
      covers: ["cli/shared/files/json.ts: readJson"],
      cost: 20,
      inputs: filesNear([DEPLOYMENT]),
      decode: (text) => readJson(written("any.json", text)),
    }),
    decoder("a policy", {
      covers: ["sdk/player/policy.ts: readPolicy"],
      cost: 2,
      inputs: jsonNear([JSON.parse(readFileSync("cli/agent/local.json", "utf8"))]),
      decode: (json) => readPolicy(json, context),
    }),
    decoder("a journal of deploy", {
      covers: ["scripts/deploy/journal.ts: parseJournal", "scripts/deploy/journal.ts: readJournal"],
      inputs: filesNear(JOURNAL),
      decode: (text) => parseJournal(text, "journal.jsonl"),
    }),
    decoder("a holder of a lock", {
      covers: ["cli/shared/files/lock.ts: holderOf"],
      inputs: textsNear(["process 1 on 0c5b1c9a7d3e", "process 4711 on example.org"]),
      decode: (text) => holderOf(written("agent.lock.holder", text).slice(0, -".holder".length)),
      encode: (holder) => holder === undefined || oneLine(holder, 300) === holder,
      meant: () => true,
    }),
    decoder("a keystore", {
      covers: ["cli/shared/wallet/wallet.ts: openKeystore"],
      cost: 100,
      inputs: filesNear([JSON.parse(keystore)]),
      decode: (text) => openKeystore(text, "", "wallet.json"),
    }),
    decoder("a report of coverage", {
      covers: ["scripts/lcov.ts: judge"],
      inputs: textsNear([LCOV]),
      decode: (text) => judge(text, new Map([["contracts/Arena.sol", "a\nb\n"]])),
    }),
  ];
}

/** Readers of simulations, by game. */
const PROFILE = {
  rpc: "http://127.0.0.1:8545",
  account: "main",
  agent: "bob",
  accounts: { main: "/wallet.json", test: 4 },
  players: { bob: ADDRESS },
};

const SIMULATED: Readonly<Record<string, string[]>> = {
  guardians: ["sdk/games/guardians/simulate.ts: readInput"],
  pistols: ["sdk/games/pistols/simulate.ts: readDuel", "sdk/games/pistols/simulate.ts: readHonours"],
  warmancer: ["sdk/games/warmancer/simulate.ts: readGame"],
};

async function deploymentIn(folder: string) {
  process.env.DUELLO_DEPLOYMENTS = folder;
  return readDeploymentFile(31_337).finally(() => delete process.env.DUELLO_DEPLOYMENTS);
}

async function networksIn(folder: string) {
  process.env.DUELLO_DEPLOYMENTS = folder;
  return readNetworks().finally(() => delete process.env.DUELLO_DEPLOYMENTS);
}
