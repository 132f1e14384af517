import assert from "node:assert/strict";
import { test } from "node:test";
import { Projection, metres, multiples, roundStep } from "../../../pelagos/console/static/js/plan/projection.js";

const HERE = { north: 12, east: -7, scale: 5, x: 160, y: 190 };
const ROUNDING = 1e-9; // px: coordinates of some hundreds in double precision

/**
 * The same with complex numbers: (ahead + i right) = (dn + i de) exp(-i up).
 * @param {number} north @param {number} east @param {number} up deg
 */
function byRotation(north, east, up) {
  const [dn, de] = [north - HERE.north, east - HERE.east];
  const size = Math.hypot(dn, de);
  const angle = Math.atan2(de, dn) - (up * Math.PI) / 180;
  return [HERE.x + HERE.scale * size * Math.sin(angle), HERE.y - HERE.scale * size * Math.cos(angle)];
}

/** @param {number[]} a @param {number[]} b */
function near(a, b) {
  assert.equal(a.length, b.length);
  a.forEach((value, at) => assert.ok(Math.abs(value - b[at]) < ROUNDING, `${a} is not ${b}`));
}

test("heading up turns the world by the heading", () => {
  for (const heading of [0, 30, 90, 179, 270, 359.5]) {
    const projection = new Projection({ form: "heading-up", heading, ...HERE });
    for (const [north, east] of [[12, -7], [20, -7], [12, 3], [-40, 55]]) {
      near(projection.screen(north, east), byRotation(north, east, heading));
    }
  }
});

test("heading up: points ahead are above the vehicle at any heading", () => {
  for (let heading = 0; heading < 360; heading += 17) {
    const projection = new Projection({ form: "heading-up", heading, ...HERE });
    const angle = (heading * Math.PI) / 180;
    near(projection.screen(HERE.north + 10 * Math.cos(angle), HERE.east + 10 * Math.sin(angle)), [160, 140]);
  }
});

test("north up only moves the world, independent of the heading", () => {
  for (const heading of [0, 77, 200]) {
    const projection = new Projection({ form: "north-up", heading, ...HERE });
    near(projection.screen(22, -7), [160, 140]);
    near(projection.screen(12, 3), [210, 190]);
    assert.equal(projection.screenAngle(heading), (heading * Math.PI) / 180); // the vehicle pivots
  }
});

test("heading up: the vehicle does not pivot, north does", () => {
  const projection = new Projection({ form: "heading-up", heading: 60, ...HERE });
  assert.equal(projection.screenAngle(60), 0);
  near([projection.screenAngle(0)], [-Math.PI / 3]);
});

test("the vehicle stays in its place on the screen in both forms", () => {
  for (const form of /** @type {const} */ (["heading-up", "north-up"])) {
    near(new Projection({ form, heading: 123, ...HERE }).screen(HERE.north, HERE.east), [HERE.x, HERE.y]);
  }
});

test("screen to world inverts world to screen", () => {
  for (const form of /** @type {const} */ (["heading-up", "north-up"])) {
    const projection = new Projection({ form, heading: 211, ...HERE });
    near(projection.screen(...projection.world(37, 250)), [37, 250]);
  }
});

test("the visible range holds the corners of the screen and no more", () => {
  const level = new Projection({ form: "north-up", heading: 0, ...HERE }).visibleRange(320, 380);
  near(level.north, [12 - 190 / 5, 12 + 190 / 5]);
  near(level.east, [-7 - 160 / 5, -7 + 160 / 5]);
  const turned = new Projection({ form: "heading-up", heading: 90, ...HERE }).visibleRange(320, 380);
  near(turned.east, [-7 - 190 / 5, -7 + 190 / 5]);
});

test("steps are 1, 2 or 5 times a power of ten, and not below the given length", () => {
  assert.deepEqual([0.07, 1, 1.01, 2, 2.5, 5.1, 10, 430].map(roundStep), [0.1, 1, 2, 2, 5, 10, 10, 500]);
});

test("multiples include both ends", () => {
  assert.deepEqual(multiples(-10, 10, 5), [-10, -5, 0, 5, 10].map((x) => x + 0));
  assert.deepEqual(multiples(0.1, 0.4, 0.5), []);
});

test("metres have no trailing zeros", () => {
  assert.equal(metres(0.30000000000000004), "0.3 m");
  assert.equal(metres(20), "20 m");
});
