import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameGate, FrameRate, SlowWatch } from "../../../pelagos/console/static/js/frame_rate.js";

test("the rate is the number of frames over time", () => {
  const rate = new FrameRate();
  assert.ok(Number.isNaN(rate.hz));
  for (let i = 0; i < 200; i += 1) rate.count(20 * i);
  assert.ok(Math.abs(rate.hz - 50) < 1e-9);
});

test("a gate of 4 Hz passes 4 of 60 frames a second, and all frames without a limit", () => {
  const gate = new FrameGate();
  let passed = 0;
  for (let i = 0; i < 600; i += 1) if (gate.passes((i * 1000) / 60, 4)) passed += 1;
  assert.ok(Math.abs(passed - 40) <= 1, String(passed));
  assert.ok([null, undefined, 0].every((limit) => gate.passes(0, limit)));
});

test("a gate at half the rate of the screen passes every second frame in spite of jitter", () => {
  const gate = new FrameGate();
  let passed = 0;
  for (let i = 0; i < 600; i += 1) if (gate.passes((i * 1000) / 60 + (i % 3) * 0.4, 30)) passed += 1;
  assert.ok(Math.abs(passed - 300) <= 6, String(passed));
});

test("after a pause a gate does not make up for lost frames", () => {
  const gate = new FrameGate();
  gate.passes(0, 10);
  let passed = 0;
  for (let now = 5000; now < 5100; now += 10) if (gate.passes(now, 10)) passed += 1;
  assert.equal(passed, 1);
});

test("drawing that stays slow is reported once", () => {
  const watch = new SlowWatch();
  const reports = (/** @type {number} */ interval, /** @type {number} */ frames) =>
    Array.from({ length: frames }, () => watch.count(interval)).filter(Boolean).length;
  assert.equal(reports(16, 500), 0);
  assert.equal(reports(5000, 500), 0);
  assert.equal(reports(80, 40), 1);
  assert.equal(reports(80, 39), 0);
});
