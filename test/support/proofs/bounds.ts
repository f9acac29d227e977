import { REPLACEMENTS, type Law, type Laws } from "./law.js";
import { asChecked, constantsIn, functionIn, replaced, structIn } from "./sources.js";

interface Bound {
  file: string;
  /** Function with an `unchecked` block. */
  name: string;
  /** Facts that its callers ensure. */
  given?: string;
  /** Declarations that it needs. */
  members?: string;
  /** Text of the function and what takes its place: reads that the checker cannot represent become parameters. */
  with?: readonly (readonly [text: string, by: string])[];
  mistake: Law["mistake"];
}

/** Operators whose result may not fit; those between literals are computed by the compiler. */
const OPERATOR = /\+\+|--|[-+*]=|(?<=[\w)\]] )[-+*](?= )/g;
const BETWEEN_LITERALS = /\(?\b\d\w* << \w+\)? - 1\b/g;

/** Functions whose operations have a law, as `file:name`. */
export const bounded = new Set<string>();

/** Returns the law that no operation of a function overflows or underflows, if its `unchecked` blocks are checked. */
function bound({ file, name, given = "", members = "", with: replacements = [], mistake }: Bound): Law {
  bounded.add(`${file}:${name}`);
  const code = asChecked(replaced(functionIn(file, name), ...replacements));
  const start = code.indexOf("{", code.indexOf(")")) + 1;
  return {
    title: `in ${name} of ${file.replace(/.*\//, "")}`,
    code: `${members}\n${code.slice(0, start)} ${given} ${code.slice(start)}`,
    checks: [...code.replaceAll(BETWEEN_LITERALS, "").matchAll(OPERATOR)].length,
    mistake,
  };
}

const BATTLE = "games/auto-battler/AutoBattle.sol";
const GUARDIANS = "games/guardians/GuardianBattle.sol";
const STRIKES = "games/pistols/Strikes.sol";
const POSITIONS = "games/warmancer/Positions.sol";
const TURNS = "games/warmancer/TurnResolutions.sol";

/** Laws of `unchecked` blocks that handle money, clocks and counters. */
export const bounds: Laws = {
  subject: "no unchecked operation of the core overflows",
  targets: ["overflow", "underflow"],
  header: `${REPLACEMENTS}
    import {Match, Terms} from "contracts/interfaces/IArena.sol";
    import {ChannelState} from "contracts/interfaces/IChannels.sol";
    import {Seat} from "contracts/interfaces/IGame.sol";
    import {BPS} from "contracts/libraries/BasisPoints.sol";`,
  laws: [
    bound({
      file: "libraries/Payouts.sol",
      name: "split",
      given: "require(terms.feeBps <= BPS);",
      mistake: ["require(terms.feeBps <= BPS);", ""],
    }),
    bound({ file: "Channels.sol", name: "_takeStakes", mistake: ["s.amount1 < stake1 || ", ""] }),
    bound({
      file: "Purse.sol",
      name: "_tryDebit",
      with: [
        ["mapping(address token => uint256 amount) storage purse = _purses[player];", ""],
        ["address player, address token, uint256 amount", "uint256 held, uint256 amount"],
        ["uint256 balance = purse[token];", "uint256 balance = held;"],
        ["purse[token] = balance", "held = balance"],
      ],
      mistake: ["if (balance < amount) return false;", ""],
    }),
    bound({
      file: "Arena.sol",
      name: "_punchClock",
      members: constantsIn("Arena.sol", /^_INCREMENT_DIVISOR$/),
      // `act` checks the deadline; `_register` limits clocks, and a reserve is at most a clock.
      given: "require(block.timestamp <= m.deadline && clock <= 30 days && m.reserve <= clock);",
      mistake: ["block.timestamp <= m.deadline", "block.timestamp <= m.deadline + 1"],
    }),
    bound({
      file: "libraries/Counters.sol",
      name: "plus",
      // The counter, here of 32 bits at bit 32, and the bits above and below it make up the word.
      with: [
        [
          "uint256 word, uint256 start, uint256 amount, uint256 max",
          "uint256 below, uint256 counter, uint256 above, uint256 amount",
        ],
        ["uint256 room = max - ((word >> start) & max);", "uint256 room = type(uint32).max - counter;"],
        ["word +", "(above * 2 ** 64 + counter * 2 ** 32 + below) +"],
        ["(Math.min(amount, room) << start)", "(Math.min(amount, room) * 2 ** 32)"],
      ],
      given: "require(below < 2 ** 32 && counter <= type(uint32).max && above < 2 ** 192);",
      mistake: ["above < 2 ** 192", "above <= 2 ** 192"],
    }),
  ],
};

