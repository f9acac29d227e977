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
const TIC_TAC_TOE = "games/tic-tac-toe/TicTacToe.sol";
const HONOUR = "games/pistols/Honour.sol";

/**
 * Reads of a position of Warmancer, which use assembly, as values that fit their width. A side starts below 2^32: the
 * law of `_sideOf`.
 */
const READING = `${constantsIn(POSITIONS, /^_(SIDE_\w+_AT|SIDE_HEAD_BYTES)$/)}
  function read(uint256, uint256 offset, uint256 width) private pure returns (uint256 value) {
    value = IUnknown(address(0)).number(offset);
    require(width > 1 || value <= type(uint8).max);
  }
  function write(uint256, uint256, uint256, uint256) private pure {}
  function _has(uint256, uint256, uint256) private pure returns (bool) {}
  function _add(uint256, uint256, uint256) private pure {}
  function pawns(uint256 p) private pure returns (uint256) { return read(p, 0, 1); }
  function isMobile(uint256 rank) private pure returns (bool) { return rank > 0; }
  function _sideOf(uint256, uint256 side) private pure returns (uint256 start) {
    start = IUnknown(address(0)).number(side);
    require(start <= type(uint32).max);
  }
  function _ranksOf(uint256, uint256 side) private pure returns (uint256 start) {
    start = IUnknown(address(0)).number(side);
    require(start <= type(uint64).max);
  }`;

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
      file: BATTLE,
      name: "_attack",
      members: `${constantsIn("libraries/BasisPoints.sol")}
        function lane(uint256 die) private pure returns (uint256) { return IUnknown(address(0)).number(die); }
        function damageIn(uint256, uint256 roll, uint256) private pure returns (uint256 damage) {
          damage = IUnknown(address(0)).number(roll);
          require(damage < 2 ** 38);
        }
        ${constantsIn(BATTLE, /^_COMBATANT_RANGE_PENALTIES_AT$/)}`,
      // The fields of both words are variables of their widths, so none of them overflows into the next one. Damage is at
      // most 65,535 ** 4 / 10 ** 8, and a fight has at most 1,000 attacks.
      with: [
        [
          "uint256 dice,\n        Rules memory rules,\n        Combatant[10] memory combatants,\n        uint256 attacker,\n        uint256 place,\n        uint256 target\n    ) private pure",
          "uint32 hp, uint32 hpEnd, uint16 dodges, uint16 combos, uint8 kills, uint48 dealt, uint48 received, bool isCombo, uint256 comboFactor, uint256 target\n    ) external pure",
        ],
        ["uint256 defender = _load(combatants, target);", ""],
        ["Dice.lane(dice, 1, rules.dodgeRolls)", "lane(1)"],
        [
          "entry =\n                (place << _LOG_SIDE_AT) |\n                ((target >> 1) << _LOG_DEFENDER_SLOT_AT) |\n                (roll << _LOG_RANDOM_DODGE_AT) |\n                ((defender & _HP_MASK) * _HP_START_AND_END);",
          "hpEnd = hp;",
        ],
        [
          "isDodge(uint16(attacker >> _COMBATANT_SPEED_AT), uint16(defender >> _COMBATANT_SPEED_AT), roll)",
          "roll == 0",
        ],
        ["_store(combatants, target, defender + (1 << _COMBATANT_DODGES_AT));", "dodges += 1;"],
        ["return entry | (1 << _LOG_WAS_DODGE_AT);", "return entry;"],
        ["Dice.lane(dice, 2, rules.comboRolls)", "lane(2)"],
        ["uint16(attacker >> _COMBATANT_COMBO_AT) >= roll", "isCombo"],
        ["rules.comboFactor", "comboFactor"],
        ["attacker += 1 << _COMBATANT_COMBOS_AT;", "combos += 1;"],
        ["entry |= 1 << _LOG_WAS_COMBO_AT;", ""],
        [
          "(attacker >> (_COMBATANT_RANGE_PENALTIES_AT + (target & 14))) & 3",
          "(_COMBATANT_RANGE_PENALTIES_AT + target) % 4",
        ],
        [
          "damageOf(\n                uint16(attacker >> _COMBATANT_ATTACK_AT),\n                uint16(defender >> _COMBATANT_DEFENSE_AT),\n                uint16(rules.rangeFactors >> (16 * penalty)),\n                factor\n            )",
          "damageIn(16 * penalty, roll, factor)",
        ],
        [
          "entry |=\n                (penalty << _LOG_RANGE_PENALTY_AT) |\n                (roll << _LOG_RANDOM_COMBO_AT) |\n                (damage << _LOG_DAMAGE_DEALT_AT);",
          "",
        ],
        ["uint256 lost = defender & _HP_MASK;", "uint256 lost = hp;"],
        ["attacker += 1 << _COMBATANT_KILLS_AT;", "kills += 1;"],
        ["entry |= _WAS_KILL;", ""],
        ["entry -= lost << _LOG_DEFENDER_HP_END_AT;", "hpEnd -= uint32(lost);"],
        ["_store(combatants, place, attacker + (damage << _COMBATANT_DAMAGE_DEALT_AT));", "dealt += uint48(damage);"],
        [
          "_store(combatants, target, defender - lost + (damage << _COMBATANT_DAMAGE_RECEIVED_AT));",
          "hp -= uint32(lost); received += uint48(damage);",
        ],
      ],
      given: `require(target < 10 && hp <= type(uint16).max && kills < 5 && dodges < 1000 && combos < 1000);
        require(dealt < 999 * 2 ** 38 && received < 999 * 2 ** 38);`,
      mistake: ["kills < 5 && ", ""],
    }),
    bound({
      file: BATTLE,
      name: "_without",
      // The living of a side: `low` has their number and the places before the one at `nibble`.
      members: `${constantsIn(BATTLE, /^_NIBBLE$/)}
        function low(uint256 mask) private pure returns (uint256 part) {
          part = IUnknown(address(0)).number(mask);
          require(part > 0 && part <= mask && part <= type(uint64).max);
        }
        function high(uint256 bit) private pure returns (uint256 part) {
          part = IUnknown(address(0)).number(bit);
          require(part <= type(uint64).max);
        }`,
      with: [
        ["uint256 living, uint256 list, uint256 nibble", "uint256 power, uint256 nibble"],
        ["uint256 own = uint64(living >> list);", ""],
        ["(own & ((1 << nibble) - 1)) - 1", "low(power - 1) - 1"],
        ["((own >> (nibble + _NIBBLE)) << nibble)", "high(nibble + _NIBBLE)"],
        ["living ^ ((own ^ left) << list)", "left"],
      ],
      given: "require(power >= 16 && nibble <= 20);",
      mistake: ["part > 0 && ", ""],
    }),
    bound({
      file: GUARDIANS,
      name: "strike",
      members: `function relationOf(uint256, uint256) private pure returns (uint256) {}
        function damageOf(uint256 power, uint256, bool, uint256) private pure returns (uint256) {
          return IUnknown(address(0)).number(power);
        }
        using Cards for uint256;`,
      // Left out: bits that are set in the entry, with which the solver is slow.
      with: [
        ["Card attacker,\n        Card defender,", "uint256 attacker, uint256 defender,"],
        [
          "(relation << _LOG_TYPE_RELATION_AT) |\n                (dodgeRoll << _LOG_RANDOM_DODGE_AT) |\n                (hp << _LOG_DEFENDER_HP_START_AT)",
          "hp",
        ],
        ["return entry | (1 << _LOG_WAS_DODGE_AT) | (hp << _LOG_DEFENDER_HP_END_AT);", "return hp;"],
        ["entry |= (criticalRoll << _LOG_RANDOM_CRITICAL_AT) | (damage << _LOG_DAMAGE_DEALT_AT);", ""],
        ["if (isCritical) entry |= 1 << _LOG_WAS_CRITICAL_AT;", ""],
        ["entry | ((hp - damage) << _LOG_DEFENDER_HP_END_AT) : entry | _WAS_KILL", "hp - damage : 0"],
      ],
      mistake: ["damage < hp", "damage > hp"],
    }),
    bound({
      file: GUARDIANS,
      name: "_attack",
      members: `${constantsIn(GUARDIANS, /^_(SLOTS|LOG_(SIDE|ATTACKER_SLOT|DEFENDER_SLOT)_AT)$/)}
        ${constantsIn("tokens/GuardianCards.sol", /^CARD_HP_AT$/)}`,
      // The hp after the attack are at most those before, by the law of `strike`. `_targetOf` returns an enemy.
      with: [
        [
          "uint256 dice,\n        uint256 dodgeCap,\n        Card[10] memory cards,",
          "uint256 rest, uint256 hp, uint256 hpEnd,",
        ],
        ["Card defender = cards[target];", "uint256 defender = rest + hp * 2 ** CARD_HP_AT;"],
        [
          "entry = strike(cards[place], defender, dodgeCap, Dice.lane(dice, 0, _ROLLS), Dice.lane(dice, 1, _ROLLS));",
          "",
        ],
        ["defender.hp() - uint32(entry >> _LOG_DEFENDER_HP_END_AT)", "hp - hpEnd"],
        [
          "cards[target] = Card.wrap(Card.unwrap(defender) - (lost << CARD_HP_AT));",
          "defender = defender - lost * 2 ** CARD_HP_AT;",
        ],
      ],
      given: `require(hpEnd <= hp && hp <= type(uint16).max && rest <= type(uint128).max);
        require(place < 5 ? target >= 5 : target < 5);`,
      mistake: ["target >= 5 : ", "target >= 4 : "],
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
      file: HONOUR,
      name: "add",
      // The fields are variables of their widths.
      with: [
        [
          "StoredHonour self, uint256 honour) internal view returns (StoredHonour)",
          "uint40 duels, uint48 total, uint48 honour) external pure",
        ],
        ["uint256 word = StoredHonour.unwrap(self);", ""],
        ["uint256 before = uint96(_atBlockStart(word));", ""],
        ["uint256 sums = uint88(word);", ""],
        ["uint40(word) != type(uint40).max", "duels != type(uint40).max"],
        ["sums += 1 + (honour << _TOTAL_AT);", "{ duels += 1; total += honour; }"],
        ["uint256 changed = uint40(block.number);", ""],
        [
          "return StoredHonour.wrap(sums | (honour << _LAST_AT) | (before << _BEFORE_AT) | (changed << _CHANGED_AT));",
          "",
        ],
      ],
      given: "require(honour <= 100 && total / 100 <= duels);",
      mistake: ["honour <= 100 && ", ""],
    }),
    bound({
      file: STRIKES,
      name: "shot",
      members: `function _roll(uint256, uint256, uint256) private pure {}
        ${constantsIn(STRIKES, /^_(FAVOUR|RELIEF)$/)}`,
      with: [
        [
          "Side[2] memory sides,\n        uint256 dice,\n        uint256 slot,\n        uint256 side,\n        uint256 paces,\n        ShotOrder order\n    ) internal pure returns (Blow memory blow)",
          "uint256 paces, bool favoured, bool relieved) external pure returns (uint256 lethalChance)",
        ],
        ["uint256 own = sides[side].archetype;", ""],
        [
          "bool favoured =\n            (order == ShotOrder.First && own == uint256(Archetype.Honourable)) ||\n                (order == ShotOrder.Second && own == uint256(Archetype.Villainous));",
          "",
        ],
        [
          "bool relieved =\n            order == ShotOrder.First && sides[Sides.otherSide(side)].archetype == uint256(Archetype.Honourable);",
          "",
        ],
        ["(blow.slot, blow.side, blow.action, blow.paces) = (slot, side, DuelLog.SHOT, paces);", ""],
        ["blow.lethalChance = ", "lethalChance = "],
        ["_roll(blow, sides, dice, ", "_roll("],
        ["if (blow.critical) blow.points = _EXECUTION;", ""],
        ["else if (blow.hit) blow.points = blow.hitDie <= blow.lethalChance ? 2 : 1;", ""],
      ],
      given: "require(paces >= 1 && paces <= 10);",
      mistake: [" && paces <= 10", " && paces <= 11"],
    }),
    bound({
      file: STRIKES,
      name: "_roll",
      members: `function _chance(uint256 penalty) private pure returns (uint256) { return penalty; }
        ${constantsIn(STRIKES, /^FULL_HEALTH$/)}`,
      with: [
        [
          "Blow memory blow,\n        Side[2] memory sides,\n        uint256 dice,\n        uint256 critBase,\n        uint256 favour,\n        uint256 hitBase\n    ) private pure",
          "uint256 side, uint256 health, bool tricked, uint256 die) external pure returns (uint256 hitChance, uint256 hitDie)",
        ],
        ["uint256 side = blow.side;", ""],
        ["Side memory own = sides[side];", ""],
        ["bool tricked = _isTricked(own, sides[Sides.otherSide(side)]);", ""],
        ["blow.critChance = _critChance(own, critBase, favour, tricked);", ""],
        ["blow.critDie = _critDie(dice, side);", ""],
        ["blow.critical = blow.critDie <= blow.critChance;", ""],
        ["if (blow.critical || hitBase == 0) return;", ""],
        ["own.health", "health"],
        ["blow.hitChance = _chance(hitBase, _bonus(own, 20, 10, 0), ", "hitChance = _chance("],
        ["blow.hitDie = Dice.lane(dice, 2 * side + 1, 100) + 1", "hitDie = die % (2 * side + 1) + 1"],
        ["blow.hit = blow.hitDie <= blow.hitChance;", ""],
      ],
      given: "require(side < 2 && health <= 3);",
      mistake: ["health <= 3", "health <= 4"],
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
      file: TIC_TAC_TOE,
      name: "_place",
      members: `function _hasRow(uint256 cells) private pure returns (bool) { return cells > 5; }
        ${constantsIn(TIC_TAC_TOE, /^(_CELLS|_LOG_WINNER_AT|_POSITION_O_AT)$/)}`,
      // Left out: bits that are read and set, with which the solver is slow.
      with: [
        ["((position | (position >> _POSITION_O_AT)) >> cell) & 1 == 1", "position == cell"],
        ["position |= 1 << (start + cell);", "position = start + cell;"],
        ["entry = (cell << _LOG_CELL_AT) | (side << _LOG_SIDE_AT) | (position << _LOG_X_AT);", ""],
        ["(position >> start) & _ALL", "position"],
        ["entry | ((side + 1) << _LOG_WINNER_AT) | (1 << _LOG_FINISHED_AT)", "side + 1"],
        ["entry |= 1 << _LOG_FINISHED_AT", "entry = 1"],
      ],
      given: "require(number >= 1 && number <= 9);",
      mistake: ["number >= 1 && ", ""],
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
    ...["occupied", "still"].map((name) => {
      return ofPosition(name, { mistake: ["require(start <= type(uint32).max);", ""] });
    }),
    ...["hasMoved", "hasMovedFar", "markMoved", "_ranksOf"].map((name) => {
      return ofPosition(name, { mistake: ["require(start <= type(uint32).max);", ""] });
    }),
    ...["tileOf", "put", "kill"].map((name) => {
      return ofPosition(name, { given: "require(slot < 64);", mistake: ["require(slot < 64);", ""] });
    }),
    ofPosition("rankOf", {
      // The checker cannot divide by shifting.
      with: [["nibbles >> 4 : nibbles", "nibbles / 16 : nibbles"]],
      mistake: ["require(width > 1 || value <= type(uint8).max);", ""],
    }),
    ofPosition("record", {
      given: "require(slot < 64 && rank < 12);",
      mistake: [" && rank < 12", ""],
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
      name: "add",
      members: constantsIn(TURNS, /^MAX_ENTRIES$/),
      with: [
        ["TurnResolution memory resolution, uint256 entry", "uint256 logged"],
        ["resolution.log.set(resolution.logged++, entry | (resolution.turn << _ENTRY_TURN_AT));", "logged++;"],
      ],
      given: "require(logged < MAX_ENTRIES);",
      mistake: ["require(logged < MAX_ENTRIES);", ""],
    }),
    bound({
      file: TURNS,
      name: "proved",
      with: [
        [
          "TurnResolution memory resolution,\n        bytes memory p,\n        uint256 side\n",
          "uint256 movingRank, uint256 attackedRank, bool isMoving, bool isAttacked\n",
        ],
        ["Part memory part = resolution.parts[side];", ""],
        ["resolution.isMovingPawnInBattle(part) && p.rankOf(side, part.slot) == Positions.UNKNOWN", "isMoving"],
        ["part.attacked != Positions.NOBODY && p.rankOf(side, part.attacked) == Positions.UNKNOWN", "isAttacked"],
        ["part.movingRank", "movingRank"],
        ["part.attackedRank", "attackedRank"],
      ],
      // Proofs and setups have at most a nibble for a rank.
      given: "require(movingRank <= 15 && attackedRank <= 15);",
      mistake: [" && attackedRank <= 15", ""],
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

/** Returns the law of a function that reads a position of Warmancer. */
function ofPosition(name: string, law: Omit<Bound, "file" | "name" | "members">): Law {
  const members = READING.replace(new RegExp(`function ${name}\\(.*?^  }`, "ms"), "");
  return bound({
    file: POSITIONS,
    name,
    members,
    ...law,
    with: [["bytes memory p", "uint256 p"], ...(law.with ?? [])],
  });
}

const IS_LOOP = "a loop, of which the checker examines only the first iteration";

/** Functions whose `unchecked` blocks have no law, and why. Tests compare their games with TypeScript engines. */
export const WITHOUT_LAW: Readonly<Record<string, string>> = {
  "games/auto-battler/AutoBattle.sol:fight": IS_LOOP,
  "games/guardians/GuardianBattle.sol:_leader": IS_LOOP,
  "games/guardians/GuardianBattle.sol:_targetOf": IS_LOOP,
  "games/guardians/GuardianBattle.sol:fight": IS_LOOP,
  "games/guardians/GuardianBattle.sol:order": IS_LOOP,
  "games/guardians/GuardianBattle.sol:relationOf":
    "wraps on purpose: types are a wheel of eight, and only 3 bits are used",
  "games/warmancer/Armies.sol:checkArmy": IS_LOOP,
  "games/warmancer/Armies.sol:checkProof": IS_LOOP,
  "games/warmancer/Armies.sol:rootOf": IS_LOOP,
  "games/warmancer/Positions.sol:recordedOf": "wraps on purpose: computes with all nibbles of a word at once",
  "games/warmancer/Positions.sol:slotAt": "wraps on purpose: computes with all bytes of a word at once",
  "games/warmancer/TurnResolutions.sol:_aim": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:_checkPath": IS_LOOP,
  "games/warmancer/TurnResolutions.sol:fight": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:plan": IS_LOOP,
  "games/warmancer/TurnResolutions.sol:resolve": "has no operation that could overflow",
  "games/warmancer/TurnResolutions.sol:slotsOf": IS_LOOP,
};
