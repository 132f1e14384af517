// Draws marine snow: specks that drift with the water and so show the vehicle's motion through it. They fill a box with
// periodic boundaries around the camera, so that their number is constant.
import { AdditiveBlending, BufferAttribute, BufferGeometry, Points, Vector3 } from "../../../vendor/three.js";
import { hashRandom } from "./noise.js";

/** @typedef {import("../../types.js").Sample} Sample */
/** @typedef {import("./water.js").Water} Water */

const SINKS_M_S = 0.004;

const VERTEX = `
attribute vec4 speck;
uniform vec3 uDrift;
uniform float uBox;
uniform float uSize;
uniform float uSurface;
varying vec3 vLight;
varying float vSoft;
void main() {
  vec3 wobble = 0.05 * sin(vec3(0.31, 0.27, 0.23) * uTime + 6.2831853 * speck.wxy);
  vec3 at = mod(speck.xyz * uBox + uDrift + wobble - uEye, uBox) - 0.5 * uBox;
  vec3 place = uEye + at;
  float range = length(at);
  vec3 ray = at / max(range, 1e-3);
  vec4 view = viewMatrix * vec4(place, 1.0);
  gl_Position = projectionMatrix * view;
  float size = uSize * (0.3 + 1.5 * speck.w * speck.w * speck.w);
  float pixels = size / max(-view.z, 0.05);
  // a speck smaller than a pixel is drawn fainter; one near the lens is out of focus: larger and thinner
  float faint = min(pixels, 1.0);
  vSoft = smoothstep(0.2, 1.2, range);
  gl_PointSize = clamp(pixels, 1.0, 26.0) * mix(1.7, 1.0, vSoft);
  float rim = 1.0 - smoothstep(0.36, 0.5, range / uBox);
  vec3 light = daylightOn(place, vec3(0.0, 0.0, -1.0)) * 0.10 + lampsOn(place, -ray, 0.4) * uIris * 0.2 + uFill * 0.03;
  vLight = light * exp(-uAttenuation * range) * faint * rim * mix(0.25, 1.0, vSoft) * min(1.0, 2.5 / pixels);
  if (place.z < uSurface) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `
varying vec3 vLight;
varying float vSoft;
void main() {
  vec2 at = gl_PointCoord - 0.5;
  float body = exp(-mix(14.0, 22.0, vSoft) * dot(at, at));
  vec3 colour = vLight * body * 0.9;
  gl_FragColor = vec4(pow(colour / (1.0 + colour), vec3(1.0 / 1.7)), 1.0);
}`;

/** The specks of marine snow. */
export class Snow {
  /** @param {Water} water */
  constructor(water) {
    const count = water.quality === "low" ? 500 : 3600;
    const specks = new Float32Array(4 * count);
    for (let i = 0; i < count; i += 1) {
      for (let k = 0; k < 4; k += 1) specks[4 * i + k] = hashRandom(i, k, 31);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    geometry.setAttribute("speck", new BufferAttribute(specks, 4));
    this.uniforms = {
      uDrift: { value: new Vector3() },
      uBox: { value: water.quality === "low" ? 9 : 12 },
      uSize: { value: 6 },
      uSurface: { value: -1e6 },
    };
    this.points = new Points(geometry, water.material({
      vertex: VERTEX, fragment: FRAGMENT, uniforms: this.uniforms,
      options: { transparent: true, depthWrite: false, blending: AdditiveBlending },
    }));
    this.points.frustumCulled = false;
    this.points.renderOrder = 100;
  }

  /**
   * Advance the drift by one picture.
   * @param {Sample} sample
   * @param {number} dt_s simulated time since the last picture
   * @param {number} pixels width of 1 m at a distance of 1 m
   * @param {boolean} under the camera is in the water
   */
  update(sample, dt_s, pixels, under) {
    this.points.visible = under;
    const drift = this.uniforms.uDrift.value;
    const box = this.uniforms.uBox.value;
    drift.x = (drift.x + orZero(sample.get("current_north_m_s")) * dt_s) % box;
    drift.y = (drift.y + orZero(sample.get("current_east_m_s")) * dt_s) % box;
    drift.z = (drift.z + (orZero(sample.get("current_down_m_s")) + SINKS_M_S) * dt_s) % box;
    this.uniforms.uSize.value = 0.011 * pixels;
  }
}

/**
 * The value of a column, or 0 if the sample lacks it (NaN).
 * @param {number} value
 */
function orZero(value) {
  return Number.isNaN(value) ? 0 : value;
}
