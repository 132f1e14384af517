// Shows the links to other programs in the session panel: counts of messages received, sent and dropped.
import { bodyOf, make, table } from "./build.js";

/** @typedef {import("../types.js").LinksMessage} LinksMessage */

/**
 * @typedef {object} LinkRow
 * @property {string} name
 * @property {number} received
 * @property {number} sent
 * @property {number} dropped all kinds together
 * @property {boolean} growing the dropped count has risen since the previous message
 * @property {string} more other counts, and the cause of closing
 * @property {boolean} closed
 */

const WARN_MS = 10_000; // a count that has grown stays marked for this long
const COLUMNS = new Set(["received", "sent"]);

/**
 * One row for each link.
 * @param {LinksMessage} message
 * @param {LinksMessage | null} before the previous message
 * @returns {LinkRow[]}
 */
export function linkRows({ links, dropped: closed = {} }, before) {
  return Object.entries(links).map(([name, counts]) => {
    const dropped = droppedOf(counts);
    const others = Object.entries(counts).filter(([key]) => !COLUMNS.has(key)).sort();
    const more = others.map(([key, count]) => `${key.replaceAll("_", " ")} ${count}`);
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

/**
 * The sum of all counts of dropped messages.
 * @param {Record<string, number>} counts
 */
function droppedOf(counts) {
  return Object.entries(counts).reduce((sum, [key, count]) => sum + (key.startsWith("dropped") ? count : 0), 0);
}

/** The section of links. */
export class LinksPanel {
  /** @param {Document} document */
  constructor(document) {
    this.section = make("section", { id: "links", className: "hidden", "aria-label": "Links" });
    bodyOf("panel-session").append(this.section);
    this.button = document.getElementById("btn-session");
    /** @type {LinksMessage | null} */
    this.before = null;
    /** @type {Map<string, number>} time at which a link last dropped a message or was closed, ms */
    this.warnedAt = new Map();
  }

  /** Hide the section and drop its counts, once the connection is closed. */
  clear() {
    this.before = null;
    this.warnedAt.clear();
    this.section.classList.add("hidden");
    this.button?.classList.remove("caution");
  }

  /**
   * @param {LinksMessage} message
   * @param {number} now ms
   */
  set(message, now) {
    const rows = linkRows(message, this.before);
    for (const row of rows) if (row.growing || row.closed) this.warnedAt.set(row.name, now);
    this.before = message;
    const warned = (/** @type {LinkRow} */ row) => now - (this.warnedAt.get(row.name) ?? -Infinity) < WARN_MS;
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
