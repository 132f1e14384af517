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
const TURNED = [C, -S, 0, S, C, 0, 0, 0, 1]; // own x points 30 deg east of north

/**
 * @param {Structure["kind"]} kind
 * @param {Vector} half_m
 * @returns {Structure}
 */
function solid(kind, half_m) {
  return { index: 0, name: kind, kind, center_n: [10, 4, 5], axes_n: TURNED, half_m };
}

/**
 * @param {Vector} own
 * @returns {Vector}
 */
function world([x, y, z]) {
  return [10 + C * x - S * y, 4 + S * x + C * y, 5 + z];
}

/**
 * @param {Vector} got
 * @param {Vector} wanted
 */
function same(got, wanted) {
  assert.ok(Math.hypot(...got.map((x, i) => x - wanted[i])) < 1e-12, `${got} and ${wanted}`);
}

test("a lens in a box or too near to it comes out of the nearest face", () => {
  const box = solid("box", [1, 2, 3]);
  same(keepClear(box, world([-0.98, 0.5, 0.2]), LEAST), world([-1 - LEAST, 0.5, 0.2]));
  same(keepClear(box, world([0.2, 2.01, 0.2]), LEAST), world([0.2, 2 + LEAST, 0.2]));
  // at an edge straight away from it: (3, 4, 0) / 5 of the distance
  same(keepClear(box, world([1.006, 2.008, 0]), LEAST), world([1 + 0.6 * LEAST, 2 + 0.8 * LEAST, 0]));
  const far = world([1.04, 0, 0]);
  assert.equal(keepClear(box, far, LEAST), far);
});

test("a lens comes out of cylinders, spheres and walls, and is left where it is by a mesh", () => {
  const pipe = solid("cylinder", [5, 0.5, 0.5]);
  same(keepClear(pipe, world([2, 0.24, -0.32]), LEAST), world([2, 0.6 * (0.5 + LEAST), -0.8 * (0.5 + LEAST)]));
  same(keepClear(pipe, world([4.9, 0.1, 0]), LEAST), world([5 + LEAST, 0.1, 0]));
  same(keepClear(solid("sphere", [2, 2, 2]), world([0, 1.2, 1.6]), LEAST), world([0, 1.218, 1.624]));
  same(keepClear(solid("plane", [0, 0, 0]), world([7, 8, 0.1]), LEAST), world([7, 8, -LEAST]));
  const inside = world([0.1, 0, 0]);
  assert.equal(keepClear(solid("mesh", [1, 1, 1]), inside, LEAST), inside);
});

test("a ray meets a wall from its water side only", () => {
  const wall = solid("plane", [0, 0, 0]); // its water is above 5 m
  assert.ok(Math.abs(rangeTo(wall, [0, 0, 2], [0, 0.8, 0.6]) - 5) < 1e-12);
  assert.equal(rangeTo(wall, [0, 0, 2], [0, 0.8, -0.6]), Infinity);
});

test("the free camera stays before a wall that stands behind the vehicle", () => {
  const chase = new Chase();
  chase.setSize(1);
  chase.azimuth = 0;
  chase.elevation = 0;
  const place = new Vector3(0, 0, 50);
  /** @type {(from: Vector3, direction: Vector3) => number} */
  const wall = (from, direction) => (direction.x < 0 ? (from.x + 1) / -direction.x : Infinity); // at 1 m south
  chase.follow(place, 0, 0.02, () => [0, 100], wall);
  assert.ok(chase.eye.x > -1 && chase.eye.x < -0.3, String(chase.eye.x));
  // the wall gone, it goes back to its distance
  for (let i = 0; i < 200; i += 1) chase.follow(place, 0, 0.05, () => [0, 100]);
  assert.ok(Math.abs(chase.eye.x + chase.distance_m) < 1e-6);
});

test("no label lies over another, and the first keeps its place", () => {
  const boxes = [[0, 0], [8, 3], [-10, 20], [200, 4], [0, 1]].map(([x, y]) => ({ x, y, width: 60, height: 26 }));
  const up = stackOffsets(boxes);
  assert.equal(up[0], 0);
  assert.equal(up[3], 0);
  const at = boxes.map((box, i) => ({ ...box, y: box.y + up[i] }));
  for (const [i, a] of at.entries()) {
    for (const b of at.slice(0, i)) assert.ok(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 26, `${a.y} ${b.y}`);
  }
});
