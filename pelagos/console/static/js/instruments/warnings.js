// Shows the warnings that need the pilot's attention, alarms first.
import { element } from "./box.js";
import { formatNumber } from "./format.js";
import { STATUS } from "./tether_status.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{key: string, text: string, kind: "caution" | "alarm"}} Warning */

const NEAR_BOTTOM_M = 1;
const LOW = 25; // per cent of a battery
const EMPTY = 10;
const RECENT_S = 5; // an overrun is shown for this long

/**
 * The warnings for one state, alarms first.
 * @param {Sample} sample
 * @param {Hello | null} hello
 * @param {{link?: string, overran?: boolean}} [page]
 * @returns {Warning[]}
 */
export function warningsOf(sample, hello, page = {}) {
  /** @type {Warning[]} */
  const out = [];
  /** @param {string} key @param {string} text @param {Warning["kind"]} kind */
  const add = (key, text, kind) => out.push({ key, text, kind });
  if (page.link === "closed") add("link", "no link", "alarm");
  else if (page.link === "lost") add("link", "nothing heard", "alarm");
  else if (sample.get("link_lost") > 0) add("link", "link lost, sticks centred", "alarm");

  if (sample.get("armed") === 0) add("disarmed", "disarmed, thrusters off", "alarm");
  else if (sample.get("by_link") > 0) add("by-link", "a link has the thrusters", "caution");

  const depth = sample.get("depth_m");
  const rating = hello?.source.vehicle?.depth_rating_m ?? NaN;
  if (depth > rating) add("depth", `deeper than rated ${formatNumber(rating, 0)} m`, "alarm");
  else if (depth > 0.9 * rating) add("depth", `near rated depth, ${formatNumber(rating, 0)} m`, "caution");

  const altitude = sample.get("altitude_m");
  const low = Math.max(NEAR_BOTTOM_M, 0.5 * (hello?.source.vehicle?.length_m ?? 0));
  if (altitude < low) add("bottom", `bottom ${formatNumber(altitude, 1)} m`, "caution");

  const contact = contactText(sample, hello);
  if (contact) add("contact", contact, "caution");

  const flooded = sample.get("flooded_kg");
  if (flooded > 0) add("flooding", `flooding ${formatNumber(flooded, 1)} kg`, "alarm");

  const battery = sample.get("battery_percent");
  if (battery < EMPTY) add("battery", `battery ${formatNumber(battery, 0)} %`, "alarm");
  else if (battery < LOW) add("battery", `battery ${formatNumber(battery, 0)} %`, "caution");

  const tether = sample.get("tether_status");
  for (const { bit, word, kind } of STATUS) {
    if ((tether & bit) !== 0 && (kind === "alarm" || kind === "caution")) add(`tether-${word}`, `tether ${word}`, kind);
  }
  const faults = sample.get("faults_acting");
  if (faults > 0) add("faults", faults === 1 ? "1 fault" : `${formatNumber(faults, 0)} faults`, "caution");
  if (page.overran) add("overruns", "simulation late", "caution");
  return out.sort((a, b) => Number(b.kind === "alarm") - Number(a.kind === "alarm"));
}

/**
 * What the vehicle touches, in words; "" for nothing.
 * @param {Sample} sample
 * @param {Hello | null} hello
 */
function contactText(sample, hello) {
  const index = sample.get("contact_with");
  if (!Number.isFinite(index) || !(sample.get("contact_N") > 0)) return "";
  if (index === -1) return "touching the bottom";
  const structure = hello?.source.scene?.structures?.find((candidate) => candidate.index === index);
  return `touching ${structure?.name || "a structure"}`;
}

/** The line of warnings. */
export class Warnings {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent;
    /** @type {Hello | null} */
    this.hello = null;
    this.overruns = NaN;
    this.overranAt = -Infinity;
    this.written = "";
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.hello = hello;
  }

  /**
   * @param {Sample} sample
   * @param {number} now ms
   * @param {{link?: string}} page
   */
  draw(sample, now, page) {
    const overruns = sample.get("overruns");
    if (overruns > this.overruns) this.overranAt = now;
    this.overruns = overruns;
    const overran = now - this.overranAt < 1000 * RECENT_S;
    this.show(warningsOf(sample, this.hello, { ...page, overran }));
  }

  /** @param {Warning[]} warnings */
  show(warnings) {
    const text = warnings.map((warning) => `${warning.kind}|${warning.text}`).join("|");
    if (text === this.written) return;
    this.written = text;
    const document = this.parent.ownerDocument;
    this.parent.replaceChildren();
    for (const warning of warnings) {
      const span = element(document, "span", "warning", warning.text);
      span.dataset.kind = warning.kind;
      span.dataset.warning = warning.key;
      this.parent.append(span);
    }
  }
}
