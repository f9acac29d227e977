import { REPLACEMENTS, type Law, type Laws } from "./law.js";
import { between, bodyIn, functionIn, functionsIn, replaced } from "./sources.js";

const PURSE = "Purse.sol";
const ARENA = "Arena.sol";

/** Storage of purses. `_held` is the balance that a token reports. */
const STORAGE = `
  address private constant _COIN = address(0);
  mapping(address player => mapping(address token => uint256 amount)) private _purses;
  mapping(address token => uint256 amount) private _totals;
  uint256 private _balance;
  address private _treasury;
  function treasury() public view returns (address) { return _treasury; }
  function _held(address) private view returns (uint256) { return _balance; }`;

/** Functions that change one purse. */
const CHANGES = `
  ${functionsIn(PURSE, "_credit", "_debit")}
  ${
    // The checker does not follow a pointer into a mapping.
    replaced(functionIn(PURSE, "_tryDebit"), [
      "mapping(address token => uint256 amount) storage purse = _purses[player];",
      "",
    ]).replaceAll("purse[token]", "_purses[player][token]")
  }`;

/** What the first laws prove of those functions. With their real text, the other laws take four times as long. */
const PURSES = `${STORAGE}
  function _credit(address player, address token, uint256 amount) private { _purses[player][token] += amount; }
  function _debit(address player, address token, uint256 amount) private {
    require(_tryDebit(player, token, amount));
  }
  function _tryDebit(address player, address token, uint256 amount) private returns (bool covered) {
    uint256 purse = _purses[player][token];
    covered = purse >= amount;
    _purses[player][token] = covered ? purse - amount : purse;
  }`;

/** Returns the law that a call changes the purse of `player` to `after`, and no other purse. */
function changesPurse(law: Pick<Law, "title" | "mistake"> & { call: string; after: string }): Law {
  const { title, mistake, call, after } = law;
  return {
    title,
    mistake,
    code: `${STORAGE}${CHANGES}
      function law(address player, address token, uint256 amount, address other, address otherToken) external {
        require(player != other || token != otherToken);
        uint256 purse = _purses[player][token];
        uint256 otherPurse = _purses[other][otherToken];
        ${call}
        assert(_purses[player][token] == ${after} && _purses[other][otherToken] == otherPurse);
      }`,
  };
}

/** Stakes that the arena holds for a match. */
const STAKES = `(m_status == Status.P1Deposited ? terms.stake1
  : m_status == Status.AllDeposited || m_status == Status.AllJoined ? uint256(terms.stake1) + terms.stake2 : 0)`;

/** Parameters of laws about a match. Its fields are single variables, since the checker is slow with structs. */
const MATCH =
  "uint256 matchId, Status m_status, address m_player1, address m_player2, uint40 m_deadline, bool m_firm, " +
  "bool m_posted, Seat m_turn, Terms memory terms";

/**
 * Replaces the match by variables. Deadlines, and checks of opponent and time, are left
 * out: the law holds without them.
 */
function withFields(code: string): string {
  return code
    .replaceAll(/\bm\.deadline = [^;]*;/g, "")
    .replaceAll(/_check(InTime|Opponent)\([^;]*\);/g, "")
    .replaceAll(/_checkStatus\(matchId, m, ([\w.]+)\);/g, "require(m.status == $1);")
    .replaceAll(/\bm\.(\w+)/g, "m_$1");
}

interface Call {
  title: string;
  /** Parameters of the law, beside `token`, `player` and `other`. */
  parameters: string;
  /** Accounts whose purses the call may change, in `token`. */
  accounts: readonly string[];
  /** Assumptions. */
  given?: string;
  /** Stakes of the match, before and after the call. */
  open?: string;
  /** Code of the call. */
  call: string;
  /** Further members of the contract. */
  members?: string;
  /** What holds beside the law. */
  also?: string;
  mistake: Law["mistake"];
}

/**
 * Returns the law that a call keeps the total of a token equal to the sum of all purses and all stakes of open matches,
 * and leaves every other purse and every other total as it is. Since all are zero at first, they are equal by
 * induction. `rest` is the part of the total that belongs to other purses and matches.
 */
