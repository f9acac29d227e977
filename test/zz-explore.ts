import { Archive } from "../sdk/archive.js";
import type { AnyEvent } from "../sdk/events.js";
import { askChain } from "../sdk/verify/state.js";
import { verify } from "../sdk/verify/verify.js";
import { differenceText } from "../sdk/verify/difference.js";
import { connection, provider, Recording } from "./verify-support.js";

describe("Explore", function () {
  this.timeout(1_200_000);
  after(() => connection.close());
  it("x", async () => {
    const recording = await Recording.make();
    const archive = await Archive.read(provider, recording.addresses);
    const ask0 = askChain(provider, archive.last.number);
    const cache = new Map<string, Promise<string | undefined>>();
    const ask = (a: string, d: string) => {
      const k = a + d;
      if (!cache.has(k)) cache.set(k, ask0(a, d));
      return cache.get(k)!;
    };
    await verify(archive, { ask });
    const times = new Map(
      archive.all.map(({ block }) => [block, archive.timeOf(block)!] as const).filter(([, t]) => t !== undefined),
    );
    const run = async (events: AnyEvent[]) =>
      verify(
        new Archive(provider, recording.addresses, { chainId: archive.chainId, events, last: archive.last, times }),
        { ask },
      );
    const seen = new Map<string, string[]>();
    const note = (what: string, text?: string) => {
      const l = seen.get(what) ?? [];
      l.push(text ?? "MISSED");
      seen.set(what, l);
    };
    const t = performance.now();
    let n = 0;
    const all = archive.all;
    const text = async (e: AnyEvent[]) => {
      n++;
      const { difference } = await run(e);
      return difference && differenceText(difference);
    };
    for (const [i, event] of all.entries()) {
      note(`remove ${event.name}`, await text(all.toSpliced(i, 1)));
      note(`double ${event.name}`, await text(all.toSpliced(i, 0, event)));
      for (const [key, value] of Object.entries(event.args)) {
        let others: unknown[] = [];
        if (typeof value === "bigint") others = [value + 1n];
        else if (typeof value === "boolean") others = [!value];
        else if (typeof value === "string") {
          const flip = (at: number) =>
            value.slice(0, at) + (parseInt(value[at], 16) ^ 1).toString(16) + value.slice(at + 1);
          others =
            value.length === 42 && key !== "action" && key !== "opening"
              ? ["0x" + "12".repeat(20)]
              : value === "0x"
                ? ["0x00"]
                : [flip(3), flip(value.length - 1), value.slice(0, -2)];
        } else if (Array.isArray(value))
          others = [
            value.slice(1),
            [...value, 0n],
            value.map((v, k) => (k === value.length - 1 ? (v as bigint) + 1n : v)),
          ];
        else if (typeof value === "object")
          others = Object.keys(value as object).map((k) => {
            const v = (value as any)[k];
            return {
              ...(value as object),
              [k]:
                typeof v === "bigint"
                  ? v + 1n
                  : typeof v === "boolean"
                    ? !v
                    : v.length === 42
                      ? "0x" + "12".repeat(20)
                      : "0x" + "12".repeat(32),
            };
          });
        for (const [k, other] of others.entries())
          note(
            `change ${event.name}.${key} #${k}`,
            await text(all.with(i, { ...event, args: { ...event.args, [key]: other } } as AnyEvent)),
          );
      }
    }
    console.log(n, "runs", performance.now() - t);
    for (const [what, list] of seen) {
      const missed = list.filter((x) => x === "MISSED").length;
      const texts = new Map<string, number>();
      for (const each of list) {
        const k = each
          .replace(/\d{2,}/g, "N")
          .replace(/0x[0-9a-fA-F]+/g, "0x")
          .replace(/\d+/g, "N");
        texts.set(k, (texts.get(k) ?? 0) + 1);
      }
      console.log(`${what}: ${list.length}, missed ${missed}`);
      for (const [k, c] of [...texts].sort((a, b) => b[1] - a[1]).slice(0, 5))
        console.log(`      ${c} ${k.slice(0, 200)}`);
    }
  });
});
