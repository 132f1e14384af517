// Who is here, who holds the controls, and how they change hands.
import { bodyOf, button, labelled, make, table } from "./build.js";

/** @typedef {import("../types.js").RosterMessage} Roster */
/** @typedef {"pilot" | "instructor"} Role */

/**
 * What this page can do about a seat.
 * @param {Roster} roster
 * @param {string} you
 * @param {Role} role
 * @returns {"take" | "request" | "release" | "waiting"}
 */
export function seatMove(roster, you, role) {
  const holder = role === "pilot" ? roster.pilot : roster.instructor;
  if (holder === you) return "release";
  if (holder === null) return "take";
  return roster.requests.some((one) => one.id === you && one.role === role) ? "waiting" : "request";
}

/**
 * Who flies, in words.
 * @param {Roster} roster
 * @param {string} you
 */
export function roleText(roster, you) {
  const name = (/** @type {string | null} */ id) => roster.clients.find((one) => one.id === id)?.name ?? "nobody";
  if (roster.pilot === you) return `pilot: ${name(you)}`;
  const mine = roster.instructor === you ? "instructor" : "watching";
  return `${mine}, pilot: ${name(roster.pilot)}`;
}

const WORDS = {
  pilot: {
    take: "Take the controls", request: "Ask for the controls", release: "Give up the controls", waiting: "Asked",
  },
  instructor: {
    take: "Be the instructor", request: "Ask to instruct", release: "Stop instructing", waiting: "Asked",
  },
};

export class SessionPanel {
  /** @param {Pick<import("../link.js").Link, "lease" | "setName">} link */
  constructor(link) {
    this.link = link;
    this.body = bodyOf("panel-session");
    this.name = make("input", { type: "text", maxLength: 32, id: "session-name", autocomplete: "nickname" });
    this.list = make("div", { "aria-live": "polite" });
    const rename = () => {
      if (this.name.value.trim()) this.link.setName(this.name.value.trim());
    };
    this.name.addEventListener("change", rename);
    this.body.append(labelled("your name", this.name), this.list);
  }

  /** Who is here is not known any more. */
  cut() {
    this.list.replaceChildren(make("p", { className: "note" }, "There is no connection."));
  }

  /**
   * @param {Roster} roster
   * @param {string} you
   */
  setRoster(roster, you) {
    const mine = roster.clients.find((one) => one.id === you);
    if (mine && document.activeElement !== this.name) this.name.value = mine.name;
    const rows = roster.clients.map((one) => [one.name + (one.id === you ? " (you)" : ""), one.role]);
    const seats = /** @type {Role[]} */ (["pilot", "instructor"]).map((role) => {
      const move = seatMove(roster, you, role);
      return button(WORDS[role][move], () => {
        if (move !== "waiting") this.link.lease(move, role);
      }, { disabled: move === "waiting", id: `seat-${role}` });
    });
    this.list.replaceChildren(
      table(["who", "role"], rows), make("div", { className: "row" }, ...seats), ...this.requests(roster, you),
    );
  }

  /**
   * @param {Roster} roster
   * @param {string} you
   */
  requests(roster, you) {
    return roster.requests
      .filter((one) => (one.role === "pilot" ? roster.pilot : roster.instructor) === you)
      .map((one) => {
        const who = roster.clients.find((client) => client.id === one.id)?.name ?? one.id;
        const role = /** @type {Role} */ (one.role);
        return make("div", { className: "row" },
          make("span", {}, `${who} asks to be ${role}`),
          button("Hand over", () => this.link.lease("grant", role, one.id), { className: "primary" }),
          button("Refuse", () => this.link.lease("refuse", role, one.id)));
      });
  }
}
