// What a pilot likes, kept in the browser: picture quality, sound, touch sticks, gamepad feel, winch speed.

const STORE = "pelagos.preferences";
const VERSION = 1;

/**
 * @typedef {object} Likes
 * @property {"auto" | "low" | "high"} quality
 * @property {"auto" | "on" | "off"} touch
 * @property {boolean} hum
 * @property {boolean} muted
 * @property {number} deadZone
 * @property {number} expo
 * @property {number} winch_m_s
 */

/** @type {Readonly<Likes>} */
export const FIRST = {
  quality: "auto", touch: "auto", hum: false, muted: false, deadZone: 0.1, expo: 0.35, winch_m_s: 0.5,
};

export class Preferences extends EventTarget {
  /** @param {Pick<Storage, "getItem" | "setItem"> | null} [storage] */
  constructor(storage = null) {
    super();
    this.storage = storage;
    /** @type {Likes} */
    this.likes = { ...FIRST, ...this.stored() };
  }

  /**
   * Of what is kept, only names and kinds of value that are known.
   * @returns {Partial<Likes>}
   */
  stored() {
    try {
      const kept = JSON.parse(this.storage?.getItem(STORE) ?? "null");
      if (kept?.version !== VERSION) return {};
      const names = /** @type {(keyof Likes)[]} */ (Object.keys(FIRST));
      const usable = names.filter((name) => typeof kept.likes?.[name] === typeof FIRST[name]);
      return Object.fromEntries(usable.map((name) => [name, kept.likes[name]]));
    } catch {
      return {};
    }
  }

  /** @param {Partial<Likes>} changes */
  set(changes) {
    Object.assign(this.likes, changes);
    try {
      this.storage?.setItem(STORE, JSON.stringify({ version: VERSION, likes: this.likes }));
    } catch {
      // a browser that keeps nothing still flies
    }
    this.dispatchEvent(new Event("change"));
  }
}
