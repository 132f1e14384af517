// The camera's iris: how far away what it looks at is, and how much lamp light makes that mid-tone. Without it a wall
// at 1 m would be white or one at 6 m black, as the light of a lamp falls by thousands between them.
import { rangeTo } from "./clearance.js";

/** @typedef {import("../types.js").Structure} Structure */
/** @typedef {import("./solids/ground.js").Ground} Ground */
/** @typedef {[number, number, number]} Vector */

const SETTLES_S = 0.6;
const RAYS = [[0, 0], [0.45, 0.3], [-0.45, 0.3], [0.45, -0.3], [-0.45, -0.3]]; // shares of half the field of view

/**
 * Distance along a ray to a bottom taken as level below the camera.
 * @param {Ground} ground
 * @param {Vector} from
 * @param {Vector} way
 */
export function rangeToGround(ground, from, way) {
  if (!ground.known || way[2] < 1e-3) return Infinity;
  return Math.max(ground.depthAt(from[0], from[1]) - from[2], 0) / way[2];
}

export class Iris {
  constructor() {
    this.range_m = NaN;
    /** @type {Structure[]} */
    this.structures = [];
  }

  /** @param {Structure[]} structures */
  setStructures(structures) {
    this.structures = structures;
    this.range_m = NaN;
  }

  /**
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera placed
   * @param {Ground} ground
   * @param {number} farthest_m
   * @param {number} dt_s of the wall clock
   * @returns {number} the distance it is set for, m
   */
  update(camera, ground, farthest_m, dt_s) {
    const e = camera.matrixWorld.elements;
    const high = Math.tan((camera.fov * Math.PI) / 360);
    const from = /** @type {Vector} */ ([e[12], e[13], e[14]]);
    let sum = 0;
    for (const [right, up] of RAYS) {
      const [x, y] = [right * high * camera.aspect, up * high];
      const way = /** @type {Vector} */ ([
        x * e[0] + y * e[4] - e[8], x * e[1] + y * e[5] - e[9], x * e[2] + y * e[6] - e[10],
      ]);
      const size = Math.hypot(...way);
      for (let k = 0; k < 3; k += 1) way[k] /= size;
      let range = Math.min(rangeToGround(ground, from, way), farthest_m);
      for (const item of this.structures) range = Math.min(range, rangeTo(item, from, way));
      sum += Math.log(Math.max(range, 0.3));
    }
    const seen = Math.exp(sum / RAYS.length);
    if (Number.isNaN(this.range_m)) this.range_m = seen;
    this.range_m += (seen - this.range_m) * (1 - Math.exp(-dt_s / SETTLES_S));
    return this.range_m;
  }
}

/**
 * Strength of all lamps together that shows a grey body at a distance in mid-tone, within what an iris can do.
 * @param {number} range_m
 * @param {number} attenuation_1_m out and back
 * @param {number} near_m the softened 1/r^2 of light.js
 */
export function exposure(range_m, attenuation_1_m, near_m) {
  const wanted = 1.2 * (range_m * range_m + near_m * near_m) * Math.exp(attenuation_1_m * range_m);
  return Math.min(Math.max(wanted, 4), 900);
}
