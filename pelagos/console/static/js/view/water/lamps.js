// Passes the vehicle's lamps to the shaders, and draws the cones of light that are visible from outside.
import { AdditiveBlending, BufferAttribute, BufferGeometry, DoubleSide, Mesh, Vector3 } from "../../../vendor/three.js";
import { keepClear } from "../clearance.js";
import { candela } from "./light.js";

/** @typedef {import("../../types.js").LampHello} LampHello */
/** @typedef {import("./water.js").Water} Water */
/** @typedef {{place: Vector3, axis: Vector3, edge: number, strength: number}} Lamp */

const TYPICAL_CD = 1500; // of all lamps of a vehicle together
const CONE_SIDES = 24;
// Least distance from a lamp to a structure: a lamp that touches a wall still lights it, by way of hull and water.
const CLEAR_M = 0.12;

/**
 * Merge lamps that are neighbours in the list, until there are at most `most`. Their total strength stays the same.
 * @param {LampHello[]} lamps
 * @param {number} most
 * @returns {Lamp[]}
 */
export function mergeLamps(lamps, most) {
  const lit = lamps.filter((lamp) => lamp.lumens > 0);
  const total = lit.reduce((sum, lamp) => sum + candela(lamp.lumens, lamp.beam_deg), 0);
  // the iris makes up for half of the difference, in decades, between strong and weak sets of lamps
  const scale = total > 0 ? 1 / Math.sqrt(total * TYPICAL_CD) : 0;
  const groups = Math.min(most, lit.length);
  /** @type {Lamp[]} */
  const merged = [];
  for (let g = 0; g < groups; g += 1) {
    const members = lit.slice(Math.floor((g * lit.length) / groups), Math.floor(((g + 1) * lit.length) / groups));
    const lamp = { place: new Vector3(), axis: new Vector3(), edge: 0, strength: 0 };
    for (const member of members) {
      lamp.place.add(new Vector3(...member.position_m).divideScalar(members.length));
      lamp.axis.add(new Vector3(...member.direction).normalize());
      lamp.edge += Math.cos((member.beam_deg * Math.PI) / 360) / members.length;
      lamp.strength += scale * candela(member.lumens, member.beam_deg);
    }
    lamp.axis.normalize();
    merged.push(lamp);
  }
  return merged;
}

