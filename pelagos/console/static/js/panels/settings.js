// Builds the settings panel: picture, sound, touch, gamepad with a live reading, keys and buttons of all actions.
import { ACTIONS, GROUPS, PAD_LAYOUTS } from "../controls/actions.js";
import { keyName, padName } from "../controls/bindings.js";
import { bodyOf, button, dropDown, labelled, make, table } from "./build.js";

/** @typedef {import("../controls/bindings.js").Device} Device */
/** @typedef {import("../controls/actions.js").Action} Action */
/** @typedef {import("../preferences.js").PreferenceValues} PreferenceValues */

const RESERVED = new Set(["Escape", "Tab"]); // cancel the capture of a key, so actions cannot have them
const CLEAR = new Set(["Delete", "Backspace"]);

/**
 * The labels of other actions that share a key or button with an action.
 * @param {Pick<import("../controls/bindings.js").Bindings, "get" | "actionsOf">} bindings
 * @param {Device} device
 * @param {string} id
 */
export function sharedWith(bindings, device, id) {
  const others = bindings.get(device, id).flatMap((part) => bindings.actionsOf(device, part));
  return [...new Set(others.filter((other) => other.id !== id).map((other) => other.label))];
}

/** The settings panel. */
export class SettingsPanel {
  /**
   * @param {object} parts
   * @param {import("../controls/bindings.js").Bindings} parts.bindings
   * @param {import("../preferences.js").Preferences} parts.preferences
   * @param {import("../controls/keyboard.js").Keyboard} parts.keyboard
   * @param {import("../controls/gamepad.js").Pad} parts.pad
   */
  constructor({ bindings, preferences, keyboard, pad }) {
    this.bindings = bindings;
    this.preferences = preferences;
    this.keyboard = keyboard;
    this.pad = pad;
    this.body = bodyOf("panel-settings");
    this.padState = make("p", { className: "note", id: "pad-state" });
    this.warning = make("p", { className: "error", role: "status", id: "binding-conflicts" });
    this.lists = make("div");
    const layouts = Object.entries(PAD_LAYOUTS).map(([value, { label }]) => ({ value, text: label }));
    const layout = dropDown(layouts, bindings.layout, () =>
      bindings.setLayout(/** @type {keyof typeof PAD_LAYOUTS} */ (layout.value)));
    layout.style.maxWidth = "250px";
    this.body.append(
      make("h3", {}, "Picture and sound"),
      labelled("quality", this.select("quality", ["auto", "low", "high"])),
      labelled("sticks on the screen", this.select("touch", ["auto", "on", "off"])),
      labelled("hum of the thrusters", this.box("hum")),
      labelled("no sound at all", this.box("muted")),
      make("h3", {}, "Gamepad"), this.padState,
      labelled("sticks", layout),
      labelled("dead zone", this.slider("deadZone", 0, 0.4)),
      labelled("softer in the middle", this.slider("expo", 0, 1)),
      make("h3", {}, "Tether"), labelled("winch speed, m/s", this.slider("winch_m_s", 0.1, 2)),
      make("h3", {}, "Keys and buttons"),
      make("p", { className: "note" }, "Press a field, then the new key or button. Delete clears it, Escape keeps it."),
      this.warning, this.lists, button("All as at first", () => bindings.reset()),
    );
    bindings.addEventListener("change", () => this.fill());
    /** The field that waits for a key or button, and its text before. @type {{id: string, text: string} | null} */
    this.waiting = null;
    document.addEventListener("pointerdown", () => this.stopListening(), { capture: true });
    this.fill();
  }

  /** End the capture of a key or button and restore the text of its field. */
  stopListening() {
    if (this.waiting === null) return;
    const field = document.getElementById(this.waiting.id);
    if (field) field.textContent = this.waiting.text;
    this.waiting = null;
    this.keyboard.capture = null;
    this.pad.capture = null;
  }

  /**
   * @param {"quality" | "touch"} name
   * @param {string[]} values
   */
  select(name, values) {
    const list = dropDown(values.map((value) => ({ value, text: value })), this.preferences.values[name], () =>
      this.preferences.set(/** @type {Partial<PreferenceValues>} */ ({ [name]: list.value })));
    list.id = `setting-${name}`;
    return list;
  }

