// The laws of light in water, as numbers: how fast each colour dies, how much daylight is left, how a lamp's beam falls
// off. The shaders in glsl.js use the same laws with these coefficients.

/** @typedef {[number, number, number]} Rgb */

// Koschmieder (1924): a black body is just seen where its contrast has fallen to 2 %, so c = -ln(0.02) / V = 3.9 / V.
export const KOSCHMIEDER = 3.9;

// The colour of a water is what is left of white light after about this way through it.
const COLOUR_PATH_M = 16;

// Diffuse daylight dies slower than a beam, for light hashRandom ahead is not lost to it: a third to a quarter of c in
// coastal water (Kirk, Light and Photosynthesis in Aquatic Ecosystems). A camera's gain gives half of the decades back.
const DIFFUSE = 0.25;
const GAIN = 0.5;

// Light of a lamp on its way out is spread by scattering, not lost; only its image on the way back dies with c.
const SPREAD = 0.4;

// Below this share of the surface light the camera's noise would show instead.
const LEAST_DAYLIGHT = 0.025;

// Nearer than about this the iris closes: a lamp's 1/r^2 becomes 1/(r^2 + r0^2).
export const SOFTENING_M = 3.0;

/**
 * Beam attenuation of red, green and blue, 1/m: 3.9 / V for the colour the water lets through best, more for the
 * others, by what the water's own colour says they have lost.
 * @param {number} visibility_m
 * @param {Rgb} colour of the water, linear
 * @returns {Rgb}
 */
export function attenuation(visibility_m, colour) {
  const best = Math.max(...colour);
  const least = KOSCHMIEDER / visibility_m;
  const more = colour.map((share) => Math.log(best / Math.max(share, 1e-3 * best)) / COLOUR_PATH_M);
  return [least + more[0], least + more[1], least + more[2]];
}

/**
 * The share of light left after a way through water: exp(-c s), Beer and Lambert.
 * @param {Rgb} c 1/m
 * @param {number} path_m
 * @returns {Rgb}
 */
export function transmission(c, path_m) {
  return [Math.exp(-c[0] * path_m), Math.exp(-c[1] * path_m), Math.exp(-c[2] * path_m)];
}

/**
 * How fast daylight falls with depth as the camera shows it, 1/m.
 * @param {Rgb} c 1/m
 * @returns {Rgb}
 */
export function daylightAttenuation(c) {
  return [DIFFUSE * GAIN * c[0], DIFFUSE * GAIN * c[1], DIFFUSE * GAIN * c[2]];
}

/**
 * The share of daylight left at a depth as the camera shows it; 1 at and above the surface.
 * @param {Rgb} c 1/m
 * @param {number} depth_m
 * @returns {Rgb}
 */
export function daylight(c, depth_m) {
  const shares = transmission(daylightAttenuation(c), Math.max(depth_m, 0));
  return /** @type {Rgb} */ (shares.map((share) => LEAST_DAYLIGHT + (1 - LEAST_DAYLIGHT) * share));
}

/**
 * Attenuation of lamp light on its way out, 1/m.
 * @param {Rgb} c 1/m
 * @returns {Rgb}
 */
export function outwardAttenuation(c) {
  return [SPREAD * c[0], SPREAD * c[1], SPREAD * c[2]];
}

/**
 * Strength of a lamp along its axis, candela: its light spread over the cap of a sphere.
 * @param {number} lumens
 * @param {number} beam_deg full angle
 */
export function candela(lumens, beam_deg) {
  return lumens / (2 * Math.PI * (1 - Math.cos((beam_deg * Math.PI) / 360)));
}

/**
 * Share of a lamp's strength at an angle from its axis: 1 on it, 0 at the edge of the beam, smooth between.
 * @param {number} cosine of the angle
 * @param {number} edge cosine of half the beam
 */
export function beamShare(cosine, edge) {
  const inside = Math.min(1, Math.max(0, (cosine - edge) / (1 - edge)));
  return inside * inside * (3 - 2 * inside);
}
