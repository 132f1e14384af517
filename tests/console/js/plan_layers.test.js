import assert from "node:assert/strict";
import { test } from "node:test";
import { crashShare } from "../../../pelagos/console/static/js/plan/draw.js";
import { cameraInUse } from "../../../pelagos/console/static/js/plan/layers.js";
import {
  knownStructures, markPoints, ringFromAbove, vehicleMarks,
} from "../../../pelagos/console/static/js/plan/marks.js";
import { contour } from "../../../pelagos/console/static/js/plan/seabed.js";
import { depthRange } from "../../../pelagos/console/static/js/plan/side_view.js";
import { farthestView } from "../../../pelagos/console/static/js/plan/top_view.js";
import { Trail } from "../../../pelagos/console/static/js/plan/trail.js";

test("crash lines fade in 1.2 s and are absent without a collision", () => {
  assert.deepEqual([0, 0.6, 1.2, 5, NaN, -1].map(crashShare), [1, 0.5, 0, 0, 0, 0]);
});

test("a trail adds up the distance covered and keeps ten minutes", () => {
  const trail = new Trail();
  for (let at = 0; at <= 9000; at += 1) trail.add(at / 10, at / 10, 0, 5, 20); // 900 s at 1 m/s
  trail.thin(900);
  const last = trail.points.at(-1);
  assert.ok(Number(last?.time) > 899.5); // at most an interval is left out
  assert.ok(Math.abs(Number(last?.run) - Number(last?.north)) < 1e-6); // thousands of sums, rounded
  assert.ok(trail.points[0].time >= 300 && trail.points[0].time < 304);
});

test("older parts of a trail have fewer points, and its length is bounded", () => {
  const trail = new Trail();
  for (let at = 0; at <= 30000; at += 1) trail.add(at / 50, 0.01 * at, 0, 5, 20);
  trail.thin(600);
  const before = trail.points;
  const gaps = before.slice(1).map((point, at) => ({ age: 600 - point.time, gap: point.time - before[at].time }));
  assert.ok(gaps.filter(({ age }) => age < 50).every(({ gap }) => gap < 0.25));
  assert.ok(gaps.filter(({ age }) => age > 250).every(({ gap }) => gap > 2.9));
  assert.ok(trail.points.length < 700);
});

test("a jump of time or place clears a trail; unknown values are left out", () => {
  const trail = new Trail();
  trail.add(10, 0, 0, 5, 20);
  trail.add(11, 1, 0, 5, 20);
  trail.add(12, NaN, 0, 5, 20);
  assert.equal(trail.points.length, 2);
  trail.add(3, 1, 0, 5, 20);
  assert.equal(trail.points.length, 1);
  trail.add(4, 500, 0, 5, 20);
  assert.deepEqual(trail.points.map((point) => [point.north, point.run]), [[500, 0]]);
  assert.equal(trail.restarts, 2);
});

test("contours of a plane bottom are straight lines at the right place", () => {
  const grid = /** @type {const} */ ({
    kind: "grid", north0_m: -10, east0_m: 5, step_north_m: 2, step_east_m: 3, rows: 8, columns: 6, depths: "",
  });
  const depths = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 6; column += 1) depths.push(50 + 0.5 * (-10 + 2 * row) + 0.2 * (5 + 3 * column));
  }
  const lines = contour(grid, depths, 51.3);
  assert.ok(lines.length > 5);
  for (const [n0, e0, n1, e1] of lines) {
    // linear in each triangle, so exact; rounding only
    assert.ok(Math.abs(50 + 0.5 * n0 + 0.2 * e0 - 51.3) < 1e-9);
    assert.ok(Math.abs(50 + 0.5 * n1 + 0.2 * e1 - 51.3) < 1e-9);
  }
  assert.deepEqual(contour(grid, depths, 1000), []);
});

