// Provides two sticks on a touch screen. Each follows the pointer that went down on it, so both work at once.
import { PAD_LAYOUTS } from "./actions.js";
import { shaped } from "./gamepad.js";

const REACH = 0.38; // distance of full deflection from the centre, as a share of the stick's width

/**
 * The deflection [right, up] of a finger's position on a stick, limited to the unit circle.
 * @param {{left: number, top: number, width: number, height: number}} box
 * @param {number} x
 * @param {number} y
 * @returns {[number, number]}
 */
export function deflection(box, x, y) {
  const reach = REACH * Math.min(box.width, box.height);
  const right = (x - box.left - box.width / 2) / reach;
  const up = -(y - box.top - box.height / 2) / reach;
  const size = Math.max(1, Math.hypot(right, up));
  return [right / size, up / size];
}

/** A stick on the screen: a round area with a knob. */
export class TouchStick {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.knob = element.ownerDocument.createElement("span");
    this.knob.className = "touch-knob";
    element.append(this.knob);
    /** @type {number | null} */
    this.pointer = null;
    this.right = 0;
    this.up = 0;
    element.addEventListener("pointerdown", (event) => this.handleDown(event));
    element.addEventListener("pointermove", (event) => this.handleMove(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      element.addEventListener(end, (event) => this.handleEnd(/** @type {PointerEvent} */ (event)));
    }
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  handleDown(event) {
    if (this.pointer !== null) return;
    event.preventDefault();
    this.pointer = event.pointerId;
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // the pointer may already be gone; its pointerup or pointercancel still arrives
    }
    this.follow(event);
  }

  /** @param {PointerEvent} event */
  handleMove(event) {
    if (event.pointerId === this.pointer) this.follow(event);
  }

  /** @param {PointerEvent} event */
  handleEnd(event) {
    if (event.pointerId === this.pointer) this.release();
  }

  release() {
    this.pointer = null;
    this.setDeflection(0, 0);
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const [right, up] = deflection(this.element.getBoundingClientRect(), event.clientX, event.clientY);
    this.setDeflection(right, up);
  }

  /**
   * @param {number} right
   * @param {number} up
   */
  setDeflection(right, up) {
    this.right = right;
    this.up = up;
    const reach = REACH * this.element.clientWidth;
    this.knob.style.transform = `translate(${right * reach}px, ${-up * reach}px)`;
  }
}

/** The two sticks on the screen, with the layout of the gamepad. */
export class Touch {
  /**
   * @param {HTMLElement} left
   * @param {HTMLElement} right
   * @param {import("./bindings.js").Bindings} bindings
   */
  constructor(left, right, bindings) {
    this.left = new TouchStick(left);
    this.right = new TouchStick(right);
    this.bindings = bindings;
    const window = left.ownerDocument.defaultView;
    window?.addEventListener("blur", () => this.clear());
    left.ownerDocument.addEventListener("visibilitychange", () => this.clear());
  }

  /** Release both sticks. */
  clear() {
    this.left.release();
    this.right.release();
  }

  /** @returns {import("./sticks.js").AxisValues} */
  axes() {
    const [leftUp, leftAcross, rightUp, rightAcross] = PAD_LAYOUTS[this.bindings.layout].axes;
    return {
      [leftUp]: raised(leftUp, this.left.up),
      [leftAcross]: shaped(this.left.right),
      [rightUp]: raised(rightUp, this.right.up),
      [rightAcross]: shaped(this.right.right),
    };
  }
}

/**
 * The axis value of a stick's vertical deflection: raised is ahead, or up, where heave is positive down.
 * @param {string} axis
 * @param {number} up
 */
function raised(axis, up) {
  return shaped(axis === "heave" ? -up : up);
}

/**
 * Show the sticks on a device without a mouse, or once a finger touches the screen, unless the setting is on or off.
 * The returned function applies a change of the setting.
 * @param {Window} window
 * @param {() => "auto" | "on" | "off"} setting
 */
export function showTouchSticks(window, setting) {
  const body = window.document.body;
  let fingers = window.matchMedia("(pointer: coarse)").matches;
  const update = () => body.classList.toggle("touch", setting() === "on" || (setting() === "auto" && fingers));
  window.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" && !fingers) {
      fingers = true;
      update();
    }
  });
  update();
  return update;
}
