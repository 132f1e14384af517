// Silt that thrusters and contacts stir up, and bubbles near the surface and where something was hit. A ring of specks:
// each gets its start when it is born, the shader moves it from there.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, NormalBlending, Points, Vector3,
} from "../../vendor/three.js";
import { scattered } from "./noise.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("./water.js").Water} Water */
/** @typedef {import("./ground.js").Ground} Ground */

const SILT = 0;
const BUBBLE = 1;

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
  float life = mix(5.0, 3.5, bubble);
  float share = age / life;
  // water brakes it within half a second, then it goes with the current; bubbles rise, silt settles
  vec3 place = born.xyz + push.xyz * 0.6 * (1.0 - exp(-age / 0.6));
  place += uCurrent * max(age - 0.3, 0.0);
  place.z += mix(0.01, -0.28, bubble) * age;
  place.xy += bubble * 0.04 * sin(vec2(7.0, 6.1) * age + 40.0 * born.xy);
  float size = mix(0.10 + 0.5 * sqrt(max(share, 0.0)), 0.014 + 0.016 * fract(push.w * 7.0), bubble);
  vec3 at = place - uEye;
  float range = length(at);
  vec4 view = viewMatrix * vec4(place, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = clamp(uPixels * size / max(-view.z, 0.1), 1.0, mix(160.0, 24.0, bubble));
  vec3 light = daylightOn(place, vec3(0.0, 0.0, -1.0)) + lampsOn(place, -at / range, 0.6) + uFill * 0.4;
  vec3 left = exp(-uAttenuation * range);
  vec3 tint = mix(uSand * 1.9, vec3(0.75, 0.85, 0.9), bubble);
  float alpha = mix(0.62 * (1.0 - share) * smoothstep(0.0, 0.08, share), 0.8, bubble) * sqrt(left.g);
  vColour = vec4(tint * light * left + veil(at / range) * (1.0 - left), alpha);
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
  gl_FragColor = vec4(shown(vColour.rgb, 1.0).rgb, vColour.a * clamp(mix(cloud, ring, vKind), 0.0, 1.0));
}`;

export class Particles {
  /**
   * @param {Water} water
   * @param {{value: any}} sand colour of the bottom
   */
  constructor(water, sand) {
    this.most = water.quality === "low" ? 90 : 320;
    this.born = new BufferAttribute(new Float32Array(4 * this.most).fill(-1e4), 4).setUsage(DynamicDrawUsage);
    this.push = new BufferAttribute(new Float32Array(4 * this.most), 4).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.most), 3));
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
    this.owed = [0, 0];
    this.collisions = NaN;
    this.lastBirth = -1e4;
    /** @type {string[]} */
    this.thrusters = [];
  }

  /** @param {string[]} names of the thrusters */
  setThrusters(names) {
    this.thrusters = names.map((name) => `thruster_${name}`);
  }

  /** Take all away, as after a reset. */
  clear() {
    this.born.array.fill(-1e4);
    this.born.needsUpdate = true;
    this.collisions = NaN;
    this.lastBirth = -1e4;
  }

  /**
   * @param {number} kind
   * @param {Vector3} place
   * @param {number} spread_m
   * @param {number} speed_m_s outward
   */
  emit(kind, place, spread_m, speed_m_s) {
    const angle = 2 * Math.PI * this.chance();
    const away = spread_m * Math.sqrt(this.chance());
    const [cn, ce] = [Math.cos(angle), Math.sin(angle)];
    const rise = kind === SILT ? -0.9 * speed_m_s * this.chance() : -0.3 * this.chance();
    const pace = speed_m_s * (0.4 + 0.6 * this.chance());
    this.born.setXYZW(this.next, place.x + away * cn, place.y + away * ce, place.z, this.uniforms.uNow.value);
    this.push.setXYZW(this.next, pace * cn, pace * ce, rise, kind === BUBBLE ? 1 + this.chance() : 0);
    this.next = (this.next + 1) % this.most;
    this.born.needsUpdate = true;
    this.push.needsUpdate = true;
    this.lastBirth = this.uniforms.uNow.value;
  }

  chance() {
    this.count += 1;
    return scattered(this.count, 0, 57);
  }

  /**
   * @param {Sample} sample
   * @param {Vector3} vehicle where it is
   * @param {number} size_m of it
   * @param {Ground} ground
   * @param {number} dt_s simulated time since the last picture
   * @param {number} pixels a length of 1 m is wide at a distance of 1 m
   */
  update(sample, vehicle, size_m, ground, dt_s, pixels) {
    const u = this.uniforms;
    u.uNow.value = sample.time;
    u.uPixels.value = pixels;
    u.uCurrent.value.set(known(sample.get("current_north_m_s")), known(sample.get("current_east_m_s")), 0);
    let effort = 0;
    for (const name of this.thrusters) effort = Math.max(effort, Math.abs(known(sample.get(name))));
    const altitude = ground.known ? ground.depthAt(vehicle.x, vehicle.y) - vehicle.z : Infinity;
    const reach = 0.7 + 1.2 * size_m;
    const contact = known(sample.get("contact_N")) > 5;
    const near = Math.max(0, 1 - altitude / reach);
    this.owed[SILT] += dt_s * (26 * effort * near + (contact && altitude < reach ? 18 : 0));
    const below = sample.get("below_surface_m");
    const shallow = Number.isNaN(below) ? 0 : Math.max(0, 1 - Math.abs(below) / (0.4 + size_m));
    this.owed[BUBBLE] += dt_s * 30 * shallow * Math.min(1, effort + known(sample.get("speed_m_s")));
    foot.set(vehicle.x, vehicle.y, vehicle.z + altitude - 0.03);
    while (this.owed[SILT] >= 1) {
      this.owed[SILT] -= 1;
      this.emit(SILT, foot, 0.6 * size_m, 0.25 + 0.5 * effort);
    }
    while (this.owed[BUBBLE] >= 1) {
      this.owed[BUBBLE] -= 1;
      this.emit(BUBBLE, foot.set(vehicle.x, vehicle.y, vehicle.z - 0.1 * size_m), 0.5 * size_m, 0.2);
    }
    this.burst(sample, ground);
    this.points.visible = sample.time - this.lastBirth < 6;
  }

  /**
   * A puff and some bubbles where something was hit.
   * @param {Sample} sample
   * @param {Ground} ground
   */
  burst(sample, ground) {
    const collisions = sample.get("collisions");
    const struck = collisions > this.collisions;
    this.collisions = collisions;
    foot.set(sample.get("crash_north_m"), sample.get("crash_east_m"), sample.get("crash_depth_m"));
    if (!struck || Number.isNaN(foot.x + foot.y + foot.z)) return;
    const silty = ground.known && ground.depthAt(foot.x, foot.y) - foot.z < 0.6;
    for (let i = 0; i < 10; i += 1) this.emit(SILT, foot, 0.15, silty ? 0.5 : 0.25);
    for (let i = 0; i < 8; i += 1) this.emit(BUBBLE, foot, 0.12, 0.3);
  }
}

/** @param {number} value */
function known(value) {
  return Number.isNaN(value) ? 0 : value;
}

const foot = new Vector3();
