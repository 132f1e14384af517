import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Announcer } from "../../../pelagos/console/static/js/announce.js";

/** As much of a list on a page as is written to. */
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
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
  }
}

function announcer() {
  const list = new Item();
  const made = new Announcer(/** @type {any} */ (list));
  return { made, texts: () => list.children.map((one) => one.textContent), list };
}

test("at most two messages are shown, the newest", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { made, texts } = announcer();
  for (const text of ["one", "two", "three", "three"]) made.say(text);
  assert.deepEqual(texts(), ["two", "three"]);
  mock.timers.reset();
});

test("a message fades after 4 s and is gone soon after; one of the instructor stays longer", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { made, texts, list } = announcer();
  made.say("lights on");
  made.event({ type: "event", time_s: 0, kind: "message", text: "come up" });
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
