// Draws the ship at the upper end of the tether: a workboat of 16 m, lofted from a few frames. The simulator has no
// heading for her, so she heads north, with the tether over her starboard side.
import { BufferAttribute, BufferGeometry, Mesh } from "../../../vendor/three.js";
import { PLACE_VERTEX } from "../water/glsl.js";
import { elevation } from "../water/surface.js";

/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("../../types.js").Wave} Wave */
/** @typedef {import("../water/water.js").Water} Water */
/** @typedef {[number, number, number]} Vector */

const HALF_LENGTH_M = 8;
const HALF_BEAM_M = 2.2;
const DRAUGHT_M = 1.5;
const FREEBOARD_M = 1.3;
const OUTREACH_M = 0.5; // from her side to the tether
const STATIONS = 24;

/**
 * One frame of her hull, from the keel up the starboard side to the rail: offset to starboard, depth.
 * @param {number} x along her, m; the bow is at +HALF_LENGTH_M
 * @returns {[number, number][]}
 */
export function frame(x) {
  const s = x / HALF_LENGTH_M;
  // full aft, tapering to the stem
  const fine = s > 0.2 ? Math.sqrt(Math.max(0, 1 - ((s - 0.2) / 0.8) ** 2)) : 1 - 0.12 * Math.max(0, -s - 0.4);
  const [aft, fore] = [Math.max(0, (-s - 0.6) / 0.4), Math.max(0, (s - 0.6) / 0.4)];
  const keel = DRAUGHT_M * (1 - 0.75 * aft * aft - 0.55 * fore * fore);
  const rail = -FREEBOARD_M * (1 + 0.5 * Math.max(0, s) ** 2);
  const beam = HALF_BEAM_M * fine;
  // the waterline is finer at the bow than the rail
  const waterline = beam * (s > 0 ? 1 - 0.25 * s : 1);
  const side = /** @type {[number, number]} */ ([Math.max(beam, 0.05), rail]);
  return [[0, keel], [0.45 * waterline, 0.93 * keel], [0.86 * waterline, 0.62 * keel], [waterline, 0], side];
}

/** The triangles of hull and superstructure: waterline at z = 0, bow to the north. */
export function shipGeometry() {
  /** @type {number[]} */
  const places = [];
  /** @type {(...points: Vector[]) => void} */
  const face = (a, b, c, d) => {
    for (const p of [a, b, c, a, c, d]) places.push(...p);
  };
  /** @type {(x: number, side: number) => Vector[]} */
  const row = (x, side) => frame(x).map(([y, z]) => [x, side * y, z]);
  for (let i = 0; i < STATIONS; i += 1) {
    const [x0, x1] = [i, i + 1].map((k) => HALF_LENGTH_M * ((2 * k) / STATIONS - 1));
    const [aft, fore, port, portFore] = [row(x0, 1), row(x1, 1), row(x0, -1), row(x1, -1)];
    for (let k = 0; k + 1 < aft.length; k += 1) {
      face(aft[k], fore[k], fore[k + 1], aft[k + 1]);
      face(port[k], port[k + 1], portFore[k + 1], portFore[k]);
    }
    const top = aft.length - 1;
    face(port[top], aft[top], fore[top], portFore[top]);
    if (i > 0) continue;
    for (let k = 0; k < top; k += 1) face(aft[k], aft[k + 1], port[k + 1], port[k]);
  }
  block(face, [0.4, 0, -2.9], [1.9, 1.5, 1.25]);
  block(face, [0.7, 0, -4.6], [1.1, 1.2, 0.6]);
  block(face, [0.3, 0, -6.2], [0.08, 0.08, 1.2]);
  // the davit over her side that the tether runs through
  block(face, [0, HALF_BEAM_M, -2.2], [0.1, OUTREACH_M + 0.1, 0.1]);
  block(face, [0, HALF_BEAM_M - 0.3, -1.7], [0.1, 0.1, 0.6]);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * Add a box.
 * @param {(a: Vector, b: Vector, c: Vector, d: Vector) => void} face
 * @param {Vector} c centre
 * @param {Vector} h half sides
 */
function block(face, c, h) {
  for (let axis = 0; axis < 3; axis += 1) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const sign of [1, -1]) {
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
        const p = /** @type {Vector} */ ([...c]);
        p[axis] += sign * h[axis];
        p[u] += sign * a * h[u];
        p[v] += b * h[v];
        return p;
      });
      face(corners[0], corners[1], corners[2], corners[3]);
    }
  }
}

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
uniform float uLevel;
void main() {
  vec3 normal = normalize(vNormal);
  float above = uLevel - vPlace.z;
  vec4 wear = texture2D(uNoise, vec2(vPlace.x + vPlace.y, above) * 0.23);
  // red below the waterline, a white line, dark blue sides, a white house
  vec3 colour = mix(vec3(0.3, 0.045, 0.03), vec3(0.04, 0.1, 0.09), 0.6 * smoothstep(0.45, 0.75, wear.r));
  colour = mix(colour, vec3(0.75), smoothstep(0.1, 0.13, above));
  colour = mix(colour, vec3(0.02, 0.07, 0.16), smoothstep(0.24, 0.27, above));
  colour = mix(colour, vec3(0.75, 0.76, 0.74), smoothstep(1.9, 1.92, above));
  colour *= 0.8 + 0.35 * wear.g;
  vec3 light = daylightOn(vPlace, normal) + uAir * 0.5 * max(dot(normal, SUN), 0.0);
  // daylight does not reach the bottom of the hull
  light *= mix(0.3, 1.0, smoothstep(-0.1, 0.2, above));
  light += lampsOn(vPlace, normal, 0.1) + fillOn(normal, normalize(vPlace - uEye));
  // the water below her is in her shade too: from far away she is a dark shape, although her paint is not visible
  float shade = uAir > 0.5 ? 1.0 : 1.0 - 0.5 * exp(-0.05 * length(vPlace - uEye));
  gl_FragColor = toScreen(shade * throughWater(colour * light, vPlace), 1.0);
}`;

/** The mesh of the ship. */
export class Ship {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.level = { value: 0 };
    this.mesh = new Mesh(shipGeometry(), water.material({
      vertex: PLACE_VERTEX, fragment: FRAGMENT, uniforms: { uLevel: this.level },
    }));
    this.mesh.visible = false;
  }

  /**
   * Place the ship on the waves.
   * @param {Sample} sample
   * @param {import("../../../vendor/three.js").Vector3} eye
   * @param {boolean} surface whether the scene has one
   * @param {Wave[]} waves
   */
  update(sample, eye, surface, waves) {
    const [north, east] = [sample.get("ship_north_m"), sample.get("ship_east_m")];
    const centre = east - HALF_BEAM_M - OUTREACH_M;
    const range = Math.hypot(north - eye.x, centre - eye.y, eye.z) - HALF_LENGTH_M;
    const visible_range_m = this.water.uniforms.uAir.value > 0.5 ? 400 : this.water.visible_range_m;
    this.mesh.visible = surface && range < visible_range_m;
    if (!this.mesh.visible) return;
    const slope = (elevation(waves, north + HALF_LENGTH_M, centre, sample.time)
      - elevation(waves, north - HALF_LENGTH_M, centre, sample.time)) / (2 * HALF_LENGTH_M);
    this.level.value = -elevation(waves, north, centre, sample.time);
    this.mesh.position.set(north, centre, this.level.value);
    this.mesh.rotation.set(0, Math.atan(slope), 0);
  }
}
