import { expect } from "chai";
import { AbiCoder, dataLength, keccak256, ZeroHash } from "ethers";
import type { ArmyRules } from "../../../sdk/games/warmancer/army.js";
import { CLASSIC, QUICK } from "../../../sdk/games/warmancer/mode.js";
import { startPosition, type Side } from "../../../sdk/games/warmancer/position.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import {
  checkSetup,
  decodeProof,
  decodeSetup,
  encodeProof,
  encodeSetup,
  proofOf,
  rootOf,
  takeProof,
  type Proof,
  type Setup,
} from "../../../sdk/games/warmancer/setup.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Random } from "../../../sdk/laws/random.js";
import { expectContractError } from "../../support/warmancer.js";

const PLAYER = "0x00000000000000000000000000000000000a11ce";
const SECRET = keccak256("0x5ec2e7");
const [THRONE, SCOUT, GRUNT, WARLORD, TRAP] = [0, 2, 4, 10, 11];

/** Computes a hash with another library. The functions below follow the page's formulas one by one. */
const abi = (types: string[], values: unknown[]) => keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
const pair = (left: Hex, right: Hex) => abi(["bytes32", "bytes32"], [left, right]);
const saltOf = (secret: Hex, slot: number) => abi(["bytes32", "uint256"], [secret, slot]);
function leafOf(player: string, { secret, ranks }: Setup, slot: number): Hex {
  if (slot >= ranks.length) return ZeroHash;
  return abi(["address", "uint256", "uint256", "bytes32"], [player, slot, ranks[slot], saltOf(secret, slot)]);
}
function rootFrom(leaves: Hex[]): Hex {
  if (leaves.length === 1) return leaves[0];
  return rootFrom(leaves.flatMap((leaf, i) => (i % 2 === 0 ? [pair(leaf, leaves[i + 1])] : [])));
}
const naiveRoot = (player: string, setup: Setup) =>
  rootFrom(Array.from({ length: 64 }, (_, slot) => leafOf(player, setup, slot)));

/** Returns a side with the root of this setup, in which the pawns of these slots have moved, or moved far. */
function sideOf(setup: Setup, { moved = [], movedFar = [] }: { moved?: number[]; movedFar?: number[] } = {}): Side {
  const root = rootOf(PLAYER, setup);
  const [side] = startPosition(QUICK, { roots: [root, root] }).sides;
  for (const slot of moved) side.moved[slot] = 1;
  for (const slot of movedFar) side.movedFar[slot] = 1;
  return side;
}

