// Opens and closes the panels as sheets, one at a time. Escape closes a sheet, Tab stays inside it, and closing it
// restores the focus.

const FOCUSABLE = "button, [href], input, select, textarea, [tabindex]:not([tabindex='-1'])";

/** The sheets of the page. Dispatches "open" and "close" with the id of a sheet. */
export class Sheets extends EventTarget {
  /** @param {Document} document */
  constructor(document) {
    super();
    this.document = document;
    /** @type {HTMLElement | null} */
    this.open = null;
    /** @type {HTMLElement | null} */
    this.focusBefore = null;
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
    const focused = /** @type {HTMLElement | null} */ (this.document.activeElement);
    if (this.open) this.hide();
    else this.focusBefore = focused; // a switch between sheets keeps the focus before the first
    this.open = panel;
    panel.classList.remove("hidden");
    this.setExpanded(id, true);
    panel.focus();
    this.dispatchEvent(new CustomEvent("open", { detail: id }));
  }

  close() {
    if (!this.open) return;
    this.hide();
    this.focusBefore?.focus();
    this.focusBefore = null;
  }

  hide() {
    if (!this.open) return;
    this.open.classList.add("hidden");
    this.setExpanded(this.open.id, false);
    const { id } = this.open;
    this.open = null;
    this.dispatchEvent(new CustomEvent("close", { detail: id }));
  }

  /**
   * Set the state of the button that opens a sheet.
   * @param {string} id
   * @param {boolean} open
   */
  setExpanded(id, open) {
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

  /**
   * Wrap the focus from the last to the first control of the sheet, and back.
   * @param {KeyboardEvent} event
   */
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
