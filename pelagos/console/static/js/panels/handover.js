// Shows a banner while another page requests a seat that this page holds, or this page requests one. The banner counts
// down to the time at which the server hands the seat over without an answer.
import { button, make } from "./build.js";

const ANSWER_S = 10; // the server's time limit, for a roster without `left_s`

/** @typedef {import("../types.js").RosterMessage} Roster */
/** @typedef {"pilot" | "instructor"} Role */
/** @typedef {{id: string, role: Role, name: string, mine: boolean, left_s: number}} PendingRequest */

/**
 * The request that concerns this page: one for a seat that it holds, otherwise its own.
 * @param {Roster} roster
 * @param {string} you
 * @returns {PendingRequest | null}
 */
export function pendingRequest(roster, you) {
  const holds = (/** @type {string} */ role) => (role === "pilot" ? roster.pilot : roster.instructor) === you;
  const request = roster.requests.find(({ role }) => holds(role)) ?? roster.requests.find(({ id }) => id === you);
  if (!request) return null;
  const { id, left_s } = request;
  const name = roster.clients.find((client) => client.id === id)?.name ?? "somebody";
  return { id, role: /** @type {Role} */ (request.role), name, mine: id === you, left_s: left_s ?? ANSWER_S };
}

/** The banner of a request. */
export class Handover {
  /**
   * @param {HTMLElement} stage
   * @param {Pick<import("../link.js").Link, "lease">} link
   */
  constructor(stage, link) {
    this.link = link;
    /** @type {PendingRequest | null} */
    this.request = null;
    this.until = 0; // ms
    this.text = make("p", { role: "alert" });
    this.left = make("p", { className: "note", "aria-hidden": "true" }); // a screen reader would read every second
    this.buttons = make("div", { className: "row" });
    this.element = make("div", { id: "handover", className: "hidden" }, this.text, this.left, this.buttons);
    stage.append(this.element);
  }

  /**
   * @param {Roster | null} roster null without a connection
   * @param {string} you
   * @param {number} now ms
   */
  setRoster(roster, you, now) {
    const request = roster && pendingRequest(roster, you);
    const same = request && this.request && request.id === this.request.id && request.role === this.request.role;
    this.element.classList.toggle("hidden", !request);
    if (request && !same) this.show(request, now);
    this.request = request;
  }

  /**
   * @param {PendingRequest} request
   * @param {number} now ms
   */
  show(request, now) {
    const { id, role, name, mine } = request;
    const seat = role === "pilot" ? "the controls" : "the instructor's place";
    this.until = now + 1000 * request.left_s;
    this.text.textContent = mine ? `You have asked for ${seat}` : `${name} asks for ${seat}`;
    const answers = mine
      ? [button("Do not ask any more", () => this.link.lease("release", role), { id: "handover-withdraw" })]
      : [
        button("Hand over", () => this.link.lease("grant", role, id), { className: "primary", id: "handover-grant" }),
        button("Refuse", () => this.link.lease("refuse", role, id), { id: "handover-refuse" }),
      ];
    this.buttons.replaceChildren(...answers);
    this.request = request;
    this.draw(now);
  }

  /** @param {number} now ms */
  draw(now) {
    if (!this.request) return;
    const seconds = Math.max(0, Math.ceil((this.until - now) / 1000));
    const text = `without an answer ${this.request.mine ? "yours" : "handed over"} in ${seconds} s`;
    if (this.left.textContent !== text) this.left.textContent = text;
  }
}
