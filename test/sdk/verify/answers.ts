import { expect } from "chai";
import { Interface, type Provider } from "ethers";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import { AT_ONCE } from "../../../sdk/chain/source.js";
import { askChain, compareState, type Ask, type Expectation } from "../../../sdk/verify/state.js";
import { ARENA, GAME } from "../../support/made-up-events.js";

const declared = new Interface([
  "function count() view returns (uint8)",
  "function named(uint256 id) view returns (uint256 amount, bool open)",
  "function pair(uint256 id) view returns (tuple(uint256 one, bool two))",
]);
const interfaces = new Map([
  [ARENA, declared],
  [GAME, new Interface(["function count() view returns (uint256)"])],
]);
const answerOf = (view: string, ...values: unknown[]) => declared.encodeFunctionResult(view, values);

/** Compares expectations with the answers of a chain. @returns the mismatch as a sentence. */
async function found(expectations: readonly Partial<Expectation>[], ask: Ask): Promise<string | undefined> {
  const all = expectations.map((each) => ({ address: ARENA, args: [], view: "count", answer: [5n], ...each }));
  const mismatch = await compareState(all, interfaces, ask);
  return mismatch && locatedMismatchText(mismatch);
}

describe("The comparison of a contract's answers", () => {
  const ask =
    (answer?: string): Ask =>
    async () =>
      answer;

  it("asks each contract with its interface, and passes on the expected data", async () => {
    const asked: unknown[][] = [];
    const expectations = [{}, { view: "named", args: [7n], answer: [1n, true] }, { address: GAME, answer: [300n] }];
    const answers = [answerOf("count", 5n), answerOf("named", 1n, true), `0x${300n.toString(16).padStart(64, "0")}`];
    expect(await found(expectations, async (...call) => (asked.push(call), answers[asked.length - 1]))).to.equal(
      undefined,
    );
    expect(asked).to.deep.equal([
      [ARENA, declared.encodeFunctionData("count"), answers[0]],
      [ARENA, declared.encodeFunctionData("named", [7n]), answers[1]],
      [GAME, declared.encodeFunctionData("count"), answers[2]],
    ]);
  });

  it("names the part that differs, and the match", async () => {
    expect(await found([{}], ask(answerOf("count", 6n)))).to.equal("count(): the answer: expected 5, found 6");
    const named = { view: "named", args: [7n], answer: [1n, true], matchId: 3n };
    expect(await found([named], ask(answerOf("named", 1n, false)))).to.equal(
      "match 3, named(7): open: expected true, found false",
    );
    const pair = { view: "pair", args: [1n], answer: [{ one: 1n, two: true }] };
    expect(await found([pair], ask(answerOf("pair", { one: 2n, two: true })))).to.equal(
      "pair(1): one: expected 1, found 2",
    );
    expect(await found([pair], ask(answerOf("pair", { one: 1n, two: false })))).to.equal(
      "pair(1): two: expected true, found false",
    );
  });

  it("accepts the other answer, if there are two", async () => {
    const either = { or: [6n] };
    for (const value of [5n, 6n]) expect(await found([either], ask(answerOf("count", value)))).to.equal(undefined);
    expect(await found([either], ask(answerOf("count", 7n)))).to.equal("count(): the answer: expected 5, found 7");
  });

  it("names a refusal, and data that is no answer or an answer in another encoding", async () => {
    expect(await found([{}], ask())).to.equal("count(): the answer: expected one, found a refusal");
    const expected = answerOf("count", 5n);
    for (const data of ["0x", "0x1234", `${expected}00`])
      expect(await found([{}], ask(data))).to.equal(`count(): the answer: expected ${expected}, found ${data}`);
  });

  it("reports an answer where none is possible", async () => {
    const impossible = { answer: [-1n], or: [-2n] };
    const asked: unknown[] = [];
    const answer: Ask = async (...call) => (asked.push(call[2]), answerOf("count", 1n));
    expect(await found([impossible], answer)).to.equal("count(): the answer: expected what it cannot answer, found 1");
    expect(asked).to.deep.equal([undefined]);
    expect(await found([impossible], ask("0x"))).to.equal("count(): the answer: expected undefined, found 0x");
    expect(await found([impossible], ask())).to.equal("count(): the answer: expected one, found a refusal");
  });

  it("asks some at a time, stops after the first mismatch, and reports its progress", async () => {
    const many = Array.from({ length: 2 * AT_ONCE + 1 }, () => ({
      address: ARENA,
      view: "count",
      args: [],
      answer: [5n],
    }));
    const run = async (isWrong: (asked: number) => boolean) => {
      const progress: number[][] = [];
      let [asked, open, most] = [0, 0, 0];
      const chain: Ask = async () => {
        const value = isWrong(asked++) ? 6n : 5n;
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
        return answerOf("count", value);
      };
      const mismatch = await compareState(many, interfaces, chain, (...told) => progress.push(told));
      return { asked, most, progress, isFound: mismatch !== undefined };
    };
    const all = many.length;
    const steps = [
      [AT_ONCE, all],
      [2 * AT_ONCE, all],
      [all, all],
    ];
    expect(await run(() => false)).to.deep.equal({ asked: all, most: AT_ONCE, progress: steps, isFound: false });
    const second = await run((asked) => asked === AT_ONCE + 5);
    expect(second).to.deep.include({ asked: 2 * AT_ONCE, progress: steps.slice(0, 1), isFound: true });
    const exact = many.slice(0, AT_ONCE);
    const told: number[][] = [];
    const chain: Ask = async () => answerOf("count", 5n);
    expect(await compareState(exact, interfaces, chain, (...come) => told.push(come))).to.equal(undefined);
    expect(told).to.deep.equal([[AT_ONCE, AT_ONCE]]);
    expect(await compareState([], interfaces, () => Promise.reject(new Error("asked")))).to.equal(undefined);
  });
});

describe("A chain that is asked at a block", () => {
  const askOf = (call: (request: object) => Promise<string>) => askChain({ call } as unknown as Provider, 77);

  it("is called with the state of that block", async () => {
    const requests: object[] = [];
    expect(await askOf(async (request) => (requests.push(request), "0x01"))(ARENA, "0x02")).to.equal("0x01");
    expect(requests).to.deep.equal([{ to: ARENA, data: "0x02", blockTag: 77 }]);
  });

  it("answers nothing if the call reverts, and passes on all other errors", async () => {
    const revert = Object.assign(new Error("reverted"), { code: "CALL_EXCEPTION" });
    expect(await askOf(() => Promise.reject(revert))(ARENA, "0x")).to.equal(undefined);
    const failed = askOf(() => Promise.reject(new Error("gone")))(ARENA, "0x");
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal("gone");
  });
});
