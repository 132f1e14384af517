// Somebody asks for a seat that this page holds: a banner on the stage counts down to when it changes hands by itself,
// with the answer one press away. Whoever asks sees the same countdown.
import { button, make } from "./build.js";

const ANSWER_S = 10; // of the server, where it does not say how long is left

/** @typedef {import("../types.js").RosterMessage} Roster */
/** @typedef {"pilot" | "instructor"} Role */
/** @typedef {{id: string, role: Role, who: string, mine: boolean, left_s: number}} Asked */

/**
 * The request that concerns this page: one for a seat it holds, before one of its own.
 * @param {Roster} roster
 * @param {string} you
 * @returns {Asked | null}
 */
export function askedOf(roster, you) {
  const holds = (/** @type {string} */ role) => (role === "pilot" ? roster.pilot : roster.instructor) === you;
  const one = roster.requests.find(({ role }) => holds(role)) ?? roster.requests.find(({ id }) => id === you);
  if (!one) return null;
  const who = roster.clients.find(({ id }) => id === one.id)?.name ?? "somebody";
  return { id: one.id, role: /** @type {Role} */ (one.role), who, mine: one.id === you, left_s: one.left_s ?? ANSWER_S };
}

export class Handover {
  /**
   * @param {HTMLElement} stage
   * @param {Pick<import("../link.js").Link, "lease">} link
   */
  constructor(stage, link) {
    this.link = link;
    /** @type {Asked | null} */
    this.asked = null;
    this.until = 0; // ms
    this.text = make("p", { role: "alert" });
    this.left = make("p", { className: "note", "aria-hidden": "true" }); // not read aloud each second
    this.buttons = make("div", { className: "row" });
    this.element = make("div", { id: "handover", className: "hidden" }, this.text, this.left, this.buttons);
    stage.append(this.element);
  }

  /**
   * @param {Roster | null} roster null: no connection
   * @param {string} you
   * @param {number} now ms
   */
  setRoster(roster, you, now) {
    const asked = roster && askedOf(roster, you);
    const same = asked && this.asked && asked.id === this.asked.id && asked.role === this.asked.role;
    this.element.classList.toggle("hidden", !asked);
    if (asked && !same) this.show(asked, now);
    this.asked = asked;
  }

  /**
   * @param {Asked} asked
   * @param {number} now ms
   */
  show(asked, now) {
    const { id, role, who, mine } = asked;
    const seat = role === "pilot" ? "the controls" : "the instructor's place";
    this.until = now + 1000 * asked.left_s;
    this.text.textContent = mine ? `You have asked for ${seat}` : `${who} asks for ${seat}`;
    const answers = mine
      ? [button("Do not ask any more", () => this.link.lease("release", role), { id: "handover-withdraw" })]
      : [
        button("Hand over", () => this.link.lease("grant", role, id), { className: "primary", id: "handover-grant" }),
        button("Refuse", () => this.link.lease("refuse", role, id), { id: "handover-refuse" }),
      ];
    this.buttons.replaceChildren(...answers);
    this.asked = asked;
    this.draw(now);
  }

  /** @param {number} now ms */
  draw(now) {
    if (!this.asked) return;
    const seconds = Math.max(0, Math.ceil((this.until - now) / 1000));
    const text = `without an answer ${this.asked.mine ? "yours" : "handed over"} in ${seconds} s`;
    if (this.left.textContent !== text) this.left.textContent = text;
  }
}
