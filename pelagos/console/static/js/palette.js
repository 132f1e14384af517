// Colours and fonts for canvases. The colours repeat css/palette.css, because reading CSS variables is slow.
// The hues are the set of Okabe and Ito (2008), distinguishable with the common kinds of colour blindness.

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

/** Background of text over a picture: over white it gives the faintest text colour a contrast of 4.5. */
export const PLATE = "rgb(7 13 18 / 80%)";

// Colours by meaning, the same in every view.
export const ACTUAL = SKY;
export const COMMAND = ORANGE;
export const HOLD = PURPLE;
export const CONTACT = GREEN;
export const CAUTION = YELLOW;
export const ALARM = VERMILLION;

export const FAMILY = '"Inter", "Segoe UI", system-ui, "Helvetica Neue", "DejaVu Sans", sans-serif';

/** The smallest font size on the page, px. */
export const SMALLEST = 12;

/**
 * The font of a canvas, not smaller than `SMALLEST`.
 * @param {number} size px
 * @param {number} [weight]
 */
export function font(size, weight = 400) {
  return `${weight} ${Math.max(SMALLEST, size)}px ${FAMILY}`;
}

/**
 * A colour from a file or a task if it is a hex code or a name, else the fallback.
 * @param {unknown} colour
 * @param {string} fallback
 */
export function colourOr(colour, fallback) {
  return typeof colour === "string" && /^(#[0-9a-f]{3,8}|[a-z]+)$/i.test(colour) ? colour : fallback;
}
