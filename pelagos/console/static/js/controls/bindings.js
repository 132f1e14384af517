// Which key and which part of a gamepad does what: the table of actions with the pilot's changes, kept in the browser.
import { ACTIONS, layoutParts, PAD_LAYOUTS } from "./actions.js";

const STORE = "pelagos.bindings";
const VERSION = 1;

/** @typedef {import("./actions.js").PadLayout} PadLayout */
/** @typedef {"keys" | "pad"} Device */

export class Bindings extends EventTarget {
  /** @param {Pick<Storage, "getItem" | "setItem"> | null} [storage] */
  constructor(storage = null) {
    super();
    this.storage = storage;
    /** @type {Record<Device, Map<string, string[]>>} */
    this.parts = { keys: new Map(), pad: new Map() };
    /** @type {PadLayout} */
    this.layout = "heave-yaw";
    this.reset(false);
    this.load();
  }

  /**
   * Everything as it was at first.
   * @param {boolean} [keep] whether to store it
   */
  reset(keep = true) {
    this.layout = "heave-yaw";
    for (const action of ACTIONS) {
      this.parts.keys.set(action.id, [...action.keys]);
      this.parts.pad.set(action.id, [...action.pad]);
    }
    this.changed(keep);
  }

  /**
   * @param {Device} device
   * @param {string} id
   * @param {string[]} parts
   */
  set(device, id, parts) {
    if (!this.parts[device].has(id)) throw new RangeError(`there is no action ${id}`);
    this.parts[device].set(id, [...parts]);
    this.changed();
  }

  /**
   * @param {Device} device
   * @param {string} id
   * @returns {string[]}
   */
  get(device, id) {
    return this.parts[device].get(id) ?? [];
  }

  /** @param {PadLayout} layout */
  setLayout(layout) {
    this.layout = layout;
    for (const [id, parts] of layoutParts(layout)) this.parts.pad.set(id, parts);
    this.changed();
  }

  /**
   * The actions of a key or part.
   * @param {Device} device
   * @param {string} part
   */
  actionsOf(device, part) {
    return ACTIONS.filter((action) => this.get(device, action.id).includes(part));
  }

  /**
   * Parts that do more than one thing.
   * @param {Device} device
   * @returns {Map<string, string[]>} part to action ids
   */
  conflicts(device) {
    const users = /** @type {Map<string, string[]>} */ (new Map());
    for (const action of ACTIONS) {
      for (const part of this.get(device, action.id)) users.set(part, [...(users.get(part) ?? []), action.id]);
    }
    return new Map([...users].filter(([, ids]) => ids.length > 1));
  }

  /** @param {boolean} [keep] */
  changed(keep = true) {
    if (keep) this.save();
    this.dispatchEvent(new Event("change"));
  }

  save() {
    const kept = { version: VERSION, layout: this.layout, keys: this.different("keys"), pad: this.different("pad") };
    try {
      this.storage?.setItem(STORE, JSON.stringify(kept));
    } catch {
      // a browser that keeps nothing still flies
    }
  }

  /**
   * Only what was changed is kept, so that new defaults reach pilots who changed something else.
   * @param {Device} device
   */
  different(device) {
    const out = /** @type {Record<string, string[]>} */ ({});
    for (const action of ACTIONS) {
      const now = this.get(device, action.id);
      if (now.join() !== action[device].join()) out[action.id] = now;
    }
    return out;
  }

  load() {
    const kept = this.stored();
    if (!kept || kept.version !== VERSION) return;
    if (Object.hasOwn(PAD_LAYOUTS, kept.layout)) this.layout = kept.layout;
    for (const device of /** @type {Device[]} */ (["keys", "pad"])) {
      for (const [id, parts] of Object.entries(kept[device] ?? {})) {
        const usable = Array.isArray(parts) && parts.every((part) => typeof part === "string");
        if (usable && this.parts[device].has(id)) this.parts[device].set(id, parts);
      }
    }
    this.changed(false);
  }

  /** @returns {any} */
  stored() {
    try {
      return JSON.parse(this.storage?.getItem(STORE) ?? "null");
    } catch {
      return null;
    }
  }
}

const SHORT = /** @type {Record<string, string>} */ ({
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", BracketLeft: "[", BracketRight: "]", Period: ".",
  Comma: ",", Slash: "/", Equal: "=", Minus: "-", PageUp: "Page Up", PageDown: "Page Down", Backquote: "`",
  Semicolon: ";", Quote: "'", Backslash: "\\",
});

/**
 * A key in words: "Shift+KeyW" is "Shift W".
 * @param {string} key
 */
export function keyName(key) {
  const shifted = key.startsWith("Shift+");
  const code = shifted ? key.slice(6) : key;
  const name = SHORT[code] ?? code.replace(/^(Key|Digit)(?=.$)/, "").replace(/^Numpad/, "Num ");
  return shifted ? `Shift ${name}` : name;
}

const BUTTONS = [
  "A", "B", "X", "Y", "LB", "RB", "LT", "RT", "Back", "Start", "left stick press", "right stick press",
  "pad up", "pad down", "pad left", "pad right", "Home",
];
const STICK_SIDES = [["left stick", "left", "right"], ["left stick", "up", "down"],
  ["right stick", "left", "right"], ["right stick", "up", "down"]];

/**
 * A part of a gamepad in words: "b0" is "A", "a1-" is "left stick up".
 * @param {string} part
 */
export function padName(part) {
  const number = Number.parseInt(part.slice(1), 10);
  if (part.startsWith("b")) return BUTTONS[number] ?? `button ${number}`;
  const side = STICK_SIDES[number];
  return side ? `${side[0]} ${part.endsWith("-") ? side[1] : side[2]}` : `axis ${number} ${part.slice(-1)}`;
}
