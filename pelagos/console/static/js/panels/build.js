// Creates the elements of panels, and formats names and values for them.

/** @typedef {Node | string | null | undefined} Child */

const ATTRIBUTES = new Set(["role", "for", "list"]); // as properties they are read-only or have other names

/**
 * A new element with properties, attributes (names with a dash, role, for, list) and listeners (on...).
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
 * A button.
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, any>} [properties]
 */
export function button(text, act, properties = {}) {
  return make("button", { type: "button", onclick: act, ...properties }, text);
}

/**
 * A control inside a label, so that screen readers read its name.
 * @param {string} text
 * @param {HTMLElement} control
 */
export function labelled(text, control) {
  return make("label", {}, make("span", {}, text), control);
}

/**
 * A drop-down list.
 * @param {{value: string, text: string}[]} choices
 * @param {string} [selected]
 * @param {() => void} [onChange]
 */
export function dropDown(choices, selected, onChange = () => {}) {
  const options = choices.map(({ value, text }) => make("option", { value, selected: value === selected }, text));
  return make("select", { onchange: onChange }, ...options);
}

/**
 * A table.
 * @param {string[]} heads
 * @param {Child[][]} rows
 * @param {{caption?: string, numbers?: number[]}} [options] numbers: columns aligned to the right
 */
export function table(heads, rows, { caption, numbers = [] } = {}) {
  /** @param {number} column */
  const classOf = (column) => (numbers.includes(column) ? { className: "number" } : {});
  return make(
    "table", {},
    caption ? make("caption", {}, caption) : null,
    make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", ...classOf(at) }, head)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, at) => make("td", classOf(at), cell))))),
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
 * The name of a column or key in words, with its unit: "path_error_rms_m" is "path error rms, m".
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

/** Names of values that are counts. */
const COUNTS = new Set(["collisions", "found", "sighted", "in_sight"]);

/**
 * A number with about three significant digits; a count without decimals.
 * @param {unknown} value
 * @param {string} [name] of the value, which tells counts from measured values
 */
export function formatValue(value, name = "") {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  if (COUNTS.has(name.replace(/^score_/, ""))) return value.toFixed(0);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
