import { expect } from "chai";
import { getAddress, Interface, ZeroAddress, ZeroHash } from "ethers";
import { games } from "../../../sdk/games/index.js";
import { Status } from "../../../sdk/protocol/status.js";
import { Arena__factory } from "../../../typechain-types/index.js";
import { Original, type Doctored } from "../../support/doctored.js";

const OTHER = "0x1212121212121212121212121212121212121212";

/** Number of fields of each queried view. */
const VIEWS: Record<string, number> = {
  matchCount: 1,
  feeBps: 1,
  treasury: 1,
  termsIdOf: 1,
  operatorUntil: 1,
  purseOf: 1,
  totalOf: 1,
  statusOf: 1,
  recordOf: 7,
  stakesOf: 2,
  matchOf: 10,
  positionOf: 1,
  fighterOf: 8,
  busyUntil: 2,
  duelistOf: 7,
};

const arena = Arena__factory.createInterface() as Interface;
const interfaces = [arena, ...games.map(({ abi }) => new Interface(abi))];
/** Names of views by the selectors of their calls. */
const views = new Map<string, string>();
for (const each of interfaces) each.forEachFunction(({ selector, name }) => views.set(selector, name));

function isFirst<T>(item: T, at: number, items: readonly T[]): boolean {
  return items.indexOf(item) === at;
}

/** Returns the name of the view that the call data calls. */
function viewOf(data: string): string {
  return views.get(data.slice(0, 10))!;
}

/** Returns an answer with the last bit of a 256-bit word flipped. */
function turned(answer: string, word: number): string {
  const at = 2 + 64 * (word + 1) - 1;
  return answer.slice(0, at) + (parseInt(answer[at], 16) ^ 1).toString(16) + answer.slice(at + 1);
}

