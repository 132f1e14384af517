// What was asked for a moment ago, as if it were so already: a second press goes on from the first, not from a state
// that has not heard of it yet.
import { STICKS } from "./actions.js";
import { HOLD_COLUMNS, STICK_FRAMES } from "./orders.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").Order} Order */

export const FRESH_MS = 1000; // by then the state has heard of it, or it was not done

/**
 * The columns that an order will set, and to what; the time of a replay under "time".
 * @param {Order} order
 * @returns {Record<string, number>}
 */
export function effectOf(order) {
  const { name } = order;
  if (name === "trim_reset") return Object.fromEntries(STICKS.map((axis) => [`trim_${axis}`, 0]));
  if (name === "trim") return said(STICKS.map((axis) => [`trim_${axis}`, order[axis]]));
  if (name === "hold") {
    const column = order.what === "mission" ? "hold_mission" : HOLD_COLUMNS[order.what];
    if (!column) return {};
    const off = order.what === "mission" ? 0 : NaN;
    return { [column]: order.on ? 1 : off };
  }
  const column = COLUMNS[name];
  if (!column) return {};
  const [key, into] = column;
  if (order[key] === undefined) return {};
  if (name === "stick_frame") return { [into]: STICK_FRAMES.indexOf(order.frame) };
  return { [into]: Number(order[key]) };
}

/** Of an order: which value goes into which column. */
const COLUMNS = /** @type {Record<string, [key: string, into: string]>} */ ({
  lights: ["level", "lights"], tether: ["ratio", "tether_ratio"], gain: ["factor", "gain"],
  time_scale: ["factor", "time_scale"], stick_frame: ["frame", "stick_frame"], camera: ["index", "camera_index"],
  pause: ["on", "paused"], record: ["on", "recording"], seek: ["time_s", "time"], arm: ["on", "armed"],
});

/** @param {[string, number | undefined][]} pairs */
function said(pairs) {
  return Object.fromEntries(/** @type {[string, number][]} */ (pairs.filter(([, value]) => value !== undefined)));
}

export class Commanded {
  /** @param {() => number} [clock] ms */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
    /** @type {Map<string, {order: string, value: number, at: number}>} */
    this.values = new Map();
  }

  /** @param {Order} order that has been sent */
  note(order) {
    if (order.name === "reset") this.values.clear();
    const at = this.clock();
    for (const [column, value] of Object.entries(effectOf(order))) {
      this.values.set(column, { order: order.name, value, at });
    }
  }

  /**
   * It was refused: the state is what holds.
   * @param {string} name of the order
   */
  forget(name) {
    for (const [column, { order }] of this.values) if (order === name) this.values.delete(column);
  }

  /**
   * The state as it will be when what was just sent has come to pass.
   * @param {Sample | null} sample
   * @returns {Sample | null}
   */
  over(sample) {
    const since = this.clock() - FRESH_MS;
    for (const [column, { at }] of this.values) if (at < since) this.values.delete(column);
    if (!sample || this.values.size === 0) return sample;
    const asked = new Map(this.values);
    return {
      seq: sample.seq,
      time: asked.get("time")?.value ?? sample.time,
      get: (name) => asked.get(name)?.value ?? sample.get(name),
    };
  }
}
