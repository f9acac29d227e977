import { expect } from "chai";
import { keccak256 } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { Emitters, emittersAmong } from "../../../sdk/verify/emitters.js";
import type { Referee } from "../../../sdk/verify/referee.js";
import {
  addressOf,
  ARENA,
  balanced,
  challenged,
  CHANNELS,
  created,
  eventOf,
  FIRST,
  GAME,
  logged,
  matchIdOf,
  opened,
  played,
  wordOf,
} from "../../support/made-up-events.js";

const [DICE, FIGHTERS, OTHER] = [0x22, 0x23, 0x99].map(addressOf);
const addresses = { Arena: ARENA, Pistols: GAME, Dice: DICE, Fighters: FIGHTERS } as unknown as Addresses;
const games = [
  { contract: "Pistols" },
  { contract: "Dice", characters: { contract: "Fighters", minted: "FighterMinted" } },
  { contract: "Absent" },
] as unknown as GameModule[];
const ID = matchIdOf();
const IN_CHANNEL = "the match: expected one that a channel brings in this transaction, found";

/** Returns the mismatch of each event, in an arena where some matches are open. */
function found(events: readonly AnyEvent[], open: readonly bigint[] = []): (string | undefined)[] {
  const referee = { isOpen: (matchId: bigint, game: string) => game === GAME && open.includes(matchId) };
  const emitters = new Emitters(addresses, games, referee as unknown as Referee);
  const mismatches = [...events.map((event) => emitters.mismatchIn(event)), emitters.strayLog()];
  return mismatches.map((mismatch) => mismatch && locatedMismatchText(mismatch));
}

/** Returns an event of another contract. */
const from = (address: string, event: AnyEvent) => ({ ...event, address });
/** Returns an event of another transaction. */
const later = (event: AnyEvent) => ({ ...event, block: 1001, transaction: wordOf(2) });
const mode = (content: string) => eventOf("ModeRegistered", { mode: keccak256(content), content }, { address: GAME });

describe("The emitters of events", () => {
  it("are the arena, its channels, the games and their tokens", () => {
    const channels = [CHANNELS];
    expect(emittersAmong(games, addresses)).to.deep.equal({
      Opened: channels,
      PlayedUnder: channels,
      Played: channels,
      Challenged: channels,
      Balanced: channels,
      Collected: channels,
      Log: [GAME, DICE],
      ModeRegistered: [GAME, DICE],
      Transfer: [FIGHTERS],
      FighterMinted: [FIGHTERS],
    });
  });

  it("are the only ones from which an event is accepted", () => {
    const transfer = eventOf("Transfer", { from: OTHER, to: OTHER, id: 1n }, { address: FIGHTERS });
    const mint = eventOf("FighterMinted", { id: 1n } as never, { address: FIGHTERS });
    const honest = [created(), opened(), logged(1n), mode("0x01"), transfer, mint];
    expect(found(honest, [1n])).to.deep.equal(honest.map(() => undefined).concat(undefined));
    for (const [event, address, expected] of [
      [created(), GAME, ARENA],
      [created(), CHANNELS, ARENA],
      [opened(), ARENA, CHANNELS],
      [logged(1n), FIGHTERS, `${GAME} or ${DICE}`],
      [mode("0x01"), ARENA, `${GAME} or ${DICE}`],
      [transfer, DICE, FIGHTERS],
      [mint, GAME, FIGHTERS],
    ] as const)
      expect(found([from(address, event)], [1n])[0]).to.match(
        new RegExp(`^(match 1, )?${event.name}, block 1000: the contract: expected ${expected}, found ${address}$`),
      );
  });

  it("log only about their own ordinary matches in play", () => {
    expect(found([logged(1n)], [1n])).to.deep.equal([undefined, undefined]);
    const place = "match 1, Log, block 1000: the match: expected one in play of";
    expect(found([logged(1n)], [2n])[0]).to.equal(`${place} ${GAME}, found 1`);
    expect(found([from(DICE, logged(1n))], [1n])[0]).to.equal(`${place} ${DICE}, found 1`);
  });

  it("register each mode once, under its hash", () => {
    const other = from(DICE, mode("0x01"));
    expect(found([mode("0x01"), mode("0x02"), other]).every((each) => each === undefined)).to.equal(true);
    expect(found([mode("0x01"), mode("0x02"), mode("0x01")])[2]).to.equal(
      `ModeRegistered, block 1000: the mode: expected a new one, found ${keccak256("0x01")}`,
    );
    const wrong = eventOf("ModeRegistered", { mode: wordOf(1), content: "0x01" }, { address: GAME });
    expect(found([wrong])[0]).to.equal(
      `ModeRegistered, block 1000: the mode: expected ${keccak256("0x01")}, found ${wordOf(1)}`,
    );
  });

  describe("of logs of a channel match", () => {
    const stray = `match ${ID}, Log, block 1000: ${IN_CHANNEL} ${ID}`;

    it("precede the submission of the match in the same transaction", () => {
      for (const match of [played(), challenged()])
        expect(found([logged(ID), logged(ID), match])).to.deep.equal([undefined, undefined, undefined, undefined]);
      // Another match of the same transaction may be submitted in between.
      const other = played({ code: { nonce: FIRST + 1 } });
      expect(found([logged(ID), other, played()])).to.deep.equal([undefined, undefined, undefined, undefined]);
    });

    it("may come at any time while the match is in the arena", () => {
      expect(found([logged(ID), later(logged(ID))], [ID])).to.deep.equal([undefined, undefined, undefined]);
    });

    it("are reported if no channel submits the match in the same transaction", () => {
      expect(found([logged(ID)])).to.deep.equal([undefined, stray]);
      expect(found([logged(ID), later(created())])[1]).to.equal(stray);
      expect(found([logged(ID), later(played())])[1]).to.equal(stray);
      expect(found([logged(ID), balanced()])).to.deep.equal([undefined, undefined, stray]);
      const other = played({ code: { nonce: FIRST + 1 } });
      expect(found([logged(ID), other])).to.deep.equal([undefined, undefined, stray]);
      expect(found([logged(ID), other, later(created())])[2]).to.equal(stray);
    });

    it("are reported if they come after it", () => {
      expect(found([played(), logged(ID)])).to.deep.equal([undefined, undefined, stray]);
    });
  });
});
