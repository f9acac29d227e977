import { expect } from "chai";
import { AbiCoder, Interface, makeError, MaxUint256, parseEther } from "ethers";
import type { Session } from "../../cli/shared/session.js";
import { amountText, tokenAt } from "../../cli/shared/tokens.js";

const TOKEN = "0x00000000000000000000000000000000000000F2";
const abi = new Interface(["function symbol()", "function decimals()"]);
const coder = AbiCoder.defaultAbiCoder();
const text = (symbol: string) => coder.encode(["string"], [symbol]);
const number = (value: bigint) => coder.encode(["uint256"], [value]);

/** Reads a token that answers, or throws, as given. */
function read(answers: { symbol?: string | Error; decimals?: string | Error }, onCall?: (call: object) => void) {
  const provider = {
    call: async (call: { data: string }) => {
      onCall?.(call);
      const answer = answers[abi.getFunction(call.data)!.name as "symbol" | "decimals"] ?? "0x";
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return tokenAt({ deployment: { addresses: {} }, provider } as unknown as Session, TOKEN);
}

describe("Known attacks: what a token says of itself", () => {
  for (const decimals of [37n, 81n, 255n, 256n ** 20n - 1n, MaxUint256]) {
    it(`a token with ${decimals} decimals is told in its smallest unit`, async () => {
      const token = await read({ symbol: text("ODD"), decimals: number(decimals) });
      expect([token.decimals, amountText(MaxUint256, token)]).to.deep.equal([0, `${MaxUint256} ODD (${TOKEN})`]);
    });
  }

  it("decimals that tokens have are believed", async () => {
    const amounts: string[] = [];
    for (const decimals of [0n, 6n, 18n, 36n]) {
      const token = await read({ symbol: text("EVEN"), decimals: number(decimals) });
      amounts.push(amountText(parseEther("1"), token));
    }
    const told = ["1000000000000000000", "1000000000000", "1", "0.000000000000000001"];
    expect(amounts).to.deep.equal(told.map((amount) => `${amount} EVEN (${TOKEN})`));
  });

  for (const [what, symbol, shown] of [
    ["escapes of terminals", "\u001b[2J\u001b]0;x\u0007FIGHT", "[2J]0;xFIGHT"],
    ["lines of its own", "FIGHT\r\n100 COIN", "FIGHT100COIN"],
    ["a turn of direction", "\u202e\u2066TFIG", "TFIG"],
    ["what cannot be seen", "\u200b\u3164\u00ad\ufe0f\u0300 \u00a0", "?"],
    ["half a character", "\ud83d", "\ufffd"],
    ["a character of two halves at the end", "FIGHTFIGHTF\u{1f94a}\u{1f94a}", "FIGHTFIGHTF\u{1f94a}"],
    ["a book", "FIGHT".repeat(10_000), "FIGHTFIGHTFI"],
    ["nothing", "", "?"],
  ]) {
    it(`a symbol with ${what} is a few characters that can be seen`, async () => {
      const bytes = new TextEncoder().encode(symbol);
      const token = await read({ symbol: coder.encode(["bytes"], [bytes]), decimals: number(0n) });
      expect(token.symbol).to.equal(`${shown} (${TOKEN})`);
    });
  }

  for (const [what, answer] of [
    ["reverts", makeError("execution reverted", "CALL_EXCEPTION", {} as never)],
    ["uses up all gas", makeError("could not coalesce error", "UNKNOWN_ERROR", {})],
    ["answers nothing", "0x"],
    ["answers garbage", `0x${"ff".repeat(64)}`],
    ["answers text that is none", coder.encode(["bytes"], ["0xff"])],
  ] as const) {
    it(`a token that ${what} is one without a name and decimals`, async () => {
      const decimals = what === "answers text that is none" ? "0x" : answer;
      expect(await read({ symbol: answer, decimals })).to.deep.equal({
        address: TOKEN,
        symbol: `? (${TOKEN})`,
        decimals: 0,
      });
    });
  }

  it("a token cannot keep the node busy: it gets little gas to answer with", async () => {
    const limits: unknown[] = [];
    await read({}, (call) => limits.push((call as { gasLimit: bigint }).gasLimit));
    expect(limits).to.deep.equal([100_000n, 100_000n]);
  });

  it("a node that does not answer is no token without decimals", async () => {
    const outage = makeError("server response 503", "SERVER_ERROR", {} as never);
    const error: unknown = await read({ symbol: text("USD"), decimals: outage }).catch((reason: unknown) => reason);
    expect(error).to.equal(outage);
  });
});
