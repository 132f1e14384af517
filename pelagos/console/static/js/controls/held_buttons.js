// Moves an axis while a button of the page is held by finger, mouse, Space or Enter.

/** @typedef {{axis: string, sign: 1 | -1}} Push */

const KEYS = new Set(["Space", "Enter"]);

/** Tracks which buttons are held. */
export class HeldButtons {
  constructor() {
    /** @type {Map<HTMLElement, Push>} */
    this.held = new Map();
  }

  /**
   * Let a button move an axis.
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
        // the pointer may already be gone; its pointerup or pointercancel still arrives
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
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch opens it
  }

  /** Release all buttons. */
  clear() {
    this.held.clear();
  }

  /** @returns {import("./sticks.js").AxisValues} */
  axes() {
    const axes = /** @type {import("./sticks.js").AxisValues} */ ({});
    for (const { axis, sign } of this.held.values()) axes[axis] = (axes[axis] ?? 0) + sign;
    return axes;
  }
}
