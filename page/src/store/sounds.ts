/** Sounds of the page, each made of oscillators and noise. */
export type SoundName = "tap" | "hit" | "turn" | "won" | "lost" | "draw";

interface Tone {
  /** Hertz at the start and at the end. */
  readonly from: number;
  readonly to?: number;
  readonly type?: OscillatorType;
  readonly gain: number;
  readonly length: number;
}

/** Seconds in which a tone swells. */
const ATTACK = 0.004;
/** Gain that cannot be heard: an exponential ramp never reaches zero. */
const SILENT = 0.0001;

/** Notes of the end of a match, in hertz, and seconds between two of them. */
const NOTES = { won: [523.3, 659.3, 784, 1046.5], lost: [392, 329.6, 261.6], draw: [392, 392] } as const;
const BEAT = 0.12;

/**
 * Makes a sound: a tap for a choice, a hit for a blow, two bells for "your turn", or notes that rise, fall or stay.
 * @param at Time of the context, in seconds.
 * @param force Fraction of the health that a hit costs, 0 to 1.
 */
export function makeSound(context: BaseAudioContext, name: SoundName, at: number, force = 0.5): void {
  if (name === "tap") {
    tone(context, at, { from: 420, to: 180, gain: 0.16, length: 0.09 });
    noise(context, at, { gain: 0.08, length: 0.03, low: 3200, high: 3200 });
  } else if (name === "hit") {
    noise(context, at, { gain: 0.2 + 0.15 * force, length: 0.22, low: 2600, high: 300 });
    tone(context, at, { type: "sine", from: 150, to: 46, gain: 0.3 + 0.15 * force, length: 0.28 });
  } else if (name === "turn") {
    tone(context, at, { from: 659.3, gain: 0.12, length: 0.3 });
    tone(context, at + 0.13, { from: 880, gain: 0.12, length: 0.4 });
  } else {
    for (const [i, from] of NOTES[name].entries()) tone(context, at + i * BEAT, { from, gain: 0.14, length: 0.34 });
  }
}

function tone(context: BaseAudioContext, at: number, { from, to = from, type = "triangle", gain, length }: Tone): void {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(from, at);
  oscillator.frequency.exponentialRampToValueAtTime(to, at + length);
  volume.gain.setValueAtTime(SILENT, at);
  volume.gain.exponentialRampToValueAtTime(gain, at + ATTACK);
  volume.gain.exponentialRampToValueAtTime(SILENT, at + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** Makes noise that fades, through a filter that closes. */
function noise(
  context: BaseAudioContext,
  at: number,
  { gain, length, low, high }: { gain: number; length: number; low: number; high: number },
): void {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  // The same noise each time, from a linear congruential generator.
  let seed = 1;
  for (let i = 0; i < samples.length; i++) {
    seed = (seed * 16807) % 2147483647;
    samples[i] = (seed / 1073741823.5 - 1) * (1 - i / samples.length) ** 2;
  }
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  source.buffer = buffer;
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(low, at);
  filter.frequency.exponentialRampToValueAtTime(high, at + length);
  volume.gain.value = gain;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start(at);
}
