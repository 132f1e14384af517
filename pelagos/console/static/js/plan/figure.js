// Connects a plan view with its figure on the page: visibility, zoom by wheel and buttons.

/** The figure of a plan view. The pilot can hide the view, and the conditions of an experiment can forbid it. */
export class PlanFigure {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(factor: number) => void} zoom
   * @param {(action: string) => void} [onAction] called for buttons other than zoom
   */
  constructor(canvas, zoom, onAction = () => {}) {
    this.canvas = canvas;
    this.figure = canvas.closest("figure");
    this.enabled = true;
    this.forbidden = false;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY * 0.0015));
      },
      { passive: false },
    );
    for (const button of this.figure?.querySelectorAll("[data-plan]") ?? []) {
      button.addEventListener("click", () => {
        const action = button.getAttribute("data-plan") ?? "";
        if (action === "in") zoom(1.4);
        else if (action === "out") zoom(1 / 1.4);
        else onAction(action);
      });
    }
  }

  get shown() {
    return this.enabled && !this.forbidden;
  }

  /**
   * Disable the zoom buttons at the ends of their range.
   * @param {boolean} nearest
   * @param {boolean} farthest
   */
  limitZoom(nearest, farthest) {
    for (const [action, disabled] of /** @type {[string, boolean][]} */ ([["in", nearest], ["out", farthest]])) {
      const button = this.figure?.querySelector(`[data-plan="${action}"]`);
      button?.toggleAttribute("disabled", disabled);
    }
  }

  /** @param {boolean} on */
  show(on) {
    this.enabled = on;
    this.update();
  }

  /**
   * Forbid the view in an experiment: it stays hidden, whatever the pilot switches.
   * @param {boolean} on
   */
  forbid(on) {
    this.forbidden = on;
    this.update();
  }

  update() {
    this.canvas.classList.toggle("hidden", !this.shown);
    this.figure?.querySelector(".off-text")?.classList.toggle("hidden", this.shown);
    for (const button of this.figure?.querySelectorAll("[data-plan]") ?? []) {
      button.classList.toggle("hidden", !this.shown);
    }
  }
}
