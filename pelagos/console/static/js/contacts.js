// Contacts: ships, submarines and robots that other programs report. The server sends their positions a few times a
// second; in between they are extrapolated with their velocities.

/** @typedef {import("./types.js").Contact} Contact */
/** @typedef {import("./types.js").Vector} Vector */

/**
 * A contact with its place extrapolated to one time.
 * @typedef {object} PlacedContact
 * @property {Contact} contact
 * @property {Vector} place north, east, down, m
 * @property {number} heading deg
 * @property {number} speed m/s over ground
 * @property {number} strength opacity: 1 for a fresh report, less for an old one
 */

const MOST_AHEAD_S = 5; // longest extrapolation; then a contact stands still
const FRESH = 0.5; // share of the time to expiry in which a report counts as fresh
const FAINTEST = 0.3;
const DEG = Math.PI / 180;

/**
 * The opacity of a contact: it fades from half of the time to its expiry on, if no new report arrives.
 * @param {Contact} contact
 * @param {number} time simulated, s
 */
export function strengthOf({ received_s, expires_s }, time) {
  if (expires_s === null || !(expires_s > received_s)) return 1;
  const share = (time - received_s) / (expires_s - received_s);
  return Math.min(1, Math.max(FAINTEST, 1 - (1 - FAINTEST) * ((share - FRESH) / (1 - FRESH))));
}

/**
 * The heading of an attitude, deg, 0 to 360.
 * @param {import("./types.js").Quaternion} q
 */
export function headingOf([q0, q1, q2, q3]) {
  const heading = Math.atan2(2 * (q1 * q2 + q0 * q3), q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3) / DEG;
  return ((heading % 360) + 360) % 360;
}

/**
 * The label of a contact: its name, else its kind, else its key.
 * @param {Contact} contact
 */
export function nameOf({ name, kind, key }) {
  return name || kind || key;
}

/** The contacts of the last message, extrapolated to the time of the drawn state. */
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
   * All contacts at a simulated time. It may lie before the message, because the drawn state is a little old.
   * @param {number} time s
   * @returns {PlacedContact[]}
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
