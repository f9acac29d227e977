import { getBytes } from "ethers";
import { curve, useCurve } from "../../sdk/protocol/curve.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { MoveMessage } from "../../sdk/protocol/channels/wire.js";
import { moveAfter, pairOf, senderOfMove } from "./pair.js";

/** Messages of each pair, in order. */
export type Recording = readonly (readonly MoveMessage[])[];

/** Bytes of a signature that identify it among those of a run. */
const MARK_BYTES = 16;

/** Signs all messages of all pairs, and makes this process look up their signers from now on instead of recovering them. */
export function record(at: ChannelsAt, pairs: number, seed: string, count: number): Recording {
  const signers = new Map<string, Uint8Array>();
  const recording = Array.from({ length: pairs }, (_, i) => {
    const pair = pairOf(seed, i);
    const keys = pair.keys.map(({ publicKey }) => getBytes(publicKey));
    const messages: MoveMessage[] = [];
    for (let last: MoveMessage | undefined; messages.length < count; messages.push(last)) {
      last = moveAfter(pair, at, last, 0);
      signers.set(markOf(getBytes(last.signature)), keys[senderOfMove(last) - 1]);
    }
    return messages;
  });
  const { sign, recover } = curve();
  useCurve({
    sign,
    recover: (digest, signature, recoveryId) =>
      signers.get(markOf(signature)) ?? recover(digest, signature, recoveryId),
  });
  return recording;
}

function markOf(signature: Uint8Array): string {
  return Buffer.from(signature.subarray(0, MARK_BYTES)).toString("latin1");
}
