import { concat, toBeHex } from "ethers";
import { encodeAction } from "../../sdk/games/warmancer/actions.js";
import { moveOf } from "../../sdk/games/warmancer/moves.js";
import { Kind } from "../../sdk/games/warmancer/protocol.js";
import { RANKS, THRONE } from "../../sdk/games/warmancer/ranks.js";
import { encodeSetup, rootOf } from "../../sdk/games/warmancer/setup.js";
import { TILES } from "../../sdk/games/warmancer/tiles.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { Campaign } from "../support/warmancer.js";
import type { Fraud, Piece } from "./game.js";

const MOVE_BYTES = 2;

/** The same match in which player 2 has sealed a setup that is none, or player 1 a move, where moves are sealed. */
export function fraudsIn(campaign: Campaign): Record<string, Fraud> {
  const { casual, sequential } = campaign.match.mode;
  if (casual) return {};
  return { ...wrongSetups(campaign), ...(!sequential && wrongMoves(campaign)) };
}

/** Up to the setup, which is due as the other gives up at once. */
function wrongSetups({ match, setups, random }: Campaign): Record<string, Fraud> {
  const { secret, ranks } = setups[1];
  const throne = ranks.indexOf(THRONE);
  const another = ranks.find((rank) => rank !== THRONE)!;
  const frauds = {
    "a setup without a Throne": { error: "WrongArmy", setup: { secret, ranks: ranks.with(throne, another) } },
    "a setup with a rank there is not": {
      error: "UnknownRank",
      setup: { secret, ranks: ranks.with(throne, RANKS.length) },
    },
    "a setup with a pawn less": { error: "WrongLength", setup: { secret, ranks: ranks.slice(1) } },
  };
  const unmasked = Object.entries(frauds).map(([what, { error, setup }]) => {
    const campaign = new Campaign(match, setups, random);
    campaign.roots[1] = rootOf(match.players[1], setup);
    campaign.start().send(Seat.One, encodeAction(Kind.Concede, campaign.position, campaign.concession()));
    return [what, { error, pieces: upTo(campaign, encodeAction(Kind.Setup, campaign.position, encodeSetup(setup))) }];
  });
  return Object.fromEntries(unmasked) as Record<string, Fraud>;
}

/** Up to the opening of the first move. */
function wrongMoves({ match, setups, random }: Campaign): Record<string, Fraud> {
  const [from, beside] = new Campaign(match, setups, random).start().position.sides[0].tiles;
  const frauds = {
    "a move of nobody": { error: "NoOwnPawn", move: moveOf(TILES - 1, from) },
    "a move onto an own pawn": { error: "OwnPawnThere", move: moveOf(from, beside) },
    "a move off the board": { error: "Impassable", move: moveOf(from, TILES - 1) },
  };
  const opened = Object.entries(frauds).map(([what, { error, move }]) => {
    const campaign = new Campaign(match, setups, random).start();
    const { salt, body } = campaign.sealOf(move);
    campaign.send(Seat.One, encodeAction(Kind.Seal, campaign.position, body));
    campaign.step();
    const moves = [move, Number(campaign.state.answer)].map((each) => toBeHex(each, MOVE_BYTES));
    const opening = encodeAction(Kind.Open, campaign.position, concat([salt, ...moves]));
    return [what, { error, pieces: upTo(campaign, opening) }];
  });
  return Object.fromEntries(opened) as Record<string, Fraud>;
}

/** What was sent, and what its sender, whose turn it is, sends last. */
function upTo({ sent, state }: Campaign, last: Hex): Piece[] {
  return [...sent, { seat: state.turn, data: last }].map(({ seat, data }) => ({ seat, data, wrong: {} }));
}
