// Colours for what is drawn on canvases: the same as css/palette.css, which a canvas cannot read cheaply.
// Okabe and Ito's set, safe for the common kinds of colour blindness.

export const ORANGE = "#e69f00";
export const SKY = "#56b4e9";
export const GREEN = "#009e73";
export const YELLOW = "#f0e442";
export const BLUE = "#0072b2";
export const VERMILLION = "#d55e00";
export const PURPLE = "#cc79a7";

export const GROUND = "#070d12";
export const SURFACE = "#0d171f";
export const RAISED = "#14222c";
export const LINE = "#243743";
export const EDGE = "#6d8796";
export const TEXT = "#e4edf2";
export const QUIET = "#9db1bd";
export const WATER = "#0a1a24";

/** Behind words that lie over a picture: dark enough over white for the quietest of them (contrast 4.5). */
export const PLATE = "rgb(7 13 18 / 80%)";

// Meanings, the same in every view.
export const ACTUAL = SKY;
export const DEMAND = ORANGE;
export const HOLD = PURPLE;
export const CONTACT = GREEN;
export const CAUTION = YELLOW;
export const ALARM = VERMILLION;

export const FAMILY = '"Inter", "Segoe UI", system-ui, "Helvetica Neue", "DejaVu Sans", sans-serif';

/** Nothing on the page is written smaller than this, px. */
export const SMALLEST = 12;

/**
 * The font of a canvas.
 * @param {number} size px
 * @param {number} [weight]
 */
export function font(size, weight = 400) {
  return `${weight} ${Math.max(SMALLEST, size)}px ${FAMILY}`;
}

/**
 * A colour given by a file or a task, if it can be trusted to be one; else the other.
 * @param {unknown} colour
 * @param {string} otherwise
 */
export function colourOr(colour, otherwise) {
  return typeof colour === "string" && /^(#[0-9a-f]{3,8}|[a-z]+)$/i.test(colour) ? colour : otherwise;
}
