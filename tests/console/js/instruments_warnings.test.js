import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HOLDS, holdIsOn, nextLight, trimsOf } from "../../../pelagos/console/static/js/instruments/lamps.js";
import { warningsOf } from "../../../pelagos/console/static/js/instruments/warnings.js";
import { bannerOf, scalePlaces, tapeMarks } from "../../../pelagos/console/static/js/instruments/overlay.js";
import * as palette from "../../../pelagos/console/static/js/palette.js";
import { Sound, effort } from "../../../pelagos/console/static/js/instruments/sound.js";

/** @param {Record<string, number>} values */
function sample(values) {
  return { time: 0, seq: 0, get: (/** @type {string} */ name) => values[name] ?? NaN };
}

const hello = /** @type {any} */ ({
  source: {
    vehicle: { length_m: 3, depth_rating_m: 100, thrusters: [{ name: "port" }] },
    scene: { structures: [{ index: 4, name: "column 1" }] },
  },
});

/** @param {Record<string, number>} values @param {{link?: string, overran?: boolean}} [page] */
function keys(values, page) {
  return warningsOf(sample(values), hello, page).map((warning) => `${warning.kind} ${warning.key}`);
}

test("unknown values give no warnings", () => {
  assert.deepEqual(keys({}), []);
  assert.deepEqual(warningsOf(sample({ depth_m: 5000 }), null), []);
});

test("each warning has its threshold", () => {
  assert.deepEqual(keys({ altitude_m: 1.4 }), ["caution bottom"]); // half the length of 3 m
  assert.deepEqual(keys({ altitude_m: 1.6 }), []);
  assert.deepEqual(keys({ depth_m: 89 }), []);
  assert.deepEqual(keys({ depth_m: 91 }), ["caution depth"]);
  assert.deepEqual(keys({ depth_m: 101 }), ["alarm depth"]);
  assert.deepEqual(keys({ battery_percent: 30 }), []);
  assert.deepEqual(keys({ battery_percent: 24 }), ["caution battery"]);
  assert.deepEqual(keys({ battery_percent: 9 }), ["alarm battery"]);
  assert.deepEqual(keys({ flooded_kg: 0 }), []);
  assert.deepEqual(keys({ flooded_kg: 0.5 }), ["alarm flooding"]);
  assert.deepEqual(keys({ faults_acting: 1 }), ["caution faults"]);
  assert.deepEqual(keys({ link_lost: 1 }), ["alarm link"]);
  assert.deepEqual(keys({}, { link: "closed" }), ["alarm link"]);
  assert.deepEqual(keys({}, { link: "lost" }), ["alarm link"]);
  assert.deepEqual(keys({}, { overran: true }), ["caution overruns"]);
});

test("a disarmed vehicle and a link that commands the thrusters give a warning", () => {
  assert.deepEqual(keys({ armed: 1, by_link: 0 }), []);
  assert.deepEqual(keys({ armed: 0, by_link: 0 }), ["alarm disarmed"]);
  assert.deepEqual(keys({ armed: 1, by_link: 1 }), ["caution by-link"]);
  assert.deepEqual(keys({ armed: 0, by_link: 1 }), ["alarm disarmed"]); // disarmed comes first
  assert.equal(warningsOf(sample({ armed: 0 }), hello)[0].text, "disarmed, thrusters off");
});

test("warnings of the tether follow its bits, and alarms come first", () => {
  assert.deepEqual(keys({ tether_status: 1 + 512 }), []);
  assert.deepEqual(keys({ tether_status: 4 + 1024 }), ["alarm tether-snagged", "caution tether-taut"]);
  assert.deepEqual(keys({ altitude_m: 0.2, tether_status: 8 }), ["alarm tether-overload", "caution bottom"]);
});

test("the warning of a contact names the structure", () => {
  /** @param {number} index */
  const text = (index) => warningsOf(sample({ contact_N: 5, contact_with: index }), hello)[0].text;
  assert.equal(text(4), "touching column 1");
  assert.equal(text(-1), "touching the bottom");
  assert.equal(text(77), "touching a structure");
  assert.deepEqual(keys({ contact_N: 0, contact_with: 4 }), []);
});

test("a hold is on while it has a setpoint, a mission while its switch is", () => {
  /** @param {Record<string, number>} values */
  const on = (values) => HOLDS.filter((hold) => holdIsOn(hold, sample(values))).map((hold) => hold.key);
  assert.deepEqual(on({}), []);
  assert.deepEqual(on({ hold_depth_m: 0, hold_heading_deg: 0 }), ["heading", "depth"]);
  assert.deepEqual(on({ hold_roll_deg: 0 }), ["level"]);
  assert.deepEqual(on({ hold_mission: 0 }), []);
  assert.deepEqual(on({ hold_mission: 1, hold_north_m: -3 }), ["position", "mission"]);
});

test("trims other than zero are named in per cent of full stick", () => {
  assert.deepEqual(trimsOf(sample({})), []);
  const zeros = { trim_surge: 0, trim_sway: -0, trim_heave: 0.004 };
  assert.deepEqual(trimsOf(sample(zeros)), []);
  assert.deepEqual(trimsOf(sample({ ...zeros, trim_heave: 0.2, trim_yaw: -0.05 })), ["heave +20", "yaw \u22125"]);
});

