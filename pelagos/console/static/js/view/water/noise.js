// Makes the noise texture for sand, growth, ripples and rays. It tiles. Red and green are smooth noise of five octaves,
// blue is the ridge between cells (a web of bright lines), alpha is the distance to the nearest cell point.
import {
  DataTexture, LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter, NoColorSpace, RGBAFormat,
  RepeatWrapping, UnsignedByteType,
} from "../../../vendor/three.js";

/**
 * A pseudo-random number in 0..1 from two integers and a seed, the same on every machine.
 * @param {number} x
 * @param {number} y
 * @param {number} seed
 */
export function hashRandom(x, y, seed) {
  let h = Math.imul(x, 0x27d4eb2f) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/**
 * Value noise that repeats after `period` cells.
 * @param {number} x in cells
 * @param {number} y
 * @param {number} period
 * @param {number} seed
 */
export function smoothNoise(x, y, period, seed) {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  let [u, v] = [x - i, y - j];
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  const [i0, j0, i1, j1] = [i % period, j % period, (i + 1) % period, (j + 1) % period];
  const near = hashRandom(i0, j0, seed) * (1 - u) + hashRandom(i1, j0, seed) * u;
  const far = hashRandom(i0, j1, seed) * (1 - u) + hashRandom(i1, j1, seed) * u;
  return near * (1 - v) + far * v;
}

/**
 * Worley noise: distances to the nearest and second nearest of random points, one per cell, in cells.
 * @param {number} x
 * @param {number} y
 * @param {number} period
 * @returns {[number, number]}
 */
function cellDistances(x, y, period) {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  let [first, second] = [9, 9];
  for (let dj = -1; dj <= 1; dj += 1) {
    for (let di = -1; di <= 1; di += 1) {
      const [ci, cj] = [(i + di + period) % period, (j + dj + period) % period];
      const dx = i + di + hashRandom(ci, cj, 71) - x;
      const dy = j + dj + hashRandom(ci, cj, 72) - y;
      const range = Math.hypot(dx, dy);
      if (range < first) [first, second] = [range, first];
      else if (range < second) second = range;
    }
  }
  return [first, second];
}

/**
 * The texture.
 * @param {boolean} fine interpolate between mipmap levels too
 * @param {number} size pixels per side
 */
export function noiseTexture(fine, size = 256) {
  const data = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const at = 4 * (y * size + x);
      let [red, green, share] = [0, 0, 0.5];
      for (let period = 6; period < 128; period *= 2) {
        red += share * smoothNoise((x / size) * period, (y / size) * period, period, 1);
        green += share * smoothNoise((x / size) * period, (y / size) * period, period, 2);
        share *= 0.5;
      }
      const [first, second] = cellDistances((x / size) * 10, (y / size) * 10, 10);
      data[at] = toByte(red);
      data[at + 1] = toByte(green);
      data[at + 2] = 255 * Math.max(0, 1 - 2.2 * (second - first));
      data[at + 3] = 255 * Math.min(1, first);
    }
  }
  const texture = new DataTexture(data, size, size, RGBAFormat, UnsignedByteType);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = fine ? LinearMipmapLinearFilter : LinearMipmapNearestFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = fine ? 4 : 1; // for the bottom at grazing angles
  texture.colorSpace = NoColorSpace;
  texture.needsUpdate = true;
  return texture;
}

/**
 * A sum of octaves as a byte, with more contrast: most sums lie near 0.5.
 * @param {number} value
 */
function toByte(value) {
  return 255 * Math.min(1, Math.max(0, 0.5 + 1.7 * (value - 0.48)));
}
