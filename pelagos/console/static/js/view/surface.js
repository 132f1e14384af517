// The surface of the sea. From below: Snell's window, bright sky within 48.6 deg of the zenith, and the mirrored dark
// water outside of it, both broken up by ripples. From above: a grey-blue sea.
import { DoubleSide, Mesh, PlaneGeometry, Vector4 } from "../../vendor/three.js";

/** @typedef {import("../types.js").SceneHello} SceneHello */
/** @typedef {import("../types.js").Wave} Wave */
/** @typedef {import("./water.js").Water} Water */

const WAVES = 6;

/**
 * Elevation above the still water, m: the sum of a cos(k . x - omega t + phase), waves running towards `to_rad`.
 * @param {Wave[]} waves
 * @param {number} north_m
 * @param {number} east_m
 * @param {number} time_s
 */
export function elevation(waves, north_m, east_m, time_s) {
  let sum = 0;
  for (const wave of waves) {
    const along = north_m * Math.cos(wave.to_rad) + east_m * Math.sin(wave.to_rad);
    sum += wave.amplitude_m
      * Math.cos(wave.wave_number_1_m * along - wave.frequency_rad_s * time_s + wave.phase_rad);
  }
  return sum;
}

/**
 * The strongest of them, which a shader can sum.
 * @param {Wave[]} waves
 * @param {number} most
 */
export function strongest(waves, most) {
  return [...waves].sort((a, b) => b.amplitude_m - a.amplitude_m).slice(0, most);
}

const VERTEX = `
#define WAVES ${WAVES}
varying vec3 vPlace;
varying vec2 vSlope;
uniform vec4 uWave[WAVES];
void main() {
  vec3 place = (modelMatrix * vec4(position, 1.0)).xyz;
  float height = 0.0;
  vSlope = vec2(0.0);
  // uWave: amplitude, wave number north, wave number east, phase less omega t
  for (int i = 0; i < WAVES; i++) {
    float phase = dot(uWave[i].yz, place.xy) + uWave[i].w;
    height += uWave[i].x * cos(phase);
    vSlope -= uWave[i].x * sin(phase) * uWave[i].yz;
  }
  place.z = -height;
  vPlace = place;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
varying vec3 vPlace;
varying vec2 vSlope;
void main() {
  vec3 way = vPlace - uEye;
  float range = length(way);
  way /= range;
  vec2 at = vPlace.xy;
  vec4 slow = texture2D(uNoise, at * 0.031 + vec2(0.006, 0.004) * uTime);
  vec4 quick = texture2D(uNoise, at * 0.13 - vec2(0.012, 0.02) * uTime);
  // short waves that the scene does not list, each w = sqrt(g k), bent by noise so that they do not look ruled
  vec2 bent = at + 1.6 * (slow.rg - 0.5) + 0.5 * (quick.rg - 0.5);
  float calm = exp(-range * 0.02);
  vec2 slope = vSlope + 0.22 * (slow.gr - 0.5);
  slope += vec2(0.8, 0.6) * 0.09 * cos(dot(bent, vec2(1.26, 0.94)) - 3.9 * uTime);
  slope += vec2(0.96, -0.28) * 0.085 * cos(dot(bent, vec2(2.5, -0.73)) - 5.1 * uTime);
  slope += vec2(0.3, 0.95) * 0.075 * cos(dot(bent, vec2(1.3, 4.1)) - 6.5 * uTime) * calm;
#ifdef HIGH
  slope += vec2(0.7, -0.71) * 0.065 * cos(dot(bent, vec2(5.0, -5.1)) - 8.4 * uTime) * calm;
  slope += vec2(0.9, 0.43) * 0.06 * cos(dot(bent, vec2(10.0, 4.8)) - 10.4 * uTime) * calm;
  slope += vec2(-0.2, 0.98) * 0.05 * cos(dot(bent, vec2(-3.2, 15.6)) - 12.5 * uTime) * calm;
#endif
  vec3 up = normalize(vec3(-slope, -1.0));
  if (uAir > 0.5) {
    float look = clamp(dot(-way, up), 0.0, 1.0);
    float mirror = 0.02 + 0.98 * pow(1.0 - look, 5.0);
    vec3 sky = mix(vec3(0.62, 0.74, 0.82), vec3(0.16, 0.34, 0.62), 0.5);
    float glint = pow(max(dot(reflect(way, up), SUN), 0.0), 90.0);
    vec3 sea = mix(uVeil * 14.0 + vec3(0.004, 0.02, 0.03), sky, mirror) + 2.5 * glint;
    float alpha = clamp(0.72 + 1.5 * mirror + 0.02 * range, 0.0, 1.0);
    gl_FragColor = shown(mix(sea, vec3(0.62, 0.74, 0.82), 1.0 - exp(-range * 0.004)), alpha);
    return;
  }
  // out of the water through the rippled surface: sin(air) = 1.333 sin(water)
  float cosine = clamp(dot(way, up), 0.0, 1.0);
  float sine2 = 1.777 * (1.0 - cosine * cosine);
  float through = smoothstep(1.03, 0.8, sine2);
  vec3 sky = vec3(0.78, 0.9, 1.0) * (0.85 + 0.5 * cosine);
#ifdef HIGH
  vec3 out_ = refract(way, -up, 1.333);
  float glare = through * pow(max(dot(normalize(out_ + vec3(1e-5)), SUN), 0.0), 24.0);
  sky += vec3(1.0, 0.95, 0.8) * (4.0 * glare);
#endif
  vec3 mirrored = veil(normalize(vec3(way.xy, -way.z + 0.15))) * (0.9 + 0.9 * quick.b);
  vec3 colour = mix(mirrored, 1.5 * sky, through);
  colour += uDay * 0.5 * through * slow.b * quick.b;
  gl_FragColor = shown(throughWater(colour, vPlace), 1.0);
}`;

