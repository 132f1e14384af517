// Values in figures: place, motion, camera; tether, power, current, link.
import { ValueBox, element, write } from "./box.js";
import { DASH, bearing, shown, signed } from "./format.js";
import { statusKind, statusWords } from "./tether_status.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{latency_ms?: number, fps?: number, link?: string}} Extra */

const DEG = Math.PI / 180;
const LOW = 25; // per cent of a battery
const EMPTY = 10;

/**
 * Speed and direction of the water, level: where it runs to.
 * @param {Sample} sample
 */
export function current(sample) {
  const north = sample.get("current_north_m_s");
  const east = sample.get("current_east_m_s");
  const speed = Math.hypot(north, east);
  return { speed, to: speed >= 0.005 ? (Math.atan2(east, north) / DEG + 360) % 360 : NaN };
}

/** Where it is and how it moves. */
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
    box.set("north_m", shown(sample.get("north_m"), 2));
    box.set("east_m", shown(sample.get("east_m"), 2));
    box.set("speed_m_s", shown(sample.get("speed_m_s"), 2));
    box.set("course_deg", sample.get("speed_m_s") < 0.01 ? DASH : bearing(sample.get("course_deg")));
    box.set("depth_rate_m_s", signed(sample.get("depth_rate_m_s"), 2));
    box.set("yaw_rate_deg_s", signed(sample.get("yaw_rate_deg_s"), 1));
    box.set("pan_tilt", `${signed(sample.get("pan_deg"), 0)} ${signed(sample.get("tilt_deg"), 0)}`);
    const { speed, to } = current(sample);
    box.set("current", Number.isFinite(to) ? `${bearing(to)} ${shown(speed, 2)}` : shown(speed, 2));
  }
}

const PARTED = 16; // bit of tether_status

/**
 * What the drum keeps to: the codes of `tether_payout` in words, with the figure as it is now.
 * @param {Sample} sample
 */
export function drum(sample) {
  const rate = sample.get("tether_rate_m_s");
  switch (sample.get("tether_payout")) {
    case 0: return "fixed";
    case 1: return `coefficient ${shown(sample.get("tether_ratio"), 2)}`;
    case 2: return `winch ${signed(rate, 2)} m/s`;
    case 3: return "by tension";
    default: return "";
  }
}

/** The cable between the ship and the vehicle. */
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
    this.drum = element(parent.ownerDocument, "span", "reading");
    this.drum.dataset.value = "tether_payout";
    this.box.title.append(this.drum);
    this.status = this.box.section.ownerDocument.createElement("p");
    this.status.className = "word status";
    this.status.dataset.value = "tether_status";
    this.box.section.append(this.status);
  }

  /** @param {Sample} sample */
  draw(sample) {
    const length = sample.get("tether_length_m");
    const there = Number.isFinite(length);
    this.box.show(there);
    if (!there) return;
    const code = sample.get("tether_status");
    const kind = statusKind(code);
    const grave = kind === "caution" || kind === "alarm" ? kind : "";
    const parted = (code & PARTED) !== 0;
    /** @param {string} key @param {string} text @param {"" | "caution" | "alarm"} [how] */
    const set = (key, text, how = "") => this.box.set(key, parted ? DASH : text, how); // what is cut off says nothing
    write(this.drum, parted ? "" : drum(sample));
    set("tether_length_m", shown(length, 1));
    set("tether_ratio", shown(sample.get("tether_ratio"), 2));
    set("tether_rate_m_s", signed(sample.get("tether_rate_m_s"), 2));
    set("tether_tension_N", shown(sample.get("tether_tension_N"), 0), grave);
    set("tether_aground_m", shown(sample.get("tether_aground_m"), 1));
    const text = statusWords(code);
    if (this.status.textContent !== text) this.status.textContent = text;
    if (this.status.dataset.kind !== kind) this.status.dataset.kind = kind;
  }
}

/** What drives it. */
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
    const left = sample.get("battery_percent");
    this.box.set("battery_percent", shown(left, 0), left < EMPTY ? "alarm" : left < LOW ? "caution" : "");
    this.box.set("battery_V", shown(sample.get("battery_V"), 1));
    this.box.set("power_W", shown(sample.get("power_W"), 0));
  }
}

/** How well the page and the simulation keep up. */
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
   * @param {Extra} extra
   */
  draw(sample, extra) {
    const latency = extra.latency_ms ?? NaN;
    this.box.set("latency_ms", shown(latency, 0), latency > 250 ? "caution" : "");
    this.box.set("fps", shown(extra.fps ?? NaN, 0));
    const load = sample?.get("load_percent") ?? NaN;
    this.box.set("load_percent", shown(load, 0), load > 90 ? "caution" : "");
    const overruns = sample?.get("overruns") ?? NaN;
    this.box.set("overruns", shown(overruns, 0), overruns > 0 ? "caution" : "");
  }
}
