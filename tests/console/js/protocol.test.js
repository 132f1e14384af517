import assert from "node:assert/strict";
import { test } from "node:test";
import {
  HEADER_BYTES, ProtocolError, decodeSnapshot, inputMessage, parseMessage, stickValue,
} from "../../../pelagos/console/static/js/protocol.js";

// A snapshot written byte by byte, as struct.pack("<HBBIIIdd", 0x4550, 1, 1, 7, 41, 2, 1.5, 123.25) + 2 float32 gives
// it: the numbers are exact in binary, so the bytes can be written down from the IEEE 754 layout.
const BYTES = [
  0x50, 0x45, 1, 1, 7, 0, 0, 0, 41, 0, 0, 0, 2, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0xf8, 0x3f, // 1.5
  0, 0, 0, 0, 0, 0xd0, 0x5e, 0x40, // 123.25
  0, 0, 0x80, 0x3f, // 1
  0, 0, 0, 0xc0, // -2
];

/** @param {number[]} bytes */
const buffer = (bytes) => new Uint8Array(bytes).buffer;

test("a snapshot is decoded at fixed offsets", () => {
  const snapshot = decodeSnapshot(buffer(BYTES));
  assert.equal(BYTES.length, HEADER_BYTES + 8);
  assert.deepEqual([snapshot.seq, snapshot.ack, snapshot.time, snapshot.echo], [7, 41, 1.5, 123.25]);
  assert.deepEqual([...snapshot.values], [1, -2]);
});

test("a buffer that is not a snapshot is refused", () => {
  /** @param {number} offset @param {number} value */
  const changed = (offset, value) => BYTES.map((byte, i) => (i === offset ? value : byte));
  for (const bytes of [changed(0, 0), changed(2, 9), changed(3, 9), changed(12, 3), BYTES.slice(0, 20), []]) {
    assert.throws(() => decodeSnapshot(buffer(bytes)), ProtocolError);
  }
});

test("messages are checked for the keys that the page reads", () => {
  const hello = { type: "hello", version: 1, you: "a", columns: [], source: {} };
  assert.deepEqual(parseMessage(JSON.stringify(hello)), hello);
  const bad = [
    "{", "[]", "null", "3", '{"type":"nothing"}', '{"type":"toString"}', '{"type":"refused"}',
    JSON.stringify({ ...hello, version: 2 }), JSON.stringify({ ...hello, columns: "north_m" }),
  ];
  for (const text of bad) assert.throws(() => parseMessage(text), ProtocolError, text);
});

test("a stick is a finite number in -1..1", () => {
  assert.deepEqual([0.5, 2, -7, NaN, Infinity, 0.123456].map(stickValue), [0.5, 1, -1, 0, 0, 0.1235]);
});

test("an input is much shorter than the limit of 4096 bytes", () => {
  const sticks = { surge: -0.123456, sway: 0.1, heave: 1 / 3, roll: -1, pitch: 1, yaw: 2 / 3 };
  const message = inputMessage(4294967295, 123456789.123, { sticks, pan: 1 / 7, tilt: 0, zoom: -1 });
  assert.equal(message.sticks.heave, 0.3333);
  assert.ok(JSON.stringify(message).length < 400);
});