  /** @param {"hum" | "muted"} name */
  box(name) {
    const box = make("input", {
      type: "checkbox", checked: this.preferences.values[name],
      onchange: () => this.preferences.set({ [name]: box.checked }),
    });
    this.preferences.addEventListener("change", () => (box.checked = this.preferences.values[name]));
    return box;
  }

  /**
   * @param {"deadZone" | "expo" | "winch_m_s"} name
   * @param {number} min
   * @param {number} max
   */
  slider(name, min, max) {
    const bar = make("input", {
      type: "range", min: String(min), max: String(max), step: "0.05",
      oninput: () => this.preferences.set({ [name]: Number(bar.value) }),
    });
    bar.value = String(this.preferences.values[name]);
    return bar;
  }

  fill() {
    const parts = GROUPS.flatMap((group) => {
      const rows = ACTIONS.filter((action) => action.group === group).map((action) => [
        action.label, this.field("keys", action), this.field("pad", action),
      ]);
      return [make("h3", {}, group), table(["", "key", "gamepad"], rows)];
    });
    this.lists.replaceChildren(...parts);
    const conflicts = /** @type {Device[]} */ (["keys", "pad"]).flatMap((device) =>
      [...this.bindings.conflicts(device)].map(([part, ids]) => {
        const labels = ids.map((id) => ACTIONS.find((action) => action.id === id)?.label ?? id);
        return `${nameOf(device, part)}: ${labels.join(" and ")}`;
      }));
    this.warning.textContent = conflicts.length > 0 ? `Used twice: ${conflicts.join("; ")}` : "";
  }

  /**
   * The field that shows and changes the keys or buttons of an action.
   * @param {Device} device
   * @param {Action} action
   */
  field(device, action) {
    const bound = this.bindings.get(device, action.id).map((part) => nameOf(device, part)).join(", ") || "none";
    const deviceName = device === "keys" ? "key" : "gamepad";
    const shared = sharedWith(this.bindings, device, action.id);
    const also = shared.length > 0 ? `also: ${shared.join(", ")}` : "";
    const id = `bind-${device}-${action.id}`;
    const field = button(bound, () => this.listen(device, action, id), {
      id, className: also ? "danger" : "", "aria-label": `${action.label}, ${deviceName}: ${bound} ${also}`.trim(),
    });
    return also ? make("div", {}, field, make("p", { className: "error note", id: `${id}-also` }, also)) : field;
  }

  /**
   * Capture the next key or button and bind it to an action.
   * @param {Device} device
   * @param {Action} action
   * @param {string} id of the field
   */
  listen(device, action, id) {
    this.stopListening();
    const field = /** @type {HTMLElement} */ (document.getElementById(id));
    this.waiting = { id, text: field.textContent ?? "" };
    field.textContent = "press";
    field.focus();
    /** @param {string[] | null} parts null leaves the binding as it is */
    const bind = (parts) => {
      this.stopListening();
      if (parts) this.bindings.set(device, action.id, parts);
      // The change rebuilds all fields: focus the new one of this action.
      document.getElementById(id)?.focus();
    };
    this.keyboard.capture = (key) => {
      if (CLEAR.has(key)) bind([]);
      else bind(device === "keys" && !RESERVED.has(key) ? [key] : null);
    };
    if (device === "pad") this.pad.capture = (part) => bind([part]);
  }

  draw() {
    if (this.body.closest(".hidden")) return;
    const now = this.pad.now;
    const text = now
      ? `${now.id}: axes ${now.axes.map((value) => value.toFixed(2)).join(" ")}; pressed ${
        this.pad.pressedParts().map(padName).join(", ") || "nothing"}`
      : "No gamepad: press a button of it so that the browser shows it.";
    if (this.padState.textContent !== text) this.padState.textContent = text;
  }
}

/**
 * @param {Device} device
 * @param {string} part
 */
function nameOf(device, part) {
  return device === "keys" ? keyName(part) : padName(part);
}
