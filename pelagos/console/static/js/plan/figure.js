// What the two plan views share: their place on the page, on and off, zoom by wheel and by buttons.

/** A plan view in its figure: it can be turned off by the pilot, or forbidden by the conditions of an experiment. */
export class PlanFigure {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(factor: number) => void} zoom
   * @param {(action: string) => void} [other] what other buttons ask for
   */
  constructor(canvas, zoom, other = () => {}) {
    this.canvas = canvas;
    this.figure = canvas.closest("figure");
    this.wanted = true;
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
        else other(action);
      });
    }
  }

  get shown() {
    return this.wanted && !this.forbidden;
  }

  /**
   * Whether there is nothing more to be had of either button.
   * @param {boolean} nearest
   * @param {boolean} farthest
   */
  ends(nearest, farthest) {
    for (const [action, at] of /** @type {[string, boolean][]} */ ([["in", nearest], ["out", farthest]])) {
      const button = this.figure?.querySelector(`[data-plan="${action}"]`);
      button?.toggleAttribute("disabled", at);
    }
  }

  /** @param {boolean} on */
  show(on) {
    this.wanted = on;
    this.update();
  }

  /**
   * An experiment without this view: it stays off, whatever the pilot wants.
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
