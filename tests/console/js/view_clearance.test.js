import assert from "node:assert/strict";
import { test } from "node:test";
import { Vector3 } from "../../../pelagos/console/static/vendor/three.js";
import { Chase } from "../../../pelagos/console/static/js/view/chase.js";
import { keepClear, rangeTo } from "../../../pelagos/console/static/js/view/clearance.js";
import { stackOffsets } from "../../../pelagos/console/static/js/view/labels.js";

/** @typedef {[number, number, number]} Vector */
/** @typedef {import("../../../pelagos/console/static/js/types.js").Structure} Structure */

const LEAST = 0.03;
const ANGLE = Math.PI / 6;
const [C, S] = [Math.cos(ANGLE), Math.sin(ANGLE)];
const TURNED = [C, -S, 0, S, C, 0, 0, 0, 1]; // x points 30 deg east of north

/**
 * @param {Structure["kind"]} kind
 * @param {Vector} half_m
 * @returns {Structure}
 */
function solid(kind, half_m) {
  return { index: 0, name: kind, kind, center_n: [10, 4, 5], axes_n: TURNED, half_m };
}

/**
 * @param {Vector} point in axes of the structure
 * @returns {Vector}
 */
function toWorld([x, y, z]) {
  return [10 + C * x - S * y, 4 + S * x + C * y, 5 + z];
}

/**
 * @param {Vector} actual
 * @param {Vector} expected
 */
function assertSame(actual, expected) {
  assert.ok(Math.hypot(...actual.map((x, i) => x - expected[i])) < 1e-12, `${actual} and ${expected}`);
}

test("a lens inside a box or too close to it is moved out of the nearest face", () => {
  const box = solid("box", [1, 2, 3]);
  assertSame(keepClear(box, toWorld([-0.98, 0.5, 0.2]), LEAST), toWorld([-1 - LEAST, 0.5, 0.2]));
  assertSame(keepClear(box, toWorld([0.2, 2.01, 0.2]), LEAST), toWorld([0.2, 2 + LEAST, 0.2]));
  // at an edge straight away from it: (3, 4, 0) / 5 of the distance
  assertSame(keepClear(box, toWorld([1.006, 2.008, 0]), LEAST), toWorld([1 + 0.6 * LEAST, 2 + 0.8 * LEAST, 0]));
  const far = toWorld([1.04, 0, 0]);
  assert.equal(keepClear(box, far, LEAST), far);
});

test("a lens is moved out of cylinders, spheres and walls, but not out of a mesh", () => {
  const pipe = solid("cylinder", [5, 0.5, 0.5]);
  const radius = 0.5 + LEAST;
  assertSame(keepClear(pipe, toWorld([2, 0.24, -0.32]), LEAST), toWorld([2, 0.6 * radius, -0.8 * radius]));
  assertSame(keepClear(pipe, toWorld([4.9, 0.1, 0]), LEAST), toWorld([5 + LEAST, 0.1, 0]));
  assertSame(keepClear(solid("sphere", [2, 2, 2]), toWorld([0, 1.2, 1.6]), LEAST), toWorld([0, 1.218, 1.624]));
  assertSame(keepClear(solid("plane", [0, 0, 0]), toWorld([7, 8, 0.1]), LEAST), toWorld([7, 8, -LEAST]));
  const inside = toWorld([0.1, 0, 0]);
  assert.equal(keepClear(solid("mesh", [1, 1, 1]), inside, LEAST), inside);
});

test("a ray hits a wall from its water side only", () => {
  const wall = solid("plane", [0, 0, 0]); // its water is above 5 m
  assert.ok(Math.abs(rangeTo(wall, [0, 0, 2], [0, 0.8, 0.6]) - 5) < 1e-12);
  assert.equal(rangeTo(wall, [0, 0, 2], [0, 0.8, -0.6]), Infinity);
});

test("the chase camera stays in front of a wall behind the vehicle", () => {
  const chase = new Chase();
  chase.setSize(1);
  chase.azimuth = 0;
  chase.elevation = 0;
  const place = new Vector3(0, 0, 50);
  /** @type {(from: Vector3, direction: Vector3) => number} */
  const wall = (from, direction) => (direction.x < 0 ? (from.x + 1) / -direction.x : Infinity); // at 1 m south
  chase.follow(place, 0, 0.02, () => [0, 100], wall);
  assert.ok(chase.eye.x > -1 && chase.eye.x < -0.3, String(chase.eye.x));
  // without the wall it returns to its distance
  for (let i = 0; i < 200; i += 1) chase.follow(place, 0, 0.05, () => [0, 100]);
  assert.ok(Math.abs(chase.eye.x + chase.distance_m) < 1e-6);
});

test("labels do not overlap, and the first keeps its place", () => {
  const boxes = [[0, 0], [8, 3], [-10, 20], [200, 4], [0, 1]].map(([x, y]) => ({ x, y, width: 60, height: 26 }));
  const up = stackOffsets(boxes);
  assert.equal(up[0], 0);
  assert.equal(up[3], 0);
  const at = boxes.map((box, i) => ({ ...box, y: box.y + up[i] }));
  for (const [i, a] of at.entries()) {
    for (const b of at.slice(0, i)) assert.ok(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 26, `${a.y} ${b.y}`);
  }
});