describe("Warmancer: setups", () => {
  const good: Setup = { secret: SECRET, ranks: [THRONE, SCOUT, GRUNT, WARLORD] };

  it("have the documented root over 64 leaves, with zero leaves after the last slot", () => {
    const random = new Random("roots");
    const classic = random.shuffled(CLASSIC.army.flatMap((count, rank) => Array<number>(count).fill(rank)));
    for (const ranks of [[0, 2], good.ranks, classic, Array<number>(64).fill(3)]) {
      const setup = { secret: random.word(), ranks };
      expect(rootOf(PLAYER, setup)).to.equal(naiveRoot(PLAYER, setup));
    }
  });

  it("have a root that depends on player, slots, ranks and secret", () => {
    const swapped = { ...good, ranks: [SCOUT, THRONE, GRUNT, WARLORD] };
    const others = [rootOf(PLAYER.replace("11ce", "11cf"), good), rootOf(PLAYER, swapped)];
    others.push(rootOf(PLAYER, { ...good, secret: keccak256(SECRET) }));
    expect(new Set([rootOf(PLAYER, good), ...others])).to.have.length(4);
  });

  it("are encoded as secret and ranks, and proofs as slot, rank, leaf salt and six siblings", () => {
    expect(decodeSetup(encodeSetup(good))).to.deep.equal(good);
    expect(encodeSetup(good)).to.equal(`${SECRET}0002040a`);
    const data = encodeProof(proofOf(PLAYER, good, 3));
    expect(dataLength(data)).to.equal(226);
    const [sibling, other] = [leafOf(PLAYER, good, 2), pair(leafOf(PLAYER, good, 0), leafOf(PLAYER, good, 1))];
    expect(
      data.startsWith(`0x030a${[saltOf(SECRET, 3), sibling, other].map((word) => word.slice(2)).join("")}`),
    ).to.equal(true);
    expect(decodeProof(data)).to.deep.equal(proofOf(PLAYER, good, 3));
  });

  it("can be proved slot by slot, for all 64 slots", () => {
    const setup = { secret: SECRET, ranks: Array.from({ length: 64 }, (_, slot) => 1 + (slot % 10)) };
    const side = {
      ...sideOf(good),
      root: rootOf(PLAYER, setup),
      moved: new Uint8Array(64),
      movedFar: new Uint8Array(64),
    };
    for (const [slot, rank] of setup.ranks.entries()) {
      const known = new Uint8Array(64);
      takeProof(CLASSIC, side, PLAYER, slot, known, proofOf(PLAYER, setup, slot));
      expect(known[slot]).to.equal(rank + 1);
    }
  });

  describe("when a pawn is proved", () => {
    const prove = (
      side: Side,
      setup: Setup,
      slot: number,
      more: { change?: Partial<Proof>; due?: number; armyRules?: ArmyRules; recorded?: number[] } = {},
    ) => {
      const known = Uint8Array.from(more.recorded ?? [], (rank) => rank + 1);
      const padded = new Uint8Array(4);
      padded.set(known);
      const proof = { ...proofOf(PLAYER, setup, slot), ...more.change };
      takeProof(more.armyRules ?? QUICK, side, PLAYER, more.due ?? slot, padded, proof);
    };

    it("rejects a proof for a slot that is not the expected slot", () => {
      expectContractError(() => prove(sideOf(good), good, 1, { due: 2 }), "ProofNotDue", 1, 2);
      expectContractError(() => prove(sideOf(good), good, 1, { due: 2, change: { rank: 12 } }), "ProofNotDue", 1, 2);
    });

    it("refuses a rank that does not exist", () => {
      const odd = { ...good, ranks: [THRONE, SCOUT, 12, WARLORD] };
      expectContractError(() => prove(sideOf(good), odd, 2), "UnknownRank", 2, 12);
      expectContractError(() => prove(sideOf(odd), odd, 2), "UnknownRank", 2, 12);
    });

    it("rejects a proof with another root: by rank, salt, any sibling or player", () => {
      const side = sideOf(good);
      const { salt, siblings } = proofOf(PLAYER, good, 2);
      const changes: Partial<Proof>[] = [{ rank: WARLORD }, { salt: keccak256(salt) }];
      for (const at of siblings.keys()) changes.push({ siblings: siblings.with(at, keccak256(siblings[at])) });
      for (const change of changes) {
        expect(() => prove(side, good, 2, { change }))
          .to.throw(ContractError)
          .with.property("error", "WrongProof");
      }
      const swapped = { ...proofOf(PLAYER, good, 2), slot: 3 };
      expect(() => prove(side, good, 3, { change: swapped }))
        .to.throw(ContractError)
        .with.property("error", "WrongProof");
      const wrong = { ...good, secret: ZeroHash };
      expectContractError(() => prove(side, wrong, 0), "WrongProof", 0, naiveRoot(PLAYER, wrong), side.root);
    });

    it("refuses a moved Throne or Trap, and any pawn except a Scout that has moved far", () => {
      const trapped = { ...good, ranks: [THRONE, SCOUT, TRAP, WARLORD] };
      expectContractError(() => prove(sideOf(good, { moved: [0] }), good, 0), "RankCannotMove", 0, THRONE);
      expectContractError(() => prove(sideOf(trapped, { moved: [2] }), trapped, 2), "RankCannotMove", 2, TRAP);
      expectContractError(
        () => prove(sideOf(good, { moved: [3], movedFar: [3] }), good, 3),
        "RankCannotMoveFar",
        3,
        WARLORD,
      );
      prove(sideOf(good, { moved: [1], movedFar: [1] }), good, 1);
      prove(sideOf(good, { moved: [3] }), good, 3);
    });

    it("rejects a pawn if the army has no more pawns of its rank, or if its price exceeds the budget", () => {
      const two = { ...good, ranks: [THRONE, SCOUT, SCOUT, WARLORD] };
      expectContractError(
        () => prove(sideOf(two), two, 2, { recorded: [THRONE, SCOUT] }),
        "TooManyOfRank",
        SCOUT,
        2,
        1,
      );
      prove(sideOf(two), two, 2, { recorded: [THRONE, GRUNT] });
      const bought = { ...QUICK, budget: 50 };
      prove(sideOf(two), two, 2, { recorded: [THRONE, SCOUT], armyRules: bought });
      const thrones = { ...good, ranks: [THRONE, THRONE, SCOUT, WARLORD] };
      expectContractError(
        () => prove(sideOf(thrones), thrones, 1, { recorded: [THRONE], armyRules: bought }),
        "TooManyOfRank",
        THRONE,
        2,
        1,
      );
      const traps = { ...good, ranks: [THRONE, TRAP, SCOUT, WARLORD] };
      expectContractError(() => prove(sideOf(traps), traps, 1, { armyRules: bought }), "TooManyOfRank", TRAP, 1, 0);
    });
  });

  describe("when a setup is shown at the end", () => {
    const check =
      (setup: Setup, side = sideOf(setup), armyRules: ArmyRules = QUICK) =>
      () =>
        checkSetup(armyRules, side, PLAYER, setup);
    const ranked = (...ranks: number[]): Setup => ({ ...good, ranks });

    it("refuses ranks that do not exist, and names the first of them", () => {
      expectContractError(check(ranked(THRONE, 12, 255, 4)), "UnknownRank", 1, 12);
    });

    it("rejects an army that differs from the army of the mode", () => {
      expectContractError(check(ranked(THRONE, SCOUT, GRUNT, GRUNT)), "WrongArmy", GRUNT, 2, 1, 1);
      expectContractError(check(ranked(SCOUT, SCOUT, GRUNT, WARLORD)), "WrongArmy", THRONE, 0, 1, 1);
    });

    it("refuses an army that the budget does not allow", () => {
      const armyRules = { army: [1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1], budget: 17 };
      const nine = { army: [1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0], budget: 100 };
      const buy = (setup: Setup, by: ArmyRules = armyRules) => check(setup, sideOf(setup), by);
      buy(ranked(THRONE, TRAP, 6, 7))();
      buy(ranked(THRONE, SCOUT, GRUNT, WARLORD))();
      expectContractError(buy(ranked(THRONE, THRONE, GRUNT, WARLORD)), "WrongArmy", THRONE, 2, 1, 1);
      expectContractError(buy(ranked(SCOUT, SCOUT, GRUNT, WARLORD)), "WrongArmy", THRONE, 0, 1, 1);
      expectContractError(buy(ranked(THRONE, TRAP, TRAP, WARLORD)), "WrongArmy", TRAP, 2, 0, 1);
      expectContractError(buy(ranked(THRONE, TRAP), armyRules), "NoPawnMoves");
      expectContractError(buy(ranked(THRONE, TRAP, GRUNT, WARLORD)), "OverBudget", 18, 17);
      expectContractError(buy(ranked(THRONE, ...Array<number>(9).fill(SCOUT)), nine), "WrongArmy", SCOUT, 9, 0, 8);
      buy(ranked(THRONE, ...Array<number>(8).fill(SCOUT)), nine)();
    });

    it("rejects a setup that differs from the committed setup", () => {
      const swapped = ranked(SCOUT, THRONE, GRUNT, WARLORD);
      expectContractError(check(swapped, sideOf(good)), "WrongSetup", naiveRoot(PLAYER, swapped), sideOf(good).root);
    });

    it("rejects moved pawns of immovable ranks", () => {
      expectContractError(check(good, sideOf(good, { moved: [0] })), "RankCannotMove", 0, THRONE);
      expectContractError(check(good, sideOf(good, { moved: [2], movedFar: [2] })), "RankCannotMoveFar", 2, GRUNT);
      expectContractError(check(good, sideOf(good, { moved: [0, 2], movedFar: [2] })), "RankCannotMove", 0, THRONE);
      check(good, sideOf(good, { moved: [1, 2, 3], movedFar: [1] }))();
    });
  });
});
