// The height of the water's surface, from the linear waves of the scene.

/** @typedef {import("../types.js").Wave} Wave */

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
