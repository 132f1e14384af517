// Draws the surface of the sea. From below: Snell's window, the bright sky within 48.6 deg of the zenith, and around it
// the reflected dark water, both broken up by ripples. From above: a grey-blue sea.
import { DoubleSide, Mesh, PlaneGeometry, Vector4 } from "../../../vendor/three.js";

/** @typedef {import("../../types.js").SceneHello} SceneHello */
/** @typedef {import("../../types.js").Wave} Wave */
/** @typedef {import("./water.js").Water} Water */

const WAVES = 64; // as many as a scene lists, so that the surface drawn is the one that the camera breaks through

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
 * The waves of largest amplitude, no more than a shader can sum.
 * @param {Wave[]} waves
 * @param {number} most
 */
export function strongestWaves(waves, most) {
  return [...waves].sort((a, b) => b.amplitude_m - a.amplitude_m).slice(0, most);
}

/**
 * Lines of a shader that sum the slopes of short waves, w = sqrt(g k), around one wind direction. Waves shorter than a
 * pixel fade.
 * @param {number} count
 * @param {number} step factor from one wave number to the next
 */
function ripples(count, step) {
  let lines = "";
  for (let i = 0; i < count; i += 1) {
    const k = 0.75 * step ** i;
    const turn = 0.4 + 1.15 * Math.sin(2.3 * i);
    const to = `vec2(${Math.cos(turn).toFixed(4)}, ${Math.sin(turn).toFixed(4)})`;
    const pace = Math.sqrt(9.81 * k).toFixed(3);
    const phase = `${k.toFixed(3)} * dot(bent, ${to}) - ${pace} * uTime + ${(1.7 * i).toFixed(1)}`;
    const share = (count > 4 ? 0.068 : 0.11).toFixed(3);
    lines += `  ripple += ${to} * ${share} / (1.0 + ${(k * k).toFixed(3)} * blur) * cos(${phase});\n`;
  }
  return lines;
}

const VERTEX = `
#define WAVES ${WAVES}
varying vec3 vPlace;
varying vec2 vSlope;
uniform vec4 uWave[WAVES];
uniform int uWaves;
uniform float uReach;
void main() {
  // the square runs to +-1; its corners are denser around the camera
  vec2 offset = position.xy * (0.12 + 0.88 * abs(position.xy)) * uReach;
  vec3 place = vec3(modelMatrix[3].xy + offset, 0.0);
  float height = 0.0;
  vSlope = vec2(0.0);
  // uWave: amplitude, wave number north, wave number east, phase less omega t
  for (int i = 0; i < WAVES; i++) {
    if (i >= uWaves) break;
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
uniform float uRipple;
const vec3 HORIZON = vec3(0.62, 0.74, 0.82);
const vec3 ZENITH = vec3(0.16, 0.34, 0.62);

// radiance of the sky in a direction: thin clouds, and the sun in haze
vec3 skyAt(vec3 direction) {
  float high = clamp(-direction.z, 0.0, 1.0);
  vec3 sky = mix(HORIZON, ZENITH, sqrt(high));
#ifdef HIGH
  float cloud = texture2D(uNoise, 0.09 * direction.xy / (0.25 + high) + 0.0007 * uTime).r;
  sky = mix(sky, vec3(0.86, 0.9, 0.94), 0.55 * smoothstep(0.42, 0.8, cloud));
#endif
  float sun = max(dot(direction, SUN), 0.0);
  float sun8 = sun * sun * sun * sun * sun * sun * sun * sun;
#ifdef HIGH
  sky += vec3(1.0, 0.9, 0.72) * (0.3 * sun8 + 0.9 * pow(sun8, 6.0) + 9.0 * pow(sun8, 60.0));
#else
  sky += vec3(1.0, 0.9, 0.72) * (0.3 * sun8 + 2.0 * sun8 * sun8 * sun8 * sun8);
#endif
  return sky;
}

void main() {
  vec3 ray = vPlace - uEye;
  float range = length(ray);
  ray /= range;
  vec2 at = vPlace.xy;
  vec4 slow = texture2D(uNoise, at * 0.031 + vec2(0.006, 0.004) * uTime);
  vec4 quick = texture2D(uNoise, at * 0.13 - vec2(0.012, 0.02) * uTime);
  // short waves that the scene does not list, w = sqrt(g k), with crests bent so that they do not look like ruled lines
  vec2 bent = at + vec2(0.7, 0.5) * sin(vec2(0.37, 0.31) * at.yx + vec2(0.2, 0.17) * uTime)
    + vec2(0.16, 0.13) * sin(vec2(1.9, 1.7) * at.yx);
  vec2 ripple = 0.05 * (slow.gr - 0.5);
  float blur = 0.004 * range / max(-ray.z, 0.08);
  blur *= blur;
#ifdef HIGH
${ripples(11, 1.42)}
#else
${ripples(3, 2.2)}
#endif
  vec3 up = normalize(vec3(-vSlope - uRipple * ripple, -1.0));
  if (uAir > 0.5) {
    float facing = clamp(dot(-ray, up), 0.0, 1.0);
    float mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0); // Fresnel reflection after Schlick
    vec3 sky = mix(HORIZON, ZENITH, 0.5);
    float glint = pow(max(dot(reflect(ray, up), SUN), 0.0), 90.0);
    vec3 sea = mix(uVeil * 14.0 + vec3(0.004, 0.02, 0.03), sky, mirror) + 2.5 * glint;
    float alpha = clamp(0.72 + 1.5 * mirror + 0.02 * range, 0.0, 1.0);
    gl_FragColor = toScreen(mix(sea, HORIZON, 1.0 - exp(-range * 0.004)), alpha);
    return;
  }
  // refraction from water to air: sin(air) = 1.333 sin(water); beyond 48.6 deg total reflection
  float cosine = clamp(dot(ray, up), 0.0, 1.0);
  float sine2 = 1.777 * (1.0 - cosine * cosine);
#ifdef HIGH
  // Fresnel reflection of both polarisations
  float leaving = sqrt(max(1.0 - sine2, 0.0));
  float s = (1.333 * cosine - leaving) / (1.333 * cosine + leaving);
  float p = (cosine - 1.333 * leaving) / (cosine + 1.333 * leaving);
  float through = sine2 < 1.0 ? 1.0 - 0.5 * (s * s + p * p) : 0.0;
  // dispersion: blue is refracted more than red
  vec3 open = through * smoothstep(vec3(1.0, 1.004, 1.01), vec3(0.93, 0.95, 0.97), vec3(sine2));
  vec3 air = sine2 < 1.0 ? refract(ray, -up, 1.333) : vec3(ray.xy, 0.0);
  vec3 sky = skyAt(normalize(air));
#else
  vec3 open = vec3(smoothstep(1.03, 0.8, sine2));
  vec3 sky = skyAt(normalize(vec3(1.333 * (ray.xy + 0.25 * up.xy), min(ray.z, -0.1))));
#endif
  // the reflection shows the water below, streaked by light that enters elsewhere
  vec3 down = reflect(ray, -up);
  vec3 mirrored = veil(normalize(vec3(down.xy, abs(down.z) + 0.1))) * (0.75 + 0.9 * quick.b);
  vec3 colour = mix(mirrored, 1.15 * sky, open);
  colour += uDay * open * (0.35 * slow.b * quick.b + 0.12 * quick.b);
  gl_FragColor = toScreen(behindWater(colour, vPlace, 0.0), 1.0);
}`;

