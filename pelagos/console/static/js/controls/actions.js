// The table of all actions of the pilot: label, group, default keys and default gamepad parts. The help panel, the
// settings and the table in docs/console.md are generated from it.
//
// A key is a KeyboardEvent.code, with the prefix "Shift+" if Shift is held. A part of a gamepad is "b3" for a button or
// "a1-" for one side of an axis, numbered as in the W3C standard mapping (0 LX, 1 LY, 2 RX, 3 RY; up is minus).

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} label
 * @property {string} group
 * @property {string[]} keys
 * @property {string[]} pad
 * @property {string} [axis] for actions that are held: the axis it moves
 * @property {1 | -1} [sign] for actions that are held: the direction along the axis
 */

export const AXES = /** @type {const} */ (["surge", "sway", "heave", "roll", "pitch", "yaw", "pan", "tilt", "zoom"]);
export const STICKS = AXES.slice(0, 6);

/**
 * Actions that take effect once for each press.
 * @param {string} group
 * @param {[id: string, label: string, keys: string[], pad: string[]][]} rows
 * @returns {Action[]}
 */
const pressed = (group, rows) => rows.map(([id, label, keys, pad]) => ({ id, label, group, keys, pad }));

/**
 * Actions that move an axis while they are held.
 * @param {string} group
 * @param {[id: string, label: string, axis: string, sign: 1 | -1, keys: string[], pad: string[]][]} rows
 * @returns {Action[]}
 */
const held = (group, rows) =>
  rows.map(([id, label, axis, sign, keys, pad]) => ({ id, label, group, keys, pad, axis, sign }));

/** @type {readonly Action[]} */
export const ACTIONS = [
  ...held("Sticks", [
    ["surge_ahead", "ahead", "surge", 1, ["KeyW"], ["a3-"]],
    ["surge_astern", "astern", "surge", -1, ["KeyS"], ["a3+"]],
    ["sway_port", "to port", "sway", -1, ["KeyA"], ["a2-"]],
    ["sway_starboard", "to starboard", "sway", 1, ["KeyD"], ["a2+"]],
    ["yaw_port", "turn to port", "yaw", -1, ["KeyQ"], ["a0-"]],
    ["yaw_starboard", "turn to starboard", "yaw", 1, ["KeyE"], ["a0+"]],
    ["heave_up", "up", "heave", -1, ["KeyR"], ["a1-"]],
    ["heave_down", "down", "heave", 1, ["KeyF"], ["a1+"]],
    ["pitch_up", "nose up", "pitch", 1, ["KeyT"], []],
    ["pitch_down", "nose down", "pitch", -1, ["KeyG"], []],
    ["roll_port", "roll to port", "roll", -1, ["KeyZ"], []],
    ["roll_starboard", "roll to starboard", "roll", 1, ["KeyC"], []],
  ]),
  ...pressed("Sticks", [
    ["stick_frame", "sticks follow body, camera or north", ["KeyB"], []],
    ["gain_up", "pilot gain up: sticks do more", ["Equal"], []],
    ["gain_down", "pilot gain down: sticks do less", ["Minus"], []],
  ]),
  ...held("Camera", [
    ["pan_port", "pan to port", "pan", -1, ["ArrowLeft"], ["b14"]],
    ["pan_starboard", "pan to starboard", "pan", 1, ["ArrowRight"], ["b15"]],
    ["tilt_up", "tilt up", "tilt", 1, ["ArrowUp"], ["b7"]],
    ["tilt_down", "tilt down", "tilt", -1, ["ArrowDown"], ["b6"]],
    ["zoom_in", "zoom in", "zoom", 1, ["PageUp"], []],
    ["zoom_out", "zoom out", "zoom", -1, ["PageDown"], []],
  ]),
  ...pressed("Camera", [
    ["camera_centre", "centre the camera", ["Home"], ["b10"]],
    ["camera_next", "next camera", ["KeyX"], []],
    ["lights_up", "lights brighter", ["KeyL"], ["b5"]],
    ["lights_down", "lights dimmer", ["KeyK"], ["b4"]],
  ]),
  ...pressed("Holds", [
    ["hold_heading", "hold heading", ["Digit1"], ["b1"]],
    ["hold_depth", "hold depth", ["Digit2"], ["b0"]],
    ["hold_altitude", "hold altitude", ["Digit3"], ["b2"]],
    ["hold_position", "hold position", ["Digit4"], ["b3"]],
    ["hold_level", "hold level", ["Digit5"], []],
    ["hold_speed", "hold speed", ["Digit6"], []],
    ["hold_mission", "fly the mission", ["Digit7"], []],
  ]),
  ...pressed("Trims", [
    ["trim_surge_up", "trim ahead", ["Shift+KeyW"], []],
    ["trim_surge_down", "trim astern", ["Shift+KeyS"], []],
    ["trim_sway_down", "trim to port", ["Shift+KeyA"], []],
    ["trim_sway_up", "trim to starboard", ["Shift+KeyD"], []],
    ["trim_yaw_down", "trim turn to port", ["Shift+KeyQ"], []],
    ["trim_yaw_up", "trim turn to starboard", ["Shift+KeyE"], []],
    ["trim_heave_down", "trim up", ["Shift+KeyR"], ["b12"]],
    ["trim_heave_up", "trim down", ["Shift+KeyF"], ["b13"]],
    ["trim_pitch_up", "trim nose up", ["Shift+KeyT"], []],
    ["trim_pitch_down", "trim nose down", ["Shift+KeyG"], []],
    ["trim_roll_down", "trim roll to port", ["Shift+KeyZ"], []],
    ["trim_roll_up", "trim roll to starboard", ["Shift+KeyC"], []],
    ["trim_reset", "all trims to zero", ["Shift+KeyX"], ["b11"]],
  ]),
  ...pressed("Tether and ship", [
    ["tether_longer", "cable coefficient up", ["BracketRight"], []],
    ["tether_shorter", "cable coefficient down", ["BracketLeft"], []],
    ["winch_out", "winch out", ["Period"], []],
    ["winch_in", "winch in", ["Comma"], []],
    ["winch_stop", "winch stop", ["Slash"], []],
    ["ship_move", "move the ship: click in the top view, or arrows and Enter", ["KeyM"], []],
    ["ship_follow", "ship follows the vehicle", ["KeyJ"], []],
    ["ship_stop", "ship stops", ["Shift+KeyJ"], []],
  ]),
  ...pressed("Run", [
    ["pause", "pause", ["KeyP"], ["b9"]],
    ["reset", "reset the flight", ["Shift+Backspace"], []],
    ["time_faster", "time faster", ["Shift+Equal"], []],
    ["time_slower", "time slower", ["Shift+Minus"], []],
    ["time_normal", "time as it is", ["Digit0"], []],
    ["record", "record", ["KeyO"], []],
    ["control", "take, ask for or give up the controls", ["Shift+Enter"], []],
  ]),
  ...pressed("Views", [
    ["view_chase", "camera or chase view", ["KeyV"], ["b8"]],
    ["top_view", "top view on or off", ["Shift+KeyN"], []],
    ["top_form", "top view heading up or north up", ["KeyN"], []],
    ["top_in", "top view closer", ["KeyI"], []],
    ["top_out", "top view wider", ["KeyU"], []],
    ["side_view", "side view on or off", ["KeyY"], []],
    ["sound", "sound of thrusters on or off", ["Shift+KeyM"], []],
    ["controls", "all controls as buttons", ["Shift+KeyH"], []],
    ["help", "this help", ["KeyH", "F1", "Shift+Slash"], []],
  ]),
  ...pressed("Replay", [
    ["seek_back", "5 s back", ["Shift+ArrowLeft"], []],
    ["seek_on", "5 s on", ["Shift+ArrowRight"], []],
    ["seek_start", "to the start", ["Shift+Home"], []],
  ]),
];

