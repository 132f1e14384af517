// Draws silt stirred up by thrusters and contact, and bubbles near the surface and at collisions. Specks live in a ring
// buffer: the module writes place, velocity and time of birth, the shader moves them from there.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, NormalBlending, Points, Vector3,
} from "../../../vendor/three.js";
import { hashRandom } from "./noise.js";

/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("./water.js").Water} Water */
/** @typedef {import("../solids/ground.js").Ground} Ground */

const SILT = 0;
const BUBBLE = 1;
const WASH_M = 1.1; // a screw at a greater altitude stirs up no silt

const VERTEX = `
attribute vec4 born;
attribute vec4 push;
uniform float uNow;
uniform vec3 uCurrent;
uniform float uPixels;
varying vec4 vColour;
varying float vKind;
uniform vec3 uSand;
void main() {
  float age = uNow - born.w;
  float bubble = step(0.5, push.w);
  float life = mix(7.0, 3.5, bubble);
  float share = age / life;
  // drag stops a speck within half a second, then it drifts with the current; bubbles rise, silt settles
  vec3 place = born.xyz + push.xyz * 0.6 * (1.0 - exp(-age / 0.6));
  place += uCurrent * max(age - 0.3, 0.0);
  place.z += mix(0.01, -0.28, bubble) * age;
  place.xy += bubble * 0.04 * sin(vec2(7.0, 6.1) * age + 40.0 * born.xy);
  float size = mix(0.14 + 0.75 * sqrt(max(share, 0.0)), 0.012 + 0.022 * fract(push.w * 7.0), bubble);
  vec3 ray = place - uEye;
  float range = length(ray);
  vec4 view = viewMatrix * vec4(place, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = clamp(uPixels * size / max(-view.z, 0.1), 1.0, mix(260.0, 28.0, bubble));
  // a cloud scatters light in all directions: its normal faces the camera
  vec3 light = daylightOn(place, vec3(0.0, 0.0, -1.0)) + 1.3 * lampsOn(place, -ray / range, 1.0) + uFill * 0.8 + 0.02;
  vec3 transmission = exp(-uAttenuation * range);
  vec3 tint = mix(uSand * 1.5 + 0.06, vec3(0.8, 0.88, 0.92), bubble);
  float fades = (1.0 - share) * smoothstep(0.0, 0.05, share) * smoothstep(0.1, 0.6, range);
  float alpha = mix(0.8 * fades, 0.9 * smoothstep(1.0, 0.8, share), bubble) * sqrt(transmission.g);
  vColour = vec4(tint * light * transmission + veil(ray / range) * (1.0 - transmission), alpha);
  vKind = bubble;
  if (age < 0.0 || share > 1.0 || place.z < 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `
