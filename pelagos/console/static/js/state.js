// The last seconds of snapshots, and the state at any moment between them.
// Views ask for a moment one snapshot interval ago, so that there is always one on each side of it.
import { betweenAngles, slerp } from "./frames.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Sample} Sample */

export const KEPT_S = 6; // an image delayed by 2 s, its interval, and room for a stall

const ANGLES = new Set(["roll_deg", "heading_deg", "course_deg", "hold_heading_deg", "hold_roll_deg", "pan_deg"]);

// Codes, counts and switches: between 1 and 2 there is nothing. Everything else runs straight.
const STEPS = new Set([
  "contact_with", "stick_frame", "hold_mission", "tether_status", "task_phase", "recording", "collisions",
  "faults_acting", "paused", "link_lost", "clients", "overruns", "time_scale", "crash_north_m", "crash_east_m",
  "crash_depth_m", "crash_age_s", "camera_index", "armed", "by_link",
]);

/**
 * How a column runs between two snapshots.
 * @param {string} name
 * @returns {"line" | "angle" | "step" | "attitude"}
 */
export function kindOfColumn(name) {
  if (/^q[0-3]$/.test(name)) return "attitude";
  if (ANGLES.has(name)) return "angle";
  if (STEPS.has(name)) return "step";
  return "line";
}

/** A row of columns at a time. */
export class Row {
  /**
   * @param {Map<string, number>} index
   * @param {number} time
   * @param {number} seq
   * @param {Float32Array} values
   */
  constructor(index, time, seq, values) {
    this.index = index;
    this.time = time;
    this.seq = seq;
    this.values = values;
  }

  /** @param {string} name */
  get(name) {
    const at = this.index.get(name);
    return at === undefined ? NaN : this.values[at];
  }
}

/** A row between two others; columns are worked out when they are asked for. */
class Between {
  /**
   * @param {Row} before
   * @param {Row} after
   * @param {number} share
   */
  constructor(before, after, share) {
    this.before = before;
    this.after = after;
    this.share = share;
    this.time = before.time + share * (after.time - before.time);
    this.seq = before.seq;
    /** @type {import("./types.js").Quaternion | null} */
    this.attitude = null;
  }

  /** @param {string} name */
  get(name) {
    const from = this.before.get(name);
    const to = this.after.get(name);
    switch (kindOfColumn(name)) {
      case "attitude":
        return this.quaternion()[Number(name[1])];
      case "angle":
        return known(from, to, this.share, betweenAngles(from, to, this.share));
      case "step":
        return this.share < 1 ? from : to;
      default:
        return known(from, to, this.share, from + this.share * (to - from));
    }
  }

  quaternion() {
    if (!this.attitude) this.attitude = slerp(quaternionOf(this.before), quaternionOf(this.after), this.share);
    return this.attitude;
  }
}

/**
 * A value that comes or goes (NaN on one side) is that of the nearer side.
 * @param {number} from
 * @param {number} to
 * @param {number} share
 * @param {number} between
 */
function known(from, to, share, between) {
  return Number.isNaN(from) || Number.isNaN(to) ? (share < 0.5 ? from : to) : between;
}

/**
 * @param {Sample} row
 * @returns {import("./types.js").Quaternion}
 */
export function quaternionOf(row) {
  return [row.get("q0"), row.get("q1"), row.get("q2"), row.get("q3")];
}

/** Snapshots by the time they arrived. Simulated time may stand still, jump back or run at another rate. */
export class History {
  /** @param {number} [kept] seconds */
  constructor(kept = KEPT_S) {
    this.kept = kept;
    /** @type {Map<string, number>} */
    this.index = new Map();
    /** @type {{row: Row, arrived: number}[]} */
    this.rows = [];
  }

  /**
   * A new set of columns: what came before cannot be mixed with it.
   * @param {string[]} columns
   */
  setColumns(columns) {
    const same = columns.length === this.index.size && columns.every((name, at) => this.index.get(name) === at);
    if (same) return;
    this.index = new Map(columns.map((name, at) => [name, at]));
    this.rows = [];
  }

  /**
   * @param {Snapshot} snapshot
   * @param {number} [arrived] ms of the page's clock
   */
  push(snapshot, arrived = performance.now()) {
    if (snapshot.values.length !== this.index.size) return; // of the source before this one
    const row = new Row(this.index, snapshot.time, snapshot.seq, snapshot.values);
    const last = this.rows.at(-1);
    const at = last ? Math.max(evened(last, row, arrived), last.arrived) : arrived;
    this.rows.push({ row, arrived: at });
    const oldest = at - 1000 * this.kept;
    let gone = 0;
    while (gone < this.rows.length - 2 && this.rows[gone + 1].arrived < oldest) gone += 1;
    if (gone > 0) this.rows.splice(0, gone);
  }

  /** @returns {Sample | null} */
  latest() {
    return this.rows.at(-1)?.row ?? null;
  }

  clear() {
    this.rows = [];
  }

  /**
   * The state as it was known at a moment of the page's clock; before the first and after the last it stands still.
   * A jump of simulated time (a reset, a seek) is not smoothed.
   * @param {number} when ms
   * @returns {Sample | null}
   */
  at(when) {
    const rows = this.rows;
    if (rows.length === 0) return null;
    let after = rows.length - 1;
    if (when >= rows[after].arrived) return rows[after].row;
    while (after > 0 && rows[after - 1].arrived > when) after -= 1;
    if (after === 0) return rows[0].row;
    const from = rows[after - 1];
    const to = rows[after];
    if (jumped(from.row, to.row)) return from.row;
    const share = (when - from.arrived) / (to.arrived - from.arrived);
    return new Between(from.row, to.row, share);
  }
}

const FOLLOWED = 0.1; // share of a deviation from the even beat that is believed at once
const FOREIGN_MS = 80; // beyond that it is no jitter but a stall, a pause or another rate

/**
 * When a row is taken to have come: sockets and timers deliver in fits, the simulation goes evenly.
 * @param {{row: Row, arrived: number}} last
 * @param {Row} row
 * @param {number} arrived
 */
function evened(last, row, arrived) {
  const scale = row.get("time_scale");
  const expected = last.arrived + (1000 * (row.time - last.row.time)) / (scale > 0 ? scale : 1);
  const late = arrived - expected;
  return Math.abs(late) < FOREIGN_MS ? expected + FOLLOWED * late : arrived;
}

const JUMP_S = 2;

/**
 * @param {Row} from
 * @param {Row} to
 */
function jumped(from, to) {
  return to.time < from.time || to.time - from.time > JUMP_S;
}
