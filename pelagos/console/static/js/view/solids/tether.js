// Draws the tether: a ribbon along a smooth curve through its 21 points. It faces the camera and is shaded as if round.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh } from "../../../vendor/three.js";
import { smoothLine } from "./curve.js";

/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("../water/water.js").Water} Water */

export const POINTS = 21; // of a snapshot
const BETWEEN = 6; // points of the curve per point of the tether
const ROWS = (POINTS - 1) * BETWEEN + 1;
const DEFAULT_M = 0.008; // diameter, if the vehicle gives none
const LEAST_PIXELS = 0.75; // least half width, so that it stays visible from far away

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
varying float vArc;
void main() {
  vec3 ray = position - uEye;
  float range = length(ray);
  vec3 across = cross(along, ray);
  across = dot(across, across) < 1e-12 ? vec3(0.0, 0.0, 1.0) : normalize(across);
  float radius = max(uRadius, uPixel * range);
  vPlace = position + across * side.x * radius;
  vAcross = across;
  vSide = side.x;
  vArc = side.y;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec3 vAcross;
varying float vSide;
varying float vArc;
uniform vec3 uColour;
void main() {
  vec3 ray = normalize(vPlace - uEye);
  vec3 normal = normalize(vAcross * vSide - ray * sqrt(max(1.0 - vSide * vSide, 0.0)));
  vec3 light = daylightOn(vPlace, normal) + lampsOn(vPlace, normal, 0.1) + fillOn(normal, ray) + 0.02;
  // a dark band every metre shows how fast it pays out
  float band = smoothstep(0.44, 0.46, abs(fract(vArc) - 0.5));
  gl_FragColor = toScreen(throughWater(mix(uColour, vec3(0.08), 0.8 * band) * light, vPlace), 1.0);
}`;

/** The mesh of the tether. */
export class TetherView {
  /** @param {Water} water */
  constructor(water) {
    this.points = new Float32Array(3 * POINTS);
    this.line = new Float32Array(3 * ROWS);
    this.pixel = { value: 0.001 };
    this.radius = { value: DEFAULT_M / 2 };
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

  /**
   * Take the tether's diameter.
   * @param {import("../../types.js").VehicleHello} vehicle
   */
  setVehicle(vehicle) {
    this.radius.value = (/** @type {any} */ (vehicle).tether_diameter_m ?? DEFAULT_M) / 2;
  }

  /**
   * Draw the tether of a sample.
   * @param {Sample} sample
   * @param {number} pixel_m width of a pixel at a distance of 1 m
   */
  update(sample, pixel_m) {
    this.mesh.visible = this.read(sample);
    if (!this.mesh.visible) return;
    this.pixel.value = LEAST_PIXELS * pixel_m;
    smoothLine(this.points, BETWEEN, this.line);
    const line = this.line;
    let arc_m = 0;
    for (let i = 0; i < ROWS; i += 1) {
      const [a, b] = [3 * Math.max(i - 1, 0), 3 * Math.min(i + 1, ROWS - 1)];
      const [x, y, z] = [line[b] - line[a], line[b + 1] - line[a + 1], line[b + 2] - line[a + 2]];
      const size = Math.hypot(x, y, z) || 1;
      if (i > 0) {
        arc_m += Math.hypot(line[3 * i] - line[3 * i - 3], line[3 * i + 1] - line[3 * i - 2],
          line[3 * i + 2] - line[3 * i - 1]);
      }
      for (const k of [0, 1]) {
        this.places.setXYZ(2 * i + k, line[3 * i], line[3 * i + 1], line[3 * i + 2]);
        this.along.setXYZ(2 * i + k, x / size, y / size, z / size);
        this.side.setXY(2 * i + k, 2 * k - 1, arc_m);
      }
    }
    this.places.needsUpdate = true;
    this.along.needsUpdate = true;
    this.side.needsUpdate = true;
  }

  /**
   * Read the points of a sample.
   * @param {Sample} sample
   * @returns {boolean} false if the sample has no tether
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

/**
 * A buffer of two vertices per point, rewritten with every sample.
 * @param {number} size numbers per vertex
 */
function attribute(size) {
  const buffer = new BufferAttribute(new Float32Array(2 * ROWS * size), size);
  buffer.setUsage(DynamicDrawUsage);
  return buffer;
}
