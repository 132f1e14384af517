// The panels as sheets: one open at a time, Escape closes, Tab stays inside, the focus goes back where it was.

const FOCUSABLE = "button, [href], input, select, textarea, [tabindex]:not([tabindex='-1'])";

export class Sheets extends EventTarget {
  /** @param {Document} document */
  constructor(document) {
    super();
    this.document = document;
    /** @type {HTMLElement | null} */
    this.open = null;
    /** @type {HTMLElement | null} */
    this.before = null;
    for (const button of document.querySelectorAll("[data-panel]")) {
      button.addEventListener("click", () => this.toggle(button.getAttribute("data-panel") ?? ""));
    }
    for (const button of document.querySelectorAll("[data-close]")) {
      button.addEventListener("click", () => this.close());
    }
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {string} id */
  toggle(id) {
    if (this.open?.id === id) this.close();
    else this.show(id);
  }

  /** @param {string} id */
  show(id) {
    const panel = this.document.getElementById(id);
    if (!panel || panel === this.open) return;
    const before = /** @type {HTMLElement | null} */ (this.document.activeElement);
    if (this.open) this.hide();
    else this.before = before;
    this.open = panel;
    panel.classList.remove("hidden");
    this.mark(id, true);
    panel.focus();
    this.dispatchEvent(new CustomEvent("open", { detail: id }));
  }

  close() {
    if (!this.open) return;
    this.hide();
    this.before?.focus();
    this.before = null;
  }

  hide() {
    if (!this.open) return;
    this.open.classList.add("hidden");
    this.mark(this.open.id, false);
    const { id } = this.open;
    this.open = null;
    this.dispatchEvent(new CustomEvent("close", { detail: id }));
  }

  /**
   * @param {string} id
   * @param {boolean} open
   */
  mark(id, open) {
    this.document.querySelector(`[data-panel="${id}"]`)?.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.open || event.defaultPrevented) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      this.keepInside(event);
    }
  }

  /** @param {KeyboardEvent} event */
  keepInside(event) {
    const panel = /** @type {HTMLElement} */ (this.open);
    if (!panel.contains(this.document.activeElement)) return;
    const stops = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll(FOCUSABLE)]).filter(
      (element) => !element.hasAttribute("disabled") && element.offsetParent !== null,
    );
    if (stops.length === 0) return;
    const at = stops.indexOf(/** @type {HTMLElement} */ (this.document.activeElement));
    const last = stops.length - 1;
    if (event.shiftKey ? at <= 0 : at === last) {
      event.preventDefault();
      stops[event.shiftKey ? last : 0].focus();
    }
  }
}
