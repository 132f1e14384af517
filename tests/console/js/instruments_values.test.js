import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rowsOf } from "../../../pelagos/console/static/js/instruments/actuators.js";
import { dialAngle } from "../../../pelagos/console/static/js/instruments/compass.js";
import {
  bearing, clock, initials, shortName, formatNumber, signed,
} from "../../../pelagos/console/static/js/instruments/format.js";
import { currentOf, payoutText } from "../../../pelagos/console/static/js/instruments/readings.js";
import { fittedText } from "../../../pelagos/console/static/js/instruments/tape.js";
import { STATUS, statusKind, statusWords } from "../../../pelagos/console/static/js/instruments/tether_status.js";
import { Trend, slope } from "../../../pelagos/console/static/js/instruments/trend.js";

const DEG = Math.PI / 180;

test("an unknown value is a dash", () => {
  for (const text of [formatNumber(NaN), signed(NaN), bearing(NaN), clock(NaN)]) assert.equal(text, "\u2013");
});

test("numbers have their sign, and zero has none", () => {
  assert.deepEqual([1.25, -1.25, -0.001].map((x) => formatNumber(x, 1)), ["1.3", "\u22121.3", "0.0"]);
  assert.deepEqual([2, -2, 0.01].map((x) => signed(x, 1)), ["+2.0", "\u22122.0", "0.0"]);
});

test("a bearing runs from 000 to 359", () => {
  const figures = [0, 7.4, 359.4, 359.6, 360, -1].map((degrees) => bearing(degrees).replace("\u00b0", ""));
  assert.deepEqual(figures, ["000", "007", "359", "000", "000", "359"]);
});

test("the clock carries seconds into minutes and hours", () => {
  const times = [0, 59.95, 60, 3599.9, 3661.5].map(clock);
  assert.deepEqual(times, ["00:00.0", "00:59.9", "01:00.0", "59:59.9", "1:01:01.5"]);
});

test("names are abbreviated word by word, then to initials", () => {
  assert.equal(shortName("vertical_front_starboard"), "vert front stb");
  assert.equal(initials("vertical_front_starboard"), "VFS");
  assert.equal(initials("propeller"), "prop");
  assert.equal(initials("starboard"), "stb");
});

test("the angle on the dial is the short way over north", () => {
  /** @type {[number, number, number][]} direction, heading, on the dial in deg */
  const cases = [[0, 0, 0], [10, 350, 20], [350, 10, -20], [90, 0, 90], [271, 0, -89], [0, 179, -179], [720, 5, -5]];
  for (const [direction, heading, expected] of cases) {
    assert.ok(Math.abs(dialAngle(direction, heading) - expected * DEG) < 1e-12, `${direction} at ${heading}`);
  }
});

test("the slope is exact for a straight line, and that of its middle for a parabola", () => {
  /** @type {[number, number][]} */
  const line = [0, 0.3, 0.4, 1.1].map((t) => [t, 7 - 2.5 * t]);
  assert.ok(Math.abs(slope(line) + 2.5) < 1e-12);
  /** @type {[number, number][]} */
  const bent = [0, 1, 2, 3, 4].map((t) => [t, t * t]);
  assert.ok(Math.abs(slope(bent) - 4) < 1e-12);
  assert.ok(Number.isNaN(slope([[1, 2]])));
});

test("a trend follows the latest samples only", () => {
  const trend = new Trend(1.5);
  let rate = NaN;
  for (let at = 0; at <= 500; at += 1) {
    const t = at / 50;
    rate = trend.add(t, t < 5 ? 3 * t : 15 - 0.4 * (t - 5));
  }
  assert.ok(Math.abs(rate + 0.4) < 1e-9);
});

test("a trend restarts when time jumps and at unknown values", () => {
  const trend = new Trend();
  for (let at = 0; at < 20; at += 1) trend.add(at / 10, at);
  assert.ok(Math.abs(trend.rate - 10) < 1e-9);
  assert.ok(Number.isNaN(trend.add(0, 50))); // a reset: its jump is no rate
  for (let at = 1; at < 20; at += 1) trend.add(at / 10, 50);
  assert.ok(Math.abs(trend.rate) < 1e-9);
  assert.ok(Number.isNaN(trend.add(2, NaN)));
  trend.add(3, 1);
  trend.add(3, 1); // the same snapshot drawn twice
  assert.equal(trend.points.length, 1);
});

