import assert from "node:assert/strict";
import { test } from "node:test";
import { Contacts, headingOf, nameOf, strengthOf } from "../../../pelagos/console/static/js/contacts.js";
import { linkRows } from "../../../pelagos/console/static/js/panels/links.js";
import {
  contactShape, edgePoint, Labels, relativeToVehicle,
} from "../../../pelagos/console/static/js/plan/contacts.js";
import { parseMessage, ProtocolError } from "../../../pelagos/console/static/js/protocol.js";
import { contactGeometry, fullness } from "../../../pelagos/console/static/js/view/solids/contacts.js";

/** @typedef {import("../../../pelagos/console/static/js/types.js").Contact} Contact */

/**
 * @param {Partial<Contact>} [more]
 * @returns {Contact}
 */
function contact(more = {}) {
  return {
    key: "1:1:7", name: "Point Sur", kind: "ship", length_m: 41, beam_m: 10, height_m: 8, position_m: [100, -20, 0],
    quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], velocity_m_s: [0, 5, -1], received_s: 10, expires_s: 22, ...more,
  };
}

test("a contact is extrapolated by its velocity between messages, also backwards, and for 5 s at most", () => {
  const contacts = new Contacts();
  contacts.set({ type: "contacts", time_s: 12, contacts: [contact()] });
  assert.deepEqual(contacts.at(12)[0].place, [100, -20, 0]);
  assert.deepEqual(contacts.at(14)[0].place, [100, -10, -2]);
  assert.deepEqual(contacts.at(11)[0].place, [100, -25, 1]);
  assert.deepEqual(contacts.at(1000)[0].place, [100, 5, -5]); // 5 s, then it stands still
  assert.equal(contacts.at(12)[0].speed, 5); // over ground
  contacts.clear();
  assert.deepEqual(contacts.at(12), []);
});

test("the heading of an attitude: east is 90, and it is never below 0", () => {
  assert.ok(Math.abs(headingOf([Math.SQRT1_2, 0, 0, Math.SQRT1_2]) - 90) < 1e-9);
  const half = (-30 * Math.PI) / 360;
  assert.ok(Math.abs(headingOf([Math.cos(half), 0, 0, Math.sin(half)]) - 330) < 1e-9);
  // bow up by 40 deg and east
  const [c, s] = [Math.cos(Math.PI / 9), Math.sin(Math.PI / 9)];
  assert.ok(Math.abs(headingOf([c * Math.SQRT1_2, -s * Math.SQRT1_2, s * Math.SQRT1_2, c * Math.SQRT1_2]) - 90) < 1e-9);
});

test("a report is fresh for half of the time to its expiry, then fades, and never below 0.3", () => {
  assert.deepEqual([9, 10, 16].map((time) => strengthOf(contact(), time)), [1, 1, 1]);
  assert.ok(Math.abs(strengthOf(contact(), 19) - 0.65) < 1e-9); // half of the way from 1 to 0.3
  assert.ok(Math.abs(strengthOf(contact(), 22) - 0.3) < 1e-9);
  assert.equal(strengthOf(contact(), 99), 0.3);
  assert.equal(strengthOf(contact({ expires_s: null }), 99), 1);
});

test("the label of a contact is its name, else its kind, else its key", () => {
  assert.deepEqual([contact(), contact({ name: "" }), contact({ name: "", kind: "" })].map(nameOf),
    ["Point Sur", "ship", "1:1:7"]);
});

test("the outline has the length and the beam, with its bow ahead", () => {
  const shape = contactShape(contact());
  const [aheads, rights] = [shape.map((point) => point[0]), shape.map((point) => point[1])];
  assert.deepEqual([Math.max(...aheads), Math.min(...aheads)], [20.5, -20.5]);
  assert.deepEqual([Math.max(...rights), Math.min(...rights)], [5, -5]);
  assert.deepEqual(shape.filter(([ahead]) => ahead === 20.5).map(([, right]) => right), [0]);
});

test("a contact out of view is marked at the edge, in its direction", () => {
  assert.deepEqual(edgePoint([30, 40], 200, 100), { at: [30, 40], inside: true });
  const { at: [x, y], inside } = edgePoint([1100, 550], 200, 100);
  assert.equal(inside, false);
  assert.ok(x > 170 && x < 200 && y > 80 && y < 100);
  assert.ok(Math.abs((y - 50) / (x - 100) - 500 / 1000) < 1e-9);
});