test("the side view includes a near bottom and a near surface, and excludes far ones", () => {
  const [least, most] = depthRange([94, 96, NaN], [100, 100], true);
  assert.ok(least < 94 && least > 80 && most >= 100 && most < 110);
  assert.ok(depthRange([5, 8], [100], true)[0] < 0);
  assert.ok(depthRange([5, 8], [100], true)[1] < 30);
  assert.ok(depthRange([5, 5], [], false)[0] > 0);
  const [top, bottom] = depthRange([50, 50], [], true);
  assert.ok(bottom - top >= 6 && top < 50 && bottom > 50);
  assert.deepEqual(depthRange([NaN], [], true), [0, 10]);
});

test("a mark on the vehicle moves with it: 2 m ahead and 1 m to starboard, heading east", () => {
  const mark = /** @type {any} */ ({ kind: "triangle", points: [[2, 1, 0]] });
  const [[north, east]] = markPoints(mark, { north: 10, east: 20, heading: 90 }, true);
  assert.ok(Math.abs(north - 9) < 1e-9 && Math.abs(east - 22) < 1e-9);
  assert.deepEqual(markPoints(mark, { north: 10, east: 20, heading: 90 }), [[2, 1]]);
  const ring = /** @type {any} */ ({ kind: "ring", center: [3, 4, 5] });
  assert.deepEqual(markPoints(ring, { north: 0, east: 0, heading: 0 }), [[3, 4]]);
});

test("a ring is a circle about an upright axis and a line about a level one", () => {
  assert.deepEqual(ringFromAbove(2, [0, 0, 1]), { across: 2, along: 2, direction: 0 });
  assert.deepEqual(ringFromAbove(2, [0, 3, 0]), { across: 2, along: 0, direction: 90 });
  assert.ok(Math.abs(ringFromAbove(1, [1, 0, 1]).along - Math.SQRT1_2) < 1e-12);
});

test("marks on the vehicle come from the source; there may be none", () => {
  assert.deepEqual(vehicleMarks(/** @type {any} */ ({ vehicle_marks: [1] })), [1]);
  assert.deepEqual(vehicleMarks(undefined), []);
});

test("the camera in use is that of the column, the first if it is unknown", () => {
  const vehicle = /** @type {any} */ ({ cameras: ["bow", "down"] });
  /** @param {number} index */
  const sample = (index) => ({ time: 0, seq: 0, get: () => index });
  assert.equal(cameraInUse(vehicle, sample(1)), "down");
  assert.equal(cameraInUse(vehicle, sample(NaN)), "bow");
  assert.equal(cameraInUse(undefined, sample(0)), undefined);
});

test("a structure that a task hides is not on the map until a mark lies on it", () => {
  /** @param {any[]} marks */
  const names = (marks) => knownStructures(/** @type {any} */ ({
    marks, task: { hidden: ["object 1", "object 2"] },
    scene: {
      structures: [
        { name: "column", center_n: [0, 0, 50] }, { name: "object 1", center_n: [3, 4, 99.75] },
        { name: "object 2", center_n: [3, 40, 99.75] },
      ],
    },
  })).map((structure) => structure.name);
  assert.deepEqual(names([]), ["column"]);
  assert.deepEqual(names([{ kind: "point", points: [[3, 4, 99.75]] }]), ["column", "object 1"]);
  assert.deepEqual(names([{ kind: "point", points: [[3, 5, 99.75]] }]), ["column"]);
  assert.deepEqual(names([{ kind: "line", points: [[3, 4, 99.75]] }]), ["column"]); // the edge of an area marks nothing
  const free = /** @type {any} */ ({ task: null, scene: { structures: [{ name: "object 1", center_n: [0, 0, 0] }] } });
  assert.equal(knownStructures(free).length, 1);
});

test("the farthest zoom of the top view follows the extent of world and waypoints", () => {
  /** @param {number} extent @param {number[][]} [waypoints] */
  const far = (extent, waypoints) => farthestView(/** @type {any} */ ({ scene: { extent_m: extent }, waypoints }));
  assert.equal(far(4), 200);
  assert.equal(far(400), 1000);
  assert.equal(far(400, [[-1000, 3, 10]]), 2500);
  assert.equal(far(NaN), 200);
});
