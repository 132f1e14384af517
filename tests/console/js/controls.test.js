import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, AXES, layoutParts, PAD_LAYOUTS } from "../../../pelagos/console/static/js/controls/actions.js";
import { Bindings, keyName, padName } from "../../../pelagos/console/static/js/controls/bindings.js";
import { CameraLimits, unsupportedText } from "../../../pelagos/console/static/js/controls/camera_limits.js";
import { HeldButtons } from "../../../pelagos/console/static/js/controls/held_buttons.js";
import { ShipPlace } from "../../../pelagos/console/static/js/controls/ship_place.js";
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

test("every axis has keys for both directions", () => {
  for (const axis of AXES) {
    const signs = ACTIONS.filter((action) => action.axis === axis && action.keys.length > 0).map(({ sign }) => sign);
    assert.deepEqual(signs.sort(), [-1, 1], axis);
  }
});

test("no key and no part of the gamepad has two actions by default", () => {
  const bindings = new Bindings();
  assert.equal(bindings.conflicts("keys").size, 0);
  assert.equal(bindings.conflicts("pad").size, 0);
  assert.equal(new Set(ACTIONS.map((action) => action.id)).size, ACTIONS.length);
});

test("the default layout is that of the table of actions", () => {
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

test("only changes are stored", () => {
  const store = storage(null);
  const bindings = new Bindings(store);
  bindings.set("keys", "pause", ["Space"]);
  const again = new Bindings(store);
  assert.deepEqual(again.get("keys", "pause"), ["Space"]);
  assert.deepEqual(again.get("keys", "record"), ACTIONS.find((action) => action.id === "record")?.keys);
  assert.deepEqual(JSON.parse(String(store.getItem())).keys, { pause: ["Space"] });
});

test("stored bindings that cannot be used are ignored", () => {
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

test("a held key rises over a quarter of a second and falls when released", () => {
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

test("the curve of a stick is zero in the dead zone, full at the end, odd and rising", () => {
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

const CAMERA = /** @type {any} */ ({ name: "fore", pan_limit_deg: [0, 0], tilt_limit_deg: [-45, 45], zoom_most: 1 });

test("a pan that the camera cannot follow is reported once for each input", () => {
  assert.equal(unsupportedText(CAMERA, { pan: 0, tilt: 1, zoom: 0 }), "");
  assert.match(unsupportedText(CAMERA, { pan: -1, tilt: 1, zoom: 1 }), /fore cannot pan or zoom/);
  /** @type {string[]} */
  const texts = [];
  const limits = new CameraLimits((text) => texts.push(text));
  for (const pan of [0, 1, 1, 0, 1]) limits.check(CAMERA, inputOf({ pan }));
  assert.equal(texts.length, 2);
});

test("a button moves its axis as long as it is held", () => {
  const held = new HeldButtons();
  const [left, right] = [new EventTarget(), new EventTarget()];
  held.add(/** @type {any} */ (left), { axis: "roll", sign: -1 });
  held.add(/** @type {any} */ (right), { axis: "roll", sign: 1 });
  /** @param {EventTarget} to @param {string} type @param {object} [more] */
  const send = (to, type, more = {}) => to.dispatchEvent(Object.assign(new Event(type), more));
  send(left, "pointerdown", { button: 0, pointerId: 1 });
  assert.equal(held.axes().roll, -1);
  send(right, "keydown", { code: "Space" });
  assert.equal(held.axes().roll, 0);
  send(left, "pointerup");
  assert.equal(held.axes().roll, 1);
  send(right, "keyup", { code: "Space" });
  assert.deepEqual(held.axes(), {});
});

/** A plan of 200 by 100 px, 10 px a metre, turned so that east is up. */
function placing() {
  const plan = {
    placing: false, cursor: /** @type {{north: number, east: number} | null} */ (null), shown: true,
    canvas: { clientWidth: 200, clientHeight: 100 },
    projection: {
      screen: (/** @type {number} */ north, /** @type {number} */ east) => [100 - 10 * north, 50 - 10 * east],
      world: (/** @type {number} */ x, /** @type {number} */ y) => [(100 - x) / 10, (50 - y) / 10],
    },
  };
  /** @type {any[]} */
  const chosen = [];
  /** @type {boolean[]} */
  const shown = [];
  const place = new ShipPlace(plan, (where) => chosen.push(where), (on) => shown.push(on));
  /** @param {Record<string, number>} values */
  const begin = (values) => place.begin({ time: 0, seq: 0, get: (name) => values[name] ?? NaN });
  return { plan, place, chosen, shown, begin };
}

test("the ship is placed with arrows and Enter", () => {
  const { plan, place, chosen, shown, begin } = placing();
  assert.equal(place.handleKey("ArrowUp"), false); // the keys pan and tilt while nothing is placed
  begin({ ship_north_m: 1, ship_east_m: 2, north_m: 0, east_m: 0 });
  assert.deepEqual(plan.cursor, { north: 1, east: 2 });
  assert.equal(place.handleKey("Shift+ArrowRight"), true); // 40 px to the right is 4 m south here
  assert.equal(place.handleKey("ArrowDown"), true); // 8 px down is 0.8 m west
  assert.equal(place.handleKey("KeyW"), false);
  assert.equal(place.handleKey("Enter"), true);
  assert.equal(chosen.length, 1);
  assert.ok(Math.abs(chosen[0].north_m + 3) < 1e-9 && Math.abs(chosen[0].east_m - 1.2) < 1e-9);
  assert.deepEqual([place.on, plan.cursor, shown], [false, null, [true, false]]);
});

test("Escape leaves the ship where it is, and the cursor stays in the view", () => {
  const { plan, place, chosen, begin } = placing();
  begin({ ship_north_m: 500, ship_east_m: 0, north_m: 0, east_m: 0 }); // out of view: from the vehicle
  assert.deepEqual(plan.cursor, { north: 0, east: 0 });
  for (let i = 0; i < 9; i += 1) place.handleKey("Shift+ArrowUp");
  assert.equal(plan.cursor?.east, 5); // the upper edge
  assert.equal(place.handleKey("Escape"), true);
  assert.deepEqual([place.on, chosen.length, place.handleKey("Escape")], [false, 0, false]);
});