/** The lamps in the shared uniforms, and the mesh of their cones. */
export class Lamps {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    /** @type {Lamp[]} */
    this.lamps = [];
    /** @type {import("../../types.js").Structure[]} */
    this.solids = [];
    this.cones = this.makeCones();
    this.strength = this.cones.material.uniforms.uStrength;
  }

  /**
   * Take the lamps of a vehicle and build their cones.
   * @param {LampHello[]} lamps
   * @param {import("../../types.js").Structure[]} solids structures that lamps keep clear of
   */
  setLamps(lamps, solids) {
    this.solids = solids;
    this.lamps = mergeLamps(lamps, this.water.lamps);
    const places = [];
    const offsets = [];
    const normals = [];
    for (const lamp of this.lamps) {
      const reach = this.water.visibility_m * 0.75;
      // only the core of the beam is drawn: a wide flood would be a hemisphere of haze
      const half = Math.min(Math.acos(lamp.edge) * 0.55, 0.45);
      const side = new Vector3(0, 0, 1).cross(lamp.axis);
      if (side.lengthSq() < 1e-6) side.set(0, 1, 0);
      side.normalize();
      const other = new Vector3().crossVectors(lamp.axis, side);
      for (let i = 0; i < CONE_SIDES; i += 1) {
        for (const [step, length] of [[i + 0.5, 0], [i, reach], [i + 1, reach]]) {
          const angle = (2 * Math.PI * step) / CONE_SIDES;
          const out = new Vector3().addScaledVector(side, Math.cos(angle)).addScaledVector(other, Math.sin(angle));
          const offset = new Vector3().copy(lamp.axis).addScaledVector(out, Math.tan(half)).multiplyScalar(length);
          const normal = out.multiplyScalar(Math.cos(half)).addScaledVector(lamp.axis, -Math.sin(half));
          places.push(lamp.place.x + offset.x, lamp.place.y + offset.y, lamp.place.z + offset.z);
          offsets.push(offset.x, offset.y, offset.z);
          normals.push(normal.x, normal.y, normal.z);
        }
      }
    }
    this.cones.geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    this.cones.geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
    this.cones.geometry.setAttribute("offset", new BufferAttribute(new Float32Array(offsets), 3));
  }

  /**
   * Place and aim the lamps.
   * @param {import("../../../vendor/three.js").Object3D} body the vehicle, placed and turned
   * @param {number} level of the lamps, 0..1
   * @param {boolean} aboard whether the camera is on the vehicle, next to the lamps
   * @param {number} exposure strength of lamps of TYPICAL_CD, as the camera shows it
   */
  update(body, level, aboard, exposure) {
    const u = this.water.uniforms;
    const glow = u.uGlow.value;
    let [sum, edge] = [0, 0];
    let [x, y, z] = [0, 0, 0];
    u.uLampAxis.value.forEach((axis, i) => {
      const lamp = this.lamps[i];
      if (!lamp) {
        axis.w = 0;
        return;
      }
      const strength = lamp.strength * level;
      const place = scratch.copy(lamp.place).applyMatrix4(body.matrixWorld);
      let clear = /** @type {[number, number, number]} */ ([place.x, place.y, place.z]);
      for (const item of this.solids) clear = keepClear(item, clear, CLEAR_M);
      u.uLampPlace.value[i].set(...clear, lamp.edge);
      const direction = scratch.copy(lamp.axis).transformDirection(body.matrixWorld);
      axis.set(direction.x, direction.y, direction.z, strength * exposure);
      sum += strength;
      edge += lamp.edge * strength;
      x += direction.x * lamp.strength;
      y += direction.y * lamp.strength;
      z += direction.z * lamp.strength;
    });
    const size = Math.hypot(x, y, z);
    if (size > 0) glow.set(x / size, y / size, z / size, 0);
    // turbid water scatters more light back; an iris set for a long distance shows more of it
    const haze = Math.min(1.6, 9 / this.water.visibility_m) * Math.sqrt(exposure / 150);
    glow.w = aboard && u.uAir.value < 0.5 ? 0.028 * Math.min(sum, 1.5) * Math.min(haze, 1.6) : 0;
    u.uGlowEdge.value = sum > 0 ? edge / sum : 0.5;
    u.uIris.value = (60 / exposure) ** 0.75;
    this.cones.visible = !aboard && sum > 0 && u.uAir.value < 0.5;
    this.cones.matrix.copy(body.matrixWorld);
    this.strength.value = Math.min(1, sum);
  }

  /** The mesh of the cones, still empty. */
  makeCones() {
    const material = this.water.material({
      vertex: `
attribute vec3 offset;
varying vec3 vPlace;
varying vec3 vOffset;
varying vec3 vNormal;
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  vOffset = offset;
  vNormal = mat3(modelMatrix) * normal;
  gl_Position = projectionMatrix * viewMatrix * place;
}`,
      fragment: `
varying vec3 vPlace;
varying vec3 vOffset;
varying vec3 vNormal;
uniform float uStrength;
void main() {
  float along = length(vOffset);
  // the cone is brightest along its axis, where the line of sight through it is longest, and fades towards its edge
  vec3 ray = normalize(vPlace - uEye);
  float middle = abs(dot(normalize(vNormal), ray));
  vec3 transmission = exp(-(uOutward * along + uAttenuation * length(vPlace - uEye)));
  float near = smoothstep(0.0, 0.25, along) / (1.0 + 1.2 * along + 0.25 * along * along);
  vec3 colour = LAMP_COLOUR * transmission * uStrength * middle * middle * near * 0.6;
  gl_FragColor = vec4(colour, 1.0);
}`,
      uniforms: { uStrength: { value: 0 } },
      options: { transparent: true, depthWrite: false, blending: AdditiveBlending, side: DoubleSide },
    });
    const mesh = new Mesh(new BufferGeometry(), material);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = 90;
    return mesh;
  }
}

const scratch = new Vector3();
