// Several sources of stick motion made into one: on each axis the largest deflection wins.
import { ACTIONS, AXES } from "./actions.js";

/** @typedef {Record<string, number>} AxisValues by axis, -1..1 */

const HELD = ACTIONS.filter((action) => action.axis);

/**
 * The axes of a source that knows how far each action is pushed: both sides of an axis at once cancel.
 * @param {(id: string) => number} level 0..1
 * @returns {AxisValues}
 */
export function axesOf(level) {
  const out = /** @type {AxisValues} */ ({});
  for (const action of HELD) {
    const axis = String(action.axis);
    out[axis] = (out[axis] ?? 0) + Number(action.sign) * level(action.id);
  }
  return out;
}

/**
 * @param {AxisValues[]} sources
 * @returns {AxisValues}
 */
export function merged(sources) {
  const out = /** @type {AxisValues} */ ({});
  for (const axis of AXES) {
    let best = 0;
    for (const source of sources) {
      const value = source[axis] ?? 0;
      if (Math.abs(value) > Math.abs(best)) best = value;
    }
    out[axis] = Math.min(1, Math.max(-1, best));
  }
  return out;
}

/**
 * @param {AxisValues} axes
 * @returns {import("../types.js").Input}
 */
export function inputOf(axes) {
  const { surge = 0, sway = 0, heave = 0, roll = 0, pitch = 0, yaw = 0, pan = 0, tilt = 0, zoom = 0 } = axes;
  return { sticks: { surge, sway, heave, roll, pitch, yaw }, pan, tilt, zoom };
}

export class Sticks {
  /**
   * @param {import("./keyboard.js").Keyboard} keyboard
   * @param {import("./gamepad.js").Pad} pad
   * @param {{axes: () => AxisValues}[]} others such as sticks on the screen
   */
  constructor(keyboard, pad, others) {
    this.keyboard = keyboard;
    this.pad = pad;
    this.others = others;
  }

  /** @returns {import("../types.js").Input} */
  read() {
    this.pad.poll();
    const keys = axesOf((id) => this.keyboard.level(id));
    const pad = axesOf((id) => this.pad.level(id));
    return inputOf(merged([keys, pad, ...this.others.map((one) => one.axes())]));
  }
}
