// Draws bars for thrusters and fins: the command to each and its actual value, as fractions of its limit.
import { ACTUAL, COMMAND, EDGE, GROUND, QUIET, TEXT, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { DialBox, write } from "./box.js";
import { initials, shortName, signed } from "./format.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{label: string, initials: string, actual: string, command: string, limit: number, unit: string}} Row */

const MOST_ROWS = 10; // in one column

/**
 * The rows of a vehicle's actuators. The columns of a thruster are fractions, those of a fin are angles in deg.
 * @param {Hello["source"]["vehicle"] | undefined} vehicle
 * @returns {Row[]}
 */
export function rowsOf(vehicle) {
  /** @type {Row[]} */
  const rows = (vehicle?.thrusters ?? []).map(({ name }) => ({
    label: shortName(name), initials: initials(name), actual: `thruster_${name}`, command: `cmd_thruster_${name}`,
    limit: 1, unit: "%",
  }));
  for (const { name, limit_deg: limit } of vehicle?.surfaces ?? []) {
    rows.push({
      label: shortName(name), initials: initials(name), actual: `surface_${name}_deg`,
      command: `cmd_surface_${name}_deg`,
      limit: limit > 0 ? limit : 30, unit: "\u00b0",
    });
  }
  return rows;
}

/** A panel of bars, one for each thruster and fin. */
export class Actuators {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new DialBox(parent, "actuators", "Thrusters", "bars-actuators");
    const document = parent.ownerDocument;
    for (const [name, text] of [["actual", "actual"], ["command", "command"]]) {
      const key = document.createElement("span");
      key.className = `key ${name}`;
      key.textContent = text;
      this.box.reading.append(key);
    }
    /** @type {Row[]} */
    this.rows = [];
  }

  /** @param {Hello} hello */
  setHello(hello) {
    this.rows = rowsOf(hello.source.vehicle);
    const { thrusters = [], surfaces = [] } = hello.source.vehicle ?? {};
    const names = [thrusters.length > 0 ? "Thrusters" : "", surfaces.length > 0 ? "fins" : ""].filter(Boolean);
    write(this.box.title, names.join(", ") || "No actuators");
  }

  /** @param {Sample} sample */
  draw(sample) {
    const surface = prepareCanvas(this.box.canvas);
    if (!surface || this.rows.length === 0) return;
    const { pen, width, height } = surface;
    const columns = Math.ceil(this.rows.length / MOST_ROWS);
    const rowsPerColumn = Math.ceil(this.rows.length / columns);
    const tall = Math.min(22, height / rowsPerColumn);
    const wide = (width - 10 * (columns - 1)) / columns;
    pen.font = font(12);
    /** @param {"label" | "initials"} naming */
    const widest = (naming) => 4 + Math.max(...this.rows.map((row) => pen.measureText(row[naming]).width));
    const naming = widest("label") <= 0.5 * wide ? "label" : "initials";
    const label = widest(naming);
    this.rows.forEach((row, index) => {
      const x = Math.floor(index / rowsPerColumn) * (wide + 10);
      const y = (index % rowsPerColumn) * tall + (height - rowsPerColumn * tall) / 2;
      drawRow(pen, row, sample, { x, y, wide, tall, label, text: row[naming] });
    });
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Row} row
 * @param {Sample} sample
 * @param {{x: number, y: number, wide: number, tall: number, label: number, text: string}} place px; label: its width
 */
function drawRow(pen, row, sample, { x, y, wide, tall, label, text }) {
  const actual = sample.get(row.actual);
  const command = sample.get(row.command);
  const figures = wide - label > 100 ? 46 : 0; // px for the number, if there is room
  const from = x + label + 2;
  const bar = wide - label - 2 - figures;
  const middle = y + tall / 2;
  const zero = from + bar / 2;
  const thick = Math.max(6, tall - 8);
  /** @param {number} value */
  const xOf = (value) => zero + (Math.min(1, Math.max(-1, value / row.limit)) * bar) / 2;
  pen.font = font(12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillStyle = QUIET;
  pen.fillText(text, x, middle + 0.5);
  pen.fillStyle = GROUND;
  pen.fillRect(from, middle - thick / 2, bar, thick);
  if (Number.isFinite(actual)) {
    pen.fillStyle = ACTUAL;
    pen.fillRect(Math.min(zero, xOf(actual)), middle - thick / 2 + 1, Math.abs(xOf(actual) - zero), thick - 2);
  }
  pen.fillStyle = EDGE;
  pen.fillRect(zero - 0.5, middle - thick / 2, 1, thick);
  if (Number.isFinite(command)) {
    pen.fillStyle = COMMAND;
    pen.fillRect(xOf(command) - 1.5, middle - thick / 2 - 1, 3, thick + 2);
  }
  if (figures > 0) {
    pen.fillStyle = TEXT;
    pen.textAlign = "right";
    pen.fillText(`${signed(row.unit === "%" ? 100 * actual : actual, 0)}${row.unit}`, x + wide, middle + 0.5);
  }
}
