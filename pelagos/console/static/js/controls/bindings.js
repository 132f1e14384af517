// Assigns keys and gamepad parts to actions: the defaults of the table, with the pilot's changes stored in the browser.
import { ACTIONS, layoutParts, PAD_LAYOUTS } from "./actions.js";

const STORE = "pelagos.bindings";
const VERSION = 1;

/** @typedef {import("./actions.js").PadLayout} PadLayout */
/** @typedef {"keys" | "pad"} Device */

/** Holds the keys and gamepad parts of each action and dispatches `change` when they change. */
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
   * Restore the defaults.
   * @param {boolean} [store] whether to store them
   */
  reset(store = true) {
    this.layout = "heave-yaw";
    for (const action of ACTIONS) {
      this.parts.keys.set(action.id, [...action.keys]);
      this.parts.pad.set(action.id, [...action.pad]);
    }
    this.changed(store);
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
   * The actions of a key or gamepad part.
   * @param {Device} device
   * @param {string} part
   */
  actionsOf(device, part) {
    return ACTIONS.filter((action) => this.get(device, action.id).includes(part));
  }

  /**
   * Keys or gamepad parts with more than one action.
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

  /** @param {boolean} [store] */
  changed(store = true) {
    if (store) this.save();
    this.dispatchEvent(new Event("change"));
  }

  save() {
    const { layout } = this;
    const bindings = { version: VERSION, layout, keys: this.changedParts("keys"), pad: this.changedParts("pad") };
    try {
      this.storage?.setItem(STORE, JSON.stringify(bindings));
    } catch {
      // storage may be full or blocked: changes then last until the page is closed
    }
  }

  /**
   * The parts that differ from the defaults. Only these are stored, so that a new default of an unchanged action takes
   * effect.
   * @param {Device} device
   */
  changedParts(device) {
    const changes = /** @type {Record<string, string[]>} */ ({});
    for (const action of ACTIONS) {
      const parts = this.get(device, action.id);
      if (parts.join() !== action[device].join()) changes[action.id] = parts;
    }
    return changes;
  }

  /** Apply the stored changes; unknown actions and malformed parts are left out. */
  load() {
    const stored = this.stored();
    if (!stored || stored.version !== VERSION) return;
    if (Object.hasOwn(PAD_LAYOUTS, stored.layout)) this.layout = stored.layout;
    for (const device of /** @type {Device[]} */ (["keys", "pad"])) {
      for (const [id, parts] of Object.entries(stored[device] ?? {})) {
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

const KEY_NAMES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", BracketLeft: "[", BracketRight: "]", Period: ".",
  Comma: ",", Slash: "/", Equal: "=", Minus: "-", PageUp: "Page Up", PageDown: "Page Down", Backquote: "`",
  Semicolon: ";", Quote: "'", Backslash: "\\",
});

/**
 * The name of a key for the pilot: "Shift W" for "Shift+KeyW".
 * @param {string} key
 */
export function keyName(key) {
  const shifted = key.startsWith("Shift+");
  const code = shifted ? key.slice(6) : key;
  const name = KEY_NAMES[code] ?? code.replace(/^(Key|Digit)(?=.$)/, "").replace(/^Numpad/, "Num ");
  return shifted ? `Shift ${name}` : name;
}

const BUTTONS = [
  "A", "B", "X", "Y", "LB", "RB", "LT", "RT", "Back", "Start", "left stick press", "right stick press",
  "pad up", "pad down", "pad left", "pad right", "Home",
];
const STICK_SIDES = [["left stick", "left", "right"], ["left stick", "up", "down"],
  ["right stick", "left", "right"], ["right stick", "up", "down"]];

/**
 * The name of a gamepad part for the pilot: "A" for "b0", "left stick up" for "a1-".
 * @param {string} part
 */
export function padName(part) {
  const number = Number.parseInt(part.slice(1), 10);
  if (part.startsWith("b")) return BUTTONS[number] ?? `button ${number}`;
  const side = STICK_SIDES[number];
  return side ? `${side[0]} ${part.endsWith("-") ? side[1] : side[2]}` : `axis ${number} ${part.slice(-1)}`;
}
