// The depth of the bottom anywhere, and the places where structures stand on it.
import { floats } from "./decode.js";

/** @typedef {import("../../types.js").Seabed} Seabed */
/** @typedef {import("../../types.js").Structure} Structure */
/** @typedef {{north: number, east: number, half: [number, number], along: [number, number]}} Foot */

const NONE_M = 1e5; // a bottom nobody comes near

export class Ground {
  /** @param {Seabed | null | undefined} seabed */
  constructor(seabed) {
    this.flat = seabed?.kind !== "grid";
    this.known = Boolean(seabed);
    this.level = seabed?.kind === "flat" ? seabed.depth_m : NONE_M;
    this.grid = seabed?.kind === "grid" ? seabed : null;
    this.slopes = seabed?.kind === "grid" && /** @type {any} */ (seabed).outside === "slope";
    this.depths = seabed?.kind === "grid" ? floats(seabed.depths) : new Float32Array(0);
  }

  /**
   * Depth of the bottom, straight lines between the points of a grid; beyond its rim as at the rim, or on down a slope.
   * @param {number} north_m
   * @param {number} east_m
   */
  depthAt(north_m, east_m) {
    const grid = this.grid;
    if (!grid) return this.level;
    const x = (north_m - grid.north0_m) / grid.step_north_m;
    const y = (east_m - grid.east0_m) / grid.step_east_m;
    const i = Math.min(Math.max(Math.floor(x), 0), grid.rows - 2);
    const j = Math.min(Math.max(Math.floor(y), 0), grid.columns - 2);
    const [u, v] = this.slopes ? [x - i, y - j] : [share(x - i), share(y - j)];
    const at = i * grid.columns + j;
    const near = this.depths[at] * (1 - v) + this.depths[at + 1] * v;
    const far = this.depths[at + grid.columns] * (1 - v) + this.depths[at + grid.columns + 1] * v;
    return near * (1 - u) + far * u;
  }
}

/** @param {number} value */
function share(value) {
  return Math.min(Math.max(value, 0), 1);
}

/**
 * Outlines, seen from above, of the structures that come down to the bottom: the ground is darker around them.
 * @param {Structure[]} structures
 * @param {Ground} ground
 * @returns {Foot[]}
 */
export function feet(structures, ground) {
  /** @type {Foot[]} */
  const found = [];
  for (const item of structures) {
    if (item.kind === "plane" || item.kind === "mesh") continue;
    const [north, east, down] = item.center_n;
    const a = item.axes_n;
    const h = item.half_m;
    // half of its extent along down, and along its own x and y seen from above
    const drop = Math.abs(a[6]) * h[0] + Math.abs(a[7]) * h[1] + Math.abs(a[8]) * h[2];
    if (down + drop < ground.depthAt(north, east) - 0.6) continue;
    const upright = Math.abs(a[6]) > 0.7;
    const level = Math.hypot(a[0], a[3]);
    /** @type {[number, number]} */
    const along = upright || level < 1e-6 ? [1, 0] : [a[0] / level, a[3] / level];
    found.push({ north, east, along, half: upright ? [h[1], h[1]] : [h[0] * level, h[1]] });
  }
  return found;
}

/**
 * Distance from a point to a foot's outline, m; negative inside.
 * @param {Foot} foot
 * @param {number} north
 * @param {number} east
 */
export function distanceTo(foot, north, east) {
  const [dn, de] = [north - foot.north, east - foot.east];
  const x = Math.abs(foot.along[0] * dn + foot.along[1] * de) - foot.half[0];
  const y = Math.abs(foot.along[0] * de - foot.along[1] * dn) - foot.half[1];
  return Math.hypot(Math.max(x, 0), Math.max(y, 0)) + Math.min(Math.max(x, y), 0);
}
