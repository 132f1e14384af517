// What went over the links to other programs, in the session panel: a line for each, with what was dropped.
import { bodyOf, make, table } from "./build.js";

/** @typedef {import("../types.js").LinksMessage} LinksMessage */

/**
 * @typedef {object} LinkRow
 * @property {string} name
 * @property {number} received
 * @property {number} sent
 * @property {number} dropped all kinds together
 * @property {boolean} growing more was dropped since the message before
 * @property {string} more other counts, and why it was closed
 * @property {boolean} closed
 */

const WARN_MS = 10_000; // how long a growing count stays marked
const USUAL = new Set(["received", "sent"]);

/**
 * @param {LinksMessage} message
 * @param {LinksMessage | null} before
 * @returns {LinkRow[]}
 */
export function linkRows({ links, dropped: closed = {} }, before) {
  return Object.entries(links).map(([name, counts]) => {
    const dropped = droppedOf(counts);
    const others = Object.entries(counts).filter(([what]) => !USUAL.has(what)).sort();
    const more = others.map(([what, count]) => `${what.replaceAll("_", " ")} ${count}`);
    if (closed[name]) more.unshift(`closed: ${closed[name]}`);
    return {
      name,
      received: counts.received ?? 0,
      sent: counts.sent ?? 0,
      dropped,
      growing: dropped > droppedOf(before?.links[name] ?? {}),
      more: more.join(", "),
      closed: Boolean(closed[name]),
    };
  });
}

/** @param {Record<string, number>} counts */
function droppedOf(counts) {
  return Object.entries(counts).reduce((sum, [what, count]) => sum + (what.startsWith("dropped") ? count : 0), 0);
}

export class LinksPanel {
  /** @param {Document} document */
  constructor(document) {
    this.section = make("section", { id: "links", className: "hidden", "aria-label": "Links" });
    bodyOf("panel-session").append(this.section);
    this.button = document.getElementById("btn-session");
    /** @type {LinksMessage | null} */
    this.before = null;
    /** @type {Map<string, number>} when a link last dropped something, ms */
    this.grew = new Map();
  }

  /** Of another run, or of none. */
  clear() {
    this.before = null;
    this.grew.clear();
    this.section.classList.add("hidden");
    this.button?.classList.remove("caution");
  }

  /**
   * @param {LinksMessage} message
   * @param {number} now ms
   */
  set(message, now) {
    const rows = linkRows(message, this.before);
    for (const row of rows) if (row.growing || row.closed) this.grew.set(row.name, now);
    this.before = message;
    const warned = (/** @type {LinkRow} */ row) => now - (this.grew.get(row.name) ?? -Infinity) < WARN_MS;
    const cells = rows.map((row) => [
      make("span", { title: row.more, className: row.closed ? "off" : "" }, row.name),
      String(row.received), String(row.sent),
      make("span", { className: warned(row) ? "caution" : "", "data-dropped": row.name }, String(row.dropped)),
    ]);
    const notes = rows.filter((row) => row.more)
      .map((row) => make("p", { className: "note" }, `${row.name}: ${row.more}`));
    const heads = ["link", "received", "sent", "dropped"];
    this.section.replaceChildren(make("h3", {}, "Links"), table(heads, cells, { numbers: [1, 2, 3] }), ...notes);
    this.section.classList.toggle("hidden", rows.length === 0);
    this.button?.classList.toggle("caution", rows.some(warned));
  }
}
