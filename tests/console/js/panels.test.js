import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS } from "../../../pelagos/console/static/js/controls/actions.js";
import { Bindings } from "../../../pelagos/console/static/js/controls/bindings.js";
import { inWords, formatValue } from "../../../pelagos/console/static/js/panels/build.js";
import { axisOf } from "../../../pelagos/console/static/js/panels/charts.js";
import { controlGroups } from "../../../pelagos/console/static/js/panels/controls.js";
import { pendingRequest } from "../../../pelagos/console/static/js/panels/handover.js";
import { helpRows } from "../../../pelagos/console/static/js/panels/help.js";
import { faultValue, defaultText } from "../../../pelagos/console/static/js/panels/instructor.js";
import { clockText } from "../../../pelagos/console/static/js/panels/replay.js";
import { attemptsOf, curveOf } from "../../../pelagos/console/static/js/panels/results.js";
import { sharedWith } from "../../../pelagos/console/static/js/panels/settings.js";
import { roleText, seatAction } from "../../../pelagos/console/static/js/panels/session.js";

test("names of columns in words", () => {
  assert.deepEqual(["path_error_rms_m", "speed_m_s", "energy_J", "progress", "to_deg"].map(inWords),
    ["path error rms, m", "speed, m/s", "energy, J", "progress", "to, deg"]);
  const texts = [1.234, 12.34, 1234, NaN, null].map((value) => formatValue(value));
  assert.deepEqual(texts, ["1.23", "12.3", "1234", "–", "–"]);
});

test("a clock in minutes, seconds and tenths", () => {
  assert.deepEqual([0, 83.4, 59.96, 3600, NaN].map(clockText), ["0:00.0", "1:23.4", "1:00.0", "60:00.0", "–"]);
});

test("an axis includes zero and all values on round steps", () => {
  for (const values of [[-1.3, 7.2], [0.01, 0.02], [5], [-3, -1], [], [NaN, 2]]) {
    const { low, high, step } = axisOf(values);
    const known = values.filter(Number.isFinite);
    assert.ok(low <= Math.min(0, ...known) && high >= Math.max(0, ...known) && high > low, String(values));
    const steps = (high - low) / step;
    assert.ok(Math.abs(steps - Math.round(steps)) < 1e-9 && steps <= 8, String(values));
    const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5, 10].some((factor) => Math.abs(step / power - factor) < 1e-9));
  }
});

test("fields of a fault become values of their type, empty ones are left out", () => {
  const number = { name: "share", type: "number" };
  assert.equal(faultValue(number, "0.5"), 0.5);
  assert.equal(faultValue(number, " "), undefined);
  assert.deepEqual(faultValue({ name: "at_b", type: "list" }, "1, 0 -2"), [1, 0, -2]);
  assert.equal(faultValue({ name: "thruster", type: "choice", choices: ["t1", "t2"] }, "t2"), "t2");
  assert.equal(faultValue({ name: "index", type: "choice", choices: [1, 2] }, "2"), 2);
});

test("a seat is taken, requested or released, by who holds it", () => {
  const base = /** @type {import("../../../pelagos/console/static/js/types.js").RosterMessage} */ ({
    type: "roster", pilot: "a", instructor: null, requests: [],
    clients: [{ id: "a", name: "Ann", role: "pilot" }, { id: "b", name: "Ben", role: "observer" }],
  });
  assert.equal(seatAction(base, "a", "pilot"), "release");
  assert.equal(seatAction(base, "b", "pilot"), "request");
  assert.equal(seatAction(base, "b", "instructor"), "take");
  assert.equal(seatAction({ ...base, requests: [{ id: "b", role: "pilot" }] }, "b", "pilot"), "waiting");
  assert.deepEqual([roleText(base, "a"), roleText(base, "b")], ["pilot: Ann", "watching, pilot: Ann"]);
});

test("the attempts end with the present one, which is included once", () => {
  const first = { date: "2026-01-01", score: 50 };
  const second = { date: "2026-01-02", score: 60 };
  assert.deepEqual(attemptsOf({ ...second, history: [first] }).map((attempt) => attempt.score), [50, 60]);
  assert.deepEqual(attemptsOf({ ...second, history: [first, second] }).map((attempt) => attempt.score), [50, 60]);
});

