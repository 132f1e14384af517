// Holds colour, visibility and daylight of the water in uniforms that all materials share, so that one update per
// picture serves them all, and draws the background of open water.
import {
  BufferAttribute, BufferGeometry, Color, FrontSide, Matrix4, Mesh, ShaderMaterial, Vector2, Vector3, Vector4,
} from "../../../vendor/three.js";
import { SCREEN_GLSL, lightGlsl } from "./glsl.js";
import { attenuation, daylight, daylightAttenuation, outwardAttenuation } from "./light.js";
import { noiseTexture } from "./noise.js";

/** @typedef {import("../../types.js").SceneHello} SceneHello */
/** @typedef {[number, number, number]} Rgb */

const AIR_VISIBILITY_M = 1000; // farther than any scene is wide

/**
 * The colour of water if the scene gives none: blue in clear water, then blue-green, green-brown in turbid water.
 * @param {number} visibility_m
 * @returns {Rgb}
 */
export function defaultColour(visibility_m) {
  if (visibility_m >= 20) return [0.015, 0.19, 0.42];
  if (visibility_m >= 8) return [0.02, 0.24, 0.34];
  return [0.12, 0.25, 0.14];
}

/**
 * The linear colour of a water.
 * @param {string | number[] | null | undefined} colour CSS colour, or linear red, green, blue
 * @param {number} visibility_m
 * @returns {Rgb}
 */
export function waterColour(colour, visibility_m) {
  if (typeof colour === "string") {
    const { r, g, b } = new Color(colour);
    return [r, g, b];
  }
  if (colour && colour.length === 3) return [colour[0], colour[1], colour[2]];
  return defaultColour(visibility_m);
}

/** The state of water and light that all materials share. */
export class Water {
  /** @param {"low" | "high"} quality */
  constructor(quality) {
    this.quality = quality;
    this.lamps = quality === "low" ? 1 : 4;
    this.glsl = lightGlsl(this.lamps);
    /** @type {Rgb} */
    this.colour = defaultColour(12);
    this.visibility_m = 12;
    /** @type {Rgb} */
    this.attenuation = attenuation(12, this.colour);
    this.uniforms = {
      uEye: { value: new Vector3() },
      uAttenuation: { value: new Vector3() },
      uOutward: { value: new Vector3() },
      uVeil: { value: new Vector3() },
      uDay: { value: new Vector3() },
      uDayFall: { value: new Vector3() },
      uVeilSlope: { value: 1 },
      uAir: { value: 0 },
      uTime: { value: 0 },
      uScreen: { value: new Vector2(1, 1) },
      uLampPlace: { value: Array.from({ length: this.lamps }, () => new Vector4(0, 0, 0, 0.5)) },
      uLampAxis: { value: Array.from({ length: this.lamps }, () => new Vector4(1, 0, 0, 0)) },
      uGlow: { value: new Vector4(1, 0, 0, 0) },
      uGlowEdge: { value: 0.5 },
      uGlowColour: { value: new Vector3() },
      uIris: { value: 1 },
      uRays: { value: 0 },
      uFill: { value: 0 },
      uNoise: { value: noiseTexture(quality === "high") },
    };
    this.background = this.makeBackground();
  }

  /**
   * A material lit and attenuated by this water.
   * @param {object} parts
   * @param {string} parts.vertex
   * @param {string} parts.fragment
   * @param {Record<string, {value: any}>} [parts.uniforms]
   * @param {Record<string, any>} [parts.options] of the material
   */
  material({ vertex, fragment, uniforms = {}, options = {} }) {
    return new ShaderMaterial({
      uniforms: { ...this.uniforms, ...uniforms },
      defines: this.quality === "high" ? { HIGH: 1 } : {},
      vertexShader: this.glsl + vertex,
      fragmentShader: this.glsl + SCREEN_GLSL + fragment,
      side: FrontSide,
      ...options,
    });
  }

  /**
   * Take visibility and colour of a scene.
   * @param {SceneHello & {water_colour?: string | number[] | null}} scene
   */
  setScene(scene) {
    this.visibility_m = scene.visibility_m > 0 ? scene.visibility_m : 12;
    this.colour = waterColour(scene.water_colour, this.visibility_m);
    this.attenuation = attenuation(this.visibility_m, this.colour);
  }

  /** Distance, m, at which the contrast has fallen to half a per cent: -ln(0.005) = 5.3. */
  get visible_range_m() {
    return (5.3 / 3.9) * this.visibility_m;
  }

  /**
   * Set light and attenuation for the place of the camera.
   * @param {Vector3} eye place of the camera
   * @param {number} surface_m depth of the water's surface there
   * @param {number} time_s
   */
  update(eye, surface_m, time_s) {
    const u = this.uniforms;
    const under = eye.z > surface_m;
    u.uEye.value.copy(eye);
    u.uTime.value = time_s % 3600;
    u.uAir.value = under ? 0 : 1;
    const c = under ? this.attenuation : attenuation(AIR_VISIBILITY_M, [1, 1, 1]);
    u.uAttenuation.value.fromArray(c);
    u.uOutward.value.fromArray(outwardAttenuation(c));
    const day = daylight(this.attenuation, eye.z);
    const fall = daylightAttenuation(this.attenuation);
    const best = Math.max(...this.colour);
    const bright = 0.36 * Math.sqrt(best / 0.3) * Math.min(1, 0.35 + this.visibility_m / 14);
    for (let i = 0; i < 3; i += 1) {
      const tint = this.colour[i] / best;
      u.uVeil.value.setComponent(i, (under ? bright : 0.02) * tint * day[i]);
      u.uGlowColour.value.setComponent(i, 0.25 + 0.75 * tint);
      u.uDay.value.setComponent(i, 1.25 * day[i] * (under ? 0.45 + 0.55 * tint : 1));
      u.uDayFall.value.setComponent(i, fall[i]);
    }
    u.uRays.value = under ? 1.6 * Math.min(1, this.visibility_m / 15) * Math.exp(-Math.max(eye.z, 0) / 22) : 0;
    // near the surface the light comes from above; far below it is nearly the same from all directions
    u.uVeilSlope.value = 0.75 + 0.85 * Math.exp(-Math.max(eye.z, 0) / 25);
  }

  /** One triangle that covers the screen, drawn after all solids where none of them is. */
  makeBackground() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 1, 3, -1, 1, -1, 3, 1]), 3));
    const material = this.material({
      vertex: `
varying vec3 vRay;
uniform mat4 uUnproject;
void main() {
  vec4 far = uUnproject * vec4(position.xy, 1.0, 1.0);
  vRay = far.xyz / far.w - uEye;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`,
      fragment: `
varying vec3 vRay;
void main() {
  vec3 ray = normalize(vRay);
  vec3 colour = veil(ray);
  colour += glow(ray, vec3(0.0));
  gl_FragColor = toScreen(colour, 1.0);
}`,
      uniforms: { uUnproject: { value: new Matrix4() } },
      options: { depthWrite: false },
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 50;
    return mesh;
  }

  /**
   * Set the directions of the background.
   * @param {import("../../../vendor/three.js").PerspectiveCamera} camera
   */
  aimBackground(camera) {
    const uniforms = this.background.material.uniforms;
    uniforms.uUnproject.value.multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
  }
}
