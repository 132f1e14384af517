// What else is about: ships, submarines and robots that other programs tell of. The server says some times a second
// where they are; between its messages they are moved on by their velocities.

/** @typedef {import("./types.js").Contact} Contact */
/** @typedef {import("./types.js").Vector} Vector */

/**
 * A contact at a moment.
 * @typedef {object} Seen
 * @property {Contact} contact
 * @property {Vector} place north, east, down, m
 * @property {number} heading deg, of its bow over the plan
 * @property {number} speed m/s over ground
 * @property {number} strength 1 for fresh news, less for old
 */

const MOST_AHEAD_S = 5; // so far from a message a straight line may be trusted
const FRESH = 0.5; // share of its life in which news counts as fresh
const FAINTEST = 0.3;
const DEG = Math.PI / 180;

/**
 * How strongly a contact is drawn: news that nobody confirms fades until it is forgotten.
 * @param {Contact} contact
 * @param {number} time simulated, s
 */
export function strengthOf({ heard_s, expires_s }, time) {
  if (expires_s === null || !(expires_s > heard_s)) return 1;
  const share = (time - heard_s) / (expires_s - heard_s);
  return Math.min(1, Math.max(FAINTEST, 1 - (1 - FAINTEST) * ((share - FRESH) / (1 - FRESH))));
}

/**
 * Heading of a body from its attitude, deg, 0 to 360.
 * @param {import("./types.js").Quaternion} q
 */
export function headingOf([q0, q1, q2, q3]) {
  const heading = Math.atan2(2 * (q1 * q2 + q0 * q3), q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3) / DEG;
  return ((heading % 360) + 360) % 360;
}

/**
 * What stands beside it: its name, else what it is.
 * @param {Contact} contact
 */
export function nameOf({ name, kind, key }) {
  return name || kind || key;
}

export class Contacts {
  constructor() {
    /** @type {Contact[]} */
    this.list = [];
    this.time = NaN;
  }

  /** @param {import("./types.js").ContactsMessage} message */
  set({ time_s, contacts }) {
    this.time = time_s;
    this.list = contacts;
  }

  clear() {
    this.list = [];
  }

  /**
   * All of them at a simulated time.
   * @param {number} time s
   * @returns {Seen[]}
   */
  at(time) {
    const ahead = Math.min(MOST_AHEAD_S, Math.max(-MOST_AHEAD_S, time - this.time)) || 0;
    return this.list.map((contact) => {
      const { position_m: p, velocity_m_s: v } = contact;
      return {
        contact,
        place: [p[0] + ahead * v[0], p[1] + ahead * v[1], p[2] + ahead * v[2]],
        heading: headingOf(contact.quaternion),
        speed: Math.hypot(v[0], v[1]),
        strength: strengthOf(contact, time),
      };
    });
  }
}
