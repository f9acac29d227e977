import { expect } from "chai";
import { id, ZeroHash } from "ethers";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { encodeState } from "../../sdk/games/pistols/state.js";
import { placeOf } from "../../sdk/protocol/channels/messages.js";
import { commitmentOf, encodeReveal, NO_STATE, stateHashOf, type Header } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { AutoBattler__factory, Pistols__factory } from "../../typechain-types/index.js";
import { moveOf, teamOf, tiersOf } from "../support/auto-battler.js";
import { channelTerms, channelWorld, type ChannelWorld } from "../support/channel-games.js";
import { FIRST, keyOf, Pair } from "../support/channels.js";
import { DAY, ethers, loadFixture, now, Seat, type Player } from "../support/index.js";

const NOBODY = { archetype: 0, strength: 0 };

describe("Channels: made-up states that two accomplices sign", () => {
  let w: ChannelWorld;
  let mallory: Player;
  let accomplices: Pair;
  beforeEach(async () => {
    w = await loadFixture(channelWorld);
    const signers = await ethers.getSigners();
    mallory = signers[10];
    const keys = [keyOf("mallory"), keyOf("accomplice")] as const;
    accomplices = await Pair.of(w.channels, 31337, [mallory, signers[11]], { token: await w.fight.getAddress(), keys });
    await accomplices.open(0n, 0n, Number(await now()) + 30 * Number(DAY));
  });

  /** Plays a reveal from a base that no match has reached: its answer was never sent. */
  async function reveal(name: string, header: Header, [move, answerMove]: readonly [Hex, Hex], nonce = FIRST) {
    const module: GameModule = games.find((each) => each.name === name)!;
    const terms = channelTerms(w, module, "0x", { stake1: 0n, stake2: 0n, rated: true });
    const [salt, answerSalt] = [id("salt"), id(`salt ${nonce}`)];
    const commitment = commitmentOf(31337, terms.game, mallory.address, move, salt);
    const position = stateHashOf(header, commitment, { move: answerMove, salt: answerSalt });
    const data = encodeReveal({ ...header, salt, move, answerMove, answerSalt, next: "0x" });
    const transcript = await accomplices.transcript(
      nonce,
      terms,
      { position: ZeroHash, actions: ["0x01", data] },
      {
        places: [placeOf(Seat.One, position), ZeroHash],
        base: { count: 1, turn: Seat.One, position },
        seen: true,
      },
    );
    const gas = { gasLimit: 8_000_000 };
    return w.channels.connect(mallory).play(accomplices.channel, nonce, terms, [transcript], gas);
  }

  it("change no fighter's record", async () => {
    const teams = [await teamOf(w, mallory, tiersOf, true), await teamOf(w, w.bob)];
    const game = AutoBattler__factory.connect(w.history.addresses.AutoBattler, w.owner);
    const records = () => Promise.all(teams.flat().map((fighter) => game.fighterOf(fighter)));
    const before = await records();
    await reveal("auto-battler", { round: 1, state: NO_STATE }, [moveOf(teams[0]), moveOf(teams[1])]);
    expect(await records()).to.deep.equal(before);
  });

  it("add no honour for a player", async () => {
    const duelists = [NOBODY, NOBODY] as const;
    const state = encodeState({ duelists, health: [3, 3], paces: [15, 15] });
    await reveal("pistols", { round: 2, state }, ["0x0000", "0x0000"]);
    const game = Pistols__factory.connect(w.history.addresses.Pistols, w.owner);
    const { record } = await game.duelistOf(mallory);
    expect([record.duels, record.total, record.last]).to.deep.equal([0n, 0n, 0n]);
  });
});
