// Draws the parts that plan views share: grid, plates behind text, scale bar, arrows, crosses.
import { formatNumber } from "../instruments/format.js";
import { EDGE, LINE, PLATE, QUIET, TEXT, VERMILLION, YELLOW, font } from "../palette.js";
import { metres, multiples, roundStep } from "./projection.js";

/** @typedef {import("./projection.js").Projection} Projection */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {CanvasRenderingContext2D} Pen */

const GRID_PX = 56; // least distance between two lines of the grid
const BAR_PX = 60;

/**
 * Begin a path through points, without stroke or fill.
 * @param {Pen} pen
 * @param {Point[]} points
 * @param {boolean} [closed]
 */
export function path(pen, points, closed = false) {
  pen.beginPath();
  points.forEach(([x, y], at) => (at === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  if (closed) pen.closePath();
}

/**
 * Draw the grid of north and east, with labels if north is up; return its step in m.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {number} width
 * @param {number} height
 */
export function grid(pen, projection, width, height) {
  const step = roundStep(GRID_PX / projection.scale);
  const range = projection.visibleRange(width, height);
  pen.lineWidth = 1;
  pen.strokeStyle = LINE;
  const labelled = projection.form === "north-up";
  pen.font = font(12);
  pen.fillStyle = EDGE;
  for (const north of multiples(range.north[0], range.north[1], step)) {
    path(pen, [projection.screen(north, range.east[0]), projection.screen(north, range.east[1])]);
    pen.stroke();
    const y = projection.screen(north, projection.east)[1];
    if (labelled && y > 14 && y < height - 40) write(pen, String(Number(north.toPrecision(6))), 4, y - 3, "left");
  }
  for (const east of multiples(range.east[0], range.east[1], step)) {
    path(pen, [projection.screen(range.north[0], east), projection.screen(range.north[1], east)]);
    pen.stroke();
    const x = projection.screen(projection.north, east)[0];
    if (labelled && x > 110 && x < width - 30) {
      write(pen, String(Number(east.toPrecision(6))), x + 3, height - 6, "left");
    }
  }
  return step;
}

/**
 * Write a text on its base line.
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {CanvasTextAlign} [align]
 */
export function write(pen, text, x, y, align = "left") {
  pen.textAlign = align;
  pen.textBaseline = "alphabetic";
  pen.fillText(text, x, y);
}

/**
 * Draw a dark plate that keeps what lies on it readable.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
export function backing(pen, x, y, width, height) {
  pen.fillStyle = PLATE;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 4);
  pen.fill();
}

/**
 * Write a text on a dark plate.
 * @param {Pen} pen with the font and colour of the text
 * @param {string} text
 * @param {number} x
 * @param {number} y middle of the text
 * @param {"left" | "center" | "right"} [align]
 */
export function plate(pen, text, x, y, align = "left") {
  const wide = pen.measureText(text).width;
  const left = x - { left: 0, center: 0.5, right: 1 }[align] * wide;
  const ink = pen.fillStyle;
  backing(pen, left - 5, y - 10, wide + 10, 20);
  pen.fillStyle = ink;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(text, left, y + 0.5);
}

/**
 * Draw a scale bar of a round length.
 * @param {Pen} pen
 * @param {number} scale px per m
 * @param {number} x its left end
 * @param {number} y
 */
export function scaleBar(pen, scale, x, y) {
  const length = roundStep(BAR_PX / scale / 2.5);
  const across = length * scale;
  backing(pen, x - 5, y - 24, Math.max(across, 40) + 10, 29);
  pen.strokeStyle = QUIET;
  pen.lineWidth = 1.5;
  path(pen, [[x, y - 5], [x, y], [x + across, y], [x + across, y - 5]]);
  pen.stroke();
  pen.fillStyle = QUIET;
  pen.font = font(12);
  write(pen, metres(length), x, y - 9);
}

/**
 * Draw the north arrow.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} angle of north: rad, clockwise from the top of the screen
 */
export function northArrow(pen, x, y, angle) {
  pen.save();
  pen.translate(x, y);
  pen.beginPath();
  pen.arc(0, 0, 20, 0, 2 * Math.PI);
  pen.fillStyle = PLATE;
  pen.fill();
  pen.rotate(angle);
  path(pen, [[0, -5], [5, 13], [0, 10], [-5, 13]], true);
  pen.fillStyle = TEXT;
  pen.fill();
  pen.translate(0, -11.5); // the letter is in front of the tip, upright
  pen.rotate(-angle);
  pen.font = font(12, 600);
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.fillText("N", 0, 0);
  pen.restore();
}

/**
 * Draw an arrow.
 * @param {Pen} pen
 * @param {number} x its middle
 * @param {number} y
 * @param {number} angle rad, clockwise from the top of the screen
 * @param {number} length px
 */
export function arrow(pen, x, y, angle, length) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  path(pen, [[0, length / 2], [0, -length / 2 + 4]]);
  pen.stroke();
  path(pen, [[0, -length / 2 - 2], [5, -length / 2 + 7], [-5, -length / 2 + 7]], true);
  pen.fill();
  pen.restore();
}

/**
 * Draw the cursor that chooses a place for the ship, with its north and east.
 * @param {Pen} pen
 * @param {Projection} projection
 * @param {{north: number, east: number}} place
 * @param {number} width
 */
export function drawCursor(pen, projection, { north, east }, width) {
  const [x, y] = projection.screen(north, east);
  pen.strokeStyle = YELLOW;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 7, 0, 2 * Math.PI);
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    pen.moveTo(x + 7 * dx, y + 7 * dy);
    pen.lineTo(x + 15 * dx, y + 15 * dy);
  }
  pen.stroke();
  pen.font = font(12);
  pen.fillStyle = YELLOW;
  const right = x < width - 130;
  const above = y > 30 ? y - 20 : y + 24;
  const text = `N ${formatNumber(north, 1)} E ${formatNumber(east, 1)} m`;
  plate(pen, text, right ? x + 12 : x - 12, above, right ? "left" : "right");
}

/**
 * Draw a cross at the place of a collision.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} [size]
 */
export function cross(pen, x, y, size = 6) {
  pen.strokeStyle = VERMILLION;
  pen.lineWidth = 2.5;
  path(pen, [[x - size, y - size], [x + size, y + size]]);
  pen.stroke();
  path(pen, [[x - size, y + size], [x + size, y - size]]);
  pen.stroke();
}

/**
 * Draw bold lines across a whole view after a collision (Royer 1985, figure 6.6).
 * @param {Pen} pen
 * @param {number} width
 * @param {number} height
 * @param {number} share 1 at the collision, 0 once the lines have faded
 */
export function crashLines(pen, width, height, share) {
  pen.save();
  pen.globalAlpha = Math.min(1, 0.25 + share);
  pen.strokeStyle = VERMILLION;
  pen.lineCap = "round";
  pen.lineWidth = Math.max(4, Math.min(width, height) / 45);
  const inset = pen.lineWidth;
  path(pen, [[inset, inset], [width - inset, height - inset]]);
  pen.stroke();
  path(pen, [[width - inset, inset], [inset, height - inset]]);
  pen.stroke();
  pen.strokeRect(inset / 2, inset / 2, width - inset, height - inset);
  pen.restore();
}

export const CRASH_S = 1.2; // until the crash lines have faded

/**
 * The strength of the crash lines: 1 at the collision, 0 once they have faded.
 * @param {number} age s since the collision, NaN without one
 */
export function crashShare(age) {
  return age >= 0 && age < CRASH_S ? 1 - age / CRASH_S : 0;
}
