// Turns an action into the order for the server, which may depend on the state. Pure functions; nothing is sent here.
import { STICKS } from "./actions.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").Order} Order */

// Steps of the actions that raise or lower a value.
export const TRIM_STEP = 0.05;
export const LIGHT_STEP = 0.25;
export const RATIO_STEP = 0.05;
export const GAIN_STEP = 0.1;
export const WINCH_M_S = 0.5;
export const TIME_SCALES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
export const STICK_FRAMES = ["body", "camera", "north"];
export const SEEK_S = 5;

/** The column of each hold that is a number while the hold is on, and NaN while it is off. */
export const HOLD_COLUMNS = /** @type {Record<string, string>} */ ({
  depth: "hold_depth_m", altitude: "hold_altitude_m", heading: "hold_heading_deg", position: "hold_north_m",
  speed: "hold_speed_m_s", level: "hold_roll_deg",
});

/**
 * Whether a hold is on.
 * @param {Sample} sample
 * @param {string} hold
 */
export function isHeld(sample, hold) {
  if (hold === "mission") return sample.get("hold_mission") > 0;
  return Number.isFinite(sample.get(HOLD_COLUMNS[hold] ?? ""));
}

/**
 * The order of an action, or null if the action concerns only the page or no state is known.
 * @param {string} action
 * @param {Sample | null} sample
 * @param {{winch_m_s?: number, duration_s?: number}} [settings] duration_s: of a replay
 * @returns {Order | null}
 */
export function orderOf(action, sample, settings = {}) {
  if (!sample) return null;
  const fixed = FIXED[action];
  if (fixed) return { ...fixed };
  if (action.startsWith("hold_")) {
    const hold = action.slice(5);
    return { name: "hold", hold, on: !isHeld(sample, hold) };
  }
  if (action.startsWith("trim_")) return trimOrder(action, sample);
  const { winch_m_s: winch = WINCH_M_S, duration_s: end = Infinity } = settings;
  switch (action) {
    case "stick_frame":
      return { name: "stick_frame", frame: STICK_FRAMES[(number(sample, "stick_frame") + 1) % STICK_FRAMES.length] };
    case "gain_up":
      return { name: "gain", factor: stepped(number(sample, "gain", 1), GAIN_STEP, GAIN_STEP, 1) };
    case "gain_down":
      return { name: "gain", factor: stepped(number(sample, "gain", 1), -GAIN_STEP, GAIN_STEP, 1) };
    case "lights_up":
      return { name: "lights", level: stepped(number(sample, "lights"), LIGHT_STEP, 0, 1) };
    case "lights_down":
      return { name: "lights", level: stepped(number(sample, "lights"), -LIGHT_STEP, 0, 1) };
    case "tether_longer":
      return { name: "tether", ratio: stepped(number(sample, "tether_ratio", 1), RATIO_STEP, 1, 5) };
    case "tether_shorter":
      return { name: "tether", ratio: stepped(number(sample, "tether_ratio", 1), -RATIO_STEP, 1, 5) };
    case "winch_out":
      return { name: "tether", rate_m_s: winch };
    case "winch_in":
      return { name: "tether", rate_m_s: -winch };
    case "pause":
      return { name: "pause", on: !(sample.get("paused") > 0) };
    case "record":
      return { name: "record", on: !(sample.get("recording") > 0) };
    case "time_faster":
      return { name: "time_scale", factor: nextScale(number(sample, "time_scale", 1), 1) };
    case "time_slower":
      return { name: "time_scale", factor: nextScale(number(sample, "time_scale", 1), -1) };
    case "seek_back":
      return { name: "seek", time_s: Math.max(0, sample.time - SEEK_S) };
    case "seek_on":
      return { name: "seek", time_s: Math.min(end, sample.time + SEEK_S) };
    default:
      return null;
  }
}

/** Orders that do not depend on the state. */
const FIXED = /** @type {Record<string, Order>} */ ({
  trim_reset: { name: "trim_reset" },
  camera_centre: { name: "camera", centre: true },
  winch_stop: { name: "tether", rate_m_s: 0 },
  ship_follow: { name: "ship", follow: true },
  ship_stop: { name: "ship", stop: true },
  reset: { name: "reset" },
  time_normal: { name: "time_scale", factor: 1 },
  seek_start: { name: "seek", time_s: 0 },
});

/**
 * The order that moves a trim by one step.
 * @param {string} action trim_AXIS_up or trim_AXIS_down
 * @param {Sample} sample
 * @returns {Order | null}
 */
function trimOrder(action, sample) {
  const [, axis, direction] = action.split("_");
  if (!STICKS.includes(/** @type {any} */ (axis))) return null;
  const step = direction === "up" ? TRIM_STEP : -TRIM_STEP;
  return { name: "trim", [axis]: stepped(number(sample, `trim_${axis}`), step, -1, 1) };
}

/**
 * The value after one step, rounded to a multiple of the step and limited to a range.
 * @param {number} value
 * @param {number} step
 * @param {number} least
 * @param {number} most
 */
export function stepped(value, step, least, most) {
  const next = Math.round(value / step) * step + step;
  return Math.round(Math.min(most, Math.max(least, next)) * 1e6) / 1e6;
}

/**
 * The next larger or smaller factor of simulated time; the largest or smallest if there is none.
 * @param {number} scale
 * @param {1 | -1} direction
 */
export function nextScale(scale, direction) {
  const tolerance = 1e-6; // the server returns the factor as float32
  const further = TIME_SCALES.filter((other) => direction * (other - scale) > tolerance * scale);
  if (further.length === 0) return TIME_SCALES[direction > 0 ? TIME_SCALES.length - 1 : 0];
  return direction > 0 ? further[0] : further[further.length - 1];
}

/**
 * The value of a column, or a default if it is unknown.
 * @param {Sample} sample
 * @param {string} name
 * @param {number} [unknown]
 */
function number(sample, name, unknown = 0) {
  const value = sample.get(name);
  return Number.isFinite(value) ? value : unknown;
}
