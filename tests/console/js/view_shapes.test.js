import assert from "node:assert/strict";
import { test } from "node:test";
import { smoothLine } from "../../../pelagos/console/static/js/view/solids/curve.js";
import { Ground, distanceTo, footprints } from "../../../pelagos/console/static/js/view/solids/ground.js";
import { circle } from "../../../pelagos/console/static/js/view/marks.js";
import { SolidsBuilder } from "../../../pelagos/console/static/js/view/solids/primitives.js";
import { structureGeometry } from "../../../pelagos/console/static/js/view/solids/structures.js";

/** @typedef {[number, number, number]} Vector */

const FLOAT32 = 1e-5; // of places of some metres

/** @param {ArrayBufferView} values */
function base64(values) {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}

test("the curve of a tether passes through its points, and is straight where they are in line", () => {
  const points = [];
  for (let i = 0; i < 21; i += 1) points.push(3 * Math.sin(i / 3), i * i * 0.1, 5 * i);
  const out = new Float32Array(3 * (20 * 6 + 1));
  assert.equal(smoothLine(points, 6, out), 121);
  for (let i = 0; i < 21; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      assert.ok(Math.abs(out[18 * i + axis] - points[3 * i + axis]) < FLOAT32 * 10);
    }
  }
  const straight = [0, 0, 0, 1, 2, 3, 4, 8, 12, 5, 10, 15];
  const line = new Float32Array(3 * (3 * 4 + 1));
  smoothLine(straight, 4, line);
  for (let i = 0; i < 13; i += 1) {
    assert.ok(Math.abs(line[3 * i + 1] - 2 * line[3 * i]) < FLOAT32);
    assert.ok(i === 0 || line[3 * i] > line[3 * i - 3] - FLOAT32);
  }
});

test("coincident points give their place, not NaN", () => {
  const out = new Float32Array(3 * 9);
  smoothLine([1, 2, 3, 1, 2, 3, 1, 2, 3], 4, out);
  for (let i = 0; i < 9; i += 1) assert.deepEqual([...out.slice(3 * i, 3 * i + 3)], [1, 2, 3]);
});

/**
 * Volume inside triangles by the divergence theorem: the sum of a . (b x c) / 6, positive if they face outward.
 * @param {ArrayLike<number>} p
 */
function volume(p) {
  let sum = 0;
  for (let i = 0; i < p.length; i += 9) {
    sum += p[i] * (p[i + 4] * p[i + 8] - p[i + 5] * p[i + 7]) + p[i + 1] * (p[i + 5] * p[i + 6] - p[i + 3] * p[i + 8])
      + p[i + 2] * (p[i + 3] * p[i + 7] - p[i + 4] * p[i + 6]);
  }
  return sum / 6;
}

const TURNED = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6];

test("solids are closed, face outward and keep their volume in any attitude", () => {
  const round = 32;
  // a regular polygon of 32 corners in a circle has 32/2 sin(2 pi / 32) / pi of its area
  const polygon = (round / 2) * Math.sin((2 * Math.PI) / round);
  for (const [make, expected, within] of /** @type {[(s: SolidsBuilder) => void, number, number][]} */ ([
    [(s) => s.box([1, 2, 3]), 48, 1e-3],
    [(s) => s.cylinder(2, 1.5), 4 * 2.25 * polygon, 1e-3],
    [(s) => s.sphere(1), (4 / 3) * Math.PI, 0.03], // facets lie inside: 2 % with 32 by 16
  ])) {
    const solids = new SolidsBuilder();
    solids.placeAt([20, -5, 40], TURNED, [1, 1, 1]);
    make(solids);
    const actual = volume(solids.geometry().getAttribute("position").array);
    assert.ok(Math.abs(actual / expected - 1) < within, `${actual} and ${expected}`);
  }
});

test("normals of solids point to the side that their triangles face", () => {
  const solids = new SolidsBuilder();
  solids.placeAt([3, 4, 5], TURNED, [1, 1, 1]);
  solids.box([1, 2, 3]);
  solids.cylinder(2, 1);
  solids.sphere(2);
  solids.plane(10);
  for (let i = 0; i < solids.places.length; i += 9) {
    const p = solids.places;
    const [ux, uy, uz] = [p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]];
    const [vx, vy, vz] = [p[i + 6] - p[i], p[i + 7] - p[i + 1], p[i + 8] - p[i + 2]];
    const face = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    if (Math.hypot(...face) < 1e-9) continue; // at the poles of a sphere
    for (let k = 0; k < 9; k += 3) {
      const n = solids.normals.slice(i + k, i + k + 3);
      assert.ok(face[0] * n[0] + face[1] * n[1] + face[2] * n[2] > 0);
    }
  }
});

test("a mesh keeps the triangles of the message", () => {
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const faces = new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  const geometry = structureGeometry([{
    index: 0, name: "tetrahedron", kind: "mesh", center_n: [7, 8, 9], axes_n: TURNED, half_m: [1, 1, 1],
    mesh: { positions: base64(corners), indices: base64(faces) },
  }]);
  assert.ok(Math.abs(volume(geometry.getAttribute("position").array) - 1 / 6) < 1e-3);
});

test("a bottom given by a grid is bilinear, and level or sloping outside of the grid", () => {
  const depths = new Float32Array(12);
  for (let i = 0; i < 3; i += 1) for (let j = 0; j < 4; j += 1) depths[4 * i + j] = 10 + 2 * i + 3 * j + i * j;
  /** @type {any} */
  const grid = {
    kind: "grid", north0_m: -10, east0_m: 100, step_north_m: 5, step_east_m: 2, rows: 3, columns: 4,
    depths: base64(depths),
  };
  const level = new Ground({ ...grid, outside: "level" });
  const slope = new Ground({ ...grid, outside: "slope" });
  for (const [i, j] of [[0.3, 1.7], [1.5, 2.5], [2, 3], [0, 0]]) {
    const expected = 10 + 2 * i + 3 * j + i * j;
    assert.ok(Math.abs(level.depthAt(-10 + 5 * i, 100 + 2 * j) - expected) < FLOAT32);
  }
  assert.ok(Math.abs(level.depthAt(-50, 100) - 10) < FLOAT32);
  assert.ok(Math.abs(slope.depthAt(-10 - 5 * 8, 100) - (10 - 2 * 8)) < FLOAT32);
  assert.equal(new Ground(null).known, false);
});

test("only structures that stand on the bottom have a footprint", () => {
  const ground = new Ground({ kind: "flat", depth_m: 20 });
  const common = { index: 0, name: "", axes_n: [1, 0, 0, 0, 1, 0, 0, 0, 1], half_m: /** @type {Vector} */ ([2, 1, 1]) };
  const standing = footprints([
    { ...common, kind: "box", center_n: [5, 5, 19] },
    { ...common, kind: "box", center_n: [9, 9, 10] },
  ], ground);
  assert.equal(standing.length, 1);
  assert.ok(Math.abs(distanceTo(standing[0], 5 + 2 + 3, 5 + 1 + 4) - 5) < 1e-12);
  assert.ok(Math.abs(distanceTo(standing[0], 5, 5.5) + 0.5) < 1e-12);
});

test("a ring is perpendicular to its axis and has its radius", () => {
  const axis = /** @type {Vector} */ ([0.6, 0, 0.8]);
  for (const [x, y, z] of circle([1, 2, 3], axis, 1.5)) {
    assert.ok(Math.abs(Math.hypot(x - 1, y - 2, z - 3) - 1.5) < 1e-12);
    assert.ok(Math.abs((x - 1) * 0.6 + (z - 3) * 0.8) < 1e-12);
  }
});
