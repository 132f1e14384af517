// Computes light in water: attenuation per colour, daylight at a depth, the beam of a lamp. The shaders in glsl.js use
// the same laws with these coefficients.

/** @typedef {[number, number, number]} Rgb */

// Koschmieder (1924): at the visibility V a black body has a contrast of 2 %, so c = -ln(0.02) / V = 3.9 / V.
export const KOSCHMIEDER = 3.9;

// The colour of a water is that of white light after about this path through it.
const COLOUR_PATH_M = 16;

// Diffuse attenuation of daylight, as a share of c. It is smaller because light scattered forward still counts: a third
// to a quarter of c in coastal water (Kirk, Light and Photosynthesis in Aquatic Ecosystems). The camera's gain makes up
// for half of the decades.
const DIFFUSE = 0.25;
const GAIN = 0.5;

// Attenuation of lamp light from lamp to object, as a share of c: scattering spreads it, but loses little. On the
// return path, as an image, it is attenuated by c.
const SPREAD = 0.4;

// Least share of the surface light that the picture shows; darker than that a real camera would show its noise.
const LEAST_DAYLIGHT = 0.025;

// Softening length r0: a lamp's 1/r^2 becomes 1/(r^2 + r0^2), as if the iris closed nearer than this.
export const SOFTENING_M = 3.0;

/**
 * Beam attenuation of red, green and blue, 1/m: 3.9 / V for the colour that the water transmits best, more for the
 * others, by the ratios of the water's colour.
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
 * Share of light transmitted along a path through water: exp(-c s), Beer and Lambert.
 * @param {Rgb} c 1/m
 * @param {number} path_m
 * @returns {Rgb}
 */
export function transmission(c, path_m) {
  return [Math.exp(-c[0] * path_m), Math.exp(-c[1] * path_m), Math.exp(-c[2] * path_m)];
}

/**
 * Attenuation of daylight with depth as the camera shows it, 1/m.
 * @param {Rgb} c 1/m
 * @returns {Rgb}
 */
export function daylightAttenuation(c) {
  return [DIFFUSE * GAIN * c[0], DIFFUSE * GAIN * c[1], DIFFUSE * GAIN * c[2]];
}

/**
 * Share of daylight at a depth as the camera shows it; 1 at and above the surface.
 * @param {Rgb} c 1/m
 * @param {number} depth_m
 * @returns {Rgb}
 */
export function daylight(c, depth_m) {
  const shares = transmission(daylightAttenuation(c), Math.max(depth_m, 0));
  return /** @type {Rgb} */ (shares.map((share) => LEAST_DAYLIGHT + (1 - LEAST_DAYLIGHT) * share));
}

/**
 * Attenuation of lamp light from lamp to object, 1/m.
 * @param {Rgb} c 1/m
 * @returns {Rgb}
 */
export function outwardAttenuation(c) {
  return [SPREAD * c[0], SPREAD * c[1], SPREAD * c[2]];
}

/**
 * Luminous intensity of a lamp on its axis, candela: its light spread evenly over the solid angle of the beam.
 * @param {number} lumens
 * @param {number} beam_deg full angle
 */
export function candela(lumens, beam_deg) {
  return lumens / (2 * Math.PI * (1 - Math.cos((beam_deg * Math.PI) / 360)));
}

/**
 * Intensity of a lamp at an angle from its axis, as a share of that on the axis. It falls smoothly to 0 at the edge.
 * @param {number} cosine of the angle
 * @param {number} edge cosine of half the beam
 */
export function beamShare(cosine, edge) {
  const inside = Math.min(1, Math.max(0, (cosine - edge) / (1 - edge)));
  return inside * inside * (3 - 2 * inside);
}
