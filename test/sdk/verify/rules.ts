import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import type { Events } from "../../../sdk/chain/events.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { UNIT } from "../../support/index.js";
import { Original, type Doctored } from "../../support/doctored.js";

const DAY = 86_400n;
const MONTH = 30n * DAY;
const OTHER = "0x1212121212121212121212121212121212121212";

let original: Original;

const PLAYED = [Status.P1Win, Status.P2Win, Status.Draw];

/** Finds a match of tic-tac-toe, in which any account may play, by its events and status. */
const ttt = (names: RegExp, ...statuses: bigint[]) => original.match("TicTacToe", names, statuses);
const awaited = () => ttt(/^Created funded, Funded$/);
const inPlay = () => ttt(/^Created funded, Joined, Acted/);
const resigned = () => ttt(/Joined, Settled$/, Status.P2Win);
const neverJoined = () => ttt(/^Created funded, Funded, Settled$/, Status.P1WinInactive);
const silent = () => ttt(/Joined, Settled$/, Status.P2WinInactive);
const declined = () => ttt(/^Created funded, Declined Settled$/, Status.P1Canceled);
const lapsed = () => ttt(/^Created funded, Settled$/, Status.P1Canceled);
// Matches played to the end: player 2 has joined in one step, or in two.
const fast = () => ttt(/^Created funded, Joined(, Acted)+ Settled$/, ...PLAYED);
const slow = () => ttt(/^Created funded, Funded, Joined(, Acted)+ Settled$/, ...PLAYED);

/** Returns the arguments of a deposit. */
const coins = (d: Doctored) => d.event("Deposited").args;

/** Returns a mode of the mini-games that nobody has played. */
const unused = (d: Doctored) => d.event("ModeRegistered", { content: "0x0601" });

/** Builds an offer with the next number and with a stake that no player can pay. */
function offered(doctored: Doctored, changes: Partial<Events["Created"]> = {}): Events["Created"] {
  const { args } = doctored.event("Created", original.match("MiniGames", /^Created$/));
  const last = doctored.event("Created", {}, -1).args.matchId;
  return { ...args, matchId: last + 1n, firmUntil: 0n, opponent: ZeroAddress, ...changes };
}

const STAKE = 10n * UNIT;
const HOUSE = (2n * STAKE * 333n) / 10_000n;
const WON = { status: Status.P1Win, paid1: 2n * STAKE - HOUSE, house: HOUSE };
const nothing = { paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };
const allowed = { player: OTHER, operator: OTHER, until: 1n };

/** Change to the events of an honest arena, and the mismatch that it leads to. */
type Case = [title: string, change: (doctored: Doctored) => void, found: RegExp];

const house: Case[] = [
  [
    "a fee above the maximum",
    (d) => d.append("FeeChanged", { feeBps: 2001n }),
    /FeeChanged, .*at most 2000, found 2001/,
  ],
  [
    "no treasury",
    (d) => d.append("TreasuryChanged", { treasury: ZeroAddress }),
    /the treasury: expected another address/,
  ],
  [
    "the arena as treasury",
    (d) => d.append("TreasuryChanged", { treasury: original.archive.addresses.Arena }),
    /the treasury: expected another address/,
  ],
];

const terms: Case[] = [
  [
    "terms with a number that is already used",
    (d) => d.append("TermsAdded", { terms: { ...d.event("TermsAdded").args.terms, clock: 61n }, termsId: 1n }),
    /the number of the terms: expected \d+, found 1$/,
  ],
  [
    "terms that are already known",
    (d) =>
      d.append("TermsAdded", {
        ...d.event("TermsAdded").args,
        termsId: d.event("TermsAdded", {}, -1).args.termsId + 1n,
      }),
    /the terms: expected new ones, found those of number 1$/,
  ],
  ...[59n, MONTH + 1n].map((clock): Case => [
    `a clock of ${clock} s`,
    (d) => {
      const { termsId } = d.event("TermsAdded", {}, -1).args;
      d.append("TermsAdded", { terms: { ...d.event("TermsAdded").args.terms, clock }, termsId: termsId + 1n });
    },
    new RegExp(`the clock: expected 60 to 2592000, found ${clock}$`),
  ]),
];

