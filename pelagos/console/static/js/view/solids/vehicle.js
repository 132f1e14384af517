// Draws the vehicle as one mesh in body axes. The shader rotates each part about its hinge, so that screws spin and
// fins deflect without further draw calls.
import { BufferAttribute, BufferGeometry, Color, Mesh } from "../../../vendor/three.js";
import { float32s, uint32s } from "./decode.js";

/** @typedef {import("../../types.js").VehicleHello} VehicleHello */
/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("../water/water.js").Water} Water */
/**
 * @typedef {object} Part
 * @property {string} kind hull, frame, float, thruster, fin, camera or lamp
 * @property {string} colour
 * @property {import("../../types.js").Mesh} mesh
 * @property {string} [thruster]
 * @property {number[]} [position_m]
 * @property {number[]} [direction]
 * @property {string | null} [surface]
 * @property {number[]} [hinge_m]
 * @property {number[]} [axis]
 * @property {number} [gain]
 */
/** @typedef {{column: string, spins: boolean, gain: number}} Joint */

const JOINTS = 24; // most moving parts; the shader holds an array of this size
const SPIN_RAD_S = 35; // of a screw at full thrust: slower than real, or the picture rate would make it look still
const SHINE = { camera: 1, lamp: 2 }; // codes for the shader: glossy, luminous

const VERTEX = `
#define JOINTS ${JOINTS}
attribute vec3 colour;
attribute vec3 hinge;
attribute vec3 axis;
attribute vec2 joint;
uniform float uTurn[JOINTS];
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vColour;
varying vec3 vBody;
varying float vShine;
vec3 rotated(vec3 v, float angle) {
  return v * cos(angle) + cross(axis, v) * sin(angle) + axis * dot(axis, v) * (1.0 - cos(angle));
}
void main() {
  float angle = joint.x < 0.0 ? 0.0 : uTurn[int(joint.x + 0.5)];
  vec4 place = modelMatrix * vec4(hinge + rotated(position - hinge, angle), 1.0);
  vPlace = place.xyz;
  vNormal = mat3(modelMatrix) * rotated(normal, angle);
  vColour = colour;
  vBody = position;
  vShine = joint.y;
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vColour;
varying vec3 vBody;
varying float vShine;
uniform float uLit;
const vec3 KEY = vec3(-0.3, 0.35, -0.887);
void main() {
  vec3 normal = normalize(vNormal);
  vec3 ray = normalize(vPlace - uEye);
  vec4 wear = texture2D(uNoise, vBody.xy * 1.7 + vBody.z * 1.1);
  vec3 colour = mix(vColour, vec3(0.3), 0.1) * (0.86 + 0.22 * wear.r);
  vec3 light = daylightOn(vPlace, normal) + 0.35 * lampsOn(vPlace, normal, 0.2) + fillOn(normal, ray);
  // daylight scattered from the side of the camera
  light += uDay * 0.25 * max(dot(normal, -ray), 0.0);
  // the chase camera adds a soft key light from above: without it a dark hull in dark water has no shape
  light += uFill * (0.35 + 0.9 * max(dot(normal, KEY), 0.0)) * vec3(0.9, 0.97, 1.0);
  float rim = pow(1.0 - max(dot(normal, -ray), 0.0), 3.0);
  vec3 shine = (uDay * max(-normal.z, 0.0) + uFill * vec3(0.7, 0.95, 1.1)) * rim * 0.4;
  float gloss = pow(max(dot(reflect(ray, normal), SUN), 0.0), 26.0);
  shine += (uDay + uFill) * gloss * (vShine == 1.0 ? 1.6 : 0.3);
  vec3 lit = colour * light + shine;
  if (vShine > 1.5) lit += uLit * LAMP_COLOUR * 3.5;
  gl_FragColor = toScreen(throughWater(lit, vPlace), 1.0);
}`;

/** Collects the vertices of all parts. Normals are smooth where triangles of a mesh share a corner. */
export class PartsBuilder {
  constructor() {
    /** @type {Record<string, number[]>} */
    this.rows = { position: [], normal: [], colour: [], hinge: [], axis: [], joint: [] };
    /** @type {number[]} */
    this.corners = [];
    /** @type {Joint[]} */
    this.joints = [];
    this.count = 0;
  }

