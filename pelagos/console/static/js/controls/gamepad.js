// A gamepad of the standard mapping, polled when sticks are read. readPad() is the only place that asks the browser.

/**
 * The first gamepad that is there, as plain numbers.
 * @returns {{id: string, axes: number[], buttons: number[]} | null}
 */
export function readPad() {
  const pads = globalThis.navigator?.getGamepads?.() ?? [];
  for (const pad of pads) {
    if (!pad || !pad.connected) continue;
    return { id: pad.id, axes: [...pad.axes], buttons: pad.buttons.map((button) => button.value) };
  }
  return null;
}

/**
 * No motion inside the dead zone, then a line from 0 to 1 bent by `expo`: (1 - e) x + e x^3. Fine in the middle, all
 * of it at the end.
 * @param {number} value -1..1
 * @param {{deadZone?: number, expo?: number}} [shape]
 */
export function shaped(value, { deadZone = 0.1, expo = 0.35 } = {}) {
  const size = Math.min(1, Math.abs(value));
  if (!(size > deadZone)) return 0;
  const line = (size - deadZone) / (1 - deadZone);
  return Math.sign(value) * ((1 - expo) * line + expo * line ** 3);
}

const PRESSED = 0.5;

export class Pad extends EventTarget {
  /**
   * @param {import("./bindings.js").Bindings} bindings
   * @param {typeof readPad} [read]
   */
  constructor(bindings, read = readPad) {
    super();
    this.bindings = bindings;
    this.read = read;
    this.shape = { deadZone: 0.1, expo: 0.35 };
    /** @type {ReturnType<typeof readPad>} */
    this.now = null;
    /** @type {Set<string>} */
    this.down = new Set();
    /** @type {((part: string) => void) | null} */
    this.capture = null;
  }

  /** Read the pad once; tell which actions were pressed since the last time. */
  poll() {
    this.now = this.read();
    const down = new Set(this.pressedParts());
    const fresh = [...down].filter((part) => !this.down.has(part));
    this.down = down;
    if (fresh.length > 0 && this.capture) {
      const take = this.capture;
      this.capture = null;
      take(fresh[0]);
      return;
    }
    for (const part of fresh) {
      for (const action of this.bindings.actionsOf("pad", part)) {
        if (!action.axis) this.dispatchEvent(new CustomEvent("action", { detail: action.id }));
      }
    }
  }

  /** @returns {string[]} */
  pressedParts() {
    if (!this.now) return [];
    const parts = this.now.buttons.flatMap((value, at) => (value > PRESSED ? [`b${at}`] : []));
    for (const [at, value] of this.now.axes.entries()) {
      if (Math.abs(value) > PRESSED) parts.push(`a${at}${value < 0 ? "-" : "+"}`);
    }
    return parts;
  }

  /**
   * How far an action is pushed, 0..1.
   * @param {string} id
   */
  level(id) {
    return Math.max(0, ...this.bindings.get("pad", id).map((part) => this.partLevel(part)));
  }

  /** @param {string} part */
  partLevel(part) {
    if (!this.now) return 0;
    const at = Number.parseInt(part.slice(1), 10);
    if (part.startsWith("b")) return Math.min(1, Math.max(0, this.now.buttons[at] ?? 0));
    const value = shaped(this.now.axes[at] ?? 0, this.shape);
    return Math.max(0, part.endsWith("-") ? -value : value);
  }
}
