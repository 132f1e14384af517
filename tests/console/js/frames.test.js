import assert from "node:assert/strict";
import { test } from "node:test";
import {
  betweenAngles, cameraFromBody, cameraPose, eulerOfMatrix, inCamera, matrixOfEuler, matrixOfQuaternion, product,
  quaternionOfEuler, slerp, transposed, turned, wrap180, wrap360,
} from "../../../pelagos/console/static/js/frames.js";

const TINY = 1e-12; // rounding of a few dozen operations on numbers of size 1

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} [within] */
function near(a, b, within = TINY) {
  assert.equal(a.length, b.length);
  for (let i = 0; i < a.length; i += 1) {
    assert.ok(Math.abs(a[i] - b[i]) <= within, `${i}: ${a[i]} and ${b[i]}`);
  }
}

test("angles are wrapped", () => {
  assert.deepEqual([190, -190, 540, 0, -180].map(wrap180), [-170, 170, -180, 0, -180]);
  assert.deepEqual([360, -1, 725, 0].map(wrap360), [0, 359, 5, 0]);
  assert.equal(wrap360(-1e-20), 0);
});

test("interpolation between two angles takes the shorter arc", () => {
  assert.equal(wrap360(betweenAngles(350, 10, 0.5)), 0);
  assert.equal(betweenAngles(10, 350, 0.25), 5);
  assert.equal(betweenAngles(-170, 170, 0.5), -180);
});

test("quaternion and matrix of the same angles agree, for many attitudes", () => {
  for (const roll of [-170, -30, 0, 45, 120]) {
    for (const pitch of [-89, -20, 0, 60]) {
      for (const heading of [0, 33, 190, 359]) {
        const m = matrixOfEuler(roll, pitch, heading);
        near(matrixOfQuaternion(quaternionOfEuler(roll, pitch, heading)), m);
        near(eulerOfMatrix(m), [roll, pitch, heading], 1e-10); // at 89 deg the sine is flat: 1e-16 / cos(89 deg) in deg
        near(product(m, transposed(m)), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
      }
    }
  }
});

test("the axes point where the conventions say", () => {
  near(turned(matrixOfEuler(0, 0, 90), [1, 0, 0]), [0, 1, 0]); // heading 90: the bow to the east
  near(turned(matrixOfEuler(0, 90, 0), [1, 0, 0]), [0, 0, -1]); // bow up
  near(turned(matrixOfEuler(90, 0, 0), [0, 1, 0]), [0, 0, 1]); // starboard side down
});

test("at pitch 90 roll is 0 and heading contains both", () => {
  // R at theta = +90 holds only heading - roll
  near(eulerOfMatrix(matrixOfEuler(20, 90, 50)), [0, 90, 30], 1e-6);
});

test("slerp turns at a constant rate about one axis", () => {
  for (const share of [0, 0.25, 0.5, 1]) {
    const between = slerp(quaternionOfEuler(0, 0, 10), quaternionOfEuler(0, 0, 100), share);
    near(between, quaternionOfEuler(0, 0, 10 + 90 * share));
  }
});

test("slerp takes the nearer of q and -q", () => {
  const b = quaternionOfEuler(0, 0, 60);
  const other = /** @type {[number, number, number, number]} */ (b.map((x) => -x));
  near(slerp(quaternionOfEuler(0, 0, 0), other, 0.5), quaternionOfEuler(0, 0, 30));
});

test("slerp of equal attitudes is that attitude", () => {
  const q = quaternionOfEuler(10, 20, 30);
  near(slerp(q, q, 0.3), q);
});

test("camera axes are Royer's product of tilt and pan", () => {
  for (const [pan, tilt] of [[0, 0], [30, 20], [-120, 80], [90, -90]]) {
    const [a, b] = [(tilt * Math.PI) / 180, (pan * Math.PI) / 180];
    const ry = [Math.cos(a), 0, -Math.sin(a), 0, 1, 0, Math.sin(a), 0, Math.cos(a)];
    const rz = [Math.cos(b), Math.sin(b), 0, -Math.sin(b), Math.cos(b), 0, 0, 0, 1];
    near(cameraFromBody(pan, tilt), product(ry, rz));
  }
});

test("pan looks to starboard, tilt looks up", () => {
  near(turned(transposed(cameraFromBody(90, 0)), [1, 0, 0]), [0, 1, 0]);
  near(turned(transposed(cameraFromBody(0, 90)), [1, 0, 0]), [0, 0, -1]);
});

test("a point ahead of the panned camera of a turned vehicle lies on the optical axis", () => {
  // heading east, camera 1.5 m ahead of the origin, panned 90 deg to starboard: it looks south
  const pose = cameraPose([10, 20, 30], quaternionOfEuler(0, 0, 90), [1.5, 0, 0], 90, 0);
  near(pose.place, [10, 21.5, 30]);
  near(inCamera(pose, [5, 21.5, 30]), [5, 0, 0]);
  near(inCamera(pose, [5, 20.5, 31]), [5, 1, 1]); // facing south, west is to the right; deeper is down
});
