// Shows which modes are on. Each lamp is also a button that sends the order to switch its mode.
import { STICK_FRAMES } from "../controls/orders.js";
import { element, write } from "./box.js";
import { formatNumber, signed } from "./format.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{key: string, label: string, hint: string, columns: string[]}} Hold */

/**
 * The holds with a lamp. A hold is on while one of its setpoint columns has a value; the mission has a switch instead.
 * @type {Hold[]}
 */
export const HOLDS = [
  { key: "heading", label: "Heading", hint: "Auto-heading", columns: ["hold_heading_deg"] },
  { key: "depth", label: "Depth", hint: "Auto-depth", columns: ["hold_depth_m"] },
  { key: "altitude", label: "Altitude", hint: "Auto-altitude", columns: ["hold_altitude_m"] },
  { key: "position", label: "Position", hint: "Auto-position", columns: ["hold_north_m"] },
  { key: "level", label: "Level", hint: "Hold roll and pitch level", columns: ["hold_roll_deg", "hold_pitch_deg"] },
  { key: "speed", label: "Speed", hint: "Auto-speed", columns: ["hold_speed_m_s"] },
  { key: "mission", label: "Mission", hint: "Follow the mission", columns: [] },
];

const LIGHT_STEP = 0.5;
const AXES = ["surge", "sway", "heave", "roll", "pitch", "yaw"];
const MOST_TRIMS = 2; // named on the lamp itself; its tooltip lists all

/**
 * Whether a hold is switched on.
 * @param {Hold} hold
 * @param {Sample} sample
 */
export function holdIsOn(hold, sample) {
  if (hold.key === "mission") return sample.get("hold_mission") > 0;
  return hold.columns.some((column) => Number.isFinite(sample.get(column)));
}

/**
 * The next level of the lights: off, half, full, off.
 * @param {number} level
 */
export function nextLight(level) {
  const present = Number.isFinite(level) ? level : 0;
  const next = Math.floor(present / LIGHT_STEP + 1 + 1e-6) * LIGHT_STEP; // 1e-6: just below a step is on it
  return next > 1 ? 0 : next;
}

/**
 * The trims that are not zero, in per cent of full stick: "surge +10".
 * @param {Sample} sample
 * @returns {string[]}
 */
export function trimsOf(sample) {
  const texts = AXES.map((axis) => `${axis} ${signed(100 * sample.get(`trim_${axis}`), 0)}`);
  return texts.filter((text) => /[1-9]/.test(text)); // neither unknown nor rounded to zero
}

/** The row of lamps. */
export class Lamps {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent;
    /** @type {Sample | null} */
    this.sample = null;
    this.replay = false;
    /** @type {string[] | null} keys of the vehicle's holds; null while unknown */
    this.holds = null;
    /** @type {Map<string, HTMLButtonElement>} */
    this.lamps = new Map();
    for (const hold of HOLDS) {
      this.make(hold.key, hold.label, hold.hint, () => this.sample
        && this.send({ name: "hold", hold: hold.key, on: !holdIsOn(hold, this.sample) }));
    }
    this.make("sticks", "Sticks: body", "What the sticks are relative to", () => {
      const frame = this.sample?.get("stick_frame") ?? 0;
      this.send({ name: "stick_frame", frame: STICK_FRAMES[((frame > 0 ? frame : 0) + 1) % STICK_FRAMES.length] });
    });
    this.make("lights", "Lights", "Lights: off, half, full", () => {
      this.send({ name: "lights", level: nextLight(this.sample?.get("lights") ?? 0) });
    });
    this.make("recording", "Rec", "Recording", () => {
      this.send({ name: "record", on: !((this.sample?.get("recording") ?? 0) > 0) });
    });
    this.make("armed", "Disarmed", "Thrusters and surfaces rest. Press to arm", () => {
      this.send({ name: "arm", on: true });
    });
    this.make("trim", "Trim", "No trims", () => this.send({ name: "trim_reset" }));
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {string} hint
   * @param {() => void} onPress
   */
  make(key, label, hint, onPress) {
    const lamp = element(this.parent.ownerDocument, "button", "lamp", label);
    lamp.type = "button";
    lamp.dataset.lamp = key;
    lamp.title = hint;
    lamp.setAttribute("aria-pressed", "false");
    lamp.addEventListener("click", onPress);
    this.lamps.set(key, lamp);
    this.parent.append(lamp);
  }

  /** @param {import("../types.js").Order} order */
  send(order) {
    this.parent.dispatchEvent(new CustomEvent("order", { detail: order, bubbles: true }));
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.holds = hello.source.vehicle?.can ?? null;
    for (const hold of HOLDS) this.lamps.get(hold.key)?.classList.toggle("absent", !this.offers(hold.key, false));
    const lights = hello.source.vehicle?.lamps;
    this.lamps.get("lights")?.classList.toggle("absent", Array.isArray(lights) && lights.length === 0);
    this.replay = hello.mode === "replay";
    for (const lamp of this.lamps.values()) lamp.disabled = this.replay;
  }

  /** @param {Sample} sample */
  draw(sample) {
    this.sample = sample;
    for (const hold of HOLDS) {
      const on = holdIsOn(hold, sample);
      this.light(hold.key, on, hold.label);
      this.lamps.get(hold.key)?.classList.toggle("absent", !this.offers(hold.key, on));
    }
    const frame = sample.get("stick_frame");
    this.light("sticks", frame > 0, `Sticks: ${STICK_FRAMES[frame] ?? STICK_FRAMES[0]}`);
    const lights = sample.get("lights");
    this.light("lights", lights > 0, lights > 0 ? `Lights ${formatNumber(100 * lights, 0)} %` : "Lights");
    this.light("recording", sample.get("recording") > 0, "Rec");
    const disarmed = sample.get("armed") === 0; // NaN in a log without this column: no lamp
    this.light("armed", disarmed, "Disarmed");
    this.lamps.get("armed")?.classList.toggle("absent", !disarmed);
    this.drawTrims(trimsOf(sample));
  }

  /**
   * Whether the lamp of a hold is shown: the vehicle has the hold or, in a replay, had it on.
   * @param {string} key
   * @param {boolean} on
   */
  offers(key, on) {
    return this.holds === null || this.holds.includes(key) || (this.replay && on);
  }

  /** @param {string[]} trims */
  drawTrims(trims) {
    const more = trims.length > MOST_TRIMS ? ` and ${trims.length - MOST_TRIMS} more` : "";
    const label = trims.length > 0 ? `Trim ${trims.slice(0, MOST_TRIMS).join(", ")} %${more}` : "Trim";
    this.light("trim", trims.length > 0, label);
    const lamp = this.lamps.get("trim");
    if (!lamp) return;
    const hint = trims.length > 0 ? `Trims, % of full stick: ${trims.join(", ")}. Press to clear them` : "No trims";
    if (lamp.title !== hint) lamp.title = hint;
    const idle = this.replay || trims.length === 0;
    if (lamp.disabled !== idle) lamp.disabled = idle;
  }

  /**
   * @param {string} key
   * @param {boolean} on
   * @param {string} label
   */
  light(key, on, label) {
    const lamp = this.lamps.get(key);
    if (!lamp) return;
    write(lamp, label);
    lamp.classList.toggle("on", on);
    if (lamp.getAttribute("aria-pressed") !== String(on)) lamp.setAttribute("aria-pressed", String(on));
  }
}
