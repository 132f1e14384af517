// Reads a gamepad with the standard mapping. Browsers send no events for its buttons and axes, so it is polled whenever
// the sticks are read.

/**
 * The axes and buttons of the first connected gamepad, or null.
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
 * The response curve of a stick: 0 inside the dead zone, then (1 - e) x + e x^3 with e = `expo`, which is fine near the
 * centre and reaches full deflection at the end.
 * @param {number} value -1..1
 * @param {{deadZone?: number, expo?: number}} [shape]
 */
export function shaped(value, { deadZone = 0.1, expo = 0.35 } = {}) {
  const size = Math.min(1, Math.abs(value));
  if (!(size > deadZone)) return 0;
  const linear = (size - deadZone) / (1 - deadZone);
  return Math.sign(value) * ((1 - expo) * linear + expo * linear ** 3);
}

const PRESSED = 0.5; // deflection from which a button or an axis counts as pressed

/** Polls a gamepad and dispatches `action` with the id of each action whose part is newly pressed. */
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
    /** Receives the next pressed part in place of its actions. @type {((part: string) => void) | null} */
    this.capture = null;
  }

  /** Read the gamepad and dispatch the actions of parts that were pressed since the last reading. */
  poll() {
    this.now = this.read();
    const down = new Set(this.pressedParts());
    const newlyPressed = [...down].filter((part) => !this.down.has(part));
    this.down = down;
    if (newlyPressed.length > 0 && this.capture) {
      const { capture } = this;
      this.capture = null;
      capture(newlyPressed[0]);
      return;
    }
    for (const part of newlyPressed) {
      for (const action of this.bindings.actionsOf("pad", part)) {
        if (!action.axis) this.dispatchEvent(new CustomEvent("action", { detail: action.id }));
      }
    }
  }

  /** @returns {string[]} */
  pressedParts() {
    if (!this.now) return [];
    const parts = this.now.buttons.flatMap((value, number) => (value > PRESSED ? [`b${number}`] : []));
    for (const [number, value] of this.now.axes.entries()) {
      if (Math.abs(value) > PRESSED) parts.push(`a${number}${value < 0 ? "-" : "+"}`);
    }
    return parts;
  }

  /**
   * The deflection of an action, 0..1.
   * @param {string} id
   */
  level(id) {
    return Math.max(0, ...this.bindings.get("pad", id).map((part) => this.partLevel(part)));
  }

  /**
   * The deflection of a part, 0..1.
   * @param {string} part
   */
  partLevel(part) {
    if (!this.now) return 0;
    const number = Number.parseInt(part.slice(1), 10);
    if (part.startsWith("b")) return Math.min(1, Math.max(0, this.now.buttons[number] ?? 0));
    const value = shaped(this.now.axes[number] ?? 0, this.shape);
    return Math.max(0, part.endsWith("-") ? -value : value);
  }
}
