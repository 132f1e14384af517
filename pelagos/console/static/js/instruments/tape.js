// Draws depth or altitude: a scale that moves past a fixed mark, with the setpoint and an arrow to the predicted value.
import { ALARM, EDGE, GROUND, HOLD, QUIET, SKY, TEXT, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { DialBox } from "./box.js";
import { formatNumber } from "./format.js";
import { Trend } from "./trend.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {CanvasRenderingContext2D} Pen */

const AHEAD_S = 6; // of the prediction at the tip of the arrow
const SPAN_M = 10; // from the lower to the upper edge

/** A moving scale for one column. */
export class Tape {
  /**
   * @param {HTMLElement} parent
   * @param {object} of
   * @param {string} of.title
   * @param {string} of.column
   * @param {string} of.hold column of the setpoint
   * @param {1 | -1} of.downward 1: greater values lie lower, as depths do
   * @param {string} of.id
   */
  constructor(parent, { title, column, hold, downward, id }) {
    this.column = column;
    this.hold = hold;
    this.downward = downward;
    this.trend = new Trend();
    this.box = new DialBox(parent, "tape", title, id);
  }

  clear() {
    this.trend.clear();
  }

  /** @param {Sample} sample */
  draw(sample) {
    const value = sample.get(this.column);
    const rate = this.trend.add(sample.time, value);
    const surface = prepareCanvas(this.box.canvas);
    if (!surface) return;
    const { pen, width, height } = surface;
    const scale = height / SPAN_M;
    const middle = height / 2;
    /** @param {number} metres */
    const y = (metres) => middle + this.downward * (metres - value) * scale;
    if (Number.isFinite(value)) {
      drawScale(pen, width, height, value, y);
      drawTrend(pen, y(value), y(value + rate * AHEAD_S), height);
      drawHold(pen, width, height, y, sample.get(this.hold));
    }
    drawValue(pen, width, middle, value);
  }
}

/**
 * @param {Pen} pen
 * @param {number} width
 * @param {number} height
 * @param {(metres: number) => number} y
 * @param {number} hold
 */
function drawHold(pen, width, height, y, hold) {
  if (!Number.isFinite(hold)) return;
  const at = Math.min(height - 3, Math.max(3, y(hold)));
  pen.fillStyle = HOLD;
  pen.beginPath();
  pen.moveTo(width - 12, at);
  pen.lineTo(width, at - 7);
  pen.lineTo(width, at + 7);
  pen.fill();
}

/**
 * @param {Pen} pen
 * @param {number} width
 * @param {number} height
 * @param {number} value
 * @param {(metres: number) => number} y
 */
function drawScale(pen, width, height, value, y) {
  pen.strokeStyle = EDGE;
  pen.fillStyle = QUIET;
  pen.font = font(12);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.lineWidth = 1;
  for (let metre = Math.ceil(value - SPAN_M / 2); metre <= value + SPAN_M / 2; metre += 1) {
    if (metre < 0) continue;
    const at = Math.round(y(metre)) + 0.5;
    pen.beginPath();
    pen.moveTo(20, at);
    pen.lineTo(metre % 2 === 0 ? 30 : 25, at);
    pen.stroke();
    if (metre % 2 === 0 && metre > 0 && at > 7 && at < height - 7) pen.fillText(String(metre), 34, at);
  }
  const zero = y(0);
  if (zero > 0 && zero < height) {
    pen.strokeStyle = ALARM;
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(16, zero);
    pen.lineTo(width, zero);
    pen.stroke();
  }
}

/**
 * @param {Pen} pen
 * @param {number} from
 * @param {number} to
 * @param {number} height
 */
function drawTrend(pen, from, to, height) {
  if (!Number.isFinite(to) || Math.abs(to - from) < 3) return;
  const end = Math.min(height - 2, Math.max(2, to));
  const sign = Math.sign(end - from);
  pen.strokeStyle = pen.fillStyle = SKY;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.moveTo(10, from);
  pen.lineTo(10, end - 6 * sign);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(10, end);
  pen.lineTo(4, end - 9 * sign);
  pen.lineTo(16, end - 9 * sign);
  pen.fill();
}

/**
 * @param {Pen} pen
 * @param {number} width
 * @param {number} middle
 * @param {number} value
 */
function drawValue(pen, width, middle, value) {
  const right = width - 13;
  pen.beginPath();
  pen.moveTo(17, middle);
  pen.lineTo(23, middle - 12);
  pen.lineTo(right, middle - 12);
  pen.lineTo(right, middle + 12);
  pen.lineTo(23, middle + 12);
  pen.closePath();
  pen.fillStyle = GROUND;
  pen.fill();
  pen.strokeStyle = TEXT;
  pen.lineWidth = 1.2;
  pen.stroke();
  pen.fillStyle = TEXT;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const { text, size } = fittedText(value, right - 25, (words, px) => {
    pen.font = font(px, 600);
    return pen.measureText(words).width;
  });
  pen.font = font(size, 600);
  pen.fillText(text, (21 + right) / 2, middle + 0.5);
}

/**
 * The longest text of a value that fits: with fewer decimals first, then smaller, then in thousands.
 * @param {number} value
 * @param {number} room px
 * @param {(text: string, size: number) => number} measure px
 * @returns {{text: string, size: number}}
 */
export function fittedText(value, room, measure) {
  for (const size of [14, 12]) {
    for (const digits of size === 14 ? [2, 1] : [1, 0]) {
      const text = formatNumber(value, digits);
      if (measure(text, size) <= room) return { text, size };
    }
  }
  return { text: `${formatNumber(value / 1000, 1)}k`, size: 12 };
}
