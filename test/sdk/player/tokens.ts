import { expect } from "chai";
import { AbiCoder, Interface, makeError, MaxUint256, parseEther, type Provider } from "ethers";
import { Explained } from "../../../sdk/player/errors.js";
import { amountText } from "../../../sdk/player/amounts.js";
import { tokenAt, Tokens } from "../../../sdk/player/tokens.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { Arena__factory } from "../../../typechain-types/index.js";

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
  return tokenAt(provider as unknown as Provider, {}, TOKEN);
}

describe("Known attacks: the metadata of a token", () => {
  for (const decimals of [37n, 81n, 255n, 256n ** 20n - 1n, MaxUint256]) {
    it(`a token with ${decimals} decimals is shown in its smallest unit`, async () => {
      const token = await read({ symbol: text("ODD"), decimals: number(decimals) });
      expect([token.decimals, amountText(MaxUint256, token)]).to.deep.equal([0, `${MaxUint256} ODD (${TOKEN})`]);
    });
  }

  it("a plausible number of decimals is accepted", async () => {
    const amounts: string[] = [];
    for (const decimals of [0n, 6n, 18n, 36n]) {
      const token = await read({ symbol: text("EVEN"), decimals: number(decimals) });
      amounts.push(amountText(parseEther("1"), token));
    }
    const told = ["1000000000000000000", "1000000000000", "1", "0.000000000000000001"];
    expect(amounts).to.deep.equal(told.map((amount) => `${amount} EVEN (${TOKEN})`));
  });

  for (const [what, symbol, shown] of [
    ["terminal escapes", "\u001b[2J\u001b]0;x\u0007FIGHT", "[2J]0;xFIGHT"],
    ["line breaks", "FIGHT\r\n100 COIN", "FIGHT100COIN"],
    ["a change of direction", "\u202e\u2066TFIG", "TFIG"],
    ["invisible characters", "\u200b\u3164\u00ad\ufe0f\u0300 \u00a0", "?"],
    ["half a surrogate pair", "\ud83d", "\ufffd"],
    ["a surrogate pair at the end", "FIGHTFIGHTF\u{1f94a}\u{1f94a}", "FIGHTFIGHTF\u{1f94a}"],
    ["a very long text", "FIGHT".repeat(10_000), "FIGHTFIGHTFI"],
    ["no characters", "", "?"],
  ]) {
    it(`a symbol with ${what} is shown as a few visible characters`, async () => {
      const bytes = new TextEncoder().encode(symbol);
      const token = await read({ symbol: coder.encode(["bytes"], [bytes]), decimals: number(0n) });
      expect(token.symbol).to.equal(`${shown} (${TOKEN})`);
    });
  }

  for (const [what, answer] of [
    ["reverts", makeError("execution reverted", "CALL_EXCEPTION", {} as never)],
    ["uses up all gas", makeError("could not coalesce error", "UNKNOWN_ERROR", {})],
    ["returns nothing", "0x"],
    ["returns garbage", `0x${"ff".repeat(64)}`],
    ["returns invalid text", coder.encode(["bytes"], ["0xff"])],
  ] as const) {
    it(`a token that ${what} is shown without a name and decimals`, async () => {
      const decimals = what === "returns invalid text" ? "0x" : answer;
      expect(await read({ symbol: answer, decimals })).to.deep.equal({
        address: TOKEN,
        symbol: `? (${TOKEN})`,
        decimals: 0,
      });
    });
  }

  it("a token cannot keep the node busy, because each call of the token gets little gas", async () => {
    const limits: unknown[] = [];
    await read({}, (call) => limits.push((call as { gasLimit: bigint }).gasLimit));
    expect(limits).to.deep.equal([100_000n, 100_000n]);
  });

  it("a failure of the node is not mistaken for a token without decimals", async () => {
    const outage = makeError("server response 503", "SERVER_ERROR", {} as never);
    const error: unknown = await read({ symbol: text("USD"), decimals: outage }).catch((reason: unknown) => reason);
    expect(error).to.equal(outage);
  });
});

describe("Tokens that a program shows", () => {
  const OWN = "0x00000000000000000000000000000000000000f1";
  const arena = Arena__factory.createInterface();
  /** Returns tokens, and the calls that they make. */
  function given(code = "0x60"): { tokens: Tokens; calls: string[] } {
    const calls: string[] = [];
    const provider = {
      getCode: async () => code,
      async call({ to, data }: { to: string; data: string }) {
        calls.push(to);
        return abi.getFunction(data)!.name === "symbol" ? text("USD") : number(6n);
      },
    };
    return { tokens: new Tokens(provider as unknown as Provider, { FightToken: OWN }), calls };
  }
  const refusal = (token: string) => {
    const data = arena.encodeErrorResult("PurseTooLow", [OWN, token, 1_000_000n, 2_000_000n]);
    return makeError("refused", "CALL_EXCEPTION", { data } as never);
  };

  it("a foreign token is queried once, and the coin and the deployment's own token are never queried", async () => {
    const { tokens, calls } = given();
    expect(await tokens.at(TOKEN)).to.equal(await tokens.at(TOKEN));
    expect([(await tokens.at(OWN)).symbol, (await tokens.at(COIN)).symbol]).to.deep.equal(["FIGHT", "COIN"]);
    expect(calls).to.deep.equal([TOKEN, TOKEN]);
  });

  it("a token is found by its address, and by its name in upper or lower case", async () => {
    const { tokens } = given();
    const found = await Promise.all(["coin", "Fight", TOKEN.toLowerCase()].map((name) => tokens.read(name)));
    expect(found.map(({ address }) => address)).to.deep.equal([COIN, OWN, TOKEN]);
  });

  it("a token is not found by another name, or if its address has no contract", async () => {
    const errors = [given().tokens.read("GOLD"), given("0x").tokens.read(TOKEN)].map((each) =>
      each.then(String, (error: unknown) => (error as Error).message),
    );
    expect(await Promise.all(errors)).to.deep.equal([
      "token: GOLD is not an address",
      `token: there is no contract at ${TOKEN}`,
    ]);
  });

  it("an error shows its amounts with the decimals of a known token, and otherwise in the smallest unit", async () => {
    const { tokens } = given();
    const before = tokens.explain(refusal(TOKEN));
    await tokens.at(TOKEN);
    expect([before, tokens.explain(refusal(TOKEN)), tokens.explain(refusal(OWN))]).to.deep.equal([
      `The purse of ${OWN} holds 1000000 of ${TOKEN}; 2000000 are needed.`,
      `The purse of ${OWN} holds 1 USD (${TOKEN}); 2 USD (${TOKEN}) are needed.`,
      `The purse of ${OWN} holds 0.000000000001 FIGHT; 0.000000000002 FIGHT are needed.`,
    ]);
  });

  it("a contract's error is explained once, and any other error stays unchanged", () => {
    const { tokens } = given();
    const [other, told] = [new Error("no"), tokens.explained(refusal(OWN))];
    expect([tokens.explained(other), tokens.explained(told)]).to.deep.equal([other, told]);
    expect(told).to.be.instanceOf(Explained);
  });
});