const creating: Case[] = [
  [
    "a skipped match number",
    (d) => d.append("Created", offered(d, { matchId: 1000n })),
    /the number of the match: expected \d+, found 1000$/,
  ],
  [
    "terms of another fee",
    (d) => d.append("Created", offered(d, { termsHash: d.event("Created").args.termsHash })),
    /the fee of the terms: expected 333, found 2000$/,
  ],
  [
    "a player who challenges itself",
    (d) => d.append("Created", offered(d, { opponent: offered(d).player1 })),
    /the opponent: expected another player/,
  ],
  ...[0n, MONTH + 1n].map((later): Case => [
    `a firm offer until ${later} s later`,
    (d) => d.append("Created", offered(d, { firmUntil: d.timeOf(d.events.at(-1)!) + later })),
    /firmUntil: expected after \d+ and by \d+, found \d+$/,
  ]),
  [
    "an unfunded offer although the purse covers the stake",
    (d) => {
      const { matchId } = offered(d);
      const like = d.event("Created", awaited()).args;
      d.append("Created", { ...like, matchId, firmUntil: 0n, opponent: ZeroAddress, funded: false });
    },
    /Created, .*funded: expected true, found false$/,
  ],
  [
    "a funded offer although the purse does not cover the stake",
    (d) => d.append("Created", offered(d, { funded: true })),
    /Created, .*funded: expected false, found true$/,
  ],
];

const funding: Case[] = [
  [
    "funding of an unknown match",
    (d) => d.append("Funded", { matchId: 999n, seat: 1n, player: OTHER }),
    /the match: expected one that was created/,
  ],
  [
    "funding of a third seat",
    (d) => d.change("Funded", awaited(), { seat: 3n }),
    /the seat: expected 1 or 2, found 3$/,
  ],
  [
    "a seat that is funded twice",
    (d) => d.addBehind(d.event("Funded", awaited()), "Funded", d.event("Funded", awaited()).args),
    /the status before it: expected 1, found 2$/,
  ],
  [
    "funding of a lapsed offer",
    (d) => d.setTime(d.event("Funded", awaited()), d.timeOf(d.event("Created", awaited())) + MONTH + 1n),
    /Funded, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "funding from a purse without the money",
    (d) => {
      const offer = offered(d);
      d.append("Created", offer);
      d.append("Funded", { matchId: offer.matchId, seat: Seat.One, player: offer.player1 });
    },
    /the purse of 0x\w+: expected \d+ of 0x\w+ at least, found \d+$/,
  ],
  [
    "seat 1 funded by somebody else",
    (d) => {
      const offer = offered(d);
      d.append("Created", offer);
      d.append("Funded", { matchId: offer.matchId, seat: Seat.One, player: OTHER });
    },
    /the player: expected 0x\w+, found 0x1212/,
  ],
  [
    "both seats funded by one player",
    (d) => d.change("Funded", awaited(), { player: d.event("Created", awaited()).args.player1 }),
    /the player: expected not the challenger/,
  ],
  [
    "seat 2 funded by somebody other than the named player",
    (d) => d.addBehind(d.event("Created", fast()), "Funded", { ...fast(), seat: Seat.Two, player: OTHER }),
    /Funded, .*the player: expected 0x\w+, found 0x1212/,
  ],
];

const joining: Case[] = [
  [
    "joining a seat that is not funded",
    (d) => d.drop(d.event("Funded", slow())),
    /Joined, .*the offer: expected a firm one by name, found one to be funded before$/,
  ],
  [
    "joining by another player",
    (d) => d.change("Joined", inPlay(), { player2: OTHER }),
    /Joined, .*the player: expected 0x\w+, found 0x1212/,
  ],
  [
    "joining too late",
    (d) => d.setTime(d.event("Joined", slow()), d.timeOf(d.event("Funded", slow())) + 3601n),
    /Joined, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "joining at the time of funding",
    (d) => d.setTime(d.event("Joined", slow()), d.timeOf(d.event("Funded", slow()))),
    /Joined, .*the time: expected after \d+, found \d+$/,
  ],
  [
    "joining an offer that names nobody in one step",
    (d) => d.change("Created", fast(), { opponent: ZeroAddress }),
    /Joined, .*the offer: expected a firm one by name, found one to be funded before$/,
  ],
  [
    "joining an offer that is not firm in one step",
    (d) => d.change("Created", fast(), { firmUntil: 0n }),
    /Joined, .*the offer: expected a firm one by name, found one to be funded before$/,
  ],
  [
    "joining a lapsed offer in one step",
    (d) => d.setTime(d.event("Joined", fast()), d.event("Created", fast()).args.firmUntil + 1n),
    /Joined, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "joining an offer that was never funded in one step",
    (d) => {
      const offer = offered(d);
      d.append("Created", offer);
      d.append("Joined", { matchId: offer.matchId, player2: OTHER, data: "0x" });
    },
    /Joined, .*the status before it: expected 2, found 0$/,
  ],
];

