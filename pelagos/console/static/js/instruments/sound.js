// Rings a bell at a collision and hums with the effort of the thrusters. Browsers allow sound only after the first key
// or touch.

/** @typedef {import("../types.js").Sample} Sample */

const BELL = [
  // partials of a small bell: multiple of the pitch, loudness, decay time in s
  [1, 0.5, 1.1],
  [2.76, 0.25, 0.6],
  [5.4, 0.12, 0.35],
];
const BELL_HZ = 660;
const HUM_HZ = 58;
const HUM_LOUDEST = 0.05;

/**
 * The effort of all thrusters, 0 to 1: the root mean square of their shares of full thrust; unknown ones are left out.
 * @param {number[]} shares NaN where unknown
 */
export function effort(shares) {
  const known = shares.filter(Number.isFinite);
  if (known.length === 0) return 0;
  return Math.min(1, Math.sqrt(known.reduce((sum, share) => sum + share * share, 0) / known.length));
}

/** Plays the sounds that belong to the state. */
export class Sound {
  /** @param {EventTarget} [gestures] source of the first key or touch */
  constructor(gestures = globalThis) {
    this.muted = false;
    /** Whether the thrusters hum. */
    this.hum = false;
    this.collisions = NaN;
    /** The number of collisions signalled, also while muted. */
    this.rung = 0;
    /** @type {AudioContext | null} */
    this.audio = null;
    /** @type {{tone: OscillatorNode, gain: GainNode} | null} */
    this.motor = null;
    /** @type {string[]} */
    this.thrusters = [];
    const unlock = () => this.unlock();
    for (const kind of ["pointerdown", "keydown"]) {
      gestures.addEventListener?.(kind, unlock, { once: true, passive: true });
    }
  }

  /** @param {import("../types.js").Hello} hello */
  setHello(hello) {
    this.thrusters = (hello.source.vehicle?.thrusters ?? []).map(({ name }) => `thruster_${name}`);
    this.collisions = NaN;
  }

  unlock() {
    if (this.audio) return;
    try {
      this.audio = new AudioContext();
      this.audio.resume().catch(() => {});
    } catch {
      this.audio = null; // no sound device; the crash lines show a collision as well
    }
  }

  /** @param {Sample | null} sample */
  draw(sample) {
    if (!sample) return;
    const collisions = sample.get("collisions");
    if (collisions > this.collisions) this.bell();
    this.collisions = collisions;
    const audible = this.hum && !this.muted && !(sample.get("paused") > 0);
    this.setHum(audible ? effort(this.thrusters.map((name) => sample.get(name))) : 0);
  }

  bell() {
    this.rung += 1;
    const { audio } = this;
    if (!audio || this.muted || audio.state !== "running") return;
    for (const [pitch, loudness, seconds] of BELL) {
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.frequency.value = BELL_HZ * pitch;
      gain.gain.setValueAtTime(0.3 * loudness, audio.currentTime);
      gain.gain.exponentialRampToValueAtTime(1e-4, audio.currentTime + seconds);
      tone.connect(gain).connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + seconds);
    }
  }

  /**
   * Set loudness and pitch of the hum.
   * @param {number} share of the full effort
   */
  setHum(share) {
    const { audio } = this;
    if (!audio || audio.state !== "running") return;
    if (!this.motor) {
      if (share === 0) return;
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.type = "sawtooth";
      gain.gain.value = 0;
      const filter = audio.createBiquadFilter();
      filter.type = "lowpass";
      filter.frequency.value = 320;
      tone.connect(filter).connect(gain).connect(audio.destination);
      tone.start();
      this.motor = { tone, gain };
    }
    this.motor.gain.gain.setTargetAtTime(HUM_LOUDEST * share, audio.currentTime, 0.1);
    this.motor.tone.frequency.setTargetAtTime(HUM_HZ * (1 + 1.2 * share), audio.currentTime, 0.1);
  }
}
