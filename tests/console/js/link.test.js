import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Link, backOff, socketAddress, troubleText } from "../../../pelagos/console/static/js/link.js";

// The socket itself is tested in the browser; this stand-in delivers messages at times that a test sets.
class FakeSocket extends EventTarget {
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
  const socket = new FakeSocket();
  const now = { ms: 1000 };
  const link = new Link({
    address: "ws://here/ws",
    readInput: () => ({ sticks: STICKS, pan: 0, tilt: 0, zoom: 0 }),
    makeSocket: () => /** @type {any} */ (socket),
    clock: () => now.ms,
  });
  link.open();
  socket.deliver(JSON.stringify({ type: "hello", version: 1, mode, you: "me", columns: ["north_m"], source: {} }));
  socket.deliver(JSON.stringify({ type: "roster", clients: [], pilot, instructor: null, requests: [] }));
  return { socket, link, now };
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

test("the address of the socket has the host, the token and the name of the page's address", () => {
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
    const { socket, link } = connected(options);
    link.sendInput();
    assert.equal(socket.sent.filter(({ type }) => type === "input").length, count);
  }
});

test("the delay of an input is measured at the first snapshot that acknowledges it", () => {
  const { socket, link, now } = connected();
  link.sendInput();
  assert.deepEqual([socket.sent[0].seq, socket.sent[0].t], [1, 1000]);
  now.ms = 1012;
  socket.deliver(snapshot(1, 1000));
  now.ms = 1032;
  socket.deliver(snapshot(1, 1000));
  assert.equal(link.inputDelay, 12);
});

test("a ping measures the round trip", () => {
  const { socket, link, now } = connected();
  now.ms = 1009;
  socket.deliver(JSON.stringify({ type: "pong", t: 1000 }));
  assert.equal(link.latency, 9);
});

test("the link is lost after half a second without a snapshot, until the next one", () => {
  const { socket, link, now } = connected();
  socket.deliver(snapshot(0, 0));
  now.ms = 1499;
  assert.equal(link.lost, false);
  now.ms = 1501;
  assert.equal(link.lost, true);
  socket.deliver(snapshot(0, 0));
  assert.equal(link.lost, false);
  socket.close();
  assert.equal(link.lost, true);
  assert.equal(link.steering(), false);
});

test("the values of an order are separate from its name", () => {
  const { socket, link } = connected();
  link.order("task", { name: "hover" });
  assert.deepEqual(socket.sent, [{ type: "order", name: "task", values: { name: "hover" } }]);
});

test("a message that cannot be read is dispatched as a problem, not thrown", () => {
  const { socket, link } = connected();
  /** @type {string[]} */
  const problems = [];
  link.addEventListener("problem", (event) => problems.push(/** @type {CustomEvent} */ (event).detail.text));
  socket.deliver("{");
  socket.deliver(new ArrayBuffer(3));
  assert.equal(problems.length, 2);
});

test("a message that is too long is not sent", () => {
  const { socket, link } = connected();
  assert.equal(link.order("message", { text: "x".repeat(5000) }), false);
  assert.deepEqual(socket.sent, []);
});

/** Resolves after the pending promises of the link. */
const settled = async () => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

test("the link tells a stopped server from one with another token, and opens a socket only for its token", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  /** @type {FakeSocket[]} */
  const sockets = [];
  let status = 0;
  const link = new Link({
    address: "ws://here/ws",
    readInput: () => ({ sticks: STICKS, pan: 0, tilt: 0, zoom: 0 }),
    makeSocket: () => {
      sockets.push(new FakeSocket());
      return /** @type {any} */ (sockets[sockets.length - 1]);
    },
    status: async () => status,
    clock: () => 0,
  });
  try {
    link.start();
    sockets[0].dispatchEvent(new Event("open"));
    assert.equal(link.trouble, null);
    sockets[0].close();
    assert.equal(link.trouble, "lost");
    mock.timers.tick(5000);
    await settled();
    assert.deepEqual([link.trouble, sockets.length], ["no answer", 1]);
    status = 403;
    mock.timers.tick(5000);
    await settled();
    assert.deepEqual([link.trouble, sockets.length], ["unknown token", 1]);
    status = 200;
    mock.timers.tick(5000);
    await settled();
    assert.equal(sockets.length, 2);
    sockets[1].dispatchEvent(new Event("open"));
    assert.equal(link.trouble, null);
    sockets[1].close("too many are watching already");
    assert.deepEqual([link.trouble, link.reason], ["rejected", "too many are watching already"]);
  } finally {
    link.stop();
    mock.timers.reset();
  }
});

test("the text of each trouble names what can be done", () => {
  assert.match(troubleText("no answer").small, /trying again/);
  assert.match(troubleText("unknown token").small, /open the address/);
  assert.notEqual(troubleText("unknown token").text, troubleText("unknown token", { before: false }).text);
  assert.match(troubleText("rejected", { reason: "too many" }).small, /too many/);
});
