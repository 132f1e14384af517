// The free camera: follows the vehicle from behind, smoothly, and is turned around it and moved nearer by hand.
import { Vector3 } from "../../vendor/three.js";

const FOLLOW_S = 0.25; // time constant of its place
const TURN_S = 1.1; // and of its turning behind the vehicle
const CLEAR_M = 0.3; // between it and a wall
const HIGHEST = 1.45; // rad, short of straight above

export class Chase {
  constructor() {
    this.aside = 0.55; // rad from straight behind, positive to starboard
    this.high = 0.35; // rad above the horizon
    this.distance_m = 3;
    this.least_m = 0.5;
    this.target = new Vector3(NaN, NaN, NaN);
    this.heading = NaN;
    this.eye = new Vector3();
    this.free_m = NaN; // how far it can be from the vehicle with nothing between them
  }

  /** @param {number} size_m of the vehicle */
  setSize(size_m) {
    this.least_m = 0.8 * size_m;
    this.distance_m = 1.3 + 1.35 * size_m;
    this.free_m = NaN;
    this.target.set(NaN, NaN, NaN);
  }

  /**
   * @param {number} dx share of a turn's half, to the right
   * @param {number} dy
   */
  orbit(dx, dy) {
    this.aside -= dx * Math.PI;
    this.high = Math.min(HIGHEST, Math.max(-HIGHEST, this.high + dy * Math.PI));
  }

  /** @param {number} factor above 1: farther */
  dolly(factor) {
    this.distance_m = Math.min(60, Math.max(this.least_m, this.distance_m * factor));
  }

  /**
   * @param {Vector3} place of the vehicle
   * @param {number} heading rad
   * @param {number} dt_s of the wall clock
   * @param {(north: number, east: number) => [number, number]} limits of depth there: surface and bottom
   * @param {(from: Vector3, way: Vector3) => number} [sight] how far one sees before something solid, m
   */
  follow(place, heading, dt_s, limits, sight = () => Infinity) {
    const jump = Number.isNaN(this.target.x) || this.target.distanceTo(place) > 10;
    if (jump) {
      this.target.copy(place);
      this.heading = heading;
    }
    this.target.lerp(place, 1 - Math.exp(-dt_s / FOLLOW_S));
    const turn = Math.atan2(Math.sin(heading - this.heading), Math.cos(heading - this.heading));
    this.heading += turn * (1 - Math.exp(-dt_s / TURN_S));
    const bearing = this.heading + Math.PI - this.aside;
    const level = Math.cos(this.high);
    this.eye.set(level * Math.cos(bearing), level * Math.sin(bearing), -Math.sin(this.high));
    // before what would hide the vehicle at once, back again smoothly
    const free = Math.min(this.distance_m, Math.max(sight(this.target, this.eye) - CLEAR_M, CLEAR_M));
    if (jump || !(free > this.free_m)) this.free_m = free;
    this.free_m += (free - this.free_m) * (1 - Math.exp(-dt_s / FOLLOW_S));
    this.eye.multiplyScalar(this.free_m).add(this.target);
    const [surface, bottom] = limits(this.eye.x, this.eye.y);
    // a vehicle in the water is seen from in the water
    if (place.z > surface + 0.4) this.eye.z = Math.max(this.eye.z, surface + 0.25);
    this.eye.z = Math.min(this.eye.z, bottom - 0.25);
  }
}
