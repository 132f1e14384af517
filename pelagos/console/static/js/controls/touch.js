// Sticks on the screen for fingers: two at once, each followed by the pointer that began on it.
import { PAD_LAYOUTS } from "./actions.js";
import { shaped } from "./gamepad.js";

const REACH = 0.38; // of the stick's width: full deflection

/**
 * Where a finger is, as a deflection inside the unit circle: x to the right, y up.
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

/** One stick: a round field with a knob. */
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
    element.addEventListener("pointerdown", (event) => this.began(event));
    element.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      element.addEventListener(end, (event) => this.ended(/** @type {PointerEvent} */ (event)));
    }
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  began(event) {
    if (this.pointer !== null) return;
    event.preventDefault();
    this.pointer = event.pointerId;
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already sends its end all the same
    }
    this.follow(event);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (event.pointerId === this.pointer) this.follow(event);
  }

  /** @param {PointerEvent} event */
  ended(event) {
    if (event.pointerId === this.pointer) this.release();
  }

  release() {
    this.pointer = null;
    this.put(0, 0);
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const [right, up] = deflection(this.element.getBoundingClientRect(), event.clientX, event.clientY);
    this.put(right, up);
  }

  /**
   * @param {number} right
   * @param {number} up
   */
  put(right, up) {
    this.right = right;
    this.up = up;
    const reach = REACH * this.element.clientWidth;
    this.knob.style.transform = `translate(${right * reach}px, ${-up * reach}px)`;
  }
}

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
 * A raised stick means ahead, and up: heave is positive down.
 * @param {string} axis
 * @param {number} up
 */
function raised(axis, up) {
  return shaped(axis === "heave" ? -up : up);
}

/**
 * Show the sticks on a device without a mouse, or once a finger touches the screen, unless a setting says otherwise.
 * @param {Window} window
 * @param {() => "auto" | "on" | "off"} wanted
 */
export function showTouchSticks(window, wanted) {
  const body = window.document.body;
  let fingers = window.matchMedia("(pointer: coarse)").matches;
  const update = () => body.classList.toggle("touch", wanted() === "on" || (wanted() === "auto" && fingers));
  window.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" && !fingers) {
      fingers = true;
      update();
    }
  });
  update();
  return update;
}
