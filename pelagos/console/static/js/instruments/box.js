// Builds the boxes of the instruments: a dial with its canvas, a list of values.

/** @typedef {"good" | "note" | "caution" | "alarm"} Kind */

/**
 * A new element with a class and a text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {Document} document
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(document, tag, className = "", text = "") {
  const created = document.createElement(tag);
  if (className) created.className = className;
  if (text) created.textContent = text;
  return created;
}

/**
 * Write a text if it has changed: the browser computes the layout again after every write.
 * @param {Element} target
 * @param {string} text
 */
export function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Set the severity of an element, which the style sheet turns into its colour.
 * @param {HTMLElement} target
 * @param {Kind | ""} kind
 */
export function setKind(target, kind) {
  if ((target.dataset.kind ?? "") !== kind) target.dataset.kind = kind;
}

/** A box with a title, a reading beside it, and a canvas. */
export class DialBox {
  /**
   * @param {HTMLElement} parent
   * @param {string} kind "dial" or "tape" or "actuators"
   * @param {string} title
   * @param {string} id
   */
  constructor(parent, kind, title, id) {
    const document = parent.ownerDocument;
    this.section = element(document, "section", `instrument ${kind}`);
    this.section.id = id;
    const heading = element(document, "h3");
    this.title = element(document, "span", "", title);
    heading.append(this.title);
    this.reading = element(document, "span", "reading");
    heading.append(this.reading);
    this.canvas = element(document, "canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", title);
    this.section.append(heading, this.canvas);
    parent.append(this.section);
  }
}

/** A box that lists named values with their units. */
export class ValueBox {
  /**
   * @param {HTMLElement} parent
   * @param {string} title
   * @param {string} id
   * @param {[string, string, string][]} rows key, name, unit
   */
  constructor(parent, title, id, rows) {
    const document = parent.ownerDocument;
    this.section = element(document, "section", "instrument readings");
    this.section.id = id;
    this.title = element(document, "h3", "", title);
    this.section.append(this.title);
    const list = element(document, "dl", "values");
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    for (const [key, name, unit] of rows) {
      const row = element(document, "div");
      const cell = element(document, "dd", "word");
      cell.dataset.value = key;
      this.cells.set(key, cell);
      row.append(element(document, "dt", "", name), cell, element(document, "dd", "unit", unit));
      list.append(row);
    }
    this.section.append(list);
    parent.append(this.section);
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {Kind | ""} [kind]
   */
  set(key, text, kind = "") {
    const cell = this.cells.get(key);
    if (!cell) return;
    write(cell, text);
    setKind(cell, kind);
  }

  /** @param {boolean} on */
  show(on) {
    this.section.classList.toggle("hidden", !on);
  }
}
