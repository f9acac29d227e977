import { expect } from "chai";
import { getAddress } from "ethers";
import { CORE } from "../../../sdk/chain/addresses.js";
import { readDeployment, readDeployments } from "../../../sdk/chain/deployment.js";
import { InputError } from "../../../sdk/protocol/input.js";

const ADDRESS = getAddress(`0x${"ab".repeat(20)}`);
const HASH = `0x${"1a".repeat(32)}`;
const addresses = Object.fromEntries(CORE.map((name) => [name, ADDRESS]));
const written = {
  chainId: 7,
  block: 3,
  addresses,
  genesis: HASH,
  agents: [ADDRESS],
  policies: { [ADDRESS]: {} },
  index: "/index",
};

/** Returns the message of the error that rejects a value. */
function refusal(value: unknown, read: (value: unknown, path: string) => unknown): string {
  try {
    read(value, "file");
    return "none";
  } catch (error) {
    return error instanceof InputError ? error.message : String(error);
  }
}

describe("A deployment file", () => {
  it("is accepted with all its fields, or without the fields that older files lack", () => {
    expect(readDeployment({ ...written, rpc: "http://127.0.0.1:1" }, "")).to.deep.include(written);
    const { chainId, block } = written;
    const { genesis, agents, policies, rpc } = readDeployment({ chainId, block, addresses }, "");
    expect([genesis, agents, policies, rpc]).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it("is rejected with an error that names the invalid field", () => {
    const { Arena: _, ...others } = addresses;
    const many = Object.fromEntries(Array.from({ length: 1001 }, (__, i) => [`Game${i}`, ADDRESS]));
    for (const [change, message] of [
      [{ chainId: 0 }, "file.chainId: 0 is below 1"],
      [{ genesis: "0x07" }, 'file.genesis: "0x07" is not 0x and 64 hex digits'],
      [{ addresses: others }, "file.addresses.Arena: left out"],
      [{ addresses: { ...addresses, ...many } }, "file.addresses: 1003 are more than 1000"],
      [{ agents: ["me"] }, 'file.agents[0]: "me" is not an address'],
      [{ policies: { me: {} } }, 'file.policies: "me" is not an address'],
      [{ nodes: [] }, "file.nodes: unknown field"],
    ] as const) {
      expect(refusal({ ...written, ...change }, readDeployment)).to.equal(message);
    }
  });

  it("may list several nodes when a page reads it, and its name is cut to one short line", () => {
    const rpc = ["https://a.example", "https://b.example"];
    const name = `two\nlines\u202e${"x".repeat(100)}`;
    const { deployments } = readDeployments({ deployments: [{ ...written, rpc, name }] }, "");
    expect([deployments[0].rpc, deployments[0].coin]).to.deep.equal([rpc, undefined]);
    expect(deployments[0].name)
      .to.match(/^two lines x+…$/)
      .and.to.have.length(40);
    expect(refusal({ deployments: [{ ...written, rpc: rpc[0] }] }, readDeployments)).to.contain("deployments[0].rpc");
    expect(refusal([], readDeployments)).to.equal("file: a list is not an object");
  });
});