test("the curve is that of the distance, with NaN for null", () => {
  const curve = curveOf({ curve: { time_s: [0, 1], altitude_error_m: [1, 1], distance_m: [2, null] } });
  assert.equal(curve?.name, "distance_m");
  assert.deepEqual([curve?.values[0], Number.isNaN(curve?.values[1])], [2, true]);
  assert.equal(curveOf({}), null);
});

test("the help shows the present bindings", () => {
  const bindings = new Bindings();
  bindings.set("keys", "pause", ["Space"]);
  const row = helpRows(bindings, "Run").find(({ label }) => label === "pause");
  assert.deepEqual(row, { label: "pause", keys: ["Space"], pad: ["Start"] });
});

test("a bias is zero by default; a required field is empty", () => {
  assert.equal(defaultText({ name: "bias", type: "number" }), "0");
  assert.equal(defaultText({ name: "share", type: "number" }), "");
  assert.equal(defaultText({ name: "bias", type: "number", default: 2 }), "2");
});

test("a key of two actions is listed at both of them", () => {
  const bindings = new Bindings();
  bindings.set("keys", "pause", ["KeyO"]);
  assert.deepEqual(sharedWith(bindings, "keys", "pause"), ["record"]);
  assert.deepEqual(sharedWith(bindings, "keys", "record"), ["pause"]);
  assert.deepEqual(sharedWith(bindings, "keys", "reset"), []);
});

test("only the holder of a seat and the requester see a request", () => {
  const roster = /** @type {import("../../../pelagos/console/static/js/types.js").RosterMessage} */ ({
    type: "roster", pilot: "a", instructor: "c", requests: [{ id: "b", role: "pilot", left_s: 4 }],
    clients: [{ id: "a", name: "Ann", role: "pilot" }, { id: "b", name: "Ben", role: "observer" }],
  });
  assert.deepEqual(pendingRequest(roster, "a"), { id: "b", role: "pilot", name: "Ben", mine: false, left_s: 4 });
  assert.equal(pendingRequest(roster, "b")?.mine, true);
  assert.equal(pendingRequest(roster, "c"), null);
  assert.equal(pendingRequest({ ...roster, requests: [{ id: "b", role: "pilot" }] }, "a")?.left_s, 10);
});

/** @param {Record<string, any>} vehicle @param {string[]} columns */
const flight = (vehicle, columns = ["gain"]) => /** @type {any} */ ({ columns, source: { vehicle } });
const FIXED = { pan_limit_deg: [0, 0], tilt_limit_deg: [0, 0], zoom_most: 1 };
const FREE = { pan_limit_deg: [-90, 90], tilt_limit_deg: [-45, 45], zoom_most: 3 };

/** @param {any} hello */
const offered = (hello) =>
  controlGroups(hello).flatMap(({ rows }) => rows.flatMap(({ buttons }) => buttons.map(([id]) => id)));

test("every action on a vehicle has a button", () => {
  const axes = ["surge", "sway", "heave", "roll", "pitch", "yaw"];
  const all = new Set(offered(flight({ axes, has_tether: true, cameras: [FREE, FREE], lamps: [{}] })));
  const groups = new Set(["Camera", "Trims", "Tether and ship"]);
  const required = ACTIONS.filter(({ group, id }) => groups.has(group) || /^(time|gain|roll|pitch)_/.test(id));
  assert.ok(required.length > 30);
  assert.deepEqual(required.map(({ id }) => id).filter((id) => !all.has(id)), []);
});

test("there are no buttons for equipment that a vehicle lacks", () => {
  const few = offered(flight({ axes: ["surge", "yaw"], has_tether: false, cameras: [FIXED], lamps: [] }, []));
  for (const id of ["pan_port", "tilt_up", "zoom_in", "camera_next", "lights_up", "winch_in", "ship_follow",
    "trim_roll_up", "roll_port", "gain_up"]) assert.ok(!few.includes(id), id);
  assert.ok(few.includes("trim_surge_up") && few.includes("time_faster"));
});

test("counts have no decimals, measured values have", () => {
  const texts = ["collisions", "score_found", "score_distance_m"].map((name) => formatValue(2, name));
  assert.deepEqual(texts, ["2", "2", "2.00"]);
});
