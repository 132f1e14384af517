// Uses keys as sticks: a held key deflects its axis fully within a quarter of a second, so that a tap moves it little.
// All keys are released when the page loses the focus, because the key-up then goes elsewhere and a thruster would stay
// on.

const RISE_S = 0.25;
const FALL_S = 0.08;

/** The deflection of each action over time, 0..1: it rises while its key is held and falls after. */
export class Ramps {
  /**
   * @param {number} [rise] seconds from 0 to 1
   * @param {number} [fall] seconds from 1 to 0
   */
  constructor(rise = RISE_S, fall = FALL_S) {
    this.rise = rise;
    this.fall = fall;
    /** @type {Map<string, {held: boolean, level: number, since: number}>} */
    this.levels = new Map();
  }

  /**
   * @param {string} id
   * @param {boolean} held
   * @param {number} now ms
   */
  set(id, held, now) {
    this.levels.set(id, { held, level: this.level(id, now), since: now });
  }

  /**
   * @param {string} id
   * @param {number} now ms
   */
  level(id, now) {
    const ramp = this.levels.get(id);
    if (!ramp) return 0;
    const seconds = Math.max(0, (now - ramp.since) / 1000);
    return ramp.held ? Math.min(1, ramp.level + seconds / this.rise) : Math.max(0, ramp.level - seconds / this.fall);
  }

  clear() {
    this.levels.clear();
  }
}

/** Tracks held keys and dispatches `action` with the id of each action that a key triggers. */
export class Keyboard extends EventTarget {
  /**
   * @param {Window} window
   * @param {import("./bindings.js").Bindings} bindings
   * @param {() => number} [clock] ms
   */
  constructor(window, bindings, clock = () => performance.now()) {
    super();
    this.bindings = bindings;
    this.clock = clock;
    this.ramps = new Ramps();
    /** @type {Map<string, string[]>} code of each held key to the ids of actions that it deflects */
    this.held = new Map();
    /** Receives the next key in place of its actions. @type {((key: string) => void) | null} */
    this.capture = null;
    /** Receives each key before its actions; true if it has used the key. @type {((key: string) => boolean) | null} */
    this.intercept = null;
    // in the capture phase: a key that the settings capture for an action must not close a panel as well
    window.addEventListener("keydown", (event) => this.down(event), { capture: true });
    window.addEventListener("keyup", (event) => this.up(event), { capture: true });
    window.addEventListener("blur", () => this.clear());
    window.document.addEventListener("visibilitychange", () => this.clear());
    window.document.addEventListener("focusin", (event) => {
      if (takesText(event.target)) this.clear();
    });
  }

  /** @param {KeyboardEvent} event */
  down(event) {
    if (this.capture) {
      this.captureKey(event);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || takesText(event.target)) return;
    if (this.intercept?.(event.shiftKey ? `Shift+${event.code}` : event.code)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if ((event.code === "Space" || event.code === "Enter") && isButton(event.target) && !event.shiftKey) return;
    const actions = this.actionsOf(event);
    if (actions.length === 0) return;
    event.preventDefault();
    if (event.repeat || this.held.has(event.code)) return;
    const pushes = actions.filter((action) => action.axis).map((action) => action.id);
    this.held.set(event.code, pushes);
    for (const id of pushes) this.ramps.set(id, true, this.clock());
    for (const action of actions) {
      if (!action.axis) this.dispatchEvent(new CustomEvent("action", { detail: action.id }));
    }
  }

  /**
   * The actions of a key; with Shift those of the shifted key, or of the plain key if there are none.
   * @param {KeyboardEvent} event
   */
  actionsOf(event) {
    const shifted = event.shiftKey ? this.bindings.actionsOf("keys", `Shift+${event.code}`) : [];
    return shifted.length > 0 ? shifted : this.bindings.actionsOf("keys", event.code);
  }

  /** @param {KeyboardEvent} event */
  up(event) {
    const pushes = this.held.get(event.code);
    this.held.delete(event.code);
    const others = new Set([...this.held.values()].flat());
    for (const id of pushes ?? []) if (!others.has(id)) this.ramps.set(id, false, this.clock());
  }

  /** Release all keys at once, without a ramp. */
  clear() {
    this.held.clear();
    this.ramps.clear();
  }

  /** @param {KeyboardEvent} event */
  captureKey(event) {
    if (["ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight"].includes(event.code)) return;
    event.preventDefault();
    event.stopPropagation();
    const { capture } = this;
    this.capture = null;
    capture?.(event.shiftKey ? `Shift+${event.code}` : event.code);
  }

  /**
   * The deflection of an action, 0..1.
   * @param {string} id
   */
  level(id) {
    return this.ramps.level(id, this.clock());
  }
}

/**
 * Whether an element uses keys itself: text, numbers, lists, sliders.
 * @param {EventTarget | null} target
 */
export function takesText(target) {
  const element = /** @type {any} */ (target);
  if (!element?.matches) return false;
  return element.matches(
    "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]",
  );
}

/** @param {EventTarget | null} target */
function isButton(target) {
  const element = /** @type {any} */ (target);
  return Boolean(element?.matches?.("button, a, input, summary"));
}
