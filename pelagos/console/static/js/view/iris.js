// The iris of the pilot's camera: measures the distance to the subject and sets the exposure to lamp light for it.
// Without it a wall at 1 m would be white or one at 6 m black: between them the light of a lamp falls by thousands.
import { rangeTo } from "./clearance.js";

/** @typedef {import("../types.js").Structure} Structure */
/** @typedef {import("./solids/ground.js").Ground} Ground */
/** @typedef {[number, number, number]} Vector */

const SETTLING_S = 0.6; // time constant
const RAYS = [[0, 0], [0.45, 0.3], [-0.45, 0.3], [0.45, -0.3], [-0.45, -0.3]]; // shares of half the field of view

/**
 * Distance along a ray to the bottom, taken as level at the depth below the camera.
 * @param {Ground} ground
 * @param {Vector} from
 * @param {Vector} direction
 */
export function rangeToGround(ground, from, direction) {
  if (!ground.known || direction[2] < 1e-3) return Infinity;
  return Math.max(ground.depthAt(from[0], from[1]) - from[2], 0) / direction[2];
}

/** Distance that the iris is set for: the geometric mean over five rays, smoothed in time. */
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
   * Advance the iris by one picture.
   * @param {import("../../vendor/three.js").PerspectiveCamera} camera placed
   * @param {Ground} ground
   * @param {number} farthest_m
   * @param {number} dt_s of the wall clock
   * @returns {number} distance that it is set for, m
   */
  update(camera, ground, farthest_m, dt_s) {
    const e = camera.matrixWorld.elements;
    const tangent = Math.tan((camera.fov * Math.PI) / 360); // of half the vertical field of view
    const from = /** @type {Vector} */ ([e[12], e[13], e[14]]);
    let sum = 0;
    for (const [right, up] of RAYS) {
      const [x, y] = [right * tangent * camera.aspect, up * tangent];
      const direction = /** @type {Vector} */ ([
        x * e[0] + y * e[4] - e[8], x * e[1] + y * e[5] - e[9], x * e[2] + y * e[6] - e[10],
      ]);
      const size = Math.hypot(...direction);
      for (let k = 0; k < 3; k += 1) direction[k] /= size;
      let range = Math.min(rangeToGround(ground, from, direction), farthest_m);
      for (const item of this.structures) range = Math.min(range, rangeTo(item, from, direction));
      sum += Math.log(Math.max(range, 0.3));
    }
    const range_m = Math.exp(sum / RAYS.length);
    if (Number.isNaN(this.range_m)) this.range_m = range_m;
    this.range_m += (range_m - this.range_m) * (1 - Math.exp(-dt_s / SETTLING_S));
    return this.range_m;
  }
}

/**
 * Total strength of the lamps that shows a grey body at a distance in mid-tone, within the range of an iris.
 * @param {number} range_m
 * @param {number} attenuation_1_m sum of the outward and the return path
 * @param {number} near_m softening length of light.js
 */
export function exposure(range_m, attenuation_1_m, near_m) {
  const strength = 1.2 * (range_m * range_m + near_m * near_m) * Math.exp(attenuation_1_m * range_m);
  return Math.min(Math.max(strength, 4), 900);
}
