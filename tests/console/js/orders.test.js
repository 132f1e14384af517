import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, STICKS } from "../../../pelagos/console/static/js/controls/actions.js";
import { nextScale, orderOf, stepped } from "../../../pelagos/console/static/js/controls/orders.js";

/** @param {Record<string, number>} values */
function sample(values = {}) {
  return { time: 12, seq: 1, get: (/** @type {string} */ name) => values[name] ?? NaN };
}

test("a hold is switched: on while its column is not a number, off while it is", () => {
  assert.deepEqual(orderOf("hold_depth", sample()), { name: "hold", what: "depth", on: true });
  assert.deepEqual(orderOf("hold_depth", sample({ hold_depth_m: 5 })), { name: "hold", what: "depth", on: false });
  assert.equal(orderOf("hold_mission", sample({ hold_mission: 1 }))?.on, false);
  assert.equal(orderOf("hold_position", sample({ hold_north_m: 0 }))?.on, false);
});

test("trims move by steps, for every stick, both ways", () => {
  for (const axis of STICKS) {
    assert.deepEqual(orderOf(`trim_${axis}_up`, sample({ [`trim_${axis}`]: 0.1 })), { name: "trim", [axis]: 0.15 });
    assert.deepEqual(orderOf(`trim_${axis}_down`, sample()), { name: "trim", [axis]: -0.05 });
  }
  assert.deepEqual(orderOf("trim_yaw_up", sample({ trim_yaw: 1 })), { name: "trim", yaw: 1 });
  assert.deepEqual(orderOf("trim_reset", sample()), { name: "trim_reset" });
});

test("steps stay on their grid, also from a float32", () => {
  assert.equal(stepped(Math.fround(0.35), 0.05, -1, 1), 0.4);
  assert.equal(stepped(1.02, 0.05, 1, 5), 1.05);
  assert.equal(stepped(0, -0.25, 0, 1), 0);
});

test("the time scale climbs a ladder and stops at its ends", () => {
  assert.deepEqual([nextScale(1, 1), nextScale(Math.fround(0.2), 1), nextScale(3, -1)], [2, 0.5, 2]);
  assert.deepEqual([nextScale(20, 1), nextScale(Math.fround(0.1), -1)], [20, 0.1]);
});

test("lights, frames, winch, pause and record follow the state", () => {
  assert.deepEqual(orderOf("lights_up", sample({ lights: 0.5 })), { name: "lights", level: 0.75 });
  assert.deepEqual(orderOf("stick_frame", sample({ stick_frame: 2 })), { name: "stick_frame", frame: "body" });
  assert.deepEqual(orderOf("winch_in", sample(), { winch_m_s: 0.2 }), { name: "tether", rate_m_s: -0.2 });
  assert.deepEqual(orderOf("pause", sample({ paused: 1 })), { name: "pause", on: false });
  assert.deepEqual(orderOf("record", sample({ recording: 0 })), { name: "record", on: true });
  assert.deepEqual(orderOf("seek_back", sample()), { name: "seek", time_s: 7 });
});

test("actions of the page itself are no orders", () => {
  for (const id of ["view_chase", "top_view", "help", "sound", "control", "ship_move", "surge_ahead"]) {
    assert.equal(orderOf(id, sample()), null, id);
  }
  assert.equal(orderOf("hold_depth", null), null);
});

test("every action that is pressed is either an order or the page's own", () => {
  const own = new Set([
    "view_chase", "top_view", "top_form", "top_in", "top_out", "side_view", "sound", "help", "control", "ship_move",
    "camera_next",
  ]);
  for (const action of ACTIONS.filter((one) => !one.axis)) {
    assert.equal(orderOf(action.id, sample()) === null, own.has(action.id), action.id);
  }
});