export class SurfaceView {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    /** @type {import("../types.js").Wave[]} */
    this.waves = [];
    this.rows = Array.from({ length: WAVES }, () => new Vector4());
    const material = water.material({
      vertex: VERTEX, fragment: FRAGMENT,
      uniforms: { uWave: { value: this.rows } },
      options: { side: DoubleSide },
    });
    this.mesh = new Mesh(new PlaneGeometry(1, 1, 1, 1), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 8;
    this.step_m = 1;
  }

  /** @param {SceneHello} scene */
  setScene(scene) {
    this.waves = strongest(scene.waves, WAVES);
    this.mesh.visible = scene.surface;
    const reach = Math.min(Math.max(2 * this.water.sight_m, 60), 160);
    const cells = this.waves.length === 0 ? 1 : this.water.quality === "low" ? 32 : 96;
    this.step_m = (2 * reach) / cells;
    this.shown = scene.surface;
    this.mesh.geometry.dispose();
    this.mesh.geometry = new PlaneGeometry(2 * reach, 2 * reach, cells, cells);
  }

  /**
   * @param {import("../../vendor/three.js").Vector3} eye
   * @param {number} time_s simulated
   */
  update(eye, time_s) {
    this.mesh.visible = Boolean(this.shown) && eye.z < 1.3 * this.water.sight_m + 3;
    if (!this.mesh.visible) return;
    // from the air one sees what is close under it
    this.mesh.material.transparent = this.water.uniforms.uAir.value > 0.5;
    const step = Math.min(this.step_m, 4);
    this.mesh.position.set(Math.round(eye.x / step) * step, Math.round(eye.y / step) * step, 0);
    this.waves.forEach((wave, i) => {
      const k = wave.wave_number_1_m;
      const phase = (wave.phase_rad - wave.frequency_rad_s * time_s) % (2 * Math.PI);
      this.rows[i].set(wave.amplitude_m, k * Math.cos(wave.to_rad), k * Math.sin(wave.to_rad), phase);
    });
    for (let i = this.waves.length; i < WAVES; i += 1) this.rows[i].set(0, 0, 0, 0);
  }
}
