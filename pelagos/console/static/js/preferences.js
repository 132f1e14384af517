// The pilot's preferences, stored in the browser: picture quality, sound, touch sticks, gamepad curve, winch speed.

const STORE = "pelagos.preferences";
const VERSION = 1;

/**
 * @typedef {object} PreferenceValues
 * @property {"auto" | "low" | "high"} quality
 * @property {"auto" | "on" | "off"} touch
 * @property {boolean} hum
 * @property {boolean} muted
 * @property {number} deadZone
 * @property {number} expo
 * @property {number} winch_m_s
 */

/** @type {Readonly<PreferenceValues>} */
export const DEFAULTS = {
  quality: "auto", touch: "auto", hum: false, muted: false, deadZone: 0.1, expo: 0.35, winch_m_s: 0.5,
};

/** Holds the preferences, stores each change and dispatches a `change` event. */
export class Preferences extends EventTarget {
  /** @param {Pick<Storage, "getItem" | "setItem"> | null} [storage] */
  constructor(storage = null) {
    super();
    this.storage = storage;
    /** @type {PreferenceValues} */
    this.values = { ...DEFAULTS, ...this.stored() };
  }

  /**
   * The stored preferences; unknown names and values of another type are left out.
   * @returns {Partial<PreferenceValues>}
   */
  stored() {
    try {
      const stored = JSON.parse(this.storage?.getItem(STORE) ?? "null");
      if (stored?.version !== VERSION) return {};
      const names = /** @type {(keyof PreferenceValues)[]} */ (Object.keys(DEFAULTS));
      const usable = names.filter((name) => typeof stored.likes?.[name] === typeof DEFAULTS[name]);
      return Object.fromEntries(usable.map((name) => [name, stored.likes[name]]));
    } catch {
      return {};
    }
  }

  /** @param {Partial<PreferenceValues>} changes */
  set(changes) {
    Object.assign(this.values, changes);
    try {
      this.storage?.setItem(STORE, JSON.stringify({ version: VERSION, likes: this.values }));
    } catch {
      // storage may be full or blocked: the change then lasts until the page is closed
    }
    this.dispatchEvent(new Event("change"));
  }
}
