// Predicts the effect of orders that were just sent. Several quick presses then add up, although the snapshots do not
// show the first of them yet.
import { STICKS } from "./actions.js";
import { HOLD_COLUMNS, STICK_FRAMES } from "./orders.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").Order} Order */

export const PENDING_MS = 1000; // by then the snapshots show the effect, or the order had none

/**
 * The columns that an order sets, with their new values; a seek sets the pseudo-column "time".
 * @param {Order} order
 * @returns {Record<string, number>}
 */
export function effectOf(order) {
  const { name } = order;
  if (name === "trim_reset") return Object.fromEntries(STICKS.map((axis) => [`trim_${axis}`, 0]));
  if (name === "trim") return definedValues(STICKS.map((axis) => [`trim_${axis}`, order[axis]]));
  if (name === "hold") {
    const column = order.hold === "mission" ? "hold_mission" : HOLD_COLUMNS[order.hold];
    if (!column) return {};
    const off = order.hold === "mission" ? 0 : NaN;
    return { [column]: order.on ? 1 : off };
  }
  const column = COLUMNS[name];
  if (!column) return {};
  const [key, target] = column;
  if (order[key] === undefined) return {};
  if (name === "stick_frame") return { [target]: STICK_FRAMES.indexOf(order.frame) };
  return { [target]: Number(order[key]) };
}

/** The key of each order's value, and the column that shows its effect. */
const COLUMNS = /** @type {Record<string, [key: string, column: string]>} */ ({
  lights: ["level", "lights"], tether: ["ratio", "tether_ratio"], gain: ["factor", "gain"],
  time_scale: ["factor", "time_scale"], stick_frame: ["frame", "stick_frame"], camera: ["index", "camera_index"],
  pause: ["on", "paused"], record: ["on", "recording"], seek: ["time_s", "time"], arm: ["on", "armed"],
});

/**
 * An object of the pairs whose value is defined.
 * @param {[string, number | undefined][]} pairs
 */
function definedValues(pairs) {
  return Object.fromEntries(/** @type {[string, number][]} */ (pairs.filter(([, value]) => value !== undefined)));
}

/** Keeps the effects of sent orders for a second and applies them to states. */
export class PendingOrders {
  /** @param {() => number} [clock] ms */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
    /** @type {Map<string, {order: string, value: number, at: number}>} */
    this.values = new Map();
  }

  /**
   * Add an order that has been sent.
   * @param {Order} order
   */
  add(order) {
    if (order.name === "reset") this.values.clear();
    const at = this.clock();
    for (const [column, value] of Object.entries(effectOf(order))) {
      this.values.set(column, { order: order.name, value, at });
    }
  }

  /**
   * Remove the effects of an order that the server refused.
   * @param {string} name of the order
   */
  remove(name) {
    for (const [column, { order }] of this.values) if (order === name) this.values.delete(column);
  }

  /**
   * The state after the pending orders have taken effect.
   * @param {Sample | null} sample
   * @returns {Sample | null}
   */
  predict(sample) {
    const since = this.clock() - PENDING_MS;
    for (const [column, { at }] of this.values) if (at < since) this.values.delete(column);
    if (!sample || this.values.size === 0) return sample;
    const pending = new Map(this.values);
    return {
      seq: sample.seq,
      time: pending.get("time")?.value ?? sample.time,
      get: (name) => pending.get(name)?.value ?? sample.get(name),
    };
  }
}