export const GROUPS = [...new Set(ACTIONS.map((action) => action.group))];

/** The axes of the two sticks of a gamepad: [left up-down, left left-right, right up-down, right left-right]. */
export const PAD_LAYOUTS = /** @type {const} */ ({
  "heave-yaw": { label: "left: up and turn, right: ahead and sideways", axes: ["heave", "yaw", "surge", "sway"] },
  "surge-sway": { label: "left: ahead and sideways, right: up and turn", axes: ["surge", "sway", "heave", "yaw"] },
  "surge-yaw": { label: "left: ahead and turn, right: up and sideways", axes: ["surge", "yaw", "heave", "sway"] },
});

/** @typedef {keyof typeof PAD_LAYOUTS} PadLayout */

/**
 * The gamepad parts of a layout by action id. Up on a stick is ahead or up, right is to starboard.
 * @param {PadLayout} layout
 * @returns {Map<string, string[]>}
 */
export function layoutParts(layout) {
  const [leftUp, leftAcross, rightUp, rightAcross] = PAD_LAYOUTS[layout].axes;
  const numbers = new Map([[leftUp, 1], [leftAcross, 0], [rightUp, 3], [rightAcross, 2]]);
  const parts = new Map();
  for (const action of ACTIONS) {
    const number = numbers.get(/** @type {any} */ (action.axis));
    if (number === undefined) continue;
    // A raised stick reads -1 and moves the vehicle ahead (surge +1) or up (heave -1).
    const raised = action.axis === "surge" ? 1 : -1;
    const minus = number % 2 === 1 ? action.sign === raised : action.sign === -1;
    parts.set(action.id, [`a${number}${minus ? "-" : "+"}`]);
  }
  return parts;
}
