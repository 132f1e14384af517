// Shows values as numbers: position and motion, tether, power, connection.
import { ValueBox, element, write } from "./box.js";
import { DASH, bearing, formatNumber, signed } from "./format.js";
import { statusKind, statusWords } from "./tether_status.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{latency_ms?: number, fps?: number, link?: string}} PageStatus of the connection and the drawing */

const DEG = Math.PI / 180;
const LOW = 25; // per cent of a battery
const EMPTY = 10;

/**
 * The horizontal current: its speed in m/s and the direction it runs to in deg, NaN in still water.
 * @param {Sample} sample
 */
export function currentOf(sample) {
  const north = sample.get("current_north_m_s");
  const east = sample.get("current_east_m_s");
  const speed = Math.hypot(north, east);
  return { speed, to: speed >= 0.005 ? (Math.atan2(east, north) / DEG + 360) % 360 : NaN };
}

/** Position and motion of the vehicle, direction of the camera, current. */
export class Navigation {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new ValueBox(parent, "Position, motion", "values-navigation", [
      ["north_m", "North", "m"],
      ["east_m", "East", "m"],
      ["speed_m_s", "Speed", "m/s"],
      ["course_deg", "Course", ""],
      ["depth_rate_m_s", "Sinking", "m/s"],
      ["yaw_rate_deg_s", "Turning", "\u00b0/s"],
      ["pan_tilt", "Pan, tilt", "\u00b0"],
      ["current", "Current", "m/s"],
    ]);
  }

  /** @param {Sample} sample */
  draw(sample) {
    const { box } = this;
    box.set("north_m", formatNumber(sample.get("north_m"), 2));
    box.set("east_m", formatNumber(sample.get("east_m"), 2));
    box.set("speed_m_s", formatNumber(sample.get("speed_m_s"), 2));
    box.set("course_deg", sample.get("speed_m_s") < 0.01 ? DASH : bearing(sample.get("course_deg")));
    box.set("depth_rate_m_s", signed(sample.get("depth_rate_m_s"), 2));
    box.set("yaw_rate_deg_s", signed(sample.get("yaw_rate_deg_s"), 1));
    box.set("pan_tilt", `${signed(sample.get("pan_deg"), 0)} ${signed(sample.get("tilt_deg"), 0)}`);
    const { speed, to } = currentOf(sample);
    box.set("current", Number.isFinite(to) ? `${bearing(to)} ${formatNumber(speed, 2)}` : formatNumber(speed, 2));
  }
}

const PARTED = 16; // the bit of tether_status for a parted cable

/**
 * The law that pays out the tether: the code `tether_payout` in words, with its present value.
 * @param {Sample} sample
 */
export function payoutText(sample) {
  const rate = sample.get("tether_rate_m_s");
  switch (sample.get("tether_payout")) {
    case 0: return "fixed";
    case 1: return `coefficient ${formatNumber(sample.get("tether_ratio"), 2)}`;
    case 2: return `winch ${signed(rate, 2)} m/s`;
    case 3: return "by tension";
    default: return "";
  }
}

/** State of the tether between ship and vehicle. */
export class TetherReadings {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new ValueBox(parent, "Tether", "values-tether", [
      ["tether_length_m", "Length", "m"],
      ["tether_ratio", "Coefficient", ""],
      ["tether_rate_m_s", "Payout", "m/s"],
      ["tether_tension_N", "Tension", "N"],
      ["tether_aground_m", "Aground", "m"],
    ]);
    this.payout = element(parent.ownerDocument, "span", "reading");
    this.payout.dataset.value = "tether_payout";
    this.box.title.append(this.payout);
    this.status = this.box.section.ownerDocument.createElement("p");
    this.status.className = "word status";
    this.status.dataset.value = "tether_status";
    this.box.section.append(this.status);
  }

  /** @param {Sample} sample */
  draw(sample) {
    const length = sample.get("tether_length_m");
    const present = Number.isFinite(length);
    this.box.show(present);
    if (!present) return;
    const code = sample.get("tether_status");
    const kind = statusKind(code);
    const tensionKind = kind === "caution" || kind === "alarm" ? kind : "";
    const parted = (code & PARTED) !== 0;
    /** @param {string} key @param {string} text @param {"" | "caution" | "alarm"} [severity] */
    const set = (key, text, severity = "") => this.box.set(key, parted ? DASH : text, severity); // parted: no values
    write(this.payout, parted ? "" : payoutText(sample));
    set("tether_length_m", formatNumber(length, 1));
    set("tether_ratio", formatNumber(sample.get("tether_ratio"), 2));
    set("tether_rate_m_s", signed(sample.get("tether_rate_m_s"), 2));
    set("tether_tension_N", formatNumber(sample.get("tether_tension_N"), 0), tensionKind);
    set("tether_aground_m", formatNumber(sample.get("tether_aground_m"), 1));
    const text = statusWords(code);
    if (this.status.textContent !== text) this.status.textContent = text;
    if (this.status.dataset.kind !== kind) this.status.dataset.kind = kind;
  }
}

/** Battery and electric power. */
export class PowerReadings {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new ValueBox(parent, "Power", "values-power", [
      ["battery_percent", "Battery", "%"],
      ["battery_V", "Voltage", "V"],
      ["power_W", "Power", "W"],
    ]);
  }

  /** @param {Sample} sample */
  draw(sample) {
    const charge = sample.get("battery_percent");
    const kind = charge < EMPTY ? "alarm" : charge < LOW ? "caution" : "";
    this.box.set("battery_percent", formatNumber(charge, 0), kind);
    this.box.set("battery_V", formatNumber(sample.get("battery_V"), 1));
    this.box.set("power_W", formatNumber(sample.get("power_W"), 0));
  }
}

/** Latency of the connection, frame rate of the page and load of the simulation. */
export class LinkReadings {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new ValueBox(parent, "Link", "values-link", [
      ["latency_ms", "Latency", "ms"],
      ["fps", "Frames", "/s"],
      ["load_percent", "Load", "%"],
      ["overruns", "Overruns", ""],
    ]);
  }

  /**
   * @param {Sample | null} sample
   * @param {PageStatus} page
   */
  draw(sample, page) {
    const latency = page.latency_ms ?? NaN;
    this.box.set("latency_ms", formatNumber(latency, 0), latency > 250 ? "caution" : "");
    this.box.set("fps", formatNumber(page.fps ?? NaN, 0));
    const load = sample?.get("load_percent") ?? NaN;
    this.box.set("load_percent", formatNumber(load, 0), load > 90 ? "caution" : "");
    const overruns = sample?.get("overruns") ?? NaN;
    this.box.set("overruns", formatNumber(overruns, 0), overruns > 0 ? "caution" : "");
  }
}
