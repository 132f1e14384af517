// The depth of the bottom at any place, and the footprints of structures that stand on it.
import { float32s } from "./decode.js";

/** @typedef {import("../../types.js").Seabed} Seabed */
/** @typedef {import("../../types.js").Structure} Structure */
/** @typedef {{north: number, east: number, half: [number, number], along: [number, number]}} Footprint */

const NO_BOTTOM_M = 1e5; // depth without a seabed, out of reach

/** The bottom of a scene. */
export class Ground {
  /** @param {Seabed | null | undefined} seabed */
  constructor(seabed) {
    this.flat = seabed?.kind !== "grid";
    this.known = Boolean(seabed);
    this.level = seabed?.kind === "flat" ? seabed.depth_m : NO_BOTTOM_M;
    this.grid = seabed?.kind === "grid" ? seabed : null;
    this.slopes = seabed?.kind === "grid" && /** @type {any} */ (seabed).outside === "slope";
    this.depths = seabed?.kind === "grid" ? float32s(seabed.depths) : new Float32Array(0);
  }

  /**
   * Depth of the bottom, bilinear within a grid. Outside a grid it is the depth at the rim, or the slope there goes on.
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
    const [u, v] = this.slopes ? [x - i, y - j] : [clamp01(x - i), clamp01(y - j)];
    const at = i * grid.columns + j;
    const near = this.depths[at] * (1 - v) + this.depths[at + 1] * v;
    const far = this.depths[at + grid.columns] * (1 - v) + this.depths[at + grid.columns + 1] * v;
    return near * (1 - u) + far * u;
  }
}

/**
 * A value limited to 0..1.
 * @param {number} value
 */
function clamp01(value) {
  return Math.min(Math.max(value, 0), 1);
}

/**
 * Rectangles, in plan, of the structures that stand on the bottom or nearly do. The ground is darker around them.
 * @param {Structure[]} structures
 * @param {Ground} ground
 * @returns {Footprint[]}
 */
export function footprints(structures, ground) {
  /** @type {Footprint[]} */
  const standing = [];
  for (const item of structures) {
    if (item.kind === "plane" || item.kind === "mesh") continue;
    const [north, east, down] = item.center_n;
    const a = item.axes_n;
    const h = item.half_m;
    // half of the vertical extent of the box
    const halfHeight_m = Math.abs(a[6]) * h[0] + Math.abs(a[7]) * h[1] + Math.abs(a[8]) * h[2];
    if (down + halfHeight_m < ground.depthAt(north, east) - 0.6) continue;
    const upright = Math.abs(a[6]) > 0.7;
    const level = Math.hypot(a[0], a[3]);
    /** @type {[number, number]} */
    const along = upright || level < 1e-6 ? [1, 0] : [a[0] / level, a[3] / level];
    standing.push({ north, east, along, half: upright ? [h[1], h[1]] : [h[0] * level, h[1]] });
  }
  return standing;
}

/**
 * Distance in plan from a point to the outline of a footprint, m; negative inside.
 * @param {Footprint} footprint
 * @param {number} north
 * @param {number} east
 */
export function distanceTo(footprint, north, east) {
  const [dn, de] = [north - footprint.north, east - footprint.east];
  const x = Math.abs(footprint.along[0] * dn + footprint.along[1] * de) - footprint.half[0];
  const y = Math.abs(footprint.along[0] * de - footprint.along[1] * dn) - footprint.half[1];
  return Math.hypot(Math.max(x, 0), Math.max(y, 0)) + Math.min(Math.max(x, y), 0);
}
