// Draws the artificial horizon: roll and pitch.
import { EDGE, HOLD, TEXT, YELLOW, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { DialBox, write } from "./box.js";
import { signed } from "./format.js";

/** @typedef {import("../types.js").Sample} Sample */

const DEG = Math.PI / 180;
const WATER_UP = "#1c5573"; // towards the surface
const WATER_DOWN = "#2b2a22"; // towards the bottom
const PITCH_SPAN = 60; // deg from the lower to the upper edge

/** The dial of the artificial horizon. */
export class Horizon {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new DialBox(parent, "dial", "Roll and pitch", "dial-horizon");
  }

  /** @param {Sample} sample */
  draw(sample) {
    const roll = sample.get("roll_deg");
    const pitch = sample.get("pitch_deg");
    write(this.box.title, `R ${signed(roll, 0)}\u00b0`);
    write(this.box.reading, `P ${signed(pitch, 0)}\u00b0`);
    const surface = prepareCanvas(this.box.canvas);
    if (!surface) return;
    const { pen, width, height } = surface;
    const radius = Math.min(width, height) / 2 - 2;
    pen.save();
    pen.translate(width / 2, height / 2);
    if (Number.isFinite(roll + pitch)) {
      this.drawBall(pen, radius, roll, pitch);
      this.drawRollScale(pen, radius, roll);
    }
    if (Number.isFinite(sample.get("hold_pitch_deg")) || Number.isFinite(sample.get("hold_roll_deg"))) {
      pen.strokeStyle = HOLD;
      pen.lineWidth = 3;
      pen.beginPath();
      pen.arc(0, 0, radius - 1, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.strokeStyle = YELLOW;
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(-0.55 * radius, 0);
    pen.lineTo(-0.22 * radius, 0);
    pen.lineTo(-0.12 * radius, 0.12 * radius);
    pen.moveTo(0.55 * radius, 0);
    pen.lineTo(0.22 * radius, 0);
    pen.lineTo(0.12 * radius, 0.12 * radius);
    pen.moveTo(0, -1.5);
    pen.lineTo(0, 1.5);
    pen.stroke();
    pen.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {number} radius
   * @param {number} roll
   * @param {number} pitch
   */
  drawBall(pen, radius, roll, pitch) {
    const scale = (2 * radius) / PITCH_SPAN; // px per deg
    pen.save();
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 2 * Math.PI);
    pen.clip();
    pen.rotate(-roll * DEG);
    const line = pitch * scale;
    pen.fillStyle = WATER_UP;
    pen.fillRect(-2 * radius, line - 200 * scale, 4 * radius, 200 * scale);
    pen.fillStyle = WATER_DOWN;
    pen.fillRect(-2 * radius, line, 4 * radius, 200 * scale);
    pen.strokeStyle = pen.fillStyle = TEXT;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(-2 * radius, line);
    pen.lineTo(2 * radius, line);
    pen.stroke();
    pen.lineWidth = 1;
    pen.font = font(12);
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let mark = -90; mark <= 90; mark += 10) {
      const y = line - mark * scale;
      if (mark === 0 || Math.abs(y) > 0.72 * radius) continue;
      const half = mark % 20 === 0 ? 0.3 * radius : 0.16 * radius;
      pen.beginPath();
      pen.moveTo(-half, y);
      pen.lineTo(half, y);
      pen.stroke();
      if (mark % 20 === 0) pen.fillText(String(Math.abs(mark)), half + 4, y);
    }
    pen.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {number} radius
   * @param {number} roll
   */
  drawRollScale(pen, radius, roll) {
    pen.strokeStyle = EDGE;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 2 * Math.PI);
    pen.stroke();
    pen.strokeStyle = TEXT;
    for (const mark of [-60, -45, -30, -20, -10, 0, 10, 20, 30, 45, 60]) {
      const angle = (mark - 90) * DEG;
      const inner = radius - (mark % 30 === 0 ? 9 : 5);
      pen.beginPath();
      pen.moveTo(radius * Math.cos(angle), radius * Math.sin(angle));
      pen.lineTo(inner * Math.cos(angle), inner * Math.sin(angle));
      pen.stroke();
    }
    pen.save();
    pen.rotate(-roll * DEG);
    pen.fillStyle = YELLOW;
    pen.beginPath();
    pen.moveTo(0, -radius + 9);
    pen.lineTo(5, -radius + 18);
    pen.lineTo(-5, -radius + 18);
    pen.fill();
    pen.restore();
  }
}