const acting: Case[] = [
  [
    "acting before player 2 has joined",
    (d) => d.append("Acted", { ...awaited(), seat: Seat.One, data: "0x0300" }),
    /Acted, .*the status before it: expected 3, found 2$/,
  ],
  [
    "acting too late",
    (d) => d.setTime(d.event("Acted", inPlay()), d.timeOf(d.event("Joined", inPlay())) + 3601n),
    /Acted, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "actions of both seats in the wrong order",
    (d) => {
      const duel = original.match("Pistols", /Joined, Acted, Acted, Acted Settled$/, PLAYED);
      const [one, two] = [d.event("Acted", duel), d.event("Acted", duel, 1)];
      [one.args, two.args] = [two.args, one.args];
    },
    /Acted, .*the seat: expected 1, found 2$/,
  ],
  [
    "an event between the last action and the end",
    (d) => d.addBehind(d.event("Acted", fast(), -1), "OperatorAllowed", allowed),
    /Settled, .*the event before: expected the match's last action, in the same transaction, found OperatorAllowed in /,
  ],
  [
    "an end that another transaction caused",
    (d) => (d.event("Settled", fast()).transaction = ZeroHash),
    /Settled, .*the event before: expected the match's last action, in the same transaction, found Acted in another$/,
  ],
];

const ending: Case[] = [
  [
    "a withdrawal of an offer that is already taken",
    (d) => d.append("Settled", { ...nothing, ...awaited(), status: Status.P1Canceled, paid1: STAKE }),
    /Settled, .*the status before it: expected 0 or 1, found 2$/,
  ],
  [
    "a withdrawal of a firm offer",
    (d) => {
      d.setTime(d.event("Settled", lapsed()), d.event("Created", lapsed()).args.firmUntil);
    },
    /Settled, .*the offer: expected a soft or lapsed one, found a firm one until \d+$/,
  ],
  [
    "a resignation before the first action",
    (d) => d.append("Settled", { ...nothing, ...awaited(), ...WON }),
    /Settled, .*the status before it: expected 3, found 2$/,
  ],
  [
    "a resignation that comes too late",
    (d) => d.setTime(d.event("Settled", resigned()), d.timeOf(d.event("Joined", resigned())) + 3601n),
    /Settled, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "two timeouts of one match",
    (d) => d.addBehind(d.event("Settled", neverJoined()), "Settled", d.event("Settled", neverJoined()).args),
    /Settled, .*the match: expected one that is not over, found \d+$/,
  ],
  [
    "a timeout against the wrong seat",
    (d) => {
      const { args } = d.event("Settled", silent());
      Object.assign(args, { status: Status.P1WinInactive, paid1: args.paid2, paid2: args.paid1 });
    },
    /Settled, .*status: expected 10, found 9$/,
  ],
  [
    "a timeout against player 1 although player 2 has not joined",
    (d) => {
      const { args } = d.event("Settled", neverJoined());
      Object.assign(args, { status: Status.P2WinInactive, paid1: args.paid2, paid2: args.paid1 });
    },
    /Settled, .*status: expected 9, found 10$/,
  ],
  [
    "a timeout that comes too early",
    (d) => d.setTime(d.event("Settled", silent()), d.timeOf(d.event("Joined", silent())) + 3600n),
    /Settled, .*the time: expected after \d+, found \d+$/,
  ],
  [
    "a wrong payment after a match of a foreign game",
    (d) => d.change("Settled", original.match("foreign", /Joined Settled$/, [Status.Draw]), { paid2: 5n }),
    /Settled, .*what is paid: expected \d+, \d+ and 0 to the house or .*, found 0, 5 and \d+ to the house$/,
  ],
  [
    "a draw in a foreign game that ended by timeout",
    (d) => {
      const open = original.match("foreign", /Joined, Acted, Settled$/, [Status.P2WinInactive]);
      d.change("Settled", open, { status: Status.Draw });
    },
    // Events do not say which player had to act, but one of the two has lost.
    /Settled, .*status: expected 10 or 9, found 11$/,
  ],
];

