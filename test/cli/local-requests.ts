import { expect } from "chai";
import { localRefusal } from "../../cli/shared/server/local-requests.js";

const host = "127.0.0.1:8545";

describe("A server that answers only this machine", () => {
  describe("given a local request", () => {
    for (const host of [
      "localhost",
      "localhost:8545",
      "LOCALHOST:80",
      "127.0.0.1",
      "127.8.9.10:1",
      "[::1]",
      "[::1]:8545",
    ]) {
      it(`accepts Host ${host}`, () => {
        expect(localRefusal({ host })).to.equal(undefined);
        expect(localRefusal({ host, origin: `http://${host}` })).to.equal(undefined);
      });
    }

    for (const origin of [
      "http://localhost:5173",
      "https://localhost",
      "http://[::1]:8080",
      "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn",
      "moz-extension://5b1e0a1c-2a7c-4d0b-8f43-0d8b7f9f1c11",
      "safari-web-extension://5B1E0A1C-2A7C-4D0B-8F43-0D8B7F9F1C11",
    ]) {
      it(`accepts ${origin}, with any Sec-Fetch-Site`, () => {
        expect(localRefusal({ host, origin, "sec-fetch-site": "cross-site" })).to.equal(undefined);
      });
    }

    for (const [what, headers] of [
      ["a link on a web page", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
      ["the address bar", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
      ["the page's own scripts and pictures", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors" }],
    ] as const) {
      it(`accepts a request from ${what}`, () => expect(localRefusal({ host, ...headers })).to.equal(undefined));
    }
  });

  describe("given a foreign request", () => {
    for (const host of [
      undefined,
      "",
      "evil.example",
      "evil.example:8545",
      "127.0.0.1.evil.example:8545",
      "127.evil.example",
      "localhost.evil.example",
      "evil.localhost",
      "127.0.0.1@evil.example",
      "192.168.0.7:8545",
      "0.0.0.0:8545",
      "[::]:8545",
      "[::ffff:192.168.0.7]",
      "a b",
    ]) {
      it(`refuses Host ${host}`, () => {
        const reason = `Host ${JSON.stringify(host ?? "")} is not this machine: use localhost, 127.0.0.1 or [::1].`;
        expect(localRefusal({ host })).to.equal(reason);
        expect(localRefusal({ host, origin: `http://${host}` })).to.equal(reason);
      });
    }

    for (const origin of [
      "http://evil.example",
      "https://evil.example:8545",
      "http://127.0.0.1.evil.example",
      "http://localhost.evil.example",
      "http://evil.localhost",
      "http://0.0.0.0:8545",
      "http://192.168.0.7",
      "file://",
      "null",
      "",
      "ftp://localhost",
      "extension://localhost",
      "http://localhost, http://evil.example",
    ]) {
      it(`refuses the origin ${JSON.stringify(origin)}`, () => {
        expect(localRefusal({ host, origin })).to.equal(
          `Origin ${JSON.stringify(origin)} is not this machine: web pages elsewhere are not answered.`,
        );
      });
    }

    it("refuses a web page that embeds the answer, even when browsers send no Origin", () => {
      const headers = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
      expect(localRefusal(headers)).to.equal("Web pages elsewhere are not answered.");
    });
  });
});
