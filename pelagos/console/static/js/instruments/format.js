// Formats numbers and names for the instruments. An unknown value is shown as a dash.

export const DASH = "\u2013";
const MINUS = "\u2212";

/**
 * A number with a fixed count of decimals; a value that rounds to zero has no sign.
 * @param {number} value
 * @param {number} [digits]
 */
export function formatNumber(value, digits = 1) {
  if (!Number.isFinite(value)) return DASH;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/**
 * A number with its sign, also a plus.
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 1) {
  const text = formatNumber(value, digits);
  return text === DASH || text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/**
 * A compass direction in three digits: 000 to 359.
 * @param {number} degrees
 */
export function bearing(degrees) {
  if (!Number.isFinite(degrees)) return DASH;
  const round = ((Math.round(degrees) % 360) + 360) % 360;
  return `${String(round).padStart(3, "0")}\u00b0`;
}

/**
 * A time as minutes and seconds, with hours if there are any.
 * @param {number} seconds
 */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return DASH;
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6); // 1e-6 against rounding in time and product
  const hours = Math.floor(tenths / 36000);
  const minutes = Math.floor(tenths / 600) % 60;
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  const minutesText = String(minutes).padStart(2, "0");
  return hours > 0 ? `${hours}:${minutesText}:${rest}` : `${minutesText}:${rest}`;
}

const ABBREVIATIONS = new Map([
  ["vertical", "vert"],
  ["lateral", "lat"],
  ["horizontal", "horiz"],
  ["starboard", "stb"],
]);

/**
 * The abbreviated name of an actuator: "vertical_front_starboard" becomes "vert front stb".
 * @param {string} name
 */
export function shortName(name) {
  return wordsOf(name).map((word) => ABBREVIATIONS.get(word) ?? word).join(" ");
}

/**
 * The initials of an actuator's name, "VFS"; the first four letters of a single word.
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
