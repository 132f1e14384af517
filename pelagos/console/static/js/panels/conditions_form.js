// Builds a form for the conditions of a flight, such as views, current and image delay.
import { dropDown, inWords, labelled, make } from "./build.js";

/** @typedef {import("../types.js").Conditions} Conditions */

/** Ranges of numbers. A number whose field may be empty then has the value of the world. */
const NUMBERS = /** @type {Record<string, {min: number, max: number, step: number, empty: boolean}>} */ ({
  current_m_s: { min: 0, max: 5, step: 0.05, empty: true },
  current_to_deg: { min: -360, max: 360, step: 5, empty: true },
  image_delay_s: { min: 0, max: 2, step: 0.1, empty: false },
  frame_limit_hz: { min: 0.5, max: 60, step: 0.5, empty: true },
  visibility_m: { min: 0.5, max: 200, step: 0.5, empty: true },
});

const CHOICES = /** @type {Record<string, string[]>} */ ({ depth_control: ["off", "autopilot", "perfect"] });

/** A form with a field for each condition. */
export class ConditionsForm {
  /** @param {Conditions} conditions */
  constructor(conditions) {
    /** @type {Map<string, () => unknown>} */
    this.readers = new Map();
    /** Names of the conditions that the user has changed. */
    this.changed = /** @type {Set<string>} */ (new Set());
    this.element = make("div", { className: "conditions" });
    for (const [name, value] of Object.entries(conditions)) this.add(name, value);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  add(name, value) {
    const control = this.control(name, value);
    if (!control) return;
    control.addEventListener("change", () => this.changed.add(name));
    this.element.append(labelled(inWords(name), control));
  }

  /**
   * The control for a condition, by the type of its value; null for a type without one.
   * @param {string} name
   * @param {unknown} value
   */
  control(name, value) {
    if (typeof value === "boolean") {
      const box = make("input", { type: "checkbox", checked: value });
      this.readers.set(name, () => box.checked);
      return box;
    }
    const choices = CHOICES[name];
    if (choices) {
      const list = dropDown(choices.map((text) => ({ value: text, text })), String(value));
      this.readers.set(name, () => list.value);
      return list;
    }
    const range = NUMBERS[name];
    if (!range && typeof value !== "number") return null;
    const { min, max, step } = range ?? {};
    const field = make("input", {
      type: "number", min, max, step: step ?? "any", placeholder: range?.empty ? "world's" : undefined,
      value: typeof value === "number" ? String(value) : "",
    });
    this.readers.set(name, () => (field.value === "" ? (range?.empty ? null : 0) : Number(field.value)));
    return field;
  }

  /**
   * The values of all fields. Conditions without a field are left out.
   * @returns {Conditions}
   */
  values() {
    return Object.fromEntries([...this.readers].map(([name, read]) => [name, read()]));
  }

  /** The values that the user has changed; all others stay as they are, or as the task sets them. */
  changes() {
    return Object.fromEntries(Object.entries(this.values()).filter(([name]) => this.changed.has(name)));
  }
}
