import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { interfaceOf } from "../../../sdk/chain/events.js";
import {
  id,
  Interface,
  JsonRpcProvider,
  makeError,
  ZeroAddress,
  ZeroHash,
  type ErrorFragment,
  type ParamType,
} from "ethers";
import { artifacts, network } from "hardhat";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { Client } from "../../../sdk/player/client.js";
import { customError, explain } from "../../../sdk/player/errors.js";
import { walletSentence, WrongNetwork } from "../../../sdk/player/wallet-errors.js";
import { games } from "../../../sdk/games/index.js";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { NO_STATE, encodeAnswer } from "../../../sdk/protocol/commit-reveal.js";
import { type Terms } from "../../../sdk/protocol/terms.js";
import {
  Arena__factory,
  AutoBattler__factory,
  Fighters__factory,
  FightToken__factory,
} from "../../../typechain-types/index.js";
import { ethers, UNIT } from "../../support/index.js";

/** Errors of OpenZeppelin and Solady that players can get. */
const FOREIGN = [
  "ReentrancyGuardReentrantCall",
  "OwnableUnauthorizedAccount",
  "ERC20InsufficientBalance",
  "ERC20InsufficientAllowance",
  "TokenDoesNotExist",
  "NotOwnerNorApproved",
  "TransferFromIncorrectOwner",
  "TransferToZeroAddress",
  "TransferToNonERC721ReceiverImplementer",
];
const WORD = id("some word");