/** Laws of `unchecked` blocks in games and their tokens. */
export const boundsOfGames: Laws = {
  subject: "no unchecked operation of a game overflows",
  targets: ["overflow", "underflow"],
  header: `${REPLACEMENTS} ${structIn(STRIKES, "Side")}`,
  laws: [
    bound({
      file: "tokens/Fighters.sol",
      name: "tierOf",
      members: constantsIn("tokens/Fighters.sol", /^_(TRAITS_TIERS_AT|TIER_BITS)$/),
      with: [
        ["Traits traits, uint256 stat) pure", "uint256 traits, uint256 stat) external pure"],
        ["Traits.unwrap(traits)", "traits"],
      ],
      given: "require(stat < 6);",
      mistake: ["require(stat < 6);", ""],
    }),
    bound({
      file: "games/auto-battler/AutoBattler.sol",
      name: "_value",
      with: [
        ["Mode memory mode, Traits traits, uint256 stat", "uint256 values, uint256 tier"],
        ["mode.values[stat]", "values"],
        ["traits.tierOf(stat)", "tier"],
      ],
      given: "require(tier <= 3);",
      mistake: ["tier <= 3", "tier <= 4"],
    }),
    bound({
      file: "games/auto-battler/AutoBattler.sol",
      name: "_fighterId",
      members: constantsIn("games/auto-battler/AutoBattler.sol", /^_ID_BYTES$/),
      with: [
        ["bytes calldata team, uint256 slot) pure", "uint256 slot) external pure"],
        ["uint256(LibBytes.loadCalldata(team, slot * _ID_BYTES)) >> (256 - 8 * _ID_BYTES)", "slot * _ID_BYTES"],
      ],
      given: "require(slot < 5);",
      mistake: ["require(slot < 5);", ""],
    }),
    bound({
      file: BATTLE,
      name: "muster",
      members: constantsIn(BATTLE, /^_(PENALTIES|COMBATANT_\w+_AT)$/) + "type Combatant is uint256;",
      given: "require(slot < 5);",
      mistake: ["slot < 5", "slot <= 5"],
    }),
    bound({
      file: BATTLE,
      name: "isDodge",
      // A die has 16 bits, as a speed does.
      given: "require(roll <= type(uint16).max && attackerSpeed <= type(uint16).max);",
      mistake: ["roll <= type(uint16).max && ", ""],
    }),
    bound({
      file: BATTLE,
      name: "damageOf",
      members: constantsIn("libraries/BasisPoints.sol") + constantsIn(BATTLE, /^_SCALE$/),
      // Stats and factors have 16 bits.
      given: `require(attack <= type(uint16).max && defense <= type(uint16).max);
        require(rangeFactor <= type(uint16).max && comboFactor <= type(uint16).max);`,
      mistake: ["require(rangeFactor <= type(uint16).max && ", "require("],
    }),
    bound({
      file: GUARDIANS,
      name: "damageOf",
      members: constantsIn(GUARDIANS, /^_(ADVANTAGE|DISADVANTAGE)$/),
      // Stats have 16 bits.
      given: "require(power <= type(uint16).max);",
      mistake: ["require(power <= type(uint16).max);", ""],
    }),
    bound({
      file: STRIKES,
      name: "_bonus",
      with: [
        [
          "if (own.archetype == uint256(Archetype.None)) return 0;\n        uint256 max =\n            own.archetype == uint256(Archetype.Villainous)\n                ? villainous\n                : own.archetype == uint256(Archetype.Trickster)\n                    ? trickster\n                    : honourable;",
          "uint256 max = own.archetype == 1 ? villainous : own.archetype == 2 ? trickster : honourable;",
        ],
      ],
      given: "require(own.strength <= 100 && villainous <= 20 && trickster <= 20 && honourable <= 20);",
      mistake: ["own.strength <= 100 && ", ""],
    }),
    bound({
      file: STRIKES,
      name: "_chance",
      given: "require(base <= 1000 && bonus <= 1000);",
      mistake: ["base <= 1000 && ", ""],
    }),
    bound({
      file: STRIKES,
      name: "_critDie",
      with: [["Dice.lane(dice, 2 * side, 100)", "dice % 100 + 2 * side"]],
      given: "require(side < 2);",
      mistake: ["require(side < 2);", ""],
    }),
    bound({
      file: STRIKES,
      name: "_critChance",
      with: [
        ["Side memory own, uint256 base", "uint256 bonus, uint256 base"],
        ["_bonus(own, 0, 6, 12)", "bonus"],
        ["return _chance(base, favour + bonus, tricked ? 2 : 0);", "return favour + bonus;"],
      ],
      given: "require(favour <= 10 && bonus <= 20);",
      mistake: ["favour <= 10 && ", ""],
    }),
    bound({
      file: POSITIONS,
      name: "lengthFor",
      members: constantsIn(POSITIONS, /^_(HEAD_BYTES|SIDE_HEAD_BYTES)$/),
      given: "require(count <= 255);",
      mistake: ["require(count <= 255);", ""],
    }),
    bound({
      file: POSITIONS,
      name: "_sideOf",
      members: constantsIn(POSITIONS, /^_HEAD_BYTES$/),
      given: "require(p.length <= type(uint32).max);",
      mistake: ["require(p.length <= type(uint32).max);", ""],
    }),
    ...[
      ["occupied", "_SIDE_OCCUPIED_AT"],
      ["still", "_SIDE_STILL_AT"],
    ].map(([name, at]) =>
      bound({
        file: POSITIONS,
        name,
        members: constantsIn(POSITIONS, new RegExp(`^${at}$`)),
        with: [
          ["bytes memory p, uint256 side", "uint256 base"],
          [`read(p, _sideOf(p, side) + ${at}, 32)`, `base + ${at}`],
        ],
        given: "require(base <= type(uint32).max);",
        mistake: ["require(base <= type(uint32).max);", ""],
      }),
    ),
    ...[
      ["hasMoved", "_SIDE_MOVED_AT"],
      ["hasMovedFar", "_SIDE_MOVED_FAR_AT"],
    ].map(([name, at]) =>
      bound({
        file: POSITIONS,
        name,
        members: constantsIn(POSITIONS, new RegExp(`^${at}$`)),
        with: [
          ["bytes memory p, uint256 side, uint256 slot", "uint256 base"],
          ["returns (bool)", "returns (uint256)"],
          [`_has(p, _sideOf(p, side) + ${at}, slot)`, `base + ${at}`],
        ],
        given: "require(base <= type(uint32).max);",
        mistake: ["require(base <= type(uint32).max);", ""],
      }),
    ),
    bound({
      file: POSITIONS,
      name: "markMoved",
      members: `${constantsIn(POSITIONS, /^_SIDE_MOVED(_FAR)?_AT$/)} function _add(uint256, uint256) private pure {}`,
      with: [
        ["bytes memory p, uint256 side, uint256 slot", "uint256 base, uint256 slot"],
        ["uint256 base = _sideOf(p, side);", ""],
        ["_add(p, base + _SIDE_MOVED_AT", "_add(base + _SIDE_MOVED_AT"],
        ["_add(p, base + _SIDE_MOVED_FAR_AT", "_add(base + _SIDE_MOVED_FAR_AT"],
      ],
      given: "require(base <= type(uint32).max);",
      mistake: ["require(base <= type(uint32).max);", ""],
    }),
    bound({
      file: POSITIONS,
      name: "tileOf",
      members: constantsIn(POSITIONS, /^_SIDE_HEAD_BYTES$/),
      with: [
        ["bytes memory p, uint256 side, uint256 slot", "uint256 base, uint256 slot"],
        ["read(p, _sideOf(p, side) + _SIDE_HEAD_BYTES + slot, 1)", "base + _SIDE_HEAD_BYTES + slot"],
      ],
      given: "require(base <= type(uint32).max && slot < 64);",
      mistake: [" && slot < 64", ""],
    }),
    bound({
      file: POSITIONS,
      name: "_ranksOf",
      members: constantsIn(POSITIONS, /^_SIDE_HEAD_BYTES$/),
      with: [
        ["bytes memory p, uint256 side", "uint256 base, uint256 count"],
        ["_sideOf(p, side)", "base"],
        ["pawns(p)", "count"],
      ],
      given: "require(base <= type(uint32).max && count <= 255);",
      mistake: [" && count <= 255", ""],
    }),
    bound({
      file: TURNS,
      name: "isFar",
      with: [
        ["uint256 move)", "uint256 from_, uint256 to_)"],
        ["(move >> 8, move & 255)", "(from_, to_)"],
      ],
      mistake: ["from > to ? from - to : to - from", "from >= to ? to - from : from - to"],
    }),
    bound({
      file: TURNS,
      name: "recall",
      with: [
        ["TurnResolution memory resolution, uint256 side, uint256 proved_", "uint256 high, uint256 low"],
        ["Part memory part = resolution.parts[side];", "uint256 part_movingRank; uint256 part_attackedRank;"],
        ["if (proved_ >> 4 != 0) part.movingRank = (proved_ >> 4) - 1", "if (high != 0) part_movingRank = high - 1"],
        ["if (proved_ & 15 != 0) part.attackedRank = (proved_ & 15) - 1", "if (low != 0) part_attackedRank = low - 1"],
      ],
      mistake: ["if (low != 0)", "if (high != 0)"],
    }),
  ],
};

