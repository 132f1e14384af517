// Draws the bottom: sand with ripples, patches and grain. A flat bottom is a square under the camera; a grid is a patch
// of triangles around the camera that moves by whole steps, so that its shape does not swim as the camera moves.
import { BufferAttribute, BufferGeometry, Mesh, Vector3, Vector4 } from "../../../vendor/three.js";
import { Ground, distanceTo, footprints } from "./ground.js";

/** @typedef {import("../../types.js").SceneHello} SceneHello */
/** @typedef {import("../water/water.js").Water} Water */

const FOOTPRINTS = { low: 3, high: 6 }; // that darken the ground: structures, and last the vehicle
const SAND = new Vector3(0.4, 0.345, 0.26);
const SILT = new Vector3(0.17, 0.15, 0.105);
const CONCRETE = new Vector3(0.34, 0.36, 0.36);

const VERTEX = `
varying vec3 vPlace;
varying vec3 vNormal;
void main() {
  vPlace = position;
  vNormal = normal;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vNormal;
uniform vec3 uSand;
uniform vec4 uFootprint[FOOTPRINTS];
uniform vec4 uFootprintHalf[FOOTPRINTS];
uniform float uCaustics;
uniform float uLoose;

float shade(vec2 at) {
  float light = 1.0;
  for (int i = 0; i < FOOTPRINTS; i++) {
    vec2 from = at - uFootprint[i].xy;
    vec2 along = uFootprint[i].zw;
    vec2 side = abs(vec2(dot(from, along), dot(from, vec2(-along.y, along.x)))) - uFootprintHalf[i].xy;
    side = max(side, 0.0) / uFootprintHalf[i].w;
    light *= 1.0 - uFootprintHalf[i].z / (1.0 + dot(side, side));
  }
  return light;
}

void main() {
  vec2 at = vPlace.xy;
  float range = length(vPlace - uEye);
#ifdef HIGH
  vec4 wide = texture2D(uNoise, at * 0.043);
  vec4 broad = texture2D(uNoise, at * 0.19 + 0.3);
#else
  vec4 broad = texture2D(uNoise, at * 0.11 + 0.3);
  vec4 wide = broad.grab;
#endif
  vec4 fine = texture2D(uNoise, at * 1.3);

  // ripples, bent by noise and washed out in patches
  float bend = 7.0 * broad.r + 9.0 * wide.g;
  float phase = dot(at, vec2(19.0, 5.5)) + bend;
  float clear = uLoose / (1.0 + 0.012 * range * range) * smoothstep(0.3, 0.62, wide.r + 0.25 * broad.g);
#ifdef HIGH
  phase += 0.6 * sin(phase);
#endif
  float crest = sin(phase);
  float slope = cos(phase);
  vec3 normal = normalize(vNormal);
  normal = normalize(normal + vec3(vec2(0.96, 0.28) * slope * 0.62 * clear, 0.0)
    + vec3((vec2(fine.r, fine.g) - 0.5) * 0.34 + (vec2(broad.g, broad.r) - 0.5) * 0.3, 0.0));

  vec3 colour = uSand * (0.7 + 0.36 * broad.r + 0.3 * fine.g);
  float mud = smoothstep(0.5, 0.8, wide.g * 0.6 + broad.g * 0.45);
  colour = mix(colour, uSand * vec3(0.5, 0.52, 0.5), 0.6 * uLoose * mud);
  colour *= 1.0 + 0.26 * crest * clear;
#ifdef HIGH
  vec4 grain = texture2D(uNoise, at * 6.1);
  float close = exp(-range * 0.35);
  colour *= 1.0 + close * 0.7 * (grain.r - 0.5);
  // grains of one or two millimetres, visible from close by only
  vec4 dust = texture2D(uNoise, at * 23.0 + 0.3 * grain.rg);
  float touch = exp(-range * 1.3);
  colour *= 1.0 + touch * (0.8 * (dust.r - 0.5) + 0.7 * (dust.a - 0.45));
  // shells and pebbles: the centres of some cells
  float size = 0.26 * smoothstep(0.5, 0.85, broad.g) * fine.g;
  float pebble = smoothstep(size, 0.5 * size, texture2D(uNoise, at * 0.61 + 0.03 * fine.rg).a) * step(0.02, size);
  colour = mix(colour, mix(vec3(0.62, 0.58, 0.5), vec3(0.12, 0.11, 0.1), step(0.55, broad.g)), 0.75 * pebble * uLoose);
  normal = normalize(normal + vec3(close * 0.5 * (grain.rg - 0.5) + touch * 0.9 * (dust.gr - 0.5), 0.0));
#endif
  // the floor of a basin has tiles of 1 m
  vec2 tile = abs(fract(at) - 0.5);
  float gap = smoothstep(0.5 - 0.012 - 0.002 * range, 0.5, max(tile.x, tile.y)) / (1.0 + 0.05 * range);
  colour *= 1.0 - 0.5 * gap * (1.0 - uLoose);
  float dark = shade(at);

  vec3 light = daylightOn(vPlace, normal) * dark;
  if (uCaustics > 0.001) {
    float web = texture2D(uNoise, at * 0.11 + vec2(0.013, 0.02) * uTime).b
      * texture2D(uNoise, at * 0.087 - vec2(0.017, 0.011) * uTime + 0.37).b;
    light *= 1.0 + uCaustics * (2.4 * web - 0.2);
  }
  light += lampsOn(vPlace, normal, 0.0) * mix(dark, 1.0, 0.45) + fillOn(normal, normalize(vPlace - uEye));
  gl_FragColor = toScreen(throughWater(colour * light, vPlace), 1.0);
}`;