function keepsTotal({
  title,
  parameters,
  accounts,
  given = "",
  open,
  call,
  members = "",
  also = "true",
  mistake,
}: Call): Law {
  // The checker is slow with `if`, so an account that occurs twice owns nothing the second time.
  const owned = accounts.map((account, i) => {
    const isFirst = accounts.slice(0, i).map((earlier) => `${account} != ${earlier}`);
    return i === 0 ? `_purses[${account}][token]` : `(${isFirst.join(" && ")} ? _purses[${account}][token] : 0)`;
  });
  const parts = open ? [...owned, open] : owned;
  return {
    title,
    mistake,
    code: `${PURSES}${members}
      function law(address token, address player, address other, ${parameters}) external {
        ${given}
        require(other != token || (${accounts.map((account) => `player != ${account}`).join(" && ")}));
        uint256 purse = _purses[player][other];
        uint256 total = _totals[other];
        uint256 rest = _totals[token];
        // A sum in checked code that does not fit is a revert, so nothing would be proved of it.
        ${parts.map((part, i) => `uint256 part${i} = ${part}; require(part${i} <= rest); rest -= part${i};`).join("\n")}
        ${call}
        unchecked {
          uint256 sum = ${[...parts, "rest"].join(" + ")};
          // A single assertion, since each costs a query.
          assert(
            sum == _totals[token] &&
              _purses[player][other] == purse &&
              (other == token || _totals[other] == total) &&
              ${also}
          );
        }
      }`,
  };
}

/** Returns the law of a call that changes the stakes of one match. */
function ofMatch(law: Omit<Call, "parameters"> & { parameters?: string }): Law {
  const { parameters, given = "", members = "" } = law;
  return keepsTotal({
    ...law,
    accounts: law.accounts.map(withFields),
    call: withFields(law.call),
    parameters: parameters ? `${MATCH}, ${parameters}` : MATCH,
    members,
    given: `require(token == terms.token); ${withFields(given)}`,
    open: STAKES,
  });
}

/** The calls of the channels contract lock amounts of 96 bits, whose sum fits too, and release no more than locked. */
const AMOUNTS = "address player1, uint256 amount1, address player2, uint256 amount2";
const HAVE_96_BITS = "require(amount1 <= type(uint96).max && amount2 <= type(uint96).max);";

