import { getAddress, toBeHex, ZeroAddress } from "ethers";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord, Settlement } from "../../../sdk/chain/record.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { encodeMode, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { readMove, readSetup } from "../../../sdk/games/warmancer/notation.js";
import type { Secret } from "../../../sdk/protocol/commitment.js";
import { hexOf } from "../../../sdk/protocol/bytes.js";
import { Random } from "../../../sdk/laws/random.js";
import { EngineDriver } from "../warmancer.js";

/** Settlement of a match that player 2 has resigned. */
const RESIGNED: Settlement = { status: 4n, paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };

/** A match in writing: setups in letters, honest or not, and turns as `b1-c1 e1-d1`, player 1's move first. */
export class WrittenMatch {
  readonly driver: EngineDriver;
  readonly history: History;

  constructor(
    mode: Mode,
    setups: readonly [string, string],
    private readonly turns: readonly string[],
  ) {
    const random = new Random("written");
    const armies = setups.map((text) => ({ secret: random.word(), ranks: readSetup([text]) }));
    const players = [1, 2].map((number) => getAddress(toBeHex(number, 20))) as [string, string];
    const game = getAddress(toBeHex(3, 20));
    const match = { chainId: 31337n, matchId: 1n, game, rated: !mode.casual, mode, players };
    const written = turns.map((turn) => turn.split(" ").map(readMove));
    // The committed move after the last written turn is arbitrary.
    this.driver = new EngineDriver(match, [armies[0], armies[1]], random, ([any], { turn }, side) => {
      const moves = written.at(turn - 1);
      return moves === undefined ? any : moves[moves.length === 1 ? 0 : side];
    });
    this.driver.rides = true;
    this.driver.start();
    this.history = {
      addresses: { Warmancer: game },
      mode: async () => encodeMode(mode),
    } as unknown as History;
  }

  /** Plays the written turns. */
  play(): this {
    const { driver } = this;
    while (!driver.over && driver.position.turn <= this.turns.length) driver.step();
    return this;
  }

  /**
   * Returns the record of the actions that were sent.
   * @param isOver True if player 2 has resigned, or the game is over.
   */
  record(isOver = this.driver.over): MatchRecord {
    const { match, sent } = this.driver;
    const { chainId, game, matchId, players, rated } = match;
    const terms = {
      game,
      mode: toBeHex(1, 32),
      token: ZeroAddress,
      stake1: 0n,
      stake2: 0n,
      clock: 60n,
      feeBps: 0n,
      rated,
    };
    return {
      chainId: BigInt(chainId),
      matchId,
      terms,
      player1: players[0],
      player2: players[1],
      funded: [],
      createData: sent[0].data,
      joinData: sent[1].data,
      actions: sent.slice(2).map(({ seat, data }) => ({ seat, data })),
      logs: sent.flatMap(({ outcome }) => outcome.logs),
      ...(isOver && { settlement: RESIGNED }),
    };
  }

  /** Returns a secret store with the secrets of a side. */
  store(side: number): SecretStore {
    const reveal = async (committed: Hex) => this.driver.secretOf(committed) ?? this.secret(side);
    return { reveal } as unknown as SecretStore;
  }

  /** Returns the secret behind a side's setup. */
  secret(side: number): Secret {
    const { secret, ranks } = this.driver.setups[side];
    return { move: hexOf(Uint8Array.from(ranks)), salt: secret };
  }
}
