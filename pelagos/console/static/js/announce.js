// Shows short messages over the camera picture, such as events of the run and refused orders, and removes them after a
// few seconds.

const STAY_MS = 4000;
const FADE_MS = 400;
const MOST = 2; // messages at a time: more would cover the picture

/** The style of a message by the kind of its event; other kinds are notes. */
const STYLES = /** @type {Record<string, string>} */ ({
  collision: "alarm", fault: "alarm", link_lost: "alarm", failed: "alarm", refused: "caution", warning: "caution",
  touch: "caution", link: "caution", fault_over: "good", link_back: "good", task: "good", result: "good",
});

const QUIET = new Set(["order", "mode", "overrun"]); // lamps and readings show these already

/** Adds messages to a list on the page and removes them by timers. */
export class Announcer {
  /** @param {HTMLElement | null} list */
  constructor(list) {
    this.list = list;
  }

  /**
   * Show the text of an event; messages of the instructor stay three times as long.
   * @param {import("./types.js").EventMessage} event
   */
  showEvent(event) {
    if (!QUIET.has(event.kind)) this.show(event.text, event.kind, event.kind === "message" ? 3 * STAY_MS : STAY_MS);
  }

  /**
   * Show a text; it replaces the last message if that has the same text.
   * @param {string} text
   * @param {string} [kind]
   * @param {number} [stay] ms
   */
  show(text, kind = "note", stay = STAY_MS) {
    if (!this.list || !text) return;
    const last = /** @type {HTMLElement | null} */ (this.list.lastElementChild);
    if (last?.textContent === text) last.remove();
    const item = this.list.ownerDocument.createElement("li");
    item.textContent = text;
    item.dataset.kind = STYLES[kind] ?? "note";
    item.dataset.event = kind;
    this.list.append(item);
    while (this.list.children.length > MOST) this.list.firstElementChild?.remove();
    setTimeout(() => item.classList.add("going"), stay);
    setTimeout(() => item.remove(), stay + FADE_MS);
  }
}