describe("Verifying against the chain's state", () => {
  let original: Original;

  before(async () => {
    original = await Original.ofRecording();
  });

  /** Changes a 256-bit word in the answers of a view. @param which Selects answers by their number. */
  function lying(view: string, word: number, which: (asked: number) => boolean) {
    let asked = 0;
    return (doctored: Doctored) => {
      const { ask } = doctored;
      doctored.ask = async (address, data) => {
        const answer = await ask(address, data);
        return viewOf(data) === view && which(asked++) ? turned(answer!, word) : answer;
      };
    };
  }

  it("queries every view", async () => {
    const asked = new Set<string>();
    await original.found((doctored) => {
      const { ask } = doctored;
      doctored.ask = (address, data) => {
        asked.add(viewOf(data));
        return ask(address, data);
      };
    });
    expect([...asked]).to.have.members(Object.keys(VIEWS));
  });

  it("queries the honour of every player of a rated duel", async () => {
    const { archive } = original;
    const asked = new Set<string>();
    await original.found((doctored) => {
      const { ask } = doctored;
      doctored.ask = (address, data) => {
        if (viewOf(data) === "duelistOf") asked.add(getAddress(`0x${data.slice(-40)}`));
        return ask(address, data);
      };
    });
    const fought = await Promise.all(
      archive.find(archive.addresses.Pistols, "Log").map(({ args: { matchId } }) => archive.match(matchId)),
    );
    const rated = fought.filter(({ terms, settlement }) => terms.rated && settlement !== undefined);
    expect([...asked]).to.have.members(rated.flatMap(({ player1, player2 }) => [player1, player2!]).filter(isFirst));
  });

  it("queries the record of every player who has taken a seat in a rated or unrated match", async () => {
    const { archive } = original;
    const asked = new Set<string>();
    await original.found((doctored) => {
      const { ask } = doctored;
      doctored.ask = (address, data) => {
        if (viewOf(data) === "recordOf") asked.add(arena.decodeFunctionData("recordOf", data).join(" "));
        return ask(address, data);
      };
    });
    const seats = archive.find(archive.addresses.Arena, "Funded").map(async ({ args: { matchId, player } }) => {
      const { terms } = await archive.match(matchId);
      return `${terms.game} ${player}`;
    });
    expect([...asked]).to.include.members(await Promise.all(seats));
  });

  for (const [view, fields] of Object.entries(VIEWS)) {
    for (let word = 0; word < fields; word++) {
      it(`reports a changed answer of ${view}, in word ${word + 1}`, async () => {
        const found = await original.found(lying(view, word, (asked) => asked === 0));
        expect(found).to.match(new RegExp(`${view}\\([^)]*\\): [\\w ]+: expected \\w+, found \\w+$`));
      });
    }
  }

  it("reports a changed position of a match of any game", async () => {
    const { archive } = original;
    const calls = new Map<string, string>();
    for (const { args } of archive.find(archive.addresses.Arena, "Created")) {
      const game = games.find(({ contract }) => original.isOf(args.matchId, archive.addresses[contract]));
      const position = await original.arena.positionOf(args.matchId);
      // A match in play is preferred, because the position is zero after a game has ended.
      if (!game || (calls.has(game.contract) && position === ZeroHash)) continue;
      calls.set(game.contract, arena.encodeFunctionData("positionOf", [args.matchId]));
    }
    expect([...calls.keys()]).to.have.members(games.map(({ contract }) => contract));
    for (const [game, call] of calls) {
      const found = await original.found((doctored) => {
        const { ask } = doctored;
        doctored.ask = async (address, data) => {
          const answer = await ask(address, data);
          return data === call ? turned(answer!, 0) : answer;
        };
      });
      expect(found, game).to.match(/positionOf\(\d+\): position: expected \w+, found \w+$/);
    }
  });

  it("names the match and the field of a wrong answer", async () => {
    const found = await original.found(lying("matchOf", 1, (asked) => asked === 2));
    expect(found).to.match(/^match 3, matchOf\(3\): deadline: expected \d+, found \d+$/);
  });

  it("reports a view that reverts", async () => {
    const found = await original.found((doctored) => {
      const { ask } = doctored;
      doctored.ask = async (address, data) => (viewOf(data) === "fighterOf" ? undefined : ask(address, data));
    });
    expect(found).to.match(/^fighterOf\(\d+\): the answer: expected one, found a refusal$/);
  });

  it("accepts only the two possible answers if events cannot show whether a transfer took a seat", async () => {
    const matchId = (await maybes()).at(-1)!;
    const about = (word: number) => (doctored: Doctored) => {
      const { ask } = doctored;
      const call = arena.encodeFunctionData("matchOf", [matchId]);
      doctored.ask = async (address, data) => {
        const answer = await ask(address, data);
        return data === call ? turned(answer!, word) : answer;
      };
    };
    expect(await original.found(about(8))).to.equal(undefined);
    expect(await original.found(about(7))).to.match(/matchOf\(\d+\): firm: expected false, found true$/);
  });

  /** Lists the matches whose second stake was paid by a transfer, and that nobody has joined. */
  async function maybes(): Promise<bigint[]> {
    const { archive } = original;
    const found = archive.find(archive.addresses.Arena, "Funded").filter(({ args, transaction }) => {
      const isBoth = archive.all.some((each) => each.name === "Deposited" && each.transaction === transaction);
      return args.seat === 2n && isBoth;
    });
    return found.map(({ args }) => args.matchId);
  }

  describe("given a missing or additional event", () => {
    const drop = (change: (d: Doctored) => void, found: RegExp) => async () => {
      expect(await original.found(change)).to.match(found);
    };

    it(
      "detects that a deposit which was never used is missing",
      drop((d) => d.drop(d.event("Deposited", {}, 1)), /purseOf|the purse of/),
    );
    it(
      "detects that the last match is missing",
      drop((d) => dropMatch(d), /^(matchCount\(\): the answer: expected \d+, found \d+|.*operatorUntil.*)$/),
    );
    it(
      "detects that the last change of the fee is missing",
      drop((d) => d.drop(d.event("FeeChanged", {}, -1)), /the fee of the terms: expected 2000, found 333$/),
    );
    it(
      "detects that the last change of the treasury is missing",
      drop((d) => d.drop(d.event("TreasuryChanged", {}, -1)), /treasury\(\): the answer: expected 0x\w+, found 0x\w+$/),
    );
    it(
      "detects that the last action of an open match is missing",
      drop((d) => dropAction(d), /match \d+/),
    );
    it(
      "detects that the end of a match by timeout is missing",
      drop(
        (d) => d.drop(d.event("Settled", original.match("TicTacToe", /Joined, Settled$/, [Status.P2WinInactive]))),
        /(purse|rating)/,
      ),
    );
    it(
      "detects an additional permission of an operator",
      drop(
        (d) => d.append("OperatorAllowed", { ...d.event("OperatorAllowed").args, until: 7n }),
        /operatorUntil\(0x\w+, 0x\w+\): until: expected 7, found \d+$/,
      ),
    );

    function dropMatch(d: Doctored): void {
      const { matchId } = d.event("Created", {}, -1).args;
      for (const event of [...d.events]) if ("matchId" in event.args && event.args.matchId === matchId) d.drop(event);
    }

    function dropAction(d: Doctored): void {
      const open = original.match("Warmancer", /Joined(, Acted)+$/);
      d.drop(d.event("Acted", open, -1));
    }
  });

  describe("given doctored fighters and cards", () => {
    const cases: [title: string, change: (d: Doctored) => void, found: RegExp][] = [
      [
        "a fighter transferred by somebody who does not own it",
        (d) => (handOver(d, 0).from = OTHER),
        /Transfer, block \d+: the owner of fighter 1: expected 0x\w+, found 0x1212\w+$/,
      ],
      [
        "a fighter with a skipped number",
        (d) => d.event("FighterMinted", {}, -1).args.id++,
        /FighterMinted, block \d+: the number of the fighter: expected 30, found 31$/,
      ],
      [
        "a card with a skipped number",
        (d) => d.event("CardMinted", {}, 11).args.id++,
        /CardMinted, block \d+: the number of the card: expected 12, found 13$/,
      ],
      [
        "a fighter minted to another owner than stated",
        (d) => (d.event("FighterMinted").args.to = OTHER),
        /FighterMinted, .*the owner of fighter 1: expected 0x\w+, found 0x1212\w+$/,
      ],
      [
        "a fighter of another owner",
        (d) => (handOver(d, 1).to = OTHER),
        /(Joined|Acted), .*the owner of fighter 1: expected 0x1212\w+, found 0x\w+$/,
      ],
      [
        "cards of another owner",
        (d) => handed(d),
        /(Joined|Acted), .*the owner of card \d+: expected 0x1212\w+, found 0x\w+$/,
      ],
      [
        "a fighter that is in a team twice",
        (d) => (answer(d).data = twice(answer(d).data)),
        /Joined, .*the team: expected different ones, found fighter \d+ twice$/,
      ],
      [
        "a fighter that is already in a match",
        (d) => d.drop(d.event("Settled", unfought())),
        /(Joined|Acted), .*fighter \d+: expected in no match, found in match \d+$/,
      ],
      [
        "a fighter that must rest",
        (d) => hurried(d),
        /Joined, .*fighter \d+ at \d+: expected rested, found cooling until \d+$/,
      ],
      ["a fighter that should be golden", (d) => golden(d), /fighterOf\(\d+\): cooldownEnd: expected \d+, found 0$/],
    ];

    for (const [title, change, found] of cases) {
      it(`reports ${title}`, async () => {
        expect(await original.found(change)).to.match(found);
      });
    }

    /** Returns the arguments of the n-th transfer between players. */
    function handOver(d: Doctored, n: number): { from: string; to: string } {
      const transfers = d.events.flatMap(({ name, args }) => (name === "Transfer" ? [args] : []));
      return transfers.filter(({ from }) => from !== ZeroAddress)[n];
    }

    const unfought = () => original.match("AutoBattler", /Joined, Settled$/, [Status.P1Win], false);
    const answer = (d: Doctored) => d.event("Joined", original.match("AutoBattler", /Joined$/)).args;
    /** Returns an answer whose team has one fighter in two slots. */
    const twice = (data: string) =>
      data.slice(0, 2 + 2 * 82) + data.slice(2 + 2 * 66, 2 + 2 * 82) + data.slice(2 + 2 * 98);

    function handed(d: Doctored): void {
      for (const event of d.events) {
        if (event.name === "Transfer" && event.address === original.archive.addresses.GuardianCards)
          event.args.to = OTHER;
        if (event.name === "CardMinted") event.args.to = OTHER;
      }
    }

    /** Sets the time of a match to a few seconds after an earlier match between the same fighters. */
    function hurried(d: Doctored): void {
      const { AutoBattler } = original.archive.addresses;
      const fights = d.events.flatMap((each) => (each.name === "Log" && each.address === AutoBattler ? [each] : []));
      const { matchId } = fights[2].args;
      d.setTime(d.event("Joined", { matchId }), d.timeOf(fights[1]) + 10n);
      d.setTime(d.event("Acted", { matchId }), d.timeOf(fights[1]) + 20n);
    }

    function golden(d: Doctored): void {
      for (const event of d.events) if (event.name === "FighterMinted") Object.assign(event.args, { golden: false });
    }
  });
});
