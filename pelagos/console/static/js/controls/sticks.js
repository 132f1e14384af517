// Combines keyboard, gamepad and other sources into one stick input: on each axis the largest deflection wins.
import { ACTIONS, AXES } from "./actions.js";

/** @typedef {Record<string, number>} AxisValues by axis, -1..1 */

const HELD = ACTIONS.filter((action) => action.axis);

/**
 * The axis values of a source that gives the deflection of each action; opposite actions of an axis cancel.
 * @param {(id: string) => number} level 0..1
 * @returns {AxisValues}
 */
export function axesOf(level) {
  const axes = /** @type {AxisValues} */ ({});
  for (const action of HELD) {
    const axis = String(action.axis);
    axes[axis] = (axes[axis] ?? 0) + Number(action.sign) * level(action.id);
  }
  return axes;
}

/**
 * The value with the largest deflection on each axis, limited to -1..1.
 * @param {AxisValues[]} sources
 * @returns {AxisValues}
 */
export function merged(sources) {
  const axes = /** @type {AxisValues} */ ({});
  for (const axis of AXES) {
    let largest = 0;
    for (const source of sources) {
      const value = source[axis] ?? 0;
      if (Math.abs(value) > Math.abs(largest)) largest = value;
    }
    axes[axis] = Math.min(1, Math.max(-1, largest));
  }
  return axes;
}

/**
 * The input message's content of axis values; a missing axis is 0.
 * @param {AxisValues} axes
 * @returns {import("../types.js").Input}
 */
export function inputOf(axes) {
  const { surge = 0, sway = 0, heave = 0, roll = 0, pitch = 0, yaw = 0, pan = 0, tilt = 0, zoom = 0 } = axes;
  return { sticks: { surge, sway, heave, roll, pitch, yaw }, pan, tilt, zoom };
}

/** All sources of stick input. */
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

  /**
   * Poll the gamepad and combine all sources.
   * @returns {import("../types.js").Input}
   */
  read() {
    this.pad.poll();
    const keys = axesOf((id) => this.keyboard.level(id));
    const pad = axesOf((id) => this.pad.level(id));
    return inputOf(merged([keys, pad, ...this.others.map((source) => source.axes())]));
  }
}
