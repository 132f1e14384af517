import assert from "node:assert/strict";
import { test } from "node:test";
import { Object3D, PerspectiveCamera } from "../../../pelagos/console/static/vendor/three.js";
import { Ground } from "../../../pelagos/console/static/js/view/solids/ground.js";
import { Marks } from "../../../pelagos/console/static/js/view/marks.js";
import { Particles } from "../../../pelagos/console/static/js/view/water/particles.js";
import { frame, shipGeometry } from "../../../pelagos/console/static/js/view/solids/ship.js";
import { TetherView } from "../../../pelagos/console/static/js/view/solids/tether.js";
import { Water } from "../../../pelagos/console/static/js/view/water/water.js";

/** @typedef {[number, number, number]} Vector */

/**
 * @param {number} time
 * @param {Record<string, number>} columns
 */
function sample(time, columns) {
  return { time, seq: 0, get: (/** @type {string} */ name) => columns[name] ?? NaN };
}

const water = new Water("low");
const DOWN = { name: "down", position_m: [0, 0, 0], direction: [0, 0, -1] }; // thrusts upwards, its wash goes down

/**
 * Number of specks emitted in two seconds at an altitude.
 * @param {number} altitude
 * @param {Record<string, number>} columns
 * @param {{name: string, position_m: number[], direction: number[]}} [thruster]
 */
function emitted(altitude, columns, thruster = DOWN) {
  const particles = new Particles(water, { value: null });
  particles.setThrusters([thruster]);
  const ground = new Ground({ kind: "flat", depth_m: 100 });
  const body = new Object3D();
  body.position.set(0, 0, 100 - altitude);
  body.updateMatrixWorld(true);
  for (let i = 0; i < 40; i += 1) particles.update(sample(i * 0.05, columns), body, 0.5, ground, 0.05, 500);
  return particles.born.array.filter((_, i) => i % 4 === 3).filter((born) => born >= 0).length;
}

test("a wash that reaches the bottom within a metre stirs up silt, other washes do not", () => {
  assert.ok(emitted(0.5, { thruster_down: 0.8 }) > 10);
  assert.ok(emitted(0.3, { thruster_down: 0.8 }) > emitted(0.8, { thruster_down: 0.8 }));
  assert.equal(emitted(2, { thruster_down: 0.8 }), 0);
  assert.equal(emitted(0.5, { thruster_down: 0 }), 0);
  assert.equal(emitted(0.5, { thruster_down: -0.8 }), 0); // its wash goes up
});

test("bubbles appear near the surface while the vehicle moves, and at a collision", () => {
  assert.ok(emitted(99.7, { below_surface_m: 0.3, speed_m_s: 0.8 }) > 10);
  assert.equal(emitted(99.7, { below_surface_m: 0.3, speed_m_s: 0 }), 0);
  assert.equal(emitted(90, { below_surface_m: 10, speed_m_s: 0.8 }), 0);
  const particles = new Particles(water, { value: null });
  const body = new Object3D();
  const crash = { crash_north_m: 1, crash_east_m: 0, crash_depth_m: 50 };
  const ground = new Ground(null);
  particles.update(sample(0, { collisions: 0 }), body, 0.5, ground, 0, 500);
  particles.update(sample(0.1, { collisions: 1, ...crash }), body, 0.5, ground, 0.1, 500);
  assert.ok(particles.points.visible && particles.lastBirth === 0.1);
});

test("marks on the vehicle are hidden from the vehicle's camera", () => {
  const marks = new Marks(water);
  const [body, camera] = [new Object3D(), new PerspectiveCamera()];
  /** @type {Vector[]} */
  const bow = [[0.4, 0, 0], [0.1, -0.2, 0], [0.1, 0.2, 0]];
  marks.set([], [{ kind: "triangle", points: bow }], []);
  marks.update(sample(0, {}), body, camera, 0.002, true);
  assert.equal(marks.onBody.mesh.visible, false);
  marks.update(sample(0, {}), body, camera, 0.002, false);
  assert.equal(marks.onBody.mesh.visible, true);
});

test("a tether has the diameter that the vehicle gives", () => {
  const tether = new TetherView(water);
  const vehicle = /** @type {import("../../../pelagos/console/static/js/types.js").VehicleHello} */ (
    /** @type {unknown} */ ({ tether_diameter_m: 0.035 }));
  tether.setVehicle(vehicle);
  assert.equal(2 * tether.radius.value, 0.035);
});

test("the ship's hull is closed below the rail, faces outward and rises from keel to rail", () => {
  const places = shipGeometry().getAttribute("position").array;
  /** @type {Map<string, number>} */
  const edges = new Map();
  const corner = (/** @type {number} */ i) => [0, 1, 2].map((k) => Math.round(1e4 * places[3 * i + k]) + 0).join(" ");
  for (let i = 0; i < places.length / 3; i += 3) {
    for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
      const [from, to] = [corner(i + a), corner(i + b)];
      if (from === to) continue;
      edges.set(`${from} > ${to}`, (edges.get(`${from} > ${to}`) ?? 0) + 1);
      edges.set(`${to} > ${from}`, (edges.get(`${to} > ${from}`) ?? 0) - 1);
    }
  }
  const open = [...edges].filter(([, sum]) => sum !== 0).map(([edge]) => edge);
  // only the stem is open, because the last frame is not closed to a line
  for (const edge of open) assert.ok(edge.startsWith("80000 "), edge);
  let volume = 0;
  for (let i = 0; i < places.length; i += 9) {
    const [a, b, c] = [0, 3, 6].map((k) => [places[i + k], places[i + k + 1], places[i + k + 2]]);
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
      + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  assert.ok(volume > 0);
  for (let x = -8; x <= 8; x += 1) {
    const rows = frame(x);
    for (let k = 1; k < rows.length; k += 1) assert.ok(rows[k][1] < rows[k - 1][1] && rows[k][0] >= 0);
  }
});
