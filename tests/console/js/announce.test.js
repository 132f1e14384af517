import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Announcer } from "../../../pelagos/console/static/js/announce.js";

/** A stand-in for a list of the page and its items, with the members that the announcer uses. */
class Item {
  constructor() {
    this.textContent = "";
    /** @type {Record<string, string>} */
    this.dataset = {};
    /** @type {Set<string>} */
    this.classes = new Set();
    this.classList = { add: (/** @type {string} */ name) => this.classes.add(name) };
    /** @type {Item[]} */
    this.children = [];
    /** @type {Item | null} */
    this.parent = null;
    this.ownerDocument = { createElement: () => new Item() };
  }

  /** @returns {Item | null} */
  get firstElementChild() {
    return this.children[0] ?? null;
  }

  /** @returns {Item | null} */
  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  /** @param {Item} item */
  append(item) {
    item.parent = this;
    this.children.push(item);
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
  }
}

function announcer() {
  const list = new Item();
  const messages = new Announcer(/** @type {any} */ (list));
  return { messages, texts: () => list.children.map((item) => item.textContent), list };
}

test("at most the two newest messages are shown", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { messages, texts } = announcer();
  for (const text of ["one", "two", "three", "three"]) messages.show(text);
  assert.deepEqual(texts(), ["two", "three"]);
  mock.timers.reset();
});

test("a message fades after 4 s and is then removed; a message of the instructor stays longer", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { messages, texts, list } = announcer();
  messages.show("lights on");
  messages.showEvent({ type: "event", time_s: 0, kind: "message", text: "come up" });
  mock.timers.tick(3900);
  assert.ok(!list.children[0].classes.has("going"));
  mock.timers.tick(200);
  assert.ok(list.children[0].classes.has("going"));
  mock.timers.tick(500);
  assert.deepEqual(texts(), ["come up"]);
  mock.timers.tick(10_000);
  assert.deepEqual(texts(), []);
  mock.timers.reset();
});