varying vec4 vColour;
varying float vKind;
void main() {
  vec2 at = gl_PointCoord - 0.5;
  float r = 2.0 * length(at);
  float soft = smoothstep(1.0, 0.0, r);
  float cloud = soft * soft * (0.65 + 0.7 * texture2D(uNoise, gl_PointCoord * 0.35 + vColour.rg).r);
  float ring = smoothstep(1.0, 0.85, r) * (0.25 + 0.75 * smoothstep(0.45, 0.9, r));
  ring += smoothstep(0.3, 0.1, length(at - vec2(-0.14, -0.16)));
  gl_FragColor = vec4(toScreen(vColour.rgb, 1.0).rgb, vColour.a * clamp(mix(cloud, ring, vKind), 0.0, 1.0));
}`;

/** The specks of silt and bubbles. */
export class Particles {
  /**
   * @param {Water} water
   * @param {{value: any}} sand colour of the bottom
   */
  constructor(water, sand) {
    this.capacity = water.quality === "low" ? 90 : 320;
    this.born = new BufferAttribute(new Float32Array(4 * this.capacity).fill(-1e4), 4).setUsage(DynamicDrawUsage);
    this.push = new BufferAttribute(new Float32Array(4 * this.capacity), 4).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.capacity), 3));
    geometry.setAttribute("born", this.born);
    geometry.setAttribute("push", this.push);
    this.uniforms = {
      uNow: { value: 0 }, uCurrent: { value: new Vector3() }, uPixels: { value: 500 }, uSand: sand,
    };
    this.points = new Points(geometry, water.material({
      vertex: VERTEX, fragment: FRAGMENT, uniforms: this.uniforms,
      options: { transparent: true, depthWrite: false, blending: NormalBlending },
    }));
    this.points.frustumCulled = false;
    this.points.renderOrder = 80;
    this.next = 0;
    this.count = 0;
    this.pending = [0, 0]; // specks to emit, of silt and of bubbles; fractions carry over to the next picture
    this.collisions = NaN;
    this.lastBirth = -1e4;
    /** @type {{column: string, place: Vector3, direction: Vector3}[]} */
    this.thrusters = [];
  }

  /**
   * Take the thrusters of a vehicle.
   * @param {{name: string, position_m: number[], direction: number[]}[]} thrusters
   */
  setThrusters(thrusters) {
    this.thrusters = thrusters.map(({ name, position_m: p, direction: d }) => ({
      column: `thruster_${name}`,
      place: new Vector3(p[0], p[1], p[2]),
      direction: new Vector3(d[0], d[1], d[2]).normalize(),
    }));
  }

  /** Remove all specks, as after a reset. */
  clear() {
    this.born.array.fill(-1e4);
    this.born.needsUpdate = true;
    this.collisions = NaN;
    this.lastBirth = -1e4;
  }

  /**
   * Emit one speck.
   * @param {number} kind SILT or BUBBLE
   * @param {Vector3} place centre
   * @param {number} spread_m horizontal radius around it
   * @param {number} speed_m_s outward
   */
  emit(kind, place, spread_m, speed_m_s) {
    const angle = 2 * Math.PI * this.random();
    const radius = spread_m * Math.sqrt(this.random());
    const [cn, ce] = [Math.cos(angle), Math.sin(angle)];
    const rise = kind === SILT ? -0.9 * speed_m_s * this.random() : -0.3 * this.random();
    const outward = speed_m_s * (0.4 + 0.6 * this.random());
    this.born.setXYZW(this.next, place.x + radius * cn, place.y + radius * ce, place.z, this.uniforms.uNow.value);
    this.push.setXYZW(this.next, outward * cn, outward * ce, rise, kind === BUBBLE ? 1 + this.random() : 0);
    this.next = (this.next + 1) % this.capacity;
    this.born.needsUpdate = true;
    this.push.needsUpdate = true;
    this.lastBirth = this.uniforms.uNow.value;
  }

  /** The next pseudo-random number in 0..1. */
  random() {
    this.count += 1;
    return hashRandom(this.count, 0, 57);
  }

  /**
   * Emit the specks of one picture.
   * @param {Sample} sample
   * @param {import("../../../vendor/three.js").Object3D} body the vehicle, placed and turned
   * @param {number} size_m of the vehicle
   * @param {Ground} ground
   * @param {number} dt_s simulated time since the last picture
   * @param {number} pixels width of 1 m at a distance of 1 m
   */
  update(sample, body, size_m, ground, dt_s, pixels) {
    const u = this.uniforms;
    u.uNow.value = sample.time;
    u.uPixels.value = pixels;
    u.uCurrent.value.set(orZero(sample.get("current_north_m_s")), orZero(sample.get("current_east_m_s")), 0);
    const vehicle = body.position;
    const altitude = ground.known ? ground.depthAt(vehicle.x, vehicle.y) - vehicle.z : Infinity;
    const effort = this.stirSilt(sample, body, ground, dt_s);
    if (orZero(sample.get("contact_N")) > 5 && altitude < 0.4 + 0.6 * size_m) {
      this.pending[SILT] += 25 * dt_s;
      point.set(vehicle.x, vehicle.y, vehicle.z + altitude - 0.05);
      this.emitPending(SILT, point, 0.6 * size_m, 0.35);
    }
    const below = sample.get("below_surface_m");
    const shallow = Number.isNaN(below) ? 0 : Math.max(0, 1 - Math.abs(below) / (0.6 + 0.7 * size_m));
    this.pending[BUBBLE] += dt_s * 60 * shallow * Math.min(1, effort + orZero(sample.get("speed_m_s")));
    this.emitPending(BUBBLE, point.set(vehicle.x, vehicle.y, vehicle.z - 0.1 * size_m), 0.6 * size_m, 0.3);
    this.emitCollision(sample, ground);
    this.points.visible = sample.time - this.lastBirth < 7;
  }

  /**
   * Emit silt where the wash of a thruster meets the bottom: in a straight line from the screw, opposite to its thrust,
   * and more at low altitude.
   * @param {Sample} sample
   * @param {import("../../../vendor/three.js").Object3D} body
   * @param {Ground} ground
   * @param {number} dt_s
   * @returns {number} the largest thrust of all thrusters, as a share of its limit
   */
  stirSilt(sample, body, ground, dt_s) {
    let effort = 0;
    for (const { column, place, direction } of this.thrusters) {
      const thrust = orZero(sample.get(column));
      effort = Math.max(effort, Math.abs(thrust));
      if (!ground.known || Math.abs(thrust) < 0.05) continue;
      point.copy(place).applyMatrix4(body.matrixWorld);
      const altitude = ground.depthAt(point.x, point.y) - point.z;
      if (altitude > WASH_M) continue;
      wash.copy(direction).transformDirection(body.matrixWorld).multiplyScalar(-Math.sign(thrust));
      // a jet widens by about 12 deg to each side, so that a level one reaches the bottom too, farther away
      const down = Math.max(wash.z, 0.2);
      const run = altitude / down;
      const near = Math.max(0, 1 - run / (3 * WASH_M)) * (1 - altitude / WASH_M);
      this.pending[SILT] += 34 * dt_s * Math.abs(thrust) * near * (wash.z > -0.5 ? 1 : 0);
      point.addScaledVector(wash, run);
      point.z = ground.depthAt(point.x, point.y) - 0.05;
      this.emitPending(SILT, point, 0.2 + 0.3 * altitude, 0.25 + 0.5 * Math.abs(thrust) * near);
    }
    return effort;
  }

  /**
   * Emit the pending specks of a kind.
   * @param {number} kind
   * @param {Vector3} place
   * @param {number} spread_m
   * @param {number} speed_m_s
   */
  emitPending(kind, place, spread_m, speed_m_s) {
    for (; this.pending[kind] >= 1; this.pending[kind] -= 1) this.emit(kind, place, spread_m, speed_m_s);
  }

  /**
   * Emit silt and bubbles at a new collision.
   * @param {Sample} sample
   * @param {Ground} ground
   */
  emitCollision(sample, ground) {
    const collisions = sample.get("collisions");
    const collided = collisions > this.collisions;
    this.collisions = collisions;
    point.set(sample.get("crash_north_m"), sample.get("crash_east_m"), sample.get("crash_depth_m"));
    if (!collided || Number.isNaN(point.x + point.y + point.z)) return;
    const silty = ground.known && ground.depthAt(point.x, point.y) - point.z < 0.6;
    for (let i = 0; i < 14; i += 1) this.emit(SILT, point, 0.15, silty ? 0.6 : 0.3);
    for (let i = 0; i < 16; i += 1) this.emit(BUBBLE, point, 0.15, 0.5);
  }
}

/**
 * The value of a column, or 0 if the sample lacks it (NaN).
 * @param {number} value
 */
function orZero(value) {
  return Number.isNaN(value) ? 0 : value;
}

// reused in every picture, so that none is allocated
const point = new Vector3();
const wash = new Vector3();
