import assert from "node:assert/strict";
import { test } from "node:test";
import {
  KOSCHMIEDER, attenuation, beamShare, candela, daylight, outwardAttenuation, transmission,
} from "../../../pelagos/console/static/js/view/water/light.js";
import { mergeLamps } from "../../../pelagos/console/static/js/view/water/lamps.js";
import { rangeTo } from "../../../pelagos/console/static/js/view/clearance.js";
import { exposure } from "../../../pelagos/console/static/js/view/iris.js";
import { elevation } from "../../../pelagos/console/static/js/view/water/surface.js";

const BLUE = /** @type {[number, number, number]} */ ([0.02, 0.15, 0.3]);
const BROWN = /** @type {[number, number, number]} */ ([0.2, 0.17, 0.09]);

test("at a distance of the visibility, 2 % of the contrast is left in the colour that is attenuated least", () => {
  for (const [colour, best] of /** @type {const} */ ([[BLUE, 2], [BROWN, 0]])) {
    for (const visibility of [4, 12, 35]) {
      const left = transmission(attenuation(visibility, colour), visibility);
      // Koschmieder's 3.9 is ln 50 = 3.912 to two figures: 1.2 % of 2 %
      assert.ok(Math.abs(left[best] - 0.02) < 0.0003, String(left));
      for (const share of left) assert.ok(share <= left[best]);
    }
  }
  assert.ok(Math.abs(KOSCHMIEDER - Math.log(50)) < 0.02);
});

test("in blue water red is attenuated most, then green", () => {
  const [red, green, blue] = attenuation(20, BLUE);
  assert.ok(red > green && green > blue);
  const [r, g, b] = daylight(attenuation(20, BLUE), 30);
  assert.ok(r < g && g < b && b < 1);
});

test("transmission along two paths in a row is that along one path of their total length", () => {
  const c = attenuation(12, BLUE);
  const [first, second, both] = [transmission(c, 3), transmission(c, 4), transmission(c, 7)];
  for (let i = 0; i < 3; i += 1) assert.ok(Math.abs(first[i] * second[i] - both[i]) < 1e-12);
});

test("daylight is 1 at the surface and falls with depth, but not to zero", () => {
  const c = attenuation(12, BLUE);
  assert.deepEqual(daylight(c, -1), [1, 1, 1]);
  let last = 1;
  for (const depth of [1, 10, 50, 100, 3000]) {
    const now = daylight(c, depth)[2];
    assert.ok(now < last && now > 0);
    last = now;
  }
});

test("a lamp that lights a whole sphere has lumens / 4 pi candela, one that lights half of it twice that", () => {
  assert.ok(Math.abs(candela(1000, 360) - 1000 / (4 * Math.PI)) < 1e-9);
  assert.ok(Math.abs(candela(1000, 180) - 1000 / (2 * Math.PI)) < 1e-9);
});

test("a beam is 1 on its axis, 0.5 halfway to its edge in cosine, 0 beyond", () => {
  const edge = Math.cos(Math.PI / 4);
  assert.equal(beamShare(1, edge), 1);
  assert.equal(beamShare(edge, edge), 0);
  assert.equal(beamShare(0, edge), 0);
  assert.ok(Math.abs(beamShare((1 + edge) / 2, edge) - 0.5) < 1e-12);
});

test("merged lamps keep their total strength and their mean place", () => {
  /** @type {import("../../../pelagos/console/static/js/types.js").LampHello[]} */
  const lamps = [-1, 1, -2, 2].map((y) => (
    { position_m: [0.2, y, 0], direction: [1, 0, 0], beam_deg: 90, lumens: 900 }
  ));
  const [merged] = mergeLamps(lamps, 1);
  const four = mergeLamps(lamps, 4);
  assert.equal(four.length, 4);
  assert.ok(Math.abs(merged.strength - four.reduce((sum, lamp) => sum + lamp.strength, 0)) < 1e-12);
  assert.ok(merged.place.distanceTo(four[0].place.clone().setY(0)) < 1e-12);
  assert.deepEqual(mergeLamps([], 4), []);
});

test("the iris makes up for distance: the light that returns is the same at 0.3 m, 2 m and 4 m", () => {
  const c = attenuation(12, BLUE);
  const green = c[1] + outwardAttenuation(c)[1];
  const back = [0.3, 2, 4].map((range) => (exposure(range, green, 3) / (range * range + 9)) * Math.exp(-green * range));
  for (const share of back) assert.ok(Math.abs(share / back[1] - 1) < 1e-12);
});

test("a ray hits a turned box at its face", () => {
  const angle = Math.PI / 6;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  /** @type {import("../../../pelagos/console/static/js/types.js").Structure} */
  const box = {
    index: 0, name: "box", kind: "box", center_n: [10, 0, 5], axes_n: [c, -s, 0, s, c, 0, 0, 0, 1], half_m: [1, 50, 2],
  };
  // its near face is the plane through (10, 0) - (c, s) with normal (c, s): hit from the origin at 10 - 1 / c
  assert.ok(Math.abs(rangeTo(box, [0, 0, 5], [1, 0, 0]) - (10 - 1 / c)) < 1e-9);
  assert.equal(rangeTo(box, [0, 0, 8], [1, 0, 0]), Infinity);
  assert.equal(rangeTo(box, [0, 0, 5], [-1, 0, 0]), Infinity);
});

test("a wave travels towards its direction at omega / k", () => {
  const wave = { amplitude_m: 0.5, wave_number_1_m: 0.4, frequency_rad_s: 1.98, to_rad: Math.PI / 2, phase_rad: 0.3 };
  const crest = elevation([wave], 3, 7, 2);
  assert.ok(Math.abs(elevation([wave], 3, 7 + (1.98 / 0.4) * 1.5, 3.5) - crest) < 1e-12);
  assert.ok(Math.abs(elevation([wave], -40, 7, 2) - crest) < 1e-12);
});