test("names stay inside the view and never overlap", () => {
  /** @type {[string, number, number][]} */
  const written = [];
  const pen = /** @type {any} */ ({
    measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }),
    fillText: (/** @type {[string, number, number]} */ ...call) => written.push(call),
    beginPath: () => {}, roundRect: () => {}, fill: () => {},
  });
  const labels = new Labels(pen, 200);
  for (const text of ["one", "two", "three"]) labels.write(text, [50, 60]);
  labels.write("at the right edge", [195, 60]);
  const boxes = written.map(([text, x, y]) => [x, x + 7 * text.length, y]);
  for (const [at, [left, right, y]] of boxes.entries()) {
    assert.ok(left >= 0 && right <= 200);
    for (const [otherLeft, otherRight, otherY] of boxes.slice(0, at)) {
      assert.ok(right <= otherLeft || left >= otherRight || Math.abs(y - otherY) >= 20, written[at][0]);
    }
  }
  assert.ok(written[0][1] === 60 && Math.abs(written[0][2] - 60) < 1); // the first keeps its place
});

test("relative to the vehicle: 30 m ahead and 40 m to starboard of a vehicle that heads east, crossing its bow", () => {
  const contacts = new Contacts();
  const north = contact({ position_m: [-40, 30, 12], quaternion: [1, 0, 0, 0], velocity_m_s: [0, 0, 0] });
  contacts.set({ type: "contacts", time_s: 0, contacts: [north] });
  const { ahead, aside, half } = relativeToVehicle(contacts.at(0)[0], { north: 0, east: 0, heading: 90 });
  assert.ok(Math.abs(ahead - 30) < 1e-9 && Math.abs(aside - 40) < 1e-9);
  assert.ok(Math.abs(half - 5) < 1e-9); // seen from ahead it is as wide as its beam
});

/**
 * Volume inside triangles by the divergence theorem.
 * @param {ArrayLike<number>} p
 */
function volume(p) {
  let sum = 0;
  for (let i = 0; i < p.length; i += 9) {
    sum += p[i] * (p[i + 4] * p[i + 8] - p[i + 5] * p[i + 7]) + p[i + 1] * (p[i + 5] * p[i + 6] - p[i + 3] * p[i + 8])
      + p[i + 2] * (p[i + 3] * p[i + 7] - p[i + 4] * p[i + 6]);
  }
  return sum / 6;
}

test("hulls fill their length, beam and height and no more, closed and facing outward", () => {
  for (const kind of ["ship", "submarine", ""]) {
    const hull = contactGeometry(contact({ kind, length_m: 20, beam_m: 4, height_m: 6 }));
    const places = hull.getAttribute("position").array;
    for (const [axis, size] of [[0, 20], [1, 4], [2, 6]]) {
      const along = Array.from({ length: places.length / 3 }, (_, i) => places[3 * i + axis]);
      assert.ok(Math.max(...along) <= size / 2 + 1e-5 && Math.min(...along) >= -size / 2 - 1e-5, `${kind} ${axis}`);
      // a polygon of 16 corners in the ellipse reaches its tips; stations are close to the fullest one
      assert.ok(Math.max(...along) - Math.min(...along) > 0.97 * size, `${kind} ${axis}`);
    }
    const inside = volume(places);
    assert.ok(inside > 0.25 * 20 * 4 * 6 && inside < 0.9 * 20 * 4 * 6, `${kind} ${inside}`);
  }
  assert.deepEqual([-1, 0, 1].map(fullness), [0, 1, 0]);
});

test("messages of contacts and links are checked before they are used", () => {
  const good = { type: "contacts", time_s: 1, contacts: [contact()] };
  assert.equal(parseMessage(JSON.stringify(good)).type, "contacts");
  for (const bad of [{ position_m: [1, 2] }, { quaternion: null }, { length_m: 0 }, { velocity_m_s: [1, 2, "3"] }]) {
    const text = JSON.stringify({ ...good, contacts: [{ ...contact(), ...bad }] });
    assert.throws(() => parseMessage(text), ProtocolError, text);
  }
  assert.equal(parseMessage('{"type":"links","links":{"dis":{"sent":3}}}').type, "links");
  assert.throws(() => parseMessage('{"type":"links","links":[]}'), ProtocolError);
});

test("rows of links: the sum of dropped messages, whether it has grown, and the cause of closing", () => {
  const first = /** @type {const} */ ({
    type: "links", links: { dis: { received: 10, sent: 40, dropped_flood: 2, dropped_malformed: 1, entities: 3 } },
  });
  const [row] = linkRows(first, null);
  assert.deepEqual([row.received, row.sent, row.dropped, row.growing, row.closed], [10, 40, 3, true, false]);
  assert.equal(row.more, "dropped flood 2, dropped malformed 1, entities 3");
  assert.equal(linkRows(first, first)[0].growing, false);
  const later = linkRows({ type: "links", links: { dis: {} }, dropped: { dis: "OSError: no" } }, first);
  assert.deepEqual([later[0].closed, later[0].more, later[0].sent], [true, "closed: OSError: no", 0]);
});
