/** Synthesised sounds: a tile laid or drawn, a bonus, the end. */
import { afterFrame } from "./afterFrame";
import { settings } from "./settings.svelte";

export type Sound = "place" | "draw" | "pass" | "bridge" | "hexagon" | "turn" | "win";

interface Tone {
  /** Hertz. */
  pitch: number;
  /** Start and duration in seconds. */
  at: number;
  length: number;
  loud: number;
  shape?: OscillatorType;
  /** The pitch at the end. */
  to?: number;
}

const TONES: Record<Sound, Tone[]> = {
  place: [
    { pitch: 420, to: 130, at: 0, length: 0.09, loud: 0.5, shape: "triangle" },
    { pitch: 1700, to: 900, at: 0, length: 0.025, loud: 0.16 },
  ],
  draw: [{ pitch: 260, to: 390, at: 0, length: 0.1, loud: 0.22 }],
  pass: [{ pitch: 220, to: 180, at: 0, length: 0.14, loud: 0.2 }],
  turn: [
    { pitch: 660, at: 0, length: 0.16, loud: 0.16 },
    { pitch: 880, at: 0.09, length: 0.22, loud: 0.14 },
  ],
  bridge: [
    { pitch: 523, at: 0.04, length: 0.3, loud: 0.2 },
    { pitch: 784, at: 0.12, length: 0.4, loud: 0.2 },
  ],
  hexagon: [523, 659, 784, 988, 1175, 1319].map((pitch, index) => ({
    pitch,
    at: 0.04 + index * 0.055,
    length: 0.38,
    loud: 0.15,
  })),
  win: [523, 659, 784, 1047].map((pitch, index) => ({
    pitch,
    at: index * 0.13,
    length: 0.6,
    loud: 0.18,
  })),
};

const VOLUME = 0.35;
let context: AudioContext | null = null;

/** Whether there are sounds, in the company of other people or without. */
export const isOn = (company: boolean): boolean => settings.sound ?? !company;

/** Play a sound if sounds are on and the user has interacted with the page. */
export function play(sound: Sound, company = false): void {
  // Opening the audio device takes a while, so paint first.
  afterFrame(() => {
    if (!isOn(company) || !navigator.userActivation?.hasBeenActive) return;
    context ??= new AudioContext();
    const start = context.currentTime + 0.01;
    for (const tone of TONES[sound]) playTone(context, tone, start);
  });
}

function playTone(audio: AudioContext, tone: Tone, start: number): void {
  const voice = audio.createOscillator();
  const level = audio.createGain();
  const from = start + tone.at;
  voice.type = tone.shape ?? "sine";
  voice.frequency.setValueAtTime(tone.pitch, from);
  if (tone.to) voice.frequency.exponentialRampToValueAtTime(tone.to, from + tone.length);
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(VOLUME * tone.loud, from + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, from + tone.length);
  voice.connect(level).connect(audio.destination);
  voice.start(from);
  voice.stop(from + tone.length + 0.02);
}
