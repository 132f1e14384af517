import assert from "node:assert/strict";
import { test } from "node:test";
import { quaternionOfEuler } from "../../../pelagos/console/static/js/frames.js";
import { History, interpolationOf } from "../../../pelagos/console/static/js/state.js";

const COLUMNS = ["north_m", "heading_deg", "q0", "q1", "q2", "q3", "collisions", "hold_depth_m", "time_scale"];

/** @param {number} seq @param {number} time @param {number[]} values */
function snapshot(seq, time, values) {
  return { seq, ack: 0, time, echo: 0, values: Float32Array.from(values) };
}

function twoSnapshots() {
  const history = new History();
  history.setColumns(COLUMNS);
  history.push(snapshot(1, 10, [0, 350, ...quaternionOfEuler(0, 0, 350), 0, NaN, 1]), 1000);
  history.push(snapshot(2, 10.02, [4, 10, ...quaternionOfEuler(0, 0, 10), 1, 5, 1]), 1020);
  return history;
}

test("between two snapshots lengths are linear, angles take the shorter arc, codes keep their value", () => {
  const sample = twoSnapshots().at(1005);
  assert.ok(sample);
  assert.ok(Math.abs(sample.get("north_m") - 1) < 1e-9);
  assert.ok(Math.abs(sample.get("heading_deg") - 355) < 1e-9);
  assert.equal(sample.get("collisions"), 0);
  assert.ok(Math.abs(sample.time - 10.005) < 1e-9);
});

test("the attitude turns with the heading", () => {
  const sample = twoSnapshots().at(1010);
  assert.ok(sample);
  const expected = quaternionOfEuler(0, 0, 0);
  const attitude = ["q0", "q1", "q2", "q3"].map((name) => sample.get(name));
  const dot = attitude.reduce((sum, value, i) => sum + value * expected[i], 0);
  assert.ok(Math.abs(Math.abs(dot) - 1) < 1e-7); // float32 quaternions
});

test("a value that is unknown on one side is that of the nearer side", () => {
  assert.ok(Number.isNaN(twoSnapshots().at(1004)?.get("hold_depth_m")));
  assert.equal(twoSnapshots().at(1016)?.get("hold_depth_m"), 5);
});

test("the state is constant before the first and after the last snapshot", () => {
  assert.equal(twoSnapshots().at(0)?.get("north_m"), 0);
  assert.equal(twoSnapshots().at(99999)?.get("north_m"), 4);
  assert.equal(twoSnapshots().latest()?.seq, 2);
});

test("a missing column is NaN", () => {
  assert.ok(Number.isNaN(twoSnapshots().at(1010)?.get("nothing")));
  assert.ok(Number.isNaN(twoSnapshots().latest()?.get("nothing")));
});

test("the state is not interpolated across a reset or a seek", () => {
  for (const time of [0, 50]) {
    const history = twoSnapshots();
    history.push(snapshot(3, time, [400, 0, 1, 0, 0, 0, 0, NaN, 1]), 1040);
    assert.equal(history.at(1030)?.get("north_m"), 4);
    assert.equal(history.at(1040)?.get("north_m"), 400);
  }
});

test("jitter of arrival times is smoothed", () => {
  const history = new History();
  history.setColumns(["north_m", "time_scale"]);
  const delays = [0, 15, 2, 14, 0, 12, 5, 0, 15, 3];
  delays.forEach((late, i) => history.push(snapshot(i, 0.02 * i, [0.02 * i, 1]), 20 * i + late));
  let worst = 0;
  for (let when = 40; when < 150; when += 1) {
    const rate = (Number(history.at(when + 1)?.get("north_m")) - Number(history.at(when)?.get("north_m"))) / 0.001;
    worst = Math.max(worst, Math.abs(rate - 1));
  }
  // without smoothing the rate would vary between 0.6 and 3; a tenth of 15 ms in 20 ms is 8 %
  assert.ok(worst < 0.1, String(worst));
});

test("only the last seconds are kept, and new columns discard the rows", () => {
  const history = new History(1);
  history.setColumns(["north_m"]);
  for (let i = 0; i < 500; i += 1) history.push(snapshot(i, i / 50, [i]), 20 * i);
  assert.ok(history.rows.length <= 53, String(history.rows.length));
  history.setColumns(["north_m"]);
  assert.ok(history.latest());
  history.setColumns(["north_m", "east_m"]);
  assert.equal(history.latest(), null);
  history.push(snapshot(1, 0, [1]), 0);
  assert.equal(history.latest(), null);
});

test("how columns are interpolated", () => {
  const interpolations = ["q2", "roll_deg", "task_phase", "depth_m", "q_factor"].map(interpolationOf);
  assert.deepEqual(interpolations, ["attitude", "angle", "step", "line", "line"]);
});