test("the bits of the tether are those of the simulation, with its words", () => {
  const spec = readFileSync(new URL("../../../pelagos/tether/spec.py", import.meta.url), "utf8");
  const bits = new Map([...spec.matchAll(/^ {4}([A-Z_]+) = (\d+)/gm)].map(([, name, bit]) => [name, Number(bit)]));
  const words = new Map([...spec.matchAll(/Status\.([A-Z_]+): "([^"]+)"/g)].map(([, name, word]) => [name, word]));
  bits.delete("OK");
  assert.ok(bits.size >= 11);
  assert.deepEqual(
    new Map(STATUS.map(({ bit, word }) => [bit, word])),
    new Map([...bits].map(([name, bit]) => [bit, words.get(name)])),
  );
});

test("several bits are named in order, and the most severe gives the colour", () => {
  assert.equal(statusWords(0), "ok");
  assert.equal(statusWords(4 + 512), "taut, aground");
  assert.equal(statusWords(NaN), "");
  assert.deepEqual([0, 1, 4, 4 + 8, 1024 + 1].map(statusKind), ["good", "note", "caution", "alarm", "alarm"]);
});

test("every thruster and fin has a row with its columns", () => {
  const vehicle = /** @type {any} */ ({ thrusters: [{ name: "port" }], surfaces: [{ name: "rudder", limit_deg: 25 }] });
  assert.deepEqual(rowsOf(vehicle).map((row) => [row.actual, row.command, row.limit]), [
    ["thruster_port", "cmd_thruster_port", 1],
    ["surface_rudder_deg", "cmd_surface_rudder_deg", 25],
  ]);
  assert.deepEqual(rowsOf(undefined), []);
});

test("the direction of a current is where it runs to", () => {
  /** @param {number} north @param {number} east */
  const sample = (north, east) => ({
    time: 0, seq: 0, get: (/** @type {string} */ name) => (name === "current_north_m_s" ? north : east),
  });
  for (const [north, east, to] of [[1, 0, 0], [0, 1, 90], [-1, 0, 180], [0, -1, 270]]) {
    const { speed, to: direction } = currentOf(sample(north, east));
    assert.ok(Math.abs(speed - 1) < 1e-12 && Math.abs(direction - to) < 1e-9);
  }
  assert.ok(Number.isNaN(currentOf(sample(0, 0)).to));
});

test("a value has as many decimals as fit into its box, and never overflows it", () => {
  /** @param {string} text @param {number} size */
  const measure = (text, size) => 0.6 * size * text.length;
  /** @type {[number, number, string][]} value, room in px, text */
  const cases = [[3, 50, "3.00"], [95.25, 50, "95.25"], [95.25, 36, "95.3"], [2990.3, 50, "2990.3"],
    [2990.3, 32, "2990"]];
  for (const [value, room, text] of cases) assert.equal(fittedText(value, room, measure).text, text);
  for (const value of [0, 9.99, 99.9, 999.9, 2990.3, 10994]) {
    const { text, size } = fittedText(value, 37, measure);
    assert.ok(size >= 12 && measure(text, size) <= 37, text);
  }
  assert.equal(fittedText(NaN, 37, measure).text, "\u2013");
});

test("every payout law of the simulation has its words", () => {
  const spec = readFileSync(new URL("../../../pelagos/tether/spec.py", import.meta.url), "utf8");
  const kinds = [...(/PAYOUTS = \((.*)\)/.exec(spec)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const words = new Map([
    ["fixed", "fixed"], ["ratio", "coefficient 1.50"], ["rate", "winch +0.30 m/s"], ["tension", "by tension"],
  ]);
  assert.equal(kinds.length, words.size);
  kinds.forEach((kind, at) => {
    const values = /** @type {Record<string, number>} */ ({
      tether_payout: at, tether_ratio: 1.5, tether_rate_m_s: 0.3,
    });
    const sample = { time: 0, seq: 0, get: (/** @type {string} */ name) => values[name] ?? NaN };
    assert.equal(payoutText(sample), words.get(kind));
  });
  assert.equal(payoutText({ time: 0, seq: 0, get: () => NaN }), ""); // a log without this column
});
