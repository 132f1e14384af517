// Short messages over the picture: what happened, what was refused. They go away by themselves.

const STAY_MS = 4000;
const FADE_MS = 400;
const MOST = 2; // the picture is for looking through

const KINDS = /** @type {Record<string, string>} */ ({
  collision: "alarm", fault: "alarm", link_lost: "alarm", failed: "alarm", refused: "caution", warning: "caution",
  touch: "caution", link: "caution", fault_over: "good", link_back: "good", task: "good", result: "good",
});

const QUIET = new Set(["order", "mode", "overrun"]); // shown by lamps and readings already

export class Announcer {
  /** @param {HTMLElement | null} list */
  constructor(list) {
    this.list = list;
  }

  /** @param {import("./types.js").EventMessage} event */
  event(event) {
    if (!QUIET.has(event.kind)) this.say(event.text, event.kind, event.kind === "message" ? 3 * STAY_MS : STAY_MS);
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   * @param {number} [stay] ms
   */
  say(text, kind = "note", stay = STAY_MS) {
    if (!this.list || !text) return;
    const last = /** @type {HTMLElement | null} */ (this.list.lastElementChild);
    if (last?.textContent === text) last.remove();
    const item = this.list.ownerDocument.createElement("li");
    item.textContent = text;
    item.dataset.kind = KINDS[kind] ?? "note";
    item.dataset.event = kind;
    this.list.append(item);
    while (this.list.children.length > MOST) this.list.firstElementChild?.remove();
    setTimeout(() => item.classList.add("going"), stay);
    setTimeout(() => item.remove(), stay + FADE_MS);
  }
}