const IS_LOOP = "a loop, of which the checker examines only the first iteration";
const READS = "its reads of packed words and memory would each need a variable";

/** Functions whose `unchecked` blocks have no law, and why. Tests compare their games with TypeScript engines. */
export const WITHOUT_LAW: Readonly<Record<string, string>> = {
  "games/auto-battler/AutoBattle.sol:_attack": READS,
  "games/auto-battler/AutoBattle.sol:_without": READS,
  "games/auto-battler/AutoBattle.sol:fight": IS_LOOP,
  "games/guardians/GuardianBattle.sol:_attack": READS,
  "games/guardians/GuardianBattle.sol:_leader": IS_LOOP,
  "games/guardians/GuardianBattle.sol:_targetOf": IS_LOOP,
  "games/guardians/GuardianBattle.sol:fight": IS_LOOP,
  "games/guardians/GuardianBattle.sol:order": IS_LOOP,
  "games/guardians/GuardianBattle.sol:relationOf":
    "wraps on purpose: types are a wheel of eight, and only 3 bits are used",
  "games/guardians/GuardianBattle.sol:strike": READS,
  "games/pistols/Honour.sol:add": READS,
  "games/pistols/Strikes.sol:_roll": READS,
  "games/pistols/Strikes.sol:shot": READS,
  "games/tic-tac-toe/TicTacToe.sol:_place": READS,
  "games/warmancer/Armies.sol:checkArmy": IS_LOOP,
  "games/warmancer/Armies.sol:checkProof": IS_LOOP,
  "games/warmancer/Armies.sol:rootOf": IS_LOOP,
  "games/warmancer/Positions.sol:kill": READS,
  "games/warmancer/Positions.sol:put": READS,
  "games/warmancer/Positions.sol:rankOf": READS,
  "games/warmancer/Positions.sol:record": READS,
  "games/warmancer/Positions.sol:recordedOf": "wraps on purpose: computes with all nibbles of a word at once",
  "games/warmancer/Positions.sol:slotAt": "wraps on purpose: computes with all bytes of a word at once",
  "games/warmancer/TurnResolutions.sol:_aim": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:_checkPath": IS_LOOP,
  "games/warmancer/TurnResolutions.sol:add": READS,
  "games/warmancer/TurnResolutions.sol:fight": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:plan": IS_LOOP,
  "games/warmancer/TurnResolutions.sol:proved": READS,
  "games/warmancer/TurnResolutions.sol:resolve": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:slotsOf": IS_LOOP,
};