test("lights go off, half, full, off", () => {
  assert.deepEqual([NaN, 0, 0.3, 0.5, 0.8, 1].map(nextLight), [0.5, 0.5, 0.5, 1, 1, 0]);
});

test("the most severe banner wins", () => {
  const lost = sample({ link_lost: 1, paused: 1 });
  assert.equal(bannerOf(lost, { link: "closed" })?.text, "NO CONNECTION");
  assert.equal(bannerOf(lost, { link: "open" })?.text, "LINK LOST");
  assert.equal(bannerOf(sample({}), { link: "lost" })?.text, "LINK LOST");
  assert.equal(bannerOf(sample({ paused: 1 }), { replay: true })?.text, "PAUSED");
  assert.equal(bannerOf(sample({}), { replay: true })?.text, "REPLAY");
  assert.equal(bannerOf(sample({ paused: 0, link_lost: 0 }), {}), null);
  assert.equal(bannerOf(null, { status: { phase: "compiling", text: "a minute" } })?.small, "a minute");
  assert.equal(bannerOf(null, {})?.text, "WAITING");
});

test("an end and a replay are notes, and a waiting flight shows how to begin", () => {
  const ended = { replay: true, status: { phase: "ended", text: "the log is at its end" } };
  assert.equal(bannerOf(sample({}), ended)?.kind, "note");
  assert.equal(bannerOf(sample({}), { replay: true })?.kind, "note");
  const ready = bannerOf(sample({ waiting: 1 }), {});
  assert.equal(ready?.kind, "ready");
  assert.match(ready?.small ?? "", /stick/);
});

test("the banner gives the cause of a lost connection if it is known", () => {
  const trouble = { text: "SERVER STOPPED", small: "trying again" };
  assert.deepEqual(bannerOf(null, { link: "closed", trouble }), { ...trouble, kind: "alarm" });
  assert.equal(bannerOf(null, { link: "closed", trouble: null })?.text, "NO CONNECTION");
});

test("the scales of the camera keep clear of sticks on the screen", () => {
  for (const [width, height, stick] of [[702, 479, 160], [756, 429, 160], [506, 292, 124]]) {
    const { pan, tilt } = scalePlaces(width, height, stick);
    assert.ok(pan.from > stick && pan.to < width - stick, `${width}`);
    assert.ok(tilt.from + 30 <= height - stick && tilt.to >= 40 && tilt.from > tilt.to, `${width}`);
  }
  const free = scalePlaces(934, 452, 0);
  assert.equal((free.tilt.from + free.tilt.to) / 2, 226);
});

test("the heading tape goes over north", () => {
  const marks = tapeMarks(358);
  assert.deepEqual(marks.map(({ mark }) => mark), [330, 335, 340, 345, 350, 355, 0, 5, 10, 15, 20, 25]);
  const north = marks.find(({ mark }) => mark === 0);
  assert.ok(Math.abs((north?.at ?? 0) - 2 / 30) < 1e-12);
});

test("the colours of canvases are those of the sheet", () => {
  const sheet = readFileSync(new URL("../../../pelagos/console/static/css/palette.css", import.meta.url), "utf8");
  const colours = [...sheet.matchAll(/--(\w+): (#[0-9a-f]{6});/g)];
  const known = new Map(Object.entries(palette));
  let compared = 0;
  for (const [, name, colour] of colours) {
    if (!known.has(name.toUpperCase())) continue;
    assert.equal(known.get(name.toUpperCase()), colour, name);
    compared += 1;
  }
  assert.ok(compared >= 15);
});

test("the seven colours are Okabe and Ito's", () => {
  const { ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE } = palette;
  // Okabe and Ito 2008, Color Universal Design, in 8-bit RGB
  const published = [
    [230, 159, 0], [86, 180, 233], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167],
  ];
  const ours = [ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE];
  const parts = ours.map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  assert.deepEqual(parts, published);
});

test("only what looks like a colour is drawn as one, and no text is small", () => {
  assert.equal(palette.colourOr("#E69F00", "red"), "#E69F00");
  assert.equal(palette.colourOr("url(x)", "red"), "red");
  assert.equal(palette.colourOr(null, "red"), "red");
  assert.match(palette.font(3), /^400 12px /);
});

test("effort is the root mean square of the shares", () => {
  assert.equal(effort([]), 0);
  assert.equal(effort([0.6, -0.8, NaN]), Math.sqrt(0.5));
});

test("the bell rings once a collision, also where there is no sound", () => {
  const sound = new Sound(new EventTarget());
  sound.setHello(hello);
  sound.hum = true;
  for (const collisions of [2, 2, 3, 3, 4, 0, 1, NaN]) sound.draw(sample({ collisions, thruster_port: 1 }));
  assert.equal(sound.rung, 3); // what was before the page came is not rung for
  sound.unlock();
  sound.bell();
  assert.equal(sound.rung, 4);
});
