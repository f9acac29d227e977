import { REPLACEMENTS, type Law, type Laws } from "./law.js";
import { between, bodyIn, conditionOf, constantsIn, functionIn, withFields } from "./sources.js";

const ARENA = "Arena.sol";
const CHANNELS = "Channels.sol";
const CONSTANTS = constantsIn(ARENA, /^_(MIN_CLOCK|MAX_CLOCK|OFFER_LIFE|INCREMENT_DIVISOR)$/);

/** A clock as `_register` accepts it, and a time until the year 36812, which has 40 bits with any clock added. */
const GIVEN = `require(clock >= _MIN_CLOCK && clock <= _MAX_CLOCK);
  require(block.timestamp <= type(uint40).max - _MAX_CLOCK);`;

/** Fields of a match, each as a variable. */
const MATCH = "uint40 m_deadline, uint32 m_reserve, Status m_status, address m_player2, bool m_firm";

function onMatch(code: string): string {
  return withFields(withFields(code, "m"), "terms");
}

interface Action {
  title: string;
  /** What is known of the clock before the action. */
  given: string;
  /** What holds after it; `before` is the deadline before it. */
  then: string;
  turnChanged: boolean;
  mistake: Law["mistake"];
}

/** Returns a law of an action: the match has a deadline of its seat in turn, and a reserve of the other seat. */
function ofAction({ title, given, then, turnChanged, mistake }: Action): Law {
  const parameters = "uint40 m_deadline, uint32 m_reserve, uint256 clock";
  return {
    title,
    mistake,
    code: `${CONSTANTS}
      function law(${parameters}) external view {
        ${GIVEN}
        // \`act\` checks that the deadline has not passed.
        require(!(${onMatch(conditionOf(ARENA, "_checkInTime", "TooLate"))}));
        ${given}
        uint256 left = m_deadline - block.timestamp;
        bool turnChanged = ${turnChanged};
        ${onMatch(bodyIn(ARENA, "_punchClock"))}
        assert(${then});
      }`,
  };
}

/** Laws of deadlines. A time is in seconds; a deadline is the last second in time. */
export const clocks: Laws = {
  subject: "clocks",
  targets: ["assert"],
  header: `${REPLACEMENTS}
    import {Status} from "contracts/interfaces/IArena.sol";`,
  laws: [
    {
      title: "leave each second of a match either to its players or to `timeout`, and no second to both",
      code: `function law(uint40 m_deadline) external view {
          bool tooLate = ${onMatch(conditionOf(ARENA, "_checkInTime", "TooLate"))};
          bool tooEarly = ${onMatch(conditionOf(ARENA, "timeout", "TooEarly"))};
          assert(tooLate != tooEarly);
        }`,
      mistake: ["tooEarly = block.timestamp <= m_deadline", "tooEarly = block.timestamp < m_deadline"],
    },
    {
      title: "never let a channel expire in the second in which it opens",
      code: `function law(uint32 s_until, uint32 until) external view {
          bool expired = ${conditionOf(CHANNELS, "open", "Expired")};
          bool stillOpen = ${withFields(conditionOf(CHANNELS, "expire", "StillOpen"), "s")};
          // \`open\` stores \`until\`: a channel cannot expire in the second in which it opens.
          if (s_until == until && !expired) assert(stillOpen);
        }`,
      mistake: ["block.timestamp <= s_until", "block.timestamp < s_until - 1"],
    },
    {
      title: "never let a firm offer be joined in one step and canceled at the same time",
      code: `function law(${MATCH}) external pure {
          bool joinable = m_status == Status.P1Deposited && !(${onMatch(conditionOf(ARENA, "join", "FundFirst"))});
          bool cancelable = !(${onMatch(conditionOf(ARENA, "cancel", "WrongStatus"))})
            && !(${onMatch(conditionOf(ARENA, "cancel", "OfferIsFirm"))});
          assert(!(joinable && cancelable));
        }`,
      mistake: ["!m_firm || ", ""],
    },
    {
      title:
        "keep an offer open for at least a second and at most 30 days, and a firm offer exactly as long as it says",
      code: `${CONSTANTS}
        ${functionIn(ARENA, "_offerEnd")}
        function law(uint40 firmUntil) external view {
          require(block.timestamp <= type(uint40).max - _OFFER_LIFE);
          uint256 end = _offerEnd(firmUntil);
          assert(end > block.timestamp && end <= block.timestamp + 30 days && (firmUntil == 0 || end == firmUntil));
        }`,
      mistake: ["firmUntil <= block.timestamp", "firmUntil < block.timestamp"],
    },
    {
      title: "give a seat that joins a later deadline than it had to join, and both seats the whole clock",
      code: `${CONSTANTS}
        function law(uint40 m_deadline, uint32 m_reserve, uint32 terms_clock) external view {
          uint256 clock = terms_clock;
          ${GIVEN}
          // \`_fund\` has set the deadline to its time and the clock.
          require(m_deadline >= terms_clock);
          uint256 before = m_deadline;
          uint256 fundedAt = ${onMatch(between(bodyIn(ARENA, "join"), "m.deadline - terms.clock", "clock"))};
          require(!(${onMatch(conditionOf(ARENA, "join", "JoinTooSoon"))}));
          ${onMatch(between(bodyIn(ARENA, "join"), "m.deadline = uint40", "m.reserve = terms.clock;"))}
          assert(m_deadline > before && m_deadline == block.timestamp + clock && m_reserve == clock);
        }`,
      mistake: ["block.timestamp <= fundedAt", "block.timestamp < fundedAt"],
    },
    ofAction({
      title: "never move the deadline of a seat backwards that acts and stays in turn",
      turnChanged: false,
      given: "require(m_deadline <= block.timestamp + clock); uint256 before = m_deadline;",
      then: "m_deadline >= before && m_deadline >= block.timestamp + left && m_deadline <= block.timestamp + clock",
      mistake: ["Math.min(clock,", "Math.min(clock / 2,"],
    }),
    ofAction({
      title: "leave a seat that ends its turn at least the time that it had left, and at most the clock",
      turnChanged: true,
      given: "require(m_deadline <= block.timestamp + clock);",
      then: "m_reserve >= left && m_reserve <= clock",
      mistake: ["+ clock / _INCREMENT_DIVISOR", "- clock / _INCREMENT_DIVISOR"],
    }),
    ofAction({
      title: "give the next seat exactly its reserve, whatever the opponent did",
      turnChanged: true,
      given: "require(m_reserve <= clock); uint256 reserve = m_reserve;",
      then: "m_deadline == block.timestamp + reserve",
      mistake: ["uint40(block.timestamp + m_reserve)", "uint40(m_deadline + m_reserve)"],
    }),
  ],
};
