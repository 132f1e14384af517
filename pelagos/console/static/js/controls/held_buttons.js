// Buttons that push an axis as long as they are held, by finger, mouse or with Space and Enter.

/** @typedef {{axis: string, sign: 1 | -1}} Push */

const KEYS = new Set(["Space", "Enter"]);

export class HeldButtons {
  constructor() {
    /** @type {Map<HTMLElement, Push>} */
    this.held = new Map();
  }

  /**
   * @param {HTMLElement} button
   * @param {Push} push
   */
  add(button, push) {
    const down = () => void this.held.set(button, push);
    const up = () => void this.held.delete(button);
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      try {
        button.setPointerCapture(event.pointerId);
      } catch {
        // a pointer that is gone already sends its end all the same
      }
      down();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(end, up);
    button.addEventListener("keydown", (event) => {
      if (!KEYS.has(event.code) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      down();
    });
    button.addEventListener("keyup", (event) => KEYS.has(event.code) && up());
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch is a push
  }

  /** Let everything go. */
  clear() {
    this.held.clear();
  }

  /** @returns {import("./sticks.js").AxisValues} */
  axes() {
    const out = /** @type {import("./sticks.js").AxisValues} */ ({});
    for (const { axis, sign } of this.held.values()) out[axis] = (out[axis] ?? 0) + sign;
    return out;
  }
}
