// Shows the connected clients and the seats of pilot and instructor, and lets the user take, request or release them.
import { bodyOf, button, labelled, make, table } from "./build.js";

/** @typedef {import("../types.js").RosterMessage} Roster */
/** @typedef {"pilot" | "instructor"} Role */

/**
 * The action that this page can take on a seat.
 * @param {Roster} roster
 * @param {string} you
 * @param {Role} role
 * @returns {"take" | "request" | "release" | "waiting"}
 */
export function seatAction(roster, you, role) {
  const holder = role === "pilot" ? roster.pilot : roster.instructor;
  if (holder === you) return "release";
  if (holder === null) return "take";
  return roster.requests.some((request) => request.id === you && request.role === role) ? "waiting" : "request";
}

/**
 * The role of this page and the name of the pilot, in words.
 * @param {Roster} roster
 * @param {string} you
 */
export function roleText(roster, you) {
  const name = (/** @type {string | null} */ id) => roster.clients.find((client) => client.id === id)?.name ?? "nobody";
  if (roster.pilot === you) return `pilot: ${name(you)}`;
  const mine = roster.instructor === you ? "instructor" : "watching";
  return `${mine}, pilot: ${name(roster.pilot)}`;
}

/** Texts of the seat buttons. */
const WORDS = {
  pilot: {
    take: "Take the controls", request: "Ask for the controls", release: "Give up the controls", waiting: "Asked",
  },
  instructor: {
    take: "Be the instructor", request: "Ask to instruct", release: "Stop instructing", waiting: "Asked",
  },
};

/** The session panel. */
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

  /** Replace the list of clients by a note, once the connection is closed. */
  clear() {
    this.list.replaceChildren(make("p", { className: "note" }, "There is no connection."));
  }

  /**
   * @param {Roster} roster
   * @param {string} you
   */
  setRoster(roster, you) {
    const mine = roster.clients.find((client) => client.id === you);
    if (mine && document.activeElement !== this.name) this.name.value = mine.name;
    const rows = roster.clients.map(({ id, name, role }) => [name + (id === you ? " (you)" : ""), role]);
    const seats = /** @type {Role[]} */ (["pilot", "instructor"]).map((role) => {
      const action = seatAction(roster, you, role);
      return button(WORDS[role][action], () => {
        if (action !== "waiting") this.link.lease(action, role);
      }, { disabled: action === "waiting", id: `seat-${role}` });
    });
    this.list.replaceChildren(
      table(["who", "role"], rows), make("div", { className: "row" }, ...seats), ...this.requests(roster, you),
    );
  }

  /**
   * Rows for the requests that this page may answer.
   * @param {Roster} roster
   * @param {string} you
   */
  requests(roster, you) {
    return roster.requests
      .filter((request) => (request.role === "pilot" ? roster.pilot : roster.instructor) === you)
      .map(({ id, role: requested }) => {
        const name = roster.clients.find((client) => client.id === id)?.name ?? id;
        const role = /** @type {Role} */ (requested);
        return make("div", { className: "row" },
          make("span", {}, `${name} asks to be ${role}`),
          button("Hand over", () => this.link.lease("grant", role, id), { className: "primary" }),
          button("Refuse", () => this.link.lease("refuse", role, id)));
      });
  }
}
