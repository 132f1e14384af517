import assert from "node:assert/strict";
import { test } from "node:test";
import {
  enlargement, floats, hull, outlineOf, depthOpacity, vehicleShape,
} from "../../../pelagos/console/static/js/plan/outline.js";

/** @typedef {import("../../../pelagos/console/static/js/types.js").Structure} Structure */

/** @param {Partial<Structure>} of @returns {Structure} */
function structure(of) {
  const shape = { index: 0, name: "it", kind: /** @type {"box"} */ ("box") };
  return { ...shape, center_n: [5, 6, 7], axes_n: [1, 0, 0, 0, 1, 0, 0, 0, 1], half_m: [1, 2, 3], ...of };
}

/** By Gauss's formula. @param {number[][]} points */
function area(points) {
  let twice = 0;
  points.forEach(([x, y], at) => {
    const [nx, ny] = points[(at + 1) % points.length];
    twice += x * ny - nx * y;
  });
  return Math.abs(twice) / 2;
}

/** Turned about the vertical, deg. @param {number} heading */
function aboutDown(heading) {
  const [s, c] = [Math.sin((heading * Math.PI) / 180), Math.cos((heading * Math.PI) / 180)];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** @param {number[]} numbers */
function packed(numbers) {
  return Buffer.from(new Float32Array(numbers).buffer).toString("base64");
}

test("a level box is its rectangle, however it is turned about the vertical", () => {
  for (const heading of [0, 33, 90, 200]) {
    const outline = outlineOf(structure({ axes_n: aboutDown(heading) }));
    assert.equal(outline?.points.length, 4);
    assert.ok(Math.abs(area(outline?.points ?? []) - 8) < 1e-9); // 2 x 4 m; rounding of the sines
    assert.equal(outline?.top, 4);
    assert.equal(outline?.bottom, 10);
  }
});

test("a box on its edge is wider: pitched by 45 deg it shows (2 + 6)/sqrt(2) by 4 m", () => {
  const s = Math.SQRT1_2;
  const outline = outlineOf(structure({ axes_n: [s, 0, s, 0, 1, 0, -s, 0, s] }));
  assert.ok(Math.abs(area(outline?.points ?? []) - (8 / Math.SQRT2) * 4) < 1e-9);
});

test("a cylinder lies along its own x: a rectangle lying, a polygon in its circle standing", () => {
  const lying = outlineOf(structure({ kind: "cylinder", half_m: [10, 0.5, 0.5] }));
  assert.ok(Math.abs(area(lying?.points ?? []) - 20) < 1e-9);
  const upright = [0, 0, -1, 0, 1, 0, 1, 0, 0];
  const standing = outlineOf(structure({ kind: "cylinder", half_m: [10, 0.5, 0.5], axes_n: upright }));
  const inscribed = 0.5 * 24 * 0.5 ** 2 * Math.sin((2 * Math.PI) / 24); // regular polygon of 24 corners
  assert.ok(Math.abs(area(standing?.points ?? []) - inscribed) < 1e-9);
  assert.equal(standing?.bottom, 17);
});

test("a sphere is a circle at every depth between its poles", () => {
  const ball = outlineOf(structure({ kind: "sphere", half_m: [2, 2, 2] }));
  for (const [north, east] of ball?.points ?? []) assert.ok(Math.abs(Math.hypot(north - 5, east - 6) - 2) < 1e-12);
  assert.deepEqual([ball?.top, ball?.bottom], [5, 9]);
});

test("an upright plane is a line through its point, a level one has no outline", () => {
  // normal to the south: own z, away from the water, is north
  const wall = outlineOf(structure({ kind: "plane", axes_n: [0, 0, 1, 0, 1, 0, -1, 0, 0], half_m: [0, 0, 0] }));
  assert.ok(wall?.wall);
  for (const [north] of wall?.points ?? []) assert.equal(north, 5);
  assert.equal(outlineOf(structure({ kind: "plane", half_m: [0, 0, 0] })), null);
});

test("a mesh is the hull of its corners, moved to its place", () => {
  const mesh = { positions: packed([0, 0, 0, 2, 0, 1, 0, 2, 2, 0.5, 0.5, 9]), indices: "" };
  const outline = outlineOf(structure({ kind: "mesh", mesh }));
  assert.deepEqual([...(outline?.points ?? [])].sort(), [[5, 6], [5, 8], [7, 6]]);
  assert.equal(outline?.bottom, 16);
});

test("a hull leaves out points inside or on an edge", () => {
  const square = hull([[0, 0], [1, 0], [2, 0], [2, 2], [0, 2], [1, 1], [0, 1]]);
  assert.deepEqual([...square].sort(), [[0, 0], [0, 2], [2, 0], [2, 2]]);
});

test("floats come back as they were packed", () => {
  assert.deepEqual([...floats(packed([1.5, -2, 1e6]))], [1.5, -2, 1e6]);
});

test("a structure is opaque at the vehicle's depth, and faint but visible far above or below", () => {
  assert.equal(depthOpacity(90, 100, 95), 1);
  assert.equal(depthOpacity(90, 100, 80), depthOpacity(90, 100, 110));
  assert.ok(depthOpacity(90, 100, 85) < 1 && depthOpacity(90, 100, 85) > depthOpacity(90, 100, 75));
  assert.ok(depthOpacity(90, 100, -1000) > 0.2);
});

test("a vehicle has the outline of its parts", () => {
  const corners = [[1, 0.2, 0, 1, -0.2, 0], [-1, 0.2, 5, -1, -0.2, 5]];
  const parts = corners.map((numbers) => ({ mesh: { positions: packed(numbers) } }));
  const shape = vehicleShape(/** @type {any} */ ({ length_m: 2, skin: { parts } }));
  assert.ok(Math.abs(area(shape) - 2 * 0.4) < 1e-6); // float32
  assert.equal(enlargement(shape, 10, 16), 1);
  assert.equal(enlargement(shape, 4, 16), 2);
});
