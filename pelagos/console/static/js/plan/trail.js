// Where the vehicle has been: ten minutes, thinner the longer ago, with the distance run and the bottom below.

/**
 * @typedef {object} Past
 * @property {number} time s
 * @property {number} north m
 * @property {number} east
 * @property {number} depth
 * @property {number} bottom depth of the seabed below, NaN if not known
 * @property {number} run distance over ground since the start, m
 */

export const KEPT_S = 600;
const EVERY_S = 0.2;
const THINNED = [
  { older: 60, apart: 1 },
  { older: 240, apart: 3 },
];
const JUMP_M = 20; // between two samples: a reset or a seek, not a motion

export class Trail {
  constructor() {
    /** @type {Past[]} */
    this.points = [];
    /** Rises whenever the trail starts anew. */
    this.starts = 0;
  }

  clear() {
    this.points = [];
    this.starts += 1;
  }

  /**
   * @param {number} time
   * @param {number} north
   * @param {number} east
   * @param {number} depth
   * @param {number} bottom
   */
  add(time, north, east, depth, bottom) {
    if (!Number.isFinite(north + east + depth)) return;
    let last = this.points.at(-1);
    if (last) {
      const step = Math.hypot(north - last.north, east - last.east);
      if (time < last.time || step > JUMP_M) {
        this.clear();
        last = undefined;
      } else if (time - last.time < EVERY_S) {
        return;
      }
    }
    const run = last ? last.run + Math.hypot(north - last.north, east - last.east) : 0;
    this.points.push({ time, north, east, depth, bottom, run });
    if (this.points.length % 64 === 0) this.thin(time);
  }

  /**
   * @param {number} now
   */
  thin(now) {
    /** @type {Past[]} */
    const kept = [];
    for (const point of this.points) {
      const age = now - point.time;
      if (age > KEPT_S) continue;
      let apart = 0;
      for (const rule of THINNED) if (age > rule.older) apart = rule.apart;
      const before = kept.at(-1);
      if (!before || point.time - before.time >= apart - 1e-6) kept.push(point);
    }
    this.points = kept;
  }
}
