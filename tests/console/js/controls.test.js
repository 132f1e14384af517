import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, AXES, layoutParts, PAD_LAYOUTS } from "../../../pelagos/console/static/js/controls/actions.js";
import { Bindings, keyName, padName } from "../../../pelagos/console/static/js/controls/bindings.js";
import { Pad, shaped } from "../../../pelagos/console/static/js/controls/gamepad.js";
import { Ramps } from "../../../pelagos/console/static/js/controls/keyboard.js";
import { axesOf, inputOf, merged } from "../../../pelagos/console/static/js/controls/sticks.js";
import { deflection } from "../../../pelagos/console/static/js/controls/touch.js";

/** @param {string | null} text */
function storage(text) {
  return {
    getItem: () => text,
    setItem(/** @type {string} */ _key, /** @type {string} */ value) {
      text = value;
    },
  };
}

test("every axis has both directions, by key", () => {
  for (const axis of AXES) {
    const signs = ACTIONS.filter((action) => action.axis === axis && action.keys.length > 0).map((one) => one.sign);
    assert.deepEqual(signs.sort(), [-1, 1], axis);
  }
});

test("no key and no part of the gamepad does two things at first", () => {
  const bindings = new Bindings();
  assert.equal(bindings.conflicts("keys").size, 0);
  assert.equal(bindings.conflicts("pad").size, 0);
  assert.equal(new Set(ACTIONS.map((action) => action.id)).size, ACTIONS.length);
});

test("the first layout is the one of the table", () => {
  for (const [id, parts] of layoutParts("heave-yaw")) {
    assert.deepEqual(parts, ACTIONS.find((action) => action.id === id)?.pad, id);
  }
});

test("in each layout a raised stick means ahead or up, and to the right to starboard", () => {
  for (const layout of /** @type {(keyof typeof PAD_LAYOUTS)[]} */ (Object.keys(PAD_LAYOUTS))) {
    const bindings = new Bindings();
    bindings.setLayout(layout);
    const pad = new Pad(bindings, () => ({ id: "", axes: [1, -1, 1, -1], buttons: [] }));
    pad.poll();
    const axes = axesOf((id) => pad.level(id));
    assert.deepEqual([axes.surge, axes.heave, axes.sway, axes.yaw], [1, -1, 1, 1], layout);
  }
});

test("changes are kept, and only they", () => {
  const store = storage(null);
  const bindings = new Bindings(store);
  bindings.set("keys", "pause", ["Space"]);
  const again = new Bindings(store);
  assert.deepEqual(again.get("keys", "pause"), ["Space"]);
  assert.deepEqual(again.get("keys", "record"), ACTIONS.find((action) => action.id === "record")?.keys);
  assert.deepEqual(JSON.parse(String(store.getItem())).keys, { pause: ["Space"] });
});

test("what is kept but cannot be used is left alone", () => {
  const other = '{"version":99,"keys":{"pause":["X"]}}';
  const bad = '{"version":1,"keys":{"pause":3,"no":["X"]}}';
  for (const text of ["{", "null", other, bad]) {
    assert.deepEqual(new Bindings(storage(text)).get("keys", "pause"), ["KeyP"]);
  }
  assert.throws(() => new Bindings().set("keys", "no_such", []), RangeError);
});

test("a key given to two actions is a conflict", () => {
  const bindings = new Bindings();
  bindings.set("keys", "pause", ["KeyO"]);
  assert.deepEqual(bindings.conflicts("keys").get("KeyO")?.sort(), ["pause", "record"]);
});

test("names of keys and parts", () => {
  assert.deepEqual(["KeyW", "Shift+KeyW", "Digit1", "ArrowLeft", "F1", "Shift+Slash"].map(keyName),
    ["W", "Shift W", "1", "←", "F1", "Shift /"]);
  assert.deepEqual(["b0", "a1-", "a2+", "b14", "b40"].map(padName),
    ["A", "left stick up", "right stick right", "pad left", "button 40"]);
});

test("a held key rises over a quarter of a second and falls when let go", () => {
  const ramps = new Ramps(0.25, 0.1);
  ramps.set("surge_ahead", true, 0);
  assert.equal(ramps.level("surge_ahead", 125), 0.5);
  assert.equal(ramps.level("surge_ahead", 1000), 1);
  ramps.set("surge_ahead", false, 125);
  assert.ok(Math.abs(ramps.level("surge_ahead", 150) - 0.25) < 1e-12);
  assert.equal(ramps.level("surge_ahead", 300), 0);
  ramps.set("surge_ahead", true, 400);
  ramps.clear();
  assert.equal(ramps.level("surge_ahead", 1000), 0);
});

test("a stick is still in the dead zone, full at the end, odd and rising", () => {
  const shape = { deadZone: 0.1, expo: 0.35 };
  assert.deepEqual([0, 0.1, -0.1, 1, -1, 1.2].map((x) => shaped(x, shape)), [0, 0, 0, 1, -1, 1]);
  // half way between dead zone and end: (1 - e)/2 + e/8
  assert.ok(Math.abs(shaped(0.55, shape) - (0.65 / 2 + 0.35 / 8)) < 1e-12);
  let last = -1;
  for (let x = -1; x <= 1; x += 0.01) {
    assert.ok(shaped(x, shape) >= last);
    last = shaped(x, shape);
  }
});

test("a button of the gamepad acts once each time it is pressed", () => {
  const state = { id: "pad", axes: [0, 0, 0, 0], buttons: [0, 0, 0, 0] };
  const pad = new Pad(new Bindings(), () => state);
  /** @type {string[]} */
  const done = [];
  pad.addEventListener("action", (event) => done.push(/** @type {CustomEvent} */ (event).detail));
  for (const value of [1, 1, 0, 1]) {
    state.buttons[0] = value;
    pad.poll();
  }
  assert.deepEqual(done, ["hold_depth", "hold_depth"]);
});

test("without a gamepad nothing moves", () => {
  const pad = new Pad(new Bindings(), () => null);
  pad.poll();
  assert.equal(pad.level("surge_ahead"), 0);
});

test("the largest deflection wins, and stays in -1..1", () => {
  const out = merged([{ surge: 0.2, yaw: -1.5 }, { surge: -0.7 }, {}]);
  assert.deepEqual([out.surge, out.yaw, out.heave], [-0.7, -1, 0]);
  assert.equal(inputOf(out).sticks.surge, -0.7);
});

test("both sides of an axis cancel", () => {
  assert.equal(axesOf((id) => (id.startsWith("surge") ? 1 : 0)).surge, 0);
});

test("a finger deflects the stick inside its circle", () => {
  const box = { left: 100, top: 200, width: 100, height: 100 };
  assert.deepEqual(deflection(box, 150, 250).map(Math.abs), [0, 0]);
  const [half, level] = deflection(box, 169, 250); // 0.38 of 100 is full
  assert.ok(Math.abs(half - 0.5) < 1e-12 && Math.abs(level) < 1e-12);
  const [right, up] = deflection(box, 0, 0);
  assert.ok(right < 0 && up > 0 && Math.abs(Math.hypot(right, up) - 1) < 1e-12);
});
