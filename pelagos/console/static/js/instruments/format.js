// Numbers in words. What is not known is a dash.

export const DASH = "\u2013";
const MINUS = "\u2212";

/**
 * With so many decimals; a rounded zero has no sign.
 * @param {number} value
 * @param {number} [digits]
 */
export function shown(value, digits = 1) {
  if (!Number.isFinite(value)) return DASH;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * With its sign.
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 1) {
  const text = shown(value, digits);
  return text === DASH || text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/**
 * A compass direction in three figures: 000 to 359.
 * @param {number} degrees
 */
export function bearing(degrees) {
  if (!Number.isFinite(degrees)) return DASH;
  const round = ((Math.round(degrees) % 360) + 360) % 360;
  return `${String(round).padStart(3, "0")}\u00b0`;
}

/**
 * Minutes and seconds; hours when there are any.
 * @param {number} seconds
 */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return DASH;
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const hours = Math.floor(tenths / 36000);
  const minutes = Math.floor(tenths / 600) % 60;
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  const two = String(minutes).padStart(2, "0");
  return hours > 0 ? `${hours}:${two}:${rest}` : `${two}:${rest}`;
}

const SHORT = new Map([
  ["vertical", "vert"],
  ["lateral", "lat"],
  ["horizontal", "horiz"],
  ["starboard", "stb"],
]);

/**
 * The name of an actuator, short enough for its row: "vertical_front_starboard" is "vert front stb".
 * @param {string} name
 */
export function shortName(name) {
  return wordsOf(name).map((word) => SHORT.get(word) ?? word).join(" ");
}

/**
 * Shorter still: its initials, "VFS"; of one word its first four letters.
 * @param {string} name
 */
export function initials(name) {
  const words = wordsOf(name);
  return words.length > 1 ? words.map((word) => word[0].toUpperCase()).join("") : shortName(name).slice(0, 4);
}

/** @param {string} name */
function wordsOf(name) {
  return name.split(/[_\s]+/).filter((word) => word !== "");
}
