// Keeps the snapshots of the last seconds and interpolates the state between them.
// Views draw the state of a little over one snapshot interval ago, so that a snapshot exists on each side of it.
import { betweenAngles, slerp } from "./frames.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Sample} Sample */

export const KEPT_S = 6; // for an image delay of 2 s and a stall of the connection

const ANGLES = new Set(["roll_deg", "heading_deg", "course_deg", "hold_heading_deg", "hold_roll_deg", "pan_deg"]);

// Codes, counts, switches and the data of the last crash: values in between have no meaning.
const STEPS = new Set([
  "contact_with", "stick_frame", "hold_mission", "tether_status", "task_phase", "recording", "collisions",
  "faults_acting", "paused", "link_lost", "clients", "overruns", "time_scale", "crash_north_m", "crash_east_m",
  "crash_depth_m", "crash_age_s", "camera_index", "armed", "by_link",
]);

/**
 * How a column is interpolated between two snapshots.
 * @param {string} name
 * @returns {"line" | "angle" | "step" | "attitude"}
 */
export function interpolationOf(name) {
  if (/^q[0-3]$/.test(name)) return "attitude";
  if (ANGLES.has(name)) return "angle";
  if (STEPS.has(name)) return "step";
  return "line";
}

/** A snapshot whose values are read by column name. */
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
    const column = this.index.get(name);
    return column === undefined ? NaN : this.values[column];
  }
}

/** A state between two rows; each column is interpolated when it is read. */
class InterpolatedRow {
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
    switch (interpolationOf(name)) {
      case "attitude":
        return this.quaternion()[Number(name[1])];
      case "angle":
        return unlessUnknown(from, to, this.share, betweenAngles(from, to, this.share));
      case "step":
        return this.share < 1 ? from : to;
      default:
        return unlessUnknown(from, to, this.share, from + this.share * (to - from));
    }
  }

  quaternion() {
    if (!this.attitude) this.attitude = slerp(quaternionOf(this.before), quaternionOf(this.after), this.share);
    return this.attitude;
  }
}

/**
 * An interpolated value, or that of the nearer side where one side is unknown (NaN).
 * @param {number} from
 * @param {number} to
 * @param {number} share
 * @param {number} interpolated
 */
function unlessUnknown(from, to, share, interpolated) {
  return Number.isNaN(from) || Number.isNaN(to) ? (share < 0.5 ? from : to) : interpolated;
}

/**
 * The attitude of a state.
 * @param {Sample} row
 * @returns {import("./types.js").Quaternion}
 */
export function quaternionOf(row) {
  return [row.get("q0"), row.get("q1"), row.get("q2"), row.get("q3")];
}

/**
 * Snapshots by arrival time on the page's clock, because simulated time may pause, jump back or run at another rate.
 */
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
   * Set the names of the columns; a change of them discards the rows.
   * @param {string[]} columns
   */
  setColumns(columns) {
    const same = columns.length === this.index.size && columns.every((name, i) => this.index.get(name) === i);
    if (same) return;
    this.index = new Map(columns.map((name, i) => [name, i]));
    this.rows = [];
  }

  /**
   * Add a snapshot and drop those that are too old.
   * @param {Snapshot} snapshot
   * @param {number} [received] ms of the page's clock
   */
  push(snapshot, received = performance.now()) {
    if (snapshot.values.length !== this.index.size) return; // a late snapshot of the previous source
    const row = new Row(this.index, snapshot.time, snapshot.seq, snapshot.values);
    const last = this.rows.at(-1);
    const arrived = last ? Math.max(smoothedArrival(last, row, received), last.arrived) : received;
    this.rows.push({ row, arrived });
    const oldest = arrived - 1000 * this.kept;
    let expired = 0;
    while (expired < this.rows.length - 2 && this.rows[expired + 1].arrived < oldest) expired += 1;
    if (expired > 0) this.rows.splice(0, expired);
  }

  /** @returns {Sample | null} */
  latest() {
    return this.rows.at(-1)?.row ?? null;
  }

  clear() {
    this.rows = [];
  }

  /**
   * The state at a time of the page's clock, held constant before the first and after the last snapshot. Across a
   * jump of simulated time (a reset, a seek) it is not interpolated.
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
    return new InterpolatedRow(from.row, to.row, share);
  }
}

const JITTER_GAIN = 0.1; // share of a deviation from the expected arrival that is followed at once
const MOST_JITTER_MS = 80; // a larger deviation is a stall, a pause or another rate

/**
 * The arrival time of a row without the jitter of sockets and timers: a first-order filter around the time expected
 * from simulated time.
 * @param {{row: Row, arrived: number}} last
 * @param {Row} row
 * @param {number} received
 */
function smoothedArrival(last, row, received) {
  const scale = row.get("time_scale");
  const expected = last.arrived + (1000 * (row.time - last.row.time)) / (scale > 0 ? scale : 1);
  const late = received - expected;
  return Math.abs(late) < MOST_JITTER_MS ? expected + JITTER_GAIN * late : received;
}

const JUMP_S = 2; // of simulated time between two snapshots: more comes from a seek or a stall

/**
 * Whether simulated time jumps between two rows.
 * @param {Row} from
 * @param {Row} to
 */
function jumped(from, to) {
  return to.time < from.time || to.time - from.time > JUMP_S;
}
