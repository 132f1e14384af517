// Keys as sticks: a held key pushes its axis out over a quarter of a second, so that a tap is a nudge.
// All keys are let go when the page loses the keyboard: no thruster may stay on because a key-up went elsewhere.

const RISE_S = 0.25;
const FALL_S = 0.08;

/** How far each held action is pushed, 0..1, at a time. */
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
    const one = this.levels.get(id);
    if (!one) return 0;
    const seconds = Math.max(0, (now - one.since) / 1000);
    return one.held ? Math.min(1, one.level + seconds / this.rise) : Math.max(0, one.level - seconds / this.fall);
  }

  clear() {
    this.levels.clear();
  }
}

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
    /** @type {Map<string, string[]>} code to the actions it holds */
    this.held = new Map();
    /** @type {((key: string) => void) | null} */
    this.capture = null;
    /** Asked first: whether a key is meant for something that is going on. @type {((key: string) => boolean) | null} */
    this.first = null;
    // before all others: a key that is being given to an action must not also close a panel
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
      this.captured(event);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || takesText(event.target)) return;
    if (this.first?.(event.shiftKey ? `Shift+${event.code}` : event.code)) {
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
   * With Shift the key of that name, and without one the plain key.
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

  /** Let everything go at once. */
  clear() {
    this.held.clear();
    this.ramps.clear();
  }

  /** @param {KeyboardEvent} event */
  captured(event) {
    if (["ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight"].includes(event.code)) return;
    event.preventDefault();
    event.stopPropagation();
    const take = this.capture;
    this.capture = null;
    take?.(event.shiftKey ? `Shift+${event.code}` : event.code);
  }

  /**
   * How far an action is pushed, 0..1.
   * @param {string} id
   */
  level(id) {
    return this.ramps.level(id, this.clock());
  }
}

/**
 * Whether keys belong to what has the focus: text, numbers, lists, sliders.
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