/** Laws of every function that changes purses or totals. */
export const purses: Laws = {
  subject: "total of a token = all purses + stakes of open matches",
  targets: ["assert"],
  header: `${REPLACEMENTS}
    import {Status, Terms} from "contracts/interfaces/IArena.sol";
    import {Seat} from "contracts/interfaces/IGame.sol";
    import {BPS} from "contracts/libraries/BasisPoints.sol";`,
  laws: [
    changesPurse({
      title: "credits an amount to one purse",
      call: "_credit(player, token, amount);",
      after: "purse + amount",
      mistake: ["if (amount != 0) _purses[player][token] += amount", "_purses[player][token] = amount"],
    }),
    changesPurse({
      title: "debits an amount from one purse, which covers it",
      call: "_debit(player, token, amount); assert(amount <= purse);",
      after: "purse - amount",
      mistake: ["if (balance < amount) return false;", ""],
    }),
    changesPurse({
      title: "debits nothing if the purse does not cover the amount, and reports that",
      call: "bool covered = _tryDebit(player, token, amount); assert(covered == (amount <= purse));",
      after: "(covered ? purse - amount : purse)",
      mistake: ["if (amount == 0) return true;", "if (amount == 0) return false;"],
    }),
    keepsTotal({
      title: "holds after a deposit, which is refused unless the balance then covers the total",
      parameters: "uint256 amount, address receiver",
      accounts: ["receiver"],
      members: functionIn(PURSE, "_receive"),
      call: "_receive(token, amount, receiver); rest += 0;",
      also: "_balance >= _totals[token]",
      mistake: ["held < owed || received < amount", "received < amount"],
    }),
    keepsTotal({
      title: "holds after a withdrawal",
      parameters: "uint256 amount, address to",
      accounts: ["msg.sender"],
      call: replaced(bodyIn(PURSE, "withdraw"), [
        between(bodyIn(PURSE, "withdraw"), "if (token == _COIN)", "safeTransfer(to, amount);"),
        "",
      ]),
      mistake: ["_totals[token] -= amount;", ""],
    }),
    ofMatch({
      title: "holds after an offer takes the stake of player 1, if its purse covers the stake",
      accounts: ["msg.sender"],
      // A match that is not created yet holds nothing.
      given: "require(m.status == Status.Created);",
      call: `${between(bodyIn(ARENA, "create"), "bool funded", ";")}
        m.status = ${between(bodyIn(ARENA, "create"), "funded ? Status", "Status.Created")};`,
      mistake: ["funded ? Status.P1Deposited : Status.Created", "Status.P1Deposited"],
    }),
    ofMatch({
      title: "holds after a seat is funded",
      parameters: "address funder",
      accounts: ["funder"],
      members: functionIn(ARENA, "_takeStake"),
      call: `address player_ = player; player = funder;
        {${replaced(bodyIn(ARENA, "_fund"), ["_matches[matchId].store(m);", ""])}}
        player = player_;`,
      mistake: ["Seat.Two, player, terms.token, terms.stake2", "Seat.Two, player, terms.token, terms.stake1"],
    }),
    ofMatch({
      title: "holds after a join, with or without its stake",
      accounts: ["msg.sender"],
      // `_fund` has set the deadline to its time and the clock.
      given: "require(m.status != Status.AllDeposited || m.deadline >= terms.clock);",
      call: between(bodyIn(ARENA, "join"), "if (m.status == Status.P1Deposited)", "m.status = Status.AllJoined;"),
      mistake: ["_debit(msg.sender, terms.token, terms.stake2);", ""],
    }),
    ofMatch({
      title: "holds after an offer ends",
      accounts: ["m.player1"],
      // `timeout`, `cancel` and `decline` check this.
      given: "require(m.status < Status.AllDeposited);",
      call: replaced(bodyIn(ARENA, "_refund"), ["_matches[matchId].storePlay(m);", ""]),
      mistake: ["terms.stake1 : 0", "terms.stake2 : 0"],
    }),
    ofMatch({
      title: "holds after a settlement, for each winner, taker, fee and treasury",
      parameters: "Seat winner, Seat taker, bool forfeit",
      accounts: ["m.player1", "m.player2", "treasury()"],
      members: functionIn("libraries/Payouts.sol", "split") + functionIn(ARENA, "_statusFor"),
      // `act`, `join`, `resign` and `timeout` check the status, and `create` the fee.
      given: `require(m.status == Status.AllDeposited || m.status == Status.AllJoined);
        require(terms.feeBps <= BPS);`,
      call: replaced(
        bodyIn(ARENA, "_settle"),
        ["_matches[matchId].storePlay(m);", ""],
        ["Payouts.split(", "split("],
        [between(bodyIn(ARENA, "_settle"), "(uint256 rating1", "paid2);"), ""],
      ),
      mistake: ["_credit(m_player2, terms.token, paid2)", "_credit(m_player2, terms.token, paid1)"],
    }),
    keepsTotal({
      title: "holds after channels lock money",
      parameters: AMOUNTS,
      accounts: ["player1", "player2", "msg.sender"],
      given: HAVE_96_BITS,
      call: bodyIn(ARENA, "lock"),
      mistake: ["amount1 + amount2", "amount1"],
    }),
    keepsTotal({
      title: "holds after channels release money",
      parameters: `${AMOUNTS}, uint256 house`,
      accounts: ["msg.sender", "player1", "player2", "treasury()"],
      // The purse of the channels contract covers the sum.
      given: `${HAVE_96_BITS} require(house <= type(uint128).max);`,
      call: bodyIn(ARENA, "release"),
      mistake: ["amount1 + amount2 + house", "amount1 + amount2"],
    }),
    ofMatch({
      title: "holds after a match from a channel starts",
      accounts: ["msg.sender"],
      // A match that is not created yet holds nothing.
      given: "require(m.status == Status.Created);",
      call: `${between(bodyIn(ARENA, "start"), "_debit(", ";")}
        m.${between(bodyIn(ARENA, "start"), "status:", "AllJoined").replace(":", " =")};`,
      mistake: [
        "_debit(msg.sender, terms.token, uint256(terms.stake1) + terms.stake2)",
        "_debit(msg.sender, terms.token, 0)",
      ],
    }),
    ofMatch({
      title: "holds after a match goes back to its channel",
      accounts: ["msg.sender"],
      call: `uint256 stake1; uint256 stake2;
        ${replaced(
          bodyIn(ARENA, "void"),
          ["StoredMatch storage stored = _matches[matchId];", ""],
          ["Match memory m = stored.load(matchId);", ""],
          ["Terms memory terms = _termsNumbered(m.termsId);", ""],
          ["stored.storePlay(m);", ""],
          ["delete stored.position;", ""],
        )}`,
      mistake: ["_credit(msg.sender, terms.token, stake1 + stake2)", "_credit(msg.sender, terms.token, stake1)"],
    }),
  ],
};
