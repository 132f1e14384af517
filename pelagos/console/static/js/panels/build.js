// Small pieces from which panels are put together.

/** @typedef {Node | string | null | undefined} Child */

const ATTRIBUTES = new Set(["role", "for", "list"]); // not to be set as properties

/**
 * An element with properties, attributes (names with a dash, role, for) and listeners (on...).
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || ATTRIBUTES.has(name)) element.setAttribute(name, value);
    else /** @type {any} */ (element)[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, any>} [properties]
 */
export function button(text, act, properties = {}) {
  return make("button", { type: "button", onclick: act, ...properties }, text);
}

/**
 * A control with its name; the name is tied to it, so that a reader says it.
 * @param {string} text
 * @param {HTMLElement} control
 */
export function labelled(text, control) {
  return make("label", {}, make("span", {}, text), control);
}

/**
 * @param {{value: string, text: string}[]} choices
 * @param {string} [chosen]
 * @param {() => void} [changed]
 */
export function choice(choices, chosen, changed = () => {}) {
  const options = choices.map(({ value, text }) => make("option", { value, selected: value === chosen }, text));
  return make("select", { onchange: changed }, ...options);
}

/**
 * @param {string[]} heads
 * @param {Child[][]} rows
 * @param {{caption?: string, numbers?: number[]}} [options] numbers: columns set to the right
 */
export function table(heads, rows, { caption, numbers = [] } = {}) {
  /** @param {number} at */
  const kind = (at) => (numbers.includes(at) ? { className: "number" } : {});
  return make(
    "table", {},
    caption ? make("caption", {}, caption) : null,
    make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", ...kind(at) }, head)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, at) => make("td", kind(at), cell))))),
  );
}

/**
 * The body of a panel of the page.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function bodyOf(id) {
  const panel = document.getElementById(id);
  if (!panel) throw new Error(`the page has no ${id}`);
  return panel.querySelector(".panel-body") ?? panel;
}

/**
 * A name of a column or key in words: "path_error_rms_m" is "path error rms, m".
 * @param {string} name
 */
export function inWords(name) {
  const units = /** @type {[string, string][]} */ ([
    ["_m_s", "m/s"], ["_deg_s", "deg/s"], ["_kg_s", "kg/s"], ["_deg", "deg"], ["_kg", "kg"], ["_hz", "Hz"],
    ["_m", "m"], ["_s", "s"], ["_N", "N"], ["_J", "J"], ["_W", "W"],
  ]);
  for (const [ending, unit] of units) {
    if (name.endsWith(ending)) return `${name.slice(0, -ending.length).replaceAll("_", " ")}, ${unit}`;
  }
  return name.replaceAll("_", " ");
}

const COUNTS = new Set(["collisions", "found", "sighted", "in_sight"]);

/**
 * A number for people.
 * @param {unknown} value
 * @param {string} [name] of what it is the value: counts are whole
 */
export function shown(value, name = "") {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  if (COUNTS.has(name.replace(/^score_/, ""))) return value.toFixed(0);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
