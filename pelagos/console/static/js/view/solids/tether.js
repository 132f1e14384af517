// The tether: a ribbon that faces the camera and is shaded as if round, along a smooth line through the 21 points.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh } from "../../../vendor/three.js";
import { smoothLine } from "./curve.js";

/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("../water/water.js").Water} Water */

export const POINTS = 21;
const BETWEEN = 6;
const ROWS = (POINTS - 1) * BETWEEN + 1;
const USUAL_M = 0.008; // diameter of one that does not say its own
const LEAST_PIXELS = 0.75; // half the width it has at any distance

const COLUMNS = Array.from({ length: POINTS }, (_, i) => {
  const name = `tether_${String(i).padStart(2, "0")}`;
  return [`${name}_north_m`, `${name}_east_m`, `${name}_depth_m`];
});

const VERTEX = `
attribute vec3 along;
attribute vec2 side;
uniform float uRadius;
uniform float uPixel;
varying vec3 vPlace;
varying vec3 vAcross;
varying float vSide;
varying float vRun;
void main() {
  vec3 look = position - uEye;
  float range = length(look);
  vec3 across = cross(along, look);
  across = dot(across, across) < 1e-12 ? vec3(0.0, 0.0, 1.0) : normalize(across);
  float half_ = max(uRadius, uPixel * range);
  vPlace = position + across * side.x * half_;
  vAcross = across;
  vSide = side.x;
  vRun = side.y;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vAcross;
varying float vSide;
varying float vRun;
uniform vec3 uColour;
void main() {
  vec3 look = normalize(vPlace - uEye);
  vec3 normal = normalize(vAcross * vSide - look * sqrt(max(1.0 - vSide * vSide, 0.0)));
  vec3 light = daylightOn(vPlace, normal) + lampsOn(vPlace, normal, 0.1) + fillOn(normal, look) + 0.02;
  // a band every metre of it tells how fast it runs out
  float band = smoothstep(0.44, 0.46, abs(fract(vRun) - 0.5));
  gl_FragColor = shown(throughWater(mix(uColour, vec3(0.08), 0.8 * band) * light, vPlace), 1.0);
}`;

export class TetherView {
  /** @param {Water} water */
  constructor(water) {
    this.points = new Float32Array(3 * POINTS);
    this.line = new Float32Array(3 * ROWS);
    this.pixel = { value: 0.001 };
    this.radius = { value: USUAL_M / 2 };
    const geometry = new BufferGeometry();
    this.places = attribute(3);
    this.along = attribute(3);
    this.side = attribute(2);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("along", this.along);
    geometry.setAttribute("side", this.side);
    const corners = [];
    for (let i = 0; i + 1 < ROWS; i += 1) {
      corners.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    }
    geometry.setIndex(corners);
    this.mesh = new Mesh(geometry, water.material({
      vertex: VERTEX, fragment: FRAGMENT,
      uniforms: { uRadius: this.radius, uPixel: this.pixel, uColour: { value: [0.85, 0.42, 0.02] } },
      options: { side: DoubleSide },
    }));
    this.mesh.frustumCulled = false;
  }

  /** @param {import("../../types.js").VehicleHello} vehicle */
  setVehicle(vehicle) {
    this.radius.value = (/** @type {any} */ (vehicle).tether_diameter_m ?? USUAL_M) / 2;
  }

  /**
   * @param {Sample} sample
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(sample, pixel_m) {
    this.mesh.visible = this.read(sample);
    if (!this.mesh.visible) return;
    this.pixel.value = LEAST_PIXELS * pixel_m;
    smoothLine(this.points, BETWEEN, this.line);
    const line = this.line;
    let run = 0;
    for (let i = 0; i < ROWS; i += 1) {
      const [a, b] = [3 * Math.max(i - 1, 0), 3 * Math.min(i + 1, ROWS - 1)];
      const [x, y, z] = [line[b] - line[a], line[b + 1] - line[a + 1], line[b + 2] - line[a + 2]];
      const size = Math.hypot(x, y, z) || 1;
      if (i > 0) {
        run += Math.hypot(line[3 * i] - line[3 * i - 3], line[3 * i + 1] - line[3 * i - 2],
          line[3 * i + 2] - line[3 * i - 1]);
      }
      for (const k of [0, 1]) {
        this.places.setXYZ(2 * i + k, line[3 * i], line[3 * i + 1], line[3 * i + 2]);
        this.along.setXYZ(2 * i + k, x / size, y / size, z / size);
        this.side.setXY(2 * i + k, 2 * k - 1, run);
      }
    }
    this.places.needsUpdate = true;
    this.along.needsUpdate = true;
    this.side.needsUpdate = true;
  }

  /**
   * @param {Sample} sample
   * @returns {boolean} false if there is no tether
   */
  read(sample) {
    for (let i = 0; i < POINTS; i += 1) {
      for (let axis = 0; axis < 3; axis += 1) {
        const value = sample.get(COLUMNS[i][axis]);
        if (Number.isNaN(value)) return false;
        this.points[3 * i + axis] = value;
      }
    }
    return true;
  }
}

/** @param {number} size */
function attribute(size) {
  const made = new BufferAttribute(new Float32Array(2 * ROWS * size), size);
  made.setUsage(DynamicDrawUsage);
  return made;
}