  /**
   * Add a part.
   * @param {Part} part
   */
  add(part) {
    const joint = this.jointOf(part);
    const points = float32s(part.mesh.positions);
    const corners = uint32s(part.mesh.indices);
    const partGeometry = new BufferGeometry();
    partGeometry.setAttribute("position", new BufferAttribute(points, 3));
    partGeometry.setIndex(new BufferAttribute(corners, 1));
    partGeometry.computeVertexNormals();
    const normals = /** @type {Float32Array} */ (partGeometry.getAttribute("normal").array);
    const colour = new Color(part.colour).toArray();
    const hinge = part.hinge_m ?? part.position_m ?? [0, 0, 0];
    const axis = part.axis ?? part.direction ?? [1, 0, 0];
    const size = Math.hypot(axis[0], axis[1], axis[2]) || 1;
    const shine = /** @type {Record<string, number>} */ (SHINE)[part.kind] ?? 0;
    for (let k = 0; k < points.length / 3; k += 1) {
      this.rows.position.push(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
      this.rows.normal.push(normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]);
      this.rows.colour.push(...colour);
      this.rows.hinge.push(...hinge);
      this.rows.axis.push(axis[0] / size, axis[1] / size, axis[2] / size);
      this.rows.joint.push(joint, shine);
    }
    for (const corner of corners) this.corners.push(corner + this.count);
    this.count += points.length / 3;
  }

  /**
   * The number of a new joint for a part, or -1 for a fixed part.
   * @param {Part} part
   * @returns {number}
   */
  jointOf(part) {
    /** @type {Joint | null} */
    let joint = null;
    if (part.thruster) joint = { column: `thruster_${part.thruster}`, spins: true, gain: 1 };
    else if (part.surface) joint = { column: `surface_${part.surface}_deg`, spins: false, gain: part.gain ?? 1 };
    if (!joint || this.joints.length >= JOINTS) return -1;
    this.joints.push(joint);
    return this.joints.length - 1;
  }

  geometry() {
    const geometry = new BufferGeometry();
    for (const [name, values] of Object.entries(this.rows)) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), name === "joint" ? 2 : 3));
    }
    geometry.setIndex(this.corners);
    return geometry;
  }
}

/** The mesh of the vehicle. */
export class VehicleView {
  /** @param {Water} water */
  constructor(water) {
    this.turns = new Float32Array(JOINTS);
    this.lit = { value: 0 };
    /** @type {Joint[]} */
    this.joints = [];
    this.mesh = new Mesh(new BufferGeometry(), water.material({
      vertex: VERTEX, fragment: FRAGMENT, uniforms: { uTurn: { value: this.turns }, uLit: this.lit },
    }));
    this.mesh.frustumCulled = false;
    this.size_m = 1;
    this.drawn = false;
  }

  /**
   * Take the parts of a vehicle.
   * @param {VehicleHello} vehicle
   */
  setVehicle(vehicle) {
    const skin = /** @type {{parts?: Part[]} | null | undefined} */ (vehicle.skin);
    const parts = skin?.parts ?? [];
    const builder = new PartsBuilder();
    for (const part of parts) builder.add(part);
    this.mesh.geometry.dispose();
    this.mesh.geometry = builder.geometry();
    this.joints = builder.joints;
    this.turns.fill(0);
    this.size_m = vehicle.length_m;
    this.drawn = parts.length > 0;
  }

  /**
   * Turn screws and fins.
   * @param {Sample} sample
   * @param {number} dt_s simulated time since the last picture
   * @param {number} lights level of the lamps, 0..1
   */
  update(sample, dt_s, lights) {
    this.lit.value = lights;
    this.joints.forEach((joint, i) => {
      const value = sample.get(joint.column);
      if (Number.isNaN(value)) return;
      if (joint.spins) this.turns[i] = (this.turns[i] + value * SPIN_RAD_S * dt_s) % (2 * Math.PI);
      else this.turns[i] = (value * joint.gain * Math.PI) / 180;
    });
  }
}