/** Lists the errors that our own sources declare. The ABIs also contain the errors of libraries. */
async function declared(): Promise<Set<string>> {
  const files = await readdir("contracts", { recursive: true });
  const sources = files
    .filter((file) => file.endsWith(".sol"))
    .map((file) => readFile(join("contracts", file), "utf8"));
  const text = (await Promise.all(sources)).join("\n");
  return new Set([...text.matchAll(/^\s*error (\w+)\(/gm)].map(([, name]) => name));
}

/** Lists every error of every contract of ours, by its signature. */
async function ours(): Promise<Map<string, ErrorFragment>> {
  const names = [...(await artifacts.getAllFullyQualifiedNames())].filter((name) => name.startsWith("contracts/"));
  const own = await declared();
  const found = new Map<string, ErrorFragment>();
  for (const name of names) {
    const { abi } = await artifacts.readArtifact(name);
    new Interface(abi).forEachError((error) => {
      if (own.has(error.name) || FOREIGN.includes(error.name)) found.set(error.format(), error);
    });
  }
  return found;
}

/** Returns a value of a type, a different one for each index. */
function sample(type: ParamType, index: number): unknown {
  if (type.baseType === "tuple") return type.components!.map(sample);
  if (type.type === "address") return `0x${"00".repeat(19)}${(index + 17).toString(16)}`;
  if (type.type === "bytes32") return `0x${"00".repeat(31)}${(index + 33).toString(16)}`;
  return type.type === "uint8" ? 3 : 700_000_000 + index;
}

function dataOf(error: ErrorFragment): string {
  return new Interface([error]).encodeErrorResult(error, error.inputs.map(sample));
}

async function thrownBy(run: () => Promise<unknown>): Promise<unknown> {
  const nothing = new Error("nothing was thrown");
  return run().then(
    () => Promise.reject(nothing),
    (error: unknown) => error,
  );
}

describe("The explainer of errors", () => {
  let errors: Map<string, ErrorFragment>;

  before(async () => {
    errors = await ours();
  });

  it("knows all errors that the contracts declare", async () => {
    const names = [...errors.values()].map(({ name }) => name);
    expect(names).to.include.members([
      "UnknownMatch",
      "PurseTooLow",
      "NotAMinter",
      "WrongRound",
      "CoolingDown",
      ...FOREIGN,
    ]);
    expect(
      [...(await declared())].filter((name) => !names.includes(name)),
      "declared and in no ABI",
    ).to.deep.equal([]);
  });

  it("has a sentence for every error, and fills it only with the error's values", () => {
    for (const [signature, error] of errors) {
      const sentence = explain({ data: dataOf(error) }, { games });
      expect(sentence, signature).to.match(/^[A-Z{\d].* .*\.$/u);
      expect(sentence, signature).not.to.match(/undefined|NaN|[{}\n]/);
      expect(sentence, signature).not.to.include(`${error.name}(`);
      const likeArrays = error.inputs.flatMap(({ name, type }, i) =>
        name in [] && type === "uint256" ? [sample(error.inputs[i], i)] : [],
      );
      for (const value of likeArrays) expect(sentence, signature).to.include(String(value));
    }
  });

  it("has sentences for a game's errors that contain only fields of these errors", () => {
    for (const game of games) {
      const abis = [game, game.preview ?? []].flat().map(({ abi }) => new Interface(abi));
      for (const [name, sentence] of Object.entries(game.errors)) {
        const error = [...abis, game.characters && interfaceOf(game.characters.minted)]
          .map((abi) => abi?.getError(name))
          .find(Boolean);
        expect(error, `${game.name}: ${name}`).not.to.equal(undefined);
        const inputs = error!.inputs.map((input) => input.name);
        for (const [, field] of sentence.matchAll(/\{(\w+)\}/g)) expect(inputs, name).to.include(field);
      }
    }
  });

  it("maps each name to one error", () => {
    const signatures = [...errors.keys()].filter((each) => !FOREIGN.some((name) => each.startsWith(name)));
    expect(new Set(signatures.map((each) => each.split("(")[0])).size).to.equal(signatures.length);
  });

  it("formats times and statuses for people", () => {
    const known = Arena__factory.createInterface();
    const late = known.encodeErrorResult("TooLate", [7, 1_700_000_000, 1_700_000_001]);
    expect(explain({ data: late }, { games })).to.equal(
      "Too late for match 7: its deadline was 2023-11-14 22:13:20 UTC, it is 2023-11-14 22:13:21 UTC.",
    );
    const wrong = known.encodeErrorResult("WrongStatus", [7, 11]);
    expect(explain({ data: wrong }, { games })).to.equal("This cannot be done with match 7: draw.");
  });

  for (const way of ["in the process", "over JSON-RPC"]) {
    describe(`given real reverts ${way}`, () => {
      let close: () => Promise<void>;
      let world: Awaited<ReturnType<typeof table>>;

      /** Deploys the arena, the tokens and a game, and connects clients for alice and bob. */
      async function table(
        signers: Awaited<ReturnType<typeof ethers.getSigners>>,
        deploy: typeof ethers.deployContract,
      ) {
        const [owner, alice, bob] = signers;
        const address = async (name: string, ...args: unknown[]) =>
          (await (await deploy(name, args, { signer: owner })).waitForDeployment()).getAddress();
        const Arena = await address("Arena", owner.address, owner.address);
        const FightToken = await address("FightToken", owner.address);
        const Fighters = await address("Fighters", owner.address);
        const AutoBattler = await address("AutoBattler", Arena, Fighters);
        const addresses = { Arena, FightToken, Fighters, AutoBattler } as unknown as Addresses;
        const terms: Terms = {
          game: AutoBattler,
          stake1: 0n,
          token: FightToken,
          stake2: UNIT,
          mode: ZeroHash,
          clock: 3600n,
          feeBps: 2000n,
          rated: true,
        };
        const clients = await Promise.all(
          [owner, alice, bob].map((signer) => Client.connect(addresses, games, signer)),
        );
        return { addresses, terms, owner: clients[0], alice: clients[1], bob: clients[2] };
      }

      before(async () => {
        if (way === "in the process") {
          const connection = await network.create();
          world = await table(await connection.ethers.getSigners(), connection.ethers.deployContract);
          close = () => connection.close();
          return;
        }
        const server = await network.createServer("node", "127.0.0.1", 0);
        const { port } = await server.listen();
        const provider = new JsonRpcProvider(`http://127.0.0.1:${port}`, undefined, { cacheTimeout: -1 });
        provider.pollingInterval = 20;
        const signers = await Promise.all([0, 1, 2].map((number) => provider.getSigner(number)));
        world = await table(signers, ethers.deployContract);
        close = async () => {
          provider.destroy();
          await server.close();
        };
      });

      after(() => close());

      const sentence = async (run: () => Promise<unknown>) => explain(await thrownBy(run), { games });

      it("explains a view's error", async () => {
        expect(await sentence(() => world.alice.arena.matchOf(5))).to.equal("There is no match 5.");
      });

      it("explains why a transaction would revert, before it is sent", async () => {
        const { alice, terms } = world;
        const short = { terms: { ...terms, clock: 59n }, data: WORD };
        expect(await sentence(() => alice.create(short))).to.equal(
          "A clock of 59 s is not between 60 s and 2592000 s.",
        );
        const own = { terms, data: WORD, opponent: alice.address };
        expect(await sentence(() => alice.create(own))).to.equal(`${alice.address} cannot play against itself.`);
      });

      it("explains a game's errors", async () => {
        const { alice, bob, terms } = world;
        expect(await sentence(() => alice.create({ terms, data: ZeroHash }))).to.equal(
          "A commitment of zero commits to nothing.",
        );
        const unknown = { terms: { ...terms, mode: WORD }, data: WORD };
        const acceptedRisks = ["foreign-mode", "worse-odds"] as const;
        expect(await sentence(() => alice.create(unknown, { acceptedRisks }))).to.equal(
          `The game has no mode ${WORD}.`,
        );
        const game = AutoBattler__factory.connect(terms.game, bob.signer);
        expect(await sentence(() => game.registerMode("0x00"))).to.equal("1 bytes are not between 52 and 52.");
        const named = { terms: { ...terms, stake2: 0n }, data: WORD, opponent: bob.address };
        const offer = await alice.create(named, { acceptedRisks });
        const team = {
          round: 1,
          state: NO_STATE,
          commitment: WORD,
          move: encodeTeam([1n, 1n, 2n, 3n, 4n]),
          salt: WORD,
        };
        expect(await sentence(() => bob.join(offer, encodeAnswer(team)))).to.equal("Fighter 1 is in the team twice.");
        const nobody = encodeAnswer({ ...team, move: encodeTeam([1n, 2n, 3n, 4n, 5n]) });
        const join = () => bob.join(offer, nobody);
        expect(await sentence(join)).to.equal(`Fighter 1 belongs to nobody, not to ${bob.address}.`);
      });

      it("explains the purse's and the tokens' errors", async () => {
        const { alice, bob, owner, addresses } = world;
        const { FightToken } = addresses;
        expect(await sentence(() => bob.withdraw(FightToken, 5n))).to.equal(
          `The purse of ${bob.address} holds 0 of ${FightToken}; 5 are needed.`,
        );
        const fighters = Fighters__factory.connect(addresses.Fighters, alice.signer);
        const mint = () => fighters.mint(alice.address, 1, [1, 1, 1, 1, 1, 1], false);
        expect(await sentence(mint)).to.equal(`${alice.address} is not a minter of this token.`);
        const fight = FightToken__factory.connect(FightToken, alice.signer);
        expect(await sentence(() => fight.mint(alice.address, 1n))).to.equal(`${alice.address} is not the owner.`);
        const short = `${alice.address} owns 0 of the token; 3 are needed.`;
        expect(await sentence(() => alice.deposit(FightToken, 3n))).to.equal(short);
        const nothing = `${addresses.Arena} may take 0 of the token; 3 are needed.`;
        expect(await sentence(() => bob.arena.deposit(FightToken, 3n, bob.address))).to.equal(nothing);
        expect(await sentence(() => owner.arena.setTreasury(ZeroAddress))).to.equal(
          `${ZeroAddress} cannot be the treasury.`,
        );
      });

      it("explains a transaction that reverted only when mined", async () => {
        const { alice } = world;
        const cancel = () => alice.arena.cancel(99, { gasLimit: 1_000_000 }).then((sent) => sent.wait());
        expect(await sentence(cancel)).to.equal("There is no match 99.");
      });

      it("prints one line for errors that no contract declares", async () => {
        const { alice, bob } = world;
        const rich = () => alice.signer.sendTransaction({ to: bob.address, value: 10n ** 30n });
        for (const run of [rich, () => alice.deposit(bob.address, 1n), () => alice.arena.join(1, "0x12", "0x")]) {
          expect(await sentence(run)).to.match(/^.+$/);
        }
      });
    });
  }

  it("prints one line for any other value", async () => {
    expect(explain(new Error("first\nsecond"))).to.equal("first");
    expect(explain("a text\nof two lines")).to.equal("a text");
    expect(explain(undefined, { games })).to.equal("undefined");
    expect(explain({ data: "0x" }, { games })).to.match(/^.+$/);
    expect(explain({ data: "0x12345678" }, { games })).to.match(/^.+$/);
    const closed = new JsonRpcProvider("http://127.0.0.1:1", 31_337, { staticNetwork: true });
    const { message } = (await thrownBy(() => closed.getBlockNumber())) as Error;
    closed.destroy();
    expect(explain(new Error(message))).to.match(/^.+$/);
    expect(customError(new Error("no contract"), games)).to.equal(undefined);
  });

  describe("given a hostile contract", () => {
    const known = Arena__factory.createInterface();
    const full = (name: string, words: number) => ({
      data: `${known.getError(name)!.selector}${"ff".repeat(32 * words)}`,
    });
    const HUGE = 2n ** 256n - 1n;

    it("prints a sentence if a contract reverts like the arena with times beyond all dates", () => {
      const beyond = "Too late for match 7: its deadline was second 1099511627775 since 1970";
      const { data } = full("TooLate", 3);
      expect(explain({ data: known.encodeErrorResult("TooLate", [7, 2n ** 40n - 1n, 1]) }, { games })).to.include(
        beyond,
      );
      expect(explain({ data })).to.match(new RegExp(`^Too late for match ${HUGE}: its deadline was second \\d+ since`));
    });

    it("names an unknown status by its number", () => {
      expect(explain(full("WrongStatus", 2))).to.equal(`This cannot be done with match ${HUGE}: status 255.`);
    });

    it("does not mistake data for an error of the arena if it is cut, malformed or has impossible values", () => {
      const late = known.encodeErrorResult("TooLate", [7, 8, 9]);
      for (const data of [late.slice(0, 40), `${late.slice(0, 20)}zz`, `${late}f`, full("NotAPlayer", 2).data]) {
        expect(customError({ data }, games), data).to.equal(undefined);
        const thrown = Object.assign(new Error("execution reverted"), { data });
        expect(explain(thrown, { games }), data).to.equal("execution reverted");
      }
    });

    it("quotes a text in one printable line", () => {
      const plain = new Interface(["error Error(string)", "error StringTooLong(string str)"]);
      const text = "\u001b[2J\u202epaid\n0x".padEnd(10_000, "!");
      const data = plain.encodeErrorResult("Error", [text]);
      expect(customError({ data }, games)).to.equal(undefined);
      const reverted = Object.assign(new Error("long"), { data, shortMessage: `execution reverted: "${text}"` });
      expect(explain(reverted, { games })).to.equal('execution reverted: " [2J paid');
      expect(explain({ data: plain.encodeErrorResult("StringTooLong", [text]) }, { games })).to.match(
        /^StringTooLong\( .{900,990}…$/u,
      );
    });
  });

  it("prints one line for any message that a node returns", () => {
    const said = (message: unknown) =>
      explain(Object.assign(new Error("from ethers"), { info: { error: { message } } }));
    for (const message of [{ a: 1 }, 5, null, ["x"], "", "\n\n", "\u0000\u200b"]) {
      expect(said(message), JSON.stringify(message)).to.equal("from ethers");
    }
    expect(said("\r\n\u009b31mred\u202e\nmore")).to.equal(" 31mred ");
    expect(explain(new Error("\n"))).to.equal("It failed without a word.");
    expect(explain(Object.assign(new Error(), { message: null }))).to.equal("It failed without a word.");
    expect(said("x".repeat(1e6))).to.have.length(1000);
  });

  describe("given a wallet", () => {
    const REJECTED = "It was rejected in the wallet: nothing was sent.";
    const SHORT = "The sender has too little of the chain's coin for this transaction and its gas.";
    const UNKNOWN = "The wallet does not know this chain: add its network to the wallet first.";
    const BUSY = "The wallet has another request open: answer that one first.";
    const nonce = /^A transaction with this number was sent before\. If the chain was restarted/;
    const batch = "The wallet cannot send these calls as one batch.";
    /** Wraps an error as ethers does. */
    const wrapped = (error: object) =>
      Object.assign(new Error("could not coalesce error (…)"), { code: "UNKNOWN_ERROR", error });

    for (const [what, thrown, sentence] of [
      ["a rejection", { code: 4001, message: "No." }, REJECTED],
      ["a rejection by ethers", makeError("user rejected action", "ACTION_REJECTED"), REJECTED],
      ["a missing authorisation", { code: 4100, message: "" }, /^The wallet has not authorised this page/],
      ["an unknown chain", { code: 4902, message: "" }, UNKNOWN],
      ["an unknown chain, on a phone", { code: -32603, data: { originalError: { code: 4902 } } }, UNKNOWN],
      ["an unknown chain, by its message", { code: -32603, message: 'Unrecognized chain ID "0x7a69".' }, UNKNOWN],
      ["a pending request", { code: -32002, message: "Request already pending for origin" }, BUSY],
      ["a method that it lacks", { code: 4200 }, "The wallet cannot do this."],
      ["a wallet without a chain", { code: 4900 }, "The wallet is connected to no chain."],
      ["a wallet on another chain", { code: 4901 }, "The wallet is not connected to this chain: switch its network."],
      ["a batch on another chain", { code: 5710 }, "The wallet is not connected to this chain: switch its network."],
      ["too large a batch", { code: 5740 }, "The batch is too large for the wallet."],
      ["a refused upgrade", { code: 5750 }, /^The account was not upgraded/],
      ["a wallet without batches", { code: 5760 }, batch],
      ["a missing capability", { code: 5700 }, batch],
      [
        "another network",
        makeError("network changed: 1 => 5 ", "NETWORK_ERROR"),
        /^The wallet has switched to another/,
      ],
      ["too little coin, by ethers", makeError("insufficient funds for intrinsic cost", "INSUFFICIENT_FUNDS"), SHORT],
      [
        "too little coin, by geth",
        { code: -32000, message: "insufficient funds for gas * price + value: have 1" },
        SHORT,
      ],
      ["too little coin, by an estimate", { code: -32000, message: "gas required exceeds allowance (0)" }, SHORT],
      ["a used nonce", { code: -32000, message: "nonce too low: next nonce 5, tx nonce 3" }, nonce],
      ["a used nonce, by ethers", makeError("nonce has already been used", "NONCE_EXPIRED"), nonce],
      ["a nonce in use", { message: "replacement transaction underpriced" }, /^Another transaction with this number/],
      ["a replacement", makeError("replaced", "TRANSACTION_REPLACED"), "Another transaction was sent in its place."],
      ["another chain", new WrongNetwork(1n, 5n), "The wallet is on chain 1, not on chain 5: switch its network."],
    ] as const) {
      it(`recognises ${what}, as it is and as ethers wraps it`, () => {
        const texts = thrown instanceof WrongNetwork ? [thrown] : [thrown, wrapped(thrown)];
        for (const each of texts) {
          if (typeof sentence === "string") expect(explain(each)).to.equal(sentence);
          else expect(explain(each)).to.match(sentence);
        }
      });
    }

    it("does not mistake another error for an error of the wallet", () => {
      const nothing = [
        new Error("insufficient"),
        { code: -32002, message: "request timed out" },
        { code: "NETWORK_ERROR", message: "could not detect network" },
        { code: -32603, message: "gas required exceeds allowance (30000000)" },
        "4001",
        4001,
        null,
      ];
      for (const each of nothing) expect(walletSentence(each)).to.equal(undefined);
      // Only the long message of ethers quotes the request, which an opponent may have written.
      const quoting = Object.assign(new Error("x (data=insufficient funds)"), { shortMessage: "x" });
      expect(walletSentence(quoting)).to.equal(undefined);
      const loop: { cause?: unknown } = {};
      loop.cause = loop;
      expect(walletSentence(loop)).to.equal(undefined);
    });

    it("relies on a contract's revert data, not on the wording of an error message", () => {
      const data = new Interface(["error Error(string)"]).encodeErrorResult("Error", ["insufficient funds"]);
      const shortMessage = 'execution reverted: "insufficient funds"';
      expect(explain(Object.assign(new Error("long"), { data, shortMessage }))).to.equal(shortMessage);
      const late = Arena__factory.createInterface().encodeErrorResult("UnknownMatch", [7]);
      expect(explain({ code: 4001, error: { data: late } })).to.equal("There is no match 7.");
    });
  });

  it("returns even for an error that is its own cause", () => {
    const loop: { cause?: unknown; message: string } = { message: "round" };
    loop.cause = loop;
    expect(customError(loop, games)).to.equal(undefined);
  });
});
