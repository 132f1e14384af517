// Draws the compass: a card that turns under a fixed mark, with heading setpoint, course over ground and current.
import { CAUTION, EDGE, GROUND, HOLD, QUIET, SKY, TEXT, YELLOW, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { DialBox, write } from "./box.js";
import { bearing } from "./format.js";

/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {CanvasRenderingContext2D} Pen */

const DEG = Math.PI / 180;
const LEAST_RADIUS = 54; // px; a card of a smaller radius has no room for figures between the letters
const LEAST_SPEED = 0.03; // m/s over ground; below it the course is noise

/** @type {[number, string][]} */
const NAMES = [
  [0, "N"], [30, "3"], [60, "6"], [90, "E"], [120, "12"], [150, "15"],
  [180, "S"], [210, "21"], [240, "24"], [270, "W"], [300, "30"], [330, "33"],
];

/**
 * The angle of a compass direction on the dial: rad, clockwise from the top, from -pi to pi.
 * @param {number} direction deg
 * @param {number} heading deg
 */
export function dialAngle(direction, heading) {
  const turned = ((((direction - heading + 180) % 360) + 360) % 360) - 180;
  return turned * DEG;
}

/** The compass dial. */
export class Compass {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new DialBox(parent, "dial", "Heading", "dial-compass");
  }

  /** @param {Sample} sample */
  draw(sample) {
    const heading = sample.get("heading_deg");
    write(this.box.reading, bearing(heading));
    const surface = prepareCanvas(this.box.canvas);
    if (!surface) return;
    const { pen, width, height } = surface;
    const radius = Math.min(width, height) / 2 - 8;
    pen.translate(width / 2, height / 2 + 4);
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 2 * Math.PI);
    pen.fillStyle = GROUND;
    pen.fill();
    pen.strokeStyle = EDGE;
    pen.lineWidth = 1.5;
    pen.stroke();
    if (Number.isFinite(heading)) this.drawCard(pen, radius, heading, sample);
    pen.fillStyle = YELLOW;
    triangle(pen, 0, -radius + 1, 6, 9);
  }

  /**
   * @param {Pen} pen
   * @param {number} radius
   * @param {number} heading
   * @param {Sample} sample
   */
  drawCard(pen, radius, heading, sample) {
    pen.strokeStyle = QUIET;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let mark = 0; mark < 360; mark += 10) {
      rotated(pen, dialAngle(mark, heading), () => {
        pen.lineWidth = mark % 30 === 0 ? 2 : 1;
        pen.beginPath();
        pen.moveTo(0, -radius);
        pen.lineTo(0, -radius + (mark % 30 === 0 ? 8 : 5));
        pen.stroke();
      });
    }
    for (const [mark, name] of NAMES) {
      if (radius < LEAST_RADIUS && mark % 90 !== 0) continue;
      const angle = dialAngle(mark, heading);
      const letter = mark % 90 === 0;
      pen.font = font(letter ? 14 : 12, letter ? 650 : 400);
      pen.fillStyle = mark === 0 ? YELLOW : letter ? TEXT : QUIET;
      pen.fillText(name, (radius - 19) * Math.sin(angle), -(radius - 19) * Math.cos(angle));
    }
    this.drawCurrent(pen, radius, heading, sample);
    const course = sample.get("course_deg");
    if (Number.isFinite(course) && sample.get("speed_m_s") > LEAST_SPEED) {
      rotated(pen, dialAngle(course, heading), () => {
        pen.strokeStyle = SKY;
        pen.lineWidth = 2;
        pen.beginPath();
        pen.moveTo(0, -radius - 1);
        pen.lineTo(4, -radius + 4);
        pen.lineTo(0, -radius + 9);
        pen.lineTo(-4, -radius + 4);
        pen.closePath();
        pen.stroke();
      });
    }
    const hold = sample.get("hold_heading_deg");
    if (Number.isFinite(hold)) {
      rotated(pen, dialAngle(hold, heading), () => {
        pen.fillStyle = HOLD;
        pen.fillRect(-7, -radius - 5, 14, 7);
      });
    }
  }

  /**
   * Draw an arrow in the direction of the current.
   * @param {Pen} pen
   * @param {number} radius
   * @param {number} heading
   * @param {Sample} sample
   */
  drawCurrent(pen, radius, heading, sample) {
    const north = sample.get("current_north_m_s");
    const east = sample.get("current_east_m_s");
    const speed = Math.hypot(north, east);
    if (!(speed >= 0.005)) return;
    const length = Math.min(1, 0.45 + 0.4 * speed) * (radius - 26);
    rotated(pen, dialAngle(Math.atan2(east, north) / DEG, heading), () => {
      pen.strokeStyle = pen.fillStyle = CAUTION;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(0, length);
      pen.lineTo(0, -length + 8);
      pen.stroke();
      triangle(pen, 0, -length, -5, 9);
    });
  }
}

/**
 * Draw in axes turned by an angle.
 * @param {Pen} pen
 * @param {number} angle rad, clockwise
 * @param {() => void} draw
 */
function rotated(pen, angle, draw) {
  pen.save();
  pen.rotate(angle);
  draw();
  pen.restore();
}

/**
 * Draw a triangle with its tip at a point: below its base for a positive half width, above it for a negative one.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} half
 * @param {number} tall
 */
function triangle(pen, x, y, half, tall) {
  const base = half > 0 ? y - tall : y + tall;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + half, base);
  pen.lineTo(x - half, base);
  pen.closePath();
  pen.fill();
}
