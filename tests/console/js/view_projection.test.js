import assert from "node:assert/strict";
import { test } from "node:test";
import { PerspectiveCamera, Vector3 } from "../../../pelagos/console/static/vendor/three.js";
import { cameraPose } from "../../../pelagos/console/static/js/frames.js";
import { applyPose, pixelOf, verticalField } from "../../../pelagos/console/static/js/view/pose.js";
import { Chase } from "../../../pelagos/console/static/js/view/chase.js";

/** @typedef {[number, number, number]} Vector */

const RAD = Math.PI / 180;
const [WIDTH, HEIGHT] = [1280, 720];
const WITHIN = 1e-6; // pixels: doubles, about twenty operations on numbers of 1000

/**
 * m v, with rows.
 * @param {number[][]} m
 * @param {number[]} v
 */
function times(m, v) {
  return m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
}

/**
 * Pixels by the equations of the thesis: fixed axes to body by heading, pitch and roll, minus the camera's place, pan,
 * tilt (4.2.e), then y' = a y / x, z' = a z / x (4.2.a with the factor a that the thesis leaves out, R30).
 * @param {{place: Vector, euler: Vector, mount: Vector, pan: number, tilt: number, fov: number, zoom: number}} of
 * @param {Vector} point
 */
function thesisPixel({ place, euler, mount, pan, tilt, fov, zoom }, point) {
  const [r, p, h] = euler.map((angle) => angle * RAD);
  const { sin, cos } = Math;
  const aboutZ = (/** @type {number} */ b) => [[cos(b), sin(b), 0], [-sin(b), cos(b), 0], [0, 0, 1]];
  const aboutX = [[1, 0, 0], [0, cos(r), sin(r)], [0, -sin(r), cos(r)]];
  const aboutY = (/** @type {number} */ a) => [[cos(a), 0, -sin(a)], [0, 1, 0], [sin(a), 0, cos(a)]];
  const inBody = times(aboutX, times(aboutY(p), times(aboutZ(h), point.map((x, i) => x - place[i]))));
  const [x, y, z] = times(aboutY(tilt * RAD), times(aboutZ(pan * RAD), inBody.map((c, i) => c - mount[i])));
  const a = (zoom * WIDTH) / 2 / Math.tan((fov * RAD) / 2);
  return { x, at: [WIDTH / 2 + (a * y) / x, HEIGHT / 2 + (a * z) / x] };
}

/**
 * @param {Vector} euler deg
 * @returns {[number, number, number, number]}
 */
function quaternion(euler) {
  const [r, p, h] = euler.map((angle) => (angle * RAD) / 2);
  const [cr, sr, cp, sp, ch, sh] = [r, p, h].flatMap((angle) => [Math.cos(angle), Math.sin(angle)]);
  return [
    cr * cp * ch + sr * sp * sh, sr * cp * ch - cr * sp * sh, cr * sp * ch + sr * cp * sh, cr * cp * sh - sr * sp * ch,
  ];
}

/** @type {{place: Vector, euler: Vector, mount: Vector, pan: number, tilt: number, fov: number, zoom: number}[]} */
const VIEWS = [
  { place: [0, 0, 0], euler: [0, 0, 0], mount: [1.5, 0, 0], pan: 0, tilt: 0, fov: 90, zoom: 1 },
  { place: [30, -12, 97], euler: [8, -11, 205], mount: [1.5, 0, 0], pan: 40, tilt: 0, fov: 80, zoom: 1 },
  { place: [-4, 7, 40], euler: [-20, 15, 77], mount: [0.19, 0.05, -0.02], pan: -25, tilt: 33, fov: 64, zoom: 2.5 },
  { place: [3, 3, 3], euler: [0, 0, 330], mount: [0, 0, 0], pan: 170, tilt: -60, fov: 100, zoom: 1 },
];

for (const [number, view] of VIEWS.entries()) {
  test(`the picture is that of Royer 4.2, view ${number}`, () => {
    const camera = new PerspectiveCamera();
    applyPose(camera, cameraPose(view.place, quaternion(view.euler), view.mount, view.pan, view.tilt));
    camera.aspect = WIDTH / HEIGHT;
    camera.fov = verticalField(view.fov, view.zoom, camera.aspect) / RAD;
    camera.updateProjectionMatrix();
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    let [ahead, behind] = [0, 0];
    for (let i = 0; i < 60; i += 1) {
      // points in all directions, on a spiral
      const polar = Math.acos(1 - (2 * (i + 0.5)) / 60);
      const point = /** @type {Vector} */ ([
        view.place[0] + 9 * Math.sin(polar) * Math.cos(2.4 * i),
        view.place[1] + 9 * Math.sin(polar) * Math.sin(2.4 * i),
        view.place[2] + 9 * Math.cos(polar),
      ]);
      const expected = thesisPixel(view, point);
      const actual = pixelOf(camera, point, WIDTH, HEIGHT, new Vector3());
      if (expected.x <= 0) {
        assert.equal(actual, null);
        behind += 1;
      } else {
        assert.ok(actual);
        // close to 90 deg off the axis, the same rounding error is many pixels
        const scale = 1 + Math.hypot(...expected.at) / WIDTH;
        assert.ok(Math.abs(actual[0] - expected.at[0]) < WITHIN * scale * scale, `${actual} and ${expected.at}`);
        assert.ok(Math.abs(actual[1] - expected.at[1]) < WITHIN * scale * scale, `${actual} and ${expected.at}`);
        ahead += 1;
      }
    }
    assert.ok(ahead > 15 && behind > 15);
  });
}

test("the horizontal field of view spans the width, and zoom divides its tangent", () => {
  const aspect = 16 / 9;
  const tangent = Math.tan(verticalField(80, 2, aspect) / 2) * aspect;
  assert.ok(Math.abs(tangent - Math.tan(40 * RAD) / 2) < 1e-12);
});

test("the chase camera stays at its distance behind the vehicle, and between surface and bottom", () => {
  const chase = new Chase();
  chase.setSize(1);
  chase.azimuth = 0;
  chase.elevation = 0;
  const place = new Vector3(5, 6, 50);
  chase.follow(place, 90 * RAD, 0.02, () => [0, 100]);
  // heading east, so it is as far to the west
  assert.ok(chase.eye.distanceTo(new Vector3(5, 6 - chase.distance_m, 50)) < 1e-9);
  chase.orbit(0, -0.4);
  chase.follow(place, 90 * RAD, 0.02, () => [0, 50.5]);
  assert.ok(chase.eye.z < 50.5);
  chase.orbit(0, 0.9);
  chase.follow(place, 90 * RAD, 0.02, () => [49, 100]);
  assert.ok(chase.eye.z > 49);
});
