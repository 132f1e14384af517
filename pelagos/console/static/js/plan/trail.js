// Keeps the track of the vehicle for ten minutes, with fewer points the older it is.

/**
 * @typedef {object} TrailPoint
 * @property {number} time s
 * @property {number} north m
 * @property {number} east
 * @property {number} depth
 * @property {number} bottom depth of the seabed below, NaN if unknown
 * @property {number} run distance covered over ground since the first point, m
 */

export const KEPT_S = 600; // age of the oldest point
const EVERY_S = 0.2; // between two points
/** Points older than `older` s are at least `apart` s apart. */
const THINNED = [
  { older: 60, apart: 1 },
  { older: 240, apart: 3 },
];
const JUMP_M = 20; // between two samples: a reset or a seek, not a motion

/** The track of one vehicle. */
export class Trail {
  constructor() {
    /** @type {TrailPoint[]} */
    this.points = [];
    /** How often the trail has been cleared. */
    this.restarts = 0;
  }

  clear() {
    this.points = [];
    this.restarts += 1;
  }

  /**
   * Add a point. A jump of time or place clears the trail first; a point too soon after the last one is left out.
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
   * Remove points that are too old or too close together for their age.
   * @param {number} now s
   */
  thin(now) {
    /** @type {TrailPoint[]} */
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
