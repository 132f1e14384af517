import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Link, backOff, socketAddress, troubleText } from "../../../pelagos/console/static/js/link.js";

// The socket itself is tested in the browser; here a stand-in hands over messages at times that a test sets.
class Wire extends EventTarget {
  readyState = 1;
  binaryType = "blob";
  /** @type {any[]} */
  sent = [];
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close(reason = "") {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { reason }));
  }
  /** @param {any} data */
  deliver(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

const STICKS = { surge: 0.5, sway: 0, heave: 0, roll: 0, pitch: 0, yaw: 0 };

/** @param {{mode?: string, pilot?: string | null}} [options] */
function connected({ mode = "live", pilot = "me" } = {}) {
  const wire = new Wire();
  const now = { ms: 1000 };
  const link = new Link({
    address: "ws://here/ws",
    readInput: () => ({ sticks: STICKS, pan: 0, tilt: 0, zoom: 0 }),
    makeSocket: () => /** @type {any} */ (wire),
    clock: () => now.ms,
  });
  link.open();
  wire.deliver(JSON.stringify({ type: "hello", version: 1, mode, you: "me", columns: ["north_m"], source: {} }));
  wire.deliver(JSON.stringify({ type: "roster", clients: [], pilot, instructor: null, requests: [] }));
  return { wire, link, now };
}

/** @param {number} ack @param {number} echo */
function snapshot(ack, echo) {
  const buffer = new ArrayBuffer(36);
  const view = new DataView(buffer);
  view.setUint16(0, 0x4550, true);
  view.setUint8(2, 1);
  view.setUint8(3, 1);
  view.setUint32(8, ack, true);
  view.setUint32(12, 1, true);
  view.setFloat64(24, echo, true);
  return buffer;
}

test("the socket belongs to the page's address and carries its token", () => {
  const at = { protocol: "http:", host: "127.0.0.1:8000", search: "?token=a%2Bb&quality=low&name=Ann" };
  assert.equal(socketAddress(at), "ws://127.0.0.1:8000/ws?token=a%2Bb&name=Ann");
  assert.equal(socketAddress({ protocol: "https:", host: "x", search: "" }), "wss://x/ws");
});

test("waits double up to a limit", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 100].map(backOff), [250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test("only the pilot of a live flight sends sticks", () => {
  for (const [options, count] of /** @type {[any, number][]} */ ([
    [{}, 1], [{ pilot: "another" }, 0], [{ pilot: null }, 0], [{ mode: "replay" }, 0],
  ])) {
    const { wire, link } = connected(options);
    link.sendInput();
    assert.equal(wire.sent.filter((one) => one.type === "input").length, count);
  }
});

test("the delay of an input is taken at the first state that knows of it", () => {
  const { wire, link, now } = connected();
  link.sendInput();
  assert.deepEqual([wire.sent[0].seq, wire.sent[0].t], [1, 1000]);
  now.ms = 1012;
  wire.deliver(snapshot(1, 1000));
  now.ms = 1032;
  wire.deliver(snapshot(1, 1000));
  assert.equal(link.inputDelay, 12);
});

test("a ping measures there and back", () => {
  const { wire, link, now } = connected();
  now.ms = 1009;
  wire.deliver(JSON.stringify({ type: "pong", t: 1000 }));
  assert.equal(link.latency, 9);
});

test("without a state for half a second the link is lost, and back with the next", () => {
  const { wire, link, now } = connected();
  wire.deliver(snapshot(0, 0));
  now.ms = 1499;
  assert.equal(link.lost, false);
  now.ms = 1501;
  assert.equal(link.lost, true);
  wire.deliver(snapshot(0, 0));
  assert.equal(link.lost, false);
  wire.close();
  assert.equal(link.lost, true);
  assert.equal(link.steering(), false);
});

test("the values of an order stand apart from its name", () => {
  const { wire, link } = connected();
  link.order("task", { name: "hover" });
  assert.deepEqual(wire.sent, [{ type: "order", name: "task", values: { name: "hover" } }]);
});

test("what cannot be read is told, not thrown", () => {
  const { wire, link } = connected();
  /** @type {string[]} */
  const told = [];
  link.addEventListener("problem", (event) => told.push(/** @type {CustomEvent} */ (event).detail.text));
  wire.deliver("{");
  wire.deliver(new ArrayBuffer(3));
  assert.equal(told.length, 2);
});

test("too long a message is not sent", () => {
  const { wire, link } = connected();
  assert.equal(link.order("message", { text: "x".repeat(5000) }), false);
  assert.deepEqual(wire.sent, []);
});

/** Lets what was promised come to pass. */
const settled = async () => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

test("a server that is gone, then another in its place: the page knows which, and asks no stranger for a socket", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  /** @type {Wire[]} */
  const wires = [];
  let status = 0;
  const link = new Link({
    address: "ws://here/ws",
    readInput: () => ({ sticks: STICKS, pan: 0, tilt: 0, zoom: 0 }),
    makeSocket: () => {
      wires.push(new Wire());
      return /** @type {any} */ (wires[wires.length - 1]);
    },
    status: async () => status,
    clock: () => 0,
  });
  try {
    link.start();
    wires[0].dispatchEvent(new Event("open"));
    assert.equal(link.trouble, null);
    wires[0].close();
    assert.equal(link.trouble, "cut");
    mock.timers.tick(5000);
    await settled();
    assert.deepEqual([link.trouble, wires.length], ["silent", 1]);
    status = 403;
    mock.timers.tick(5000);
    await settled();
    assert.deepEqual([link.trouble, wires.length], ["stranger", 1]);
    status = 200;
    mock.timers.tick(5000);
    await settled();
    assert.equal(wires.length, 2);
    wires[1].dispatchEvent(new Event("open"));
    assert.equal(link.trouble, null);
    wires[1].close("too many are watching already");
    assert.deepEqual([link.trouble, link.reason], ["sent away", "too many are watching already"]);
  } finally {
    link.stop();
    mock.timers.reset();
  }
});

test("each trouble says what can be done", () => {
  assert.match(troubleText("silent").small, /trying again/);
  assert.match(troubleText("stranger").small, /open the address/);
  assert.notEqual(troubleText("stranger").text, troubleText("stranger", { before: false }).text);
  assert.match(troubleText("sent away", { reason: "too many" }).small, /too many/);
});
