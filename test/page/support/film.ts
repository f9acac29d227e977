import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import gifenc from "gifenc";
import { PNG } from "pngjs";

/** Maximum number of colours of a film. */
const COLOURS = 128;
/** Minimum milliseconds between two pictures, and milliseconds for which the last picture is shown. */
const PAUSE = 80;
const LAST = 2_500;

/**
 * Films a part of a page as an animated GIF.
 * @param until Returns true once the last picture was taken.
 */
export async function film(page: Page, selector: string, file: string, until: () => Promise<boolean>): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const { x, y, width, height } = box!;
  const clip = { x: Math.ceil(x), y: Math.ceil(y), width: Math.floor(width), height: Math.floor(height) };
  const shots: { time: number; png: Buffer }[] = [];
  for (let isOver = false; !isOver;) {
    isOver = await until();
    shots.push({ time: performance.now(), png: await page.screenshot({ clip }) });
    await pause(Math.max(0, shots.at(-1)!.time + PAUSE - performance.now()));
  }
  // The data is copied, because the encoder reads whole buffers.
  const pictures = shots.map(({ png }) => new Uint8Array(PNG.sync.read(png).data));
  // All pictures share one palette, so that unmoving parts stay the same.
  const sample = new Uint8Array(Buffer.concat(pictures.filter((_, i) => i % 8 === 0)));
  const palette = gifenc.quantize(sample, COLOURS);
  const gif = gifenc.GIFEncoder();
  let before: Uint8Array | undefined;
  for (const [i, picture] of pictures.entries()) {
    const next = shots[i + 1]?.time ?? shots[i].time + LAST;
    const index = gifenc.applyPalette(picture, palette);
    gif.writeFrame(before ? changed(before, index, palette.length) : index, clip.width, clip.height, {
      palette: i === 0 ? [...palette, [0, 0, 0]] : undefined,
      delay: Math.round(next - shots[i].time),
      transparent: i > 0,
      transparentIndex: palette.length,
      dispose: 1,
    });
    before = index;
  }
  gif.finish();
  await writeFile(file, gif.bytes());
}

/** Returns a picture in which unchanged pixels are transparent, because long runs of one colour compress well. */
function changed(before: Uint8Array, now: Uint8Array, transparent: number): Uint8Array {
  return now.map((colour, i) => (colour === before[i] ? transparent : colour));
}