const declining: Case[] = [
  [
    "a decline of an unknown match",
    (d) => d.append("Declined", { matchId: 999n, opponent: OTHER }),
    /Declined, .*the match: expected one that was created, found 999$/,
  ],
  [
    "a decline by another player",
    (d) => d.change("Declined", declined(), { opponent: OTHER }),
    /Declined, .*the opponent: expected 0x\w+, found 0x1212/,
  ],
  [
    "a decline of an offer that names nobody",
    (d) => {
      d.change("Created", declined(), { opponent: ZeroAddress });
      d.change("Declined", declined(), { opponent: ZeroAddress });
    },
    /Declined, .*the offer: expected one that names its opponent, found one to anyone$/,
  ],
  [
    "a decline after the seat was taken",
    (d) => d.append("Declined", { ...awaited(), opponent: d.event("Funded", awaited()).args.player }),
    /Declined, .*the status before it: expected 0 or 1, found 2$/,
  ],
  [
    "a decline that comes too late",
    (d) => d.setTime(d.event("Declined", declined()), d.event("Created", declined()).args.firmUntil + 1n),
    /Declined, .*the time: expected by \d+, found \d+$/,
  ],
  [
    "a firm offer refunded without a decline",
    (d) => d.drop(d.event("Declined", declined())),
    /Settled, .*the offer: expected a soft or lapsed one, found a firm one until \d+$/,
  ],
  [
    "a declined offer that is not refunded",
    (d) => d.drop(d.event("Settled", declined())),
    /the event after Declined: expected Settled of match \d+, in the same transaction, found in another: \w+$/,
  ],
  [
    "a declined offer that another call refunds",
    (d) => (d.event("Settled", declined()).transaction = ZeroHash),
    /Settled, .*the event after Declined: expected .*, in the same transaction, found in another: Settled$/,
  ],
  [
    "a declined offer of a foreign game that is not refunded",
    (d) => d.drop(d.event("Settled", original.match("foreign", /Declined Settled$/, [Status.P1Canceled]))),
    /the event after Declined: expected Settled of match \d+, in the same transaction, found in another: \w+$/,
  ],
  [
    "an event between the decline and the refund",
    (d) => d.addBehind(d.event("Declined", declined()), "OperatorAllowed", allowed),
    /OperatorAllowed, .*the event after Declined: expected Settled of match \d+, .*, found OperatorAllowed$/,
  ],
  [
    "a declined offer with another status",
    (d) =>
      d.change("Settled", original.match("foreign", /Declined Settled$/, [Status.P1Canceled]), { status: Status.Draw }),
    /Settled, .*status: expected 8, found 11$/,
  ],
  [
    "a rating of a declined offer",
    (d) => d.change("Settled", declined(), { rating1: 1n }),
    /Settled, .*rating1: expected 0, found 1$/,
  ],
];

const rating: Case[] = [
  ...(["rating1", "rating2"] as const).map((which): Case => [
    `a wrong ${which}`,
    (d) => d.event("Settled", fast()).args[which]++,
    new RegExp(`Settled, .*${which}: expected \\d+, found \\d+$`),
  ]),
  [
    "a rating of an unrated match",
    (d) => d.change("Settled", original.match("Warmancer", /Settled$/, PLAYED, false), { rating1: 1000n }),
    /Settled, .*rating1: expected 0, found 1000$/,
  ],
  [
    "a rating of a withdrawn offer",
    (d) => d.change("Settled", lapsed(), { rating2: 1n }),
    /Settled, .*rating2: expected 0, found 1$/,
  ],
  [
    "a rated match without a rating",
    (d) => d.change("Settled", fast(), { rating1: 0n, rating2: 0n }),
    /Settled, .*rating1: expected \d+, found 0$/,
  ],
];

const money: Case[] = [
  [
    "a deposit for the zero address",
    (d) => d.append("Deposited", { ...coins(d), player: ZeroAddress }),
    /the player: expected another address/,
  ],
  [
    "a deposit for the arena",
    (d) => d.append("Deposited", { ...coins(d), player: original.archive.addresses.Arena }),
    /the player: expected another address/,
  ],
  [
    "a withdrawal to the zero address",
    (d) => d.change("Withdrawn", {}, { to: ZeroAddress }),
    /the receiver: expected another address/,
  ],
  [
    "a withdrawal of more than the purse",
    (d) => d.change("Withdrawn", {}, { amount: 10n ** 40n }),
    /Withdrawn, .*the purse of 0x\w+: expected \d+ of 0x\w+ at least, found \d+$/,
  ],
];

const modes: Case[] = [
  [
    "different content of a mode",
    (d) => d.change("ModeRegistered", { mode: unused(d).args.mode }, { content: "0x0601ff" }),
    /ModeRegistered, .*the mode: expected 0x\w+, found 0x\w+$/,
  ],
  [
    "a mode that is registered twice",
    (d) => d.events.push(unused(d)),
    /ModeRegistered, .*the mode: expected a new one, found 0x\w+$/,
  ],
];

describe("Verifying the arena's rules", () => {
  before(async () => {
    original = await Original.ofRecording();
  });

  const rules = [house, terms, creating, funding, joining, acting, ending, declining, rating, money, modes];
  for (const [title, change, found] of rules.flat()) {
    it(`reports ${title}`, async () => {
      expect(await original.found(change)).to.match(found);
    });
  }
});
