import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, STICKS } from "../../../pelagos/console/static/js/controls/actions.js";
import { nextScale, orderOf, stepped } from "../../../pelagos/console/static/js/controls/orders.js";
import { PENDING_MS, PendingOrders } from "../../../pelagos/console/static/js/controls/pending_orders.js";

/** @param {Record<string, number>} values */
function sample(values = {}) {
  return { time: 12, seq: 1, get: (/** @type {string} */ name) => values[name] ?? NaN };
}

test("a hold is switched on while its column is not a number, and off while it is", () => {
  assert.deepEqual(orderOf("hold_depth", sample()), { name: "hold", hold: "depth", on: true });
  assert.deepEqual(orderOf("hold_depth", sample({ hold_depth_m: 5 })), { name: "hold", hold: "depth", on: false });
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

test("the time scale moves through fixed factors and stops at the ends", () => {
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

test("the pilot gain moves in steps of a tenth from 0.1 to 1", () => {
  assert.deepEqual(orderOf("gain_down", sample({ gain: Math.fround(0.7) })), { name: "gain", factor: 0.6 });
  assert.equal(orderOf("gain_down", sample({ gain: Math.fround(0.1) }))?.factor, 0.1);
  assert.equal(orderOf("gain_up", sample())?.factor, 1);
});

test("a jump past the end of a replay goes to its end", () => {
  assert.deepEqual(orderOf("seek_on", sample(), { duration_s: 14 }), { name: "seek", time_s: 14 });
  assert.deepEqual(orderOf("seek_on", sample(), { duration_s: 40 }), { name: "seek", time_s: 17 });
});

test("presses that are faster than snapshots continue from the pending orders", () => {
  const now = { ms: 0 };
  const pending = new PendingOrders(() => now.ms);
  const state = sample({ lights: 0, trim_surge: 0.1, time_scale: 1, stick_frame: 0, tether_ratio: 1.5, gain: 1 });
  /** @param {string} action */
  const press = (action) => {
    const order = orderOf(action, pending.predict(state));
    assert.ok(order);
    pending.add(order);
    return order;
  };
  assert.deepEqual([press("lights_up"), press("lights_up"), press("lights_up")].map(({ level }) => level),
    [0.25, 0.5, 0.75]);
  assert.deepEqual([press("trim_surge_up"), press("trim_surge_up")].map(({ surge }) => surge), [0.15, 0.2]);
  assert.deepEqual([press("time_faster"), press("time_faster")].map(({ factor }) => factor), [2, 5]);
  assert.deepEqual([press("stick_frame"), press("stick_frame")].map(({ frame }) => frame), ["camera", "north"]);
  assert.deepEqual([press("gain_down"), press("gain_down")].map(({ factor }) => factor), [0.9, 0.8]);
  assert.deepEqual([press("seek_on"), press("seek_on")].map(({ time_s }) => time_s), [17, 22]);
  assert.deepEqual([press("hold_depth"), press("hold_depth")].map(({ on }) => on), [true, false]);
  assert.deepEqual([press("hold_mission"), press("pause"), press("pause")].map(({ on }) => on), [true, true, false]);
  press("trim_reset");
  assert.equal(press("trim_surge_down").surge, -0.05);
  now.ms = PENDING_MS + 1;
  assert.equal(press("lights_up").level, 0.25); // no longer pending: the state counts
});

test("refused orders are no longer pending", () => {
  const pending = new PendingOrders(() => 0);
  pending.add({ name: "lights", level: 0.5 });
  pending.add({ name: "gain", factor: 0.5 });
  pending.remove("lights");
  const predicted = pending.predict(sample({ lights: 0, gain: 1 }));
  assert.deepEqual([predicted?.get("lights"), predicted?.get("gain")], [0, 0.5]);
});

test("actions that the dispatcher handles have no order", () => {
  for (const id of ["view_chase", "top_view", "help", "sound", "control", "ship_move", "surge_ahead"]) {
    assert.equal(orderOf(id, sample()), null, id);
  }
  assert.equal(orderOf("hold_depth", null), null);
});

test("every pressed action either has an order or is handled by the dispatcher", () => {
  const handled = new Set([
    "view_chase", "top_view", "top_form", "top_in", "top_out", "side_view", "sound", "help", "control", "ship_move",
    "camera_next", "controls",
  ]);
  for (const action of ACTIONS.filter(({ axis }) => !axis)) {
    assert.equal(orderOf(action.id, sample()) === null, handled.has(action.id), action.id);
  }
});
