// Offers the actions of the keys as buttons, for touch and mouse: sticks, camera, tether and ship, time, trims.
import { ACTIONS } from "../controls/actions.js";
import { keyName } from "../controls/bindings.js";
import { bodyOf, button, make } from "./build.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {[action: string, text: string]} ActionButton */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {ActionButton[]} buttons less, more, and others; the value stands after the first
 * @property {(sample: Sample) => string} [value]
 */

/** @typedef {{title: string, rows: Row[]}} ControlGroup */

const TRIMS = /** @type {[axis: string, less: string, more: string][]} */ ([
  ["surge", "astern", "ahead"], ["sway", "port", "starboard"], ["heave", "up", "down"], ["yaw", "port", "starboard"],
  ["pitch", "down", "up"], ["roll", "port", "starboard"],
]);

/**
 * A function that formats a column of a state, times a factor; "-0" loses its sign.
 * @param {string} column
 * @param {number} digits
 * @param {string} [unit]
 * @param {number} [factor]
 * @returns {(sample: Sample) => string}
 */
function reading(column, digits, unit = "", factor = 1) {
  return (sample) => {
    const value = sample.get(column);
    return Number.isFinite(value) ? (factor * value + 0).toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "") + unit : "–";
  };
}

/**
 * The groups of buttons for a flight; groups without rows are left out.
 * @param {Hello} hello
 * @returns {ControlGroup[]}
 */
export function controlGroups(hello) {
  const { vehicle } = hello.source;
  const hasAxis = (/** @type {string} */ axis) => vehicle.axes?.includes(axis) ?? true;
  const cameras = vehicle.cameras ?? [];
  const turns = (/** @type {"pan_limit_deg" | "tilt_limit_deg"} */ limit) =>
    cameras.some((camera) => camera[limit][1] > camera[limit][0]);
  /** @type {(condition: boolean, row: Row) => Row[]} */
  const rowIf = (condition, row) => (condition ? [row] : []);
  const groups = [
    {
      title: "Sticks", rows: [
        ...rowIf(hello.columns.includes("gain"), {
          name: "pilot gain", buttons: [["gain_down", "less"], ["gain_up", "more"]],
          value: reading("gain", 0, " %", 100),
        }),
        ...rowIf(hasAxis("pitch"), {
          name: "pitch", buttons: [["pitch_down", "nose down"], ["pitch_up", "nose up"]],
          value: reading("pitch_deg", 0, "°"),
        }),
        ...rowIf(hasAxis("roll"), {
          name: "roll", buttons: [["roll_port", "port"], ["roll_starboard", "starboard"]],
          value: reading("roll_deg", 0, "°"),
        }),
      ],
    },
    {
      title: "Camera", rows: [
        ...rowIf(turns("pan_limit_deg"), {
          name: "pan", buttons: [["pan_port", "port"], ["pan_starboard", "starboard"]],
          value: reading("pan_deg", 0, "°"),
        }),
        ...rowIf(turns("tilt_limit_deg"), {
          name: "tilt", buttons: [["tilt_down", "down"], ["tilt_up", "up"]], value: reading("tilt_deg", 0, "°"),
        }),
        ...rowIf(cameras.some((camera) => camera.zoom_most > 1), {
          name: "zoom", buttons: [["zoom_out", "out"], ["zoom_in", "in"]], value: reading("zoom", 1),
        }),
        ...rowIf((vehicle.lamps ?? []).length > 0, {
          name: "lights", buttons: [["lights_down", "dimmer"], ["lights_up", "brighter"]],
          value: reading("lights", 0, " %", 100),
        }),
        {
          name: "look", buttons: /** @type {ActionButton[]} */ ([
            ["camera_centre", "centre"], ...(cameras.length > 1 ? [["camera_next", "next camera"]] : []),
          ]),
        },
      ],
    },
    {
      title: "Tether and ship", rows: vehicle.has_tether ? /** @type {Row[]} */ ([
        {
          name: "coefficient", buttons: [["tether_shorter", "less"], ["tether_longer", "more"]],
          value: reading("tether_ratio", 2),
        },
        {
          name: "winch", buttons: [["winch_in", "in"], ["winch_out", "out"], ["winch_stop", "stop"]],
          value: reading("tether_length_m", 0, " m"),
        },
        { name: "ship", buttons: [["ship_follow", "follow"], ["ship_stop", "stop"], ["ship_move", "move"]] },
      ]) : [],
    },
    {
      title: "Time", rows: [{
        name: "time", buttons: /** @type {ActionButton[]} */ ([
          ["time_slower", "slower"], ["time_faster", "faster"], ["time_normal", "×1"],
        ]),
        value: reading("time_scale", 1),
      }],
    },
    {
      title: "Trims", rows: [
        ...TRIMS.filter(([axis]) => hasAxis(axis)).map(([axis, less, more]) => /** @type {Row} */ ({
          name: axis, buttons: [[`trim_${axis}_down`, less], [`trim_${axis}_up`, more]],
          value: reading(`trim_${axis}`, 2),
        })),
        { name: "all", buttons: /** @type {ActionButton[]} */ ([["trim_reset", "to zero"]]) },
      ],
    },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

/** The panel of buttons. */
export class ControlsPanel {
  /**
   * @param {(action: string) => void} act
   * @param {import("../controls/held_buttons.js").HeldButtons} held
   * @param {import("../controls/bindings.js").Bindings} bindings
   */
  constructor(act, held, bindings) {
    this.act = act;
    this.held = held;
    this.bindings = bindings;
    this.body = bodyOf("panel-controls");
    /** @type {[HTMLElement, (sample: Sample) => string][]} */
    this.values = [];
    this.key = ""; // of the groups on the page
    this.drawn = -Infinity;
  }

  /** @param {Hello} hello */
  setHello(hello) {
    const groups = controlGroups(hello);
    const key = JSON.stringify(groups);
    if (key === this.key) return; // unchanged: a button that is held down must stay
    this.key = key;
    this.held.clear();
    this.values = [];
    this.body.replaceChildren(...groups.flatMap(({ title, rows }) => [
      make("h3", {}, title), make("div", { className: "controls" }, ...rows.flatMap((row) => this.row(row))),
    ]));
  }

  /** @param {Row} row */
  row({ name, buttons, value }) {
    const line = /** @type {HTMLElement[]} */ (buttons.map((actionButton) => this.button(name, actionButton)));
    if (value) {
      const output = make("output", {}, "–");
      this.values.push([output, value]);
      line.splice(1, 0, output);
    }
    return [make("div", { className: "control", role: "group", "aria-label": name }, make("span", {}, name), ...line)];
  }

  /**
   * @param {string} name
   * @param {ActionButton} actionButton
   */
  button(name, [id, text]) {
    const action = ACTIONS.find((candidate) => candidate.id === id);
    const keys = this.bindings.get("keys", id).map(keyName).join(", ");
    const label = action?.label ?? `${name} ${text}`;
    const element = button(text, () => action?.axis || this.act(id), {
      id: `do-${id}`, "aria-label": label, title: keys ? `${label} (${keys})` : label,
    });
    if (action?.axis && action.sign) this.held.add(element, { axis: action.axis, sign: action.sign });
    return element;
  }

  /**
   * @param {Sample | null} sample
   * @param {number} now ms
   */
  draw(sample, now) {
    if (!sample || now - this.drawn < 150 || this.body.closest(".hidden")) return;
    this.drawn = now;
    for (const [output, value] of this.values) {
      const text = value(sample);
      if (output.textContent !== text) output.textContent = text;
    }
  }
}