/** The mesh of the bottom. */
export class SeabedView {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    this.count = FOOTPRINTS[water.quality];
    this.ground = new Ground(null);
    this.sand = { value: SAND.clone() };
    /** @type {import("./ground.js").Footprint[]} */
    this.footprints = [];
    this.uniforms = {
      uSand: this.sand,
      uFootprint: { value: Array.from({ length: this.count }, () => new Vector4(0, 0, 1, 0)) },
      uFootprintHalf: { value: Array.from({ length: this.count }, () => new Vector4(0, 0, 0, 1)) },
      uCaustics: { value: 0 },
      uLoose: { value: 1 },
    };
    this.mesh = new Mesh(new BufferGeometry(), water.material({
      vertex: VERTEX, fragment: `#define FOOTPRINTS ${this.count}\n${FRAGMENT}`, uniforms: this.uniforms,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.basin = false;
    this.cells = 1;
    this.step_m = 1;
    this.origin = [NaN, NaN];
  }

  /**
   * Take the bottom of a scene.
   * @param {SceneHello} scene
   */
  setScene(scene) {
    this.ground = new Ground(scene.seabed);
    this.footprints = footprints(scene.structures, this.ground);
    // in turbid water the bottom is silty
    const silty = Math.min(1, Math.max(0, (9 - this.water.visibility_m) / 5));
    this.sand.value.lerpVectors(SAND, SILT, silty);
    // with three walls or more it is the floor of a basin
    this.basin = scene.structures.filter((item) => item.kind === "plane").length > 2;
    if (this.basin) this.sand.value.copy(CONCRETE);
    this.uniforms.uLoose.value = this.basin ? 0 : 1;
    const reach = Math.min(this.water.visible_range_m * 1.2, 150);
    const most = this.water.quality === "low" ? 40 : 112;
    this.cells = this.ground.flat ? 1 : most;
    this.step_m = (2 * reach) / this.cells;
    this.origin = [NaN, NaN];
    this.mesh.visible = this.ground.known;
    this.mesh.geometry.dispose();
    this.mesh.geometry = this.makePatch();
  }

  /** The triangles of the patch, not yet placed. */
  makePatch() {
    const side = this.cells + 1;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * side * side), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(3 * side * side), 3));
    const corners = [];
    for (let i = 0; i < this.cells; i += 1) {
      for (let j = 0; j < this.cells; j += 1) {
        const a = i * side + j;
        // front faces towards -z, up: with z down, this order is counter-clockwise as seen from above
        corners.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
      }
    }
    geometry.setIndex(corners);
    return geometry;
  }

  /**
   * Move the patch with the camera, and the shade of the vehicle with the vehicle.
   * @param {Vector3} eye
   * @param {Vector3} vehicle
   * @param {number} size_m of the vehicle; 0 for no shade
   */
  update(eye, vehicle, size_m) {
    if (!this.mesh.visible) return;
    const step = this.cells === 1 ? 1 : this.step_m;
    const [north, east] = [Math.round(eye.x / step) * step, Math.round(eye.y / step) * step];
    if (north !== this.origin[0] || east !== this.origin[1]) {
      this.origin = [north, east];
      this.placePatch(north, east);
      this.chooseFootprints(eye);
    }
    const height = this.ground.depthAt(vehicle.x, vehicle.y) - vehicle.z;
    const shadow = size_m > 0 ? 0.5 * Math.exp(-Math.max(height, 0) / (2 * size_m)) : 0;
    this.uniforms.uFootprint.value[this.count - 1].set(vehicle.x, vehicle.y, 1, 0);
    this.uniforms.uFootprintHalf.value[this.count - 1].set(0.2 * size_m, 0.2 * size_m, shadow, 0.3 * size_m + 0.01);
    this.uniforms.uCaustics.value = Math.exp(-Math.max(eye.z, 0) / 7);
  }

  /**
   * Compute places and normals of the patch around a centre.
   * @param {number} north
   * @param {number} east
   */
  placePatch(north, east) {
    const side = this.cells + 1;
    const places = /** @type {BufferAttribute} */ (this.mesh.geometry.getAttribute("position"));
    const normals = /** @type {BufferAttribute} */ (this.mesh.geometry.getAttribute("normal"));
    const step = this.step_m;
    const ground = this.ground;
    for (let i = 0; i < side; i += 1) {
      const n = north + (i - this.cells / 2) * step;
      for (let j = 0; j < side; j += 1) {
        const e = east + (j - this.cells / 2) * step;
        const at = i * side + j;
        places.setXYZ(at, n, e, ground.depthAt(n, e));
        if (ground.flat) {
          normals.setXYZ(at, 0, 0, -1);
          continue;
        }
        const dn = (ground.depthAt(n + step, e) - ground.depthAt(n - step, e)) / (2 * step);
        const de = (ground.depthAt(n, e + step) - ground.depthAt(n, e - step)) / (2 * step);
        const size = Math.hypot(dn, de, 1);
        normals.setXYZ(at, dn / size, de / size, -1 / size);
      }
    }
    places.needsUpdate = true;
    normals.needsUpdate = true;
  }

  /**
   * Pass the nearest footprints to the shader.
   * @param {Vector3} eye
   */
  chooseFootprints(eye) {
    const near = this.footprints
      .map((footprint) => ({ footprint, away: distanceTo(footprint, eye.x, eye.y) }))
      .sort((a, b) => a.away - b.away);
    for (let i = 0; i < this.count - 1; i += 1) {
      const footprint = near[i]?.footprint;
      const strength = footprint && near[i].away < this.water.visible_range_m ? 0.72 : 0;
      if (footprint) {
        this.uniforms.uFootprint.value[i].set(footprint.north, footprint.east, footprint.along[0], footprint.along[1]);
        this.uniforms.uFootprintHalf.value[i].set(footprint.half[0], footprint.half[1], strength, 0.3);
      } else {
        this.uniforms.uFootprintHalf.value[i].set(0, 0, 0, 1);
      }
    }
  }
}
