// The chase camera: it follows the vehicle smoothly from behind. The pilot turns it around the vehicle and sets its
// distance.
import { Vector3 } from "../../vendor/three.js";

const FOLLOW_S = 0.25; // time constant of the position
const TURN_S = 1.1; // time constant of the heading
const CLEAR_M = 0.3; // between the camera and a wall
const MOST_ELEVATION = 1.45; // rad, short of straight above, where the heading of the picture is undefined

/** Position and target of the chase camera. */
export class Chase {
  constructor() {
    this.azimuth = 0.55; // rad from straight astern, positive to starboard
    this.elevation = 0.35; // rad above the horizon
    this.distance_m = 3;
    this.least_m = 0.5;
    this.target = new Vector3(NaN, NaN, NaN);
    this.heading = NaN;
    this.eye = new Vector3();
    this.free_m = NaN; // smoothed distance from the vehicle with no structure between
  }

  /**
   * Set the distance for a vehicle, and start anew behind it.
   * @param {number} size_m of the vehicle
   */
  setSize(size_m) {
    this.least_m = 0.8 * size_m;
    this.distance_m = 1.3 + 1.35 * size_m;
    this.free_m = NaN;
    this.target.set(NaN, NaN, NaN);
  }

  /**
   * Turn around the vehicle.
   * @param {number} dx to the right, 1 for half a turn
   * @param {number} dy down, 1 for half a turn
   */
  orbit(dx, dy) {
    this.azimuth -= dx * Math.PI;
    this.elevation = Math.min(MOST_ELEVATION, Math.max(-MOST_ELEVATION, this.elevation + dy * Math.PI));
  }

  /**
   * Change the distance.
   * @param {number} factor above 1: farther
   */
  dolly(factor) {
    this.distance_m = Math.min(60, Math.max(this.least_m, this.distance_m * factor));
  }

  /**
   * Advance the camera by one picture.
   * @param {Vector3} place of the vehicle
   * @param {number} heading rad
   * @param {number} dt_s of the wall clock
   * @param {(north: number, east: number) => [number, number]} limits depths of surface and bottom
   * @param {(from: Vector3, direction: Vector3) => number} [freeRange] distance to the first structure, m
   */
  follow(place, heading, dt_s, limits, freeRange = () => Infinity) {
    const jump = Number.isNaN(this.target.x) || this.target.distanceTo(place) > 10;
    if (jump) {
      this.target.copy(place);
      this.heading = heading;
    }
    this.target.lerp(place, 1 - Math.exp(-dt_s / FOLLOW_S));
    const turn = Math.atan2(Math.sin(heading - this.heading), Math.cos(heading - this.heading));
    this.heading += turn * (1 - Math.exp(-dt_s / TURN_S));
    const bearing = this.heading + Math.PI - this.azimuth;
    const level = Math.cos(this.elevation);
    this.eye.set(level * Math.cos(bearing), level * Math.sin(bearing), -Math.sin(this.elevation));
    // a structure in between moves the camera nearer at once; without it the camera returns smoothly
    const free = Math.min(this.distance_m, Math.max(freeRange(this.target, this.eye) - CLEAR_M, CLEAR_M));
    if (jump || !(free > this.free_m)) this.free_m = free;
    this.free_m += (free - this.free_m) * (1 - Math.exp(-dt_s / FOLLOW_S));
    this.eye.multiplyScalar(this.free_m).add(this.target);
    const [surface, bottom] = limits(this.eye.x, this.eye.y);
    // while the vehicle is submerged, the camera stays submerged
    if (place.z > surface + 0.4) this.eye.z = Math.max(this.eye.z, surface + 0.25);
    this.eye.z = Math.min(this.eye.z, bottom - 0.25);
  }
}