/** The mesh of the surface. */
export class SurfaceView {
  /** @param {Water} water */
  constructor(water) {
    this.water = water;
    /** @type {import("../../types.js").Wave[]} */
    this.waves = [];
    this.rows = Array.from({ length: WAVES }, () => new Vector4());
    this.count = { value: 0 };
    this.reach = { value: 60 };
    this.ripple = { value: 1 };
    const material = water.material({
      vertex: VERTEX, fragment: FRAGMENT,
      uniforms: { uWave: { value: this.rows }, uWaves: this.count, uReach: this.reach, uRipple: this.ripple },
      options: { side: DoubleSide },
    });
    this.mesh = new Mesh(new PlaneGeometry(1, 1, 1, 1), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 8;
  }

  /**
   * Take the surface and waves of a scene.
   * @param {SceneHello} scene
   */
  setScene(scene) {
    this.waves = strongestWaves(scene.waves, WAVES);
    this.mesh.visible = scene.surface;
    this.count.value = this.waves.length;
    this.reach.value = Math.min(Math.max(2 * this.water.visible_range_m, 60), 160);
    // a basin, with three walls or more, has little wind
    this.ripple.value = scene.structures.filter((item) => item.kind === "plane").length > 2 ? 0.45 : 1;
    const cells = this.waves.length === 0 ? 2 : this.water.quality === "low" ? 32 : 80;
    this.hasSurface = scene.surface;
    this.mesh.geometry.dispose();
    this.mesh.geometry = new PlaneGeometry(2, 2, cells, cells);
  }

  /**
   * Move the surface with the camera and advance the waves.
   * @param {import("../../../vendor/three.js").Vector3} eye
   * @param {number} time_s simulated
   */
  update(eye, time_s) {
    this.mesh.visible = Boolean(this.hasSurface) && eye.z < 1.3 * this.water.visible_range_m + 3;
    if (!this.mesh.visible) return;
    // from the air it is transparent: objects close below show through
    this.mesh.material.transparent = this.water.uniforms.uAir.value > 0.5;
    this.mesh.position.set(Math.round(eye.x), Math.round(eye.y), 0);
    this.waves.forEach((wave, i) => {
      const k = wave.wave_number_1_m;
      const phase = (wave.phase_rad - wave.frequency_rad_s * time_s) % (2 * Math.PI);
      this.rows[i].set(wave.amplitude_m, k * Math.cos(wave.to_rad), k * Math.sin(wave.to_rad), phase);
    });
  }
}
