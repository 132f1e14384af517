// Everything that keys do to the vehicle, its camera, its tether and time, as buttons: for fingers and for the mouse.
import { ACTIONS } from "../controls/actions.js";
import { keyName } from "../controls/bindings.js";
import { bodyOf, button, make } from "./build.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {[action: string, text: string]} Way */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {Way[]} ways less, more, and what else there is; the value stands behind the first
 * @property {(sample: Sample) => string} [value]
 */

/** @typedef {{title: string, rows: Row[]}} Part */

const TRIMS = /** @type {[axis: string, less: string, more: string][]} */ ([
  ["surge", "astern", "ahead"], ["sway", "port", "starboard"], ["heave", "up", "down"], ["yaw", "port", "starboard"],
  ["pitch", "down", "up"], ["roll", "port", "starboard"],
]);

/**
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
 * What this flight lets one do; parts without rows are left out.
 * @param {Hello} hello
 * @returns {Part[]}
 */
export function partsOf(hello) {
  const { vehicle } = hello.source;
  const can = (/** @type {string} */ axis) => vehicle.axes?.includes(axis) ?? true;
  const cameras = vehicle.cameras ?? [];
  const turns = (/** @type {"pan_limit_deg" | "tilt_limit_deg"} */ limit) =>
    cameras.some((camera) => camera[limit][1] > camera[limit][0]);
  /** @type {(wanted: boolean, row: Row) => Row[]} */
  const when = (wanted, row) => (wanted ? [row] : []);
  const parts = [
    {
      title: "Sticks", rows: [
        ...when(hello.columns.includes("gain"), {
          name: "pilot gain", ways: [["gain_down", "less"], ["gain_up", "more"]], value: reading("gain", 0, " %", 100),
        }),
        ...when(can("pitch"), {
          name: "pitch", ways: [["pitch_down", "nose down"], ["pitch_up", "nose up"]],
          value: reading("pitch_deg", 0, "°"),
        }),
        ...when(can("roll"), {
          name: "roll", ways: [["roll_port", "port"], ["roll_starboard", "starboard"]], value: reading("roll_deg", 0, "°"),
        }),
      ],
    },
    {
      title: "Camera", rows: [
        ...when(turns("pan_limit_deg"), {
          name: "pan", ways: [["pan_port", "port"], ["pan_starboard", "starboard"]], value: reading("pan_deg", 0, "°"),
        }),
        ...when(turns("tilt_limit_deg"), {
          name: "tilt", ways: [["tilt_down", "down"], ["tilt_up", "up"]], value: reading("tilt_deg", 0, "°"),
        }),
        ...when(cameras.some((camera) => camera.zoom_most > 1), {
          name: "zoom", ways: [["zoom_out", "out"], ["zoom_in", "in"]], value: reading("zoom", 1),
        }),
        ...when((vehicle.lamps ?? []).length > 0, {
          name: "lights", ways: [["lights_down", "dimmer"], ["lights_up", "brighter"]],
          value: reading("lights", 0, " %", 100),
        }),
        {
          name: "look", ways: /** @type {Way[]} */ ([
            ["camera_centre", "centre"], ...(cameras.length > 1 ? [["camera_next", "next camera"]] : []),
          ]),
        },
      ],
    },
    {
      title: "Tether and ship", rows: vehicle.has_tether ? /** @type {Row[]} */ ([
        {
          name: "coefficient", ways: [["tether_shorter", "less"], ["tether_longer", "more"]],
          value: reading("tether_ratio", 2),
        },
        {
          name: "winch", ways: [["winch_in", "in"], ["winch_out", "out"], ["winch_stop", "stop"]],
          value: reading("tether_length_m", 0, " m"),
        },
        { name: "ship", ways: [["ship_follow", "follow"], ["ship_stop", "stop"], ["ship_move", "move"]] },
      ]) : [],
    },
    {
      title: "Time", rows: [{
        name: "time", ways: /** @type {Way[]} */ ([
          ["time_slower", "slower"], ["time_faster", "faster"], ["time_normal", "×1"],
        ]),
        value: reading("time_scale", 1),
      }],
    },
    {
      title: "Trims", rows: [
        ...TRIMS.filter(([axis]) => can(axis)).map(([axis, less, more]) => /** @type {Row} */ ({
          name: axis, ways: [[`trim_${axis}_down`, less], [`trim_${axis}_up`, more]], value: reading(`trim_${axis}`, 2),
        })),
        { name: "all", ways: /** @type {Way[]} */ ([["trim_reset", "to zero"]]) },
      ],
    },
  ];
  return parts.filter(({ rows }) => rows.length > 0);
}

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
    this.made = "";
    this.drawn = -Infinity;
  }

  /** @param {Hello} hello */
  setHello(hello) {
    const parts = partsOf(hello);
    const made = JSON.stringify(parts);
    if (made === this.made) return; // a button that is held stays
    this.made = made;
    this.held.clear();
    this.values = [];
    this.body.replaceChildren(...parts.flatMap(({ title, rows }) => [
      make("h3", {}, title), make("div", { className: "controls" }, ...rows.flatMap((row) => this.row(row))),
    ]));
  }

  /** @param {Row} row */
  row({ name, ways, value }) {
    const line = /** @type {HTMLElement[]} */ (ways.map((way) => this.button(name, way)));
    if (value) {
      const output = make("output", {}, "–");
      this.values.push([output, value]);
      line.splice(1, 0, output);
    }
    return [make("div", { className: "control", role: "group", "aria-label": name }, make("span", {}, name), ...line)];
  }

  /**
   * @param {string} name
   * @param {Way} way
   */
  button(name, [id, text]) {
    const action = ACTIONS.find((one) => one.id === id);
    const keys = this.bindings.get("keys", id).map(keyName).join(", ");
    const label = action?.label ?? `${name} ${text}`;
    const made = button(text, () => action?.axis || this.act(id), {
      id: `do-${id}`, "aria-label": label, title: keys ? `${label} (${keys})` : label,
    });
    if (action?.axis && action.sign) this.held.add(made, { axis: action.axis, sign: action.sign });
    return made;
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
