// Thrusters and fins: what is asked of each and what it does, as a share of its limit.
import { ACTUAL, DEMAND, EDGE, GROUND, QUIET, TEXT, font } from "../palette.js";
import { prepareCanvas } from "../canvas.js";
import { DialBox, write } from "./box.js";
import { initials, shortName, signed } from "./format.js";

/** @typedef {import("../types.js").Hello} Hello */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {{label: string, initials: string, actual: string, demand: string, limit: number, unit: string}} Row */

const MOST_ROWS = 10; // in a column

/**
 * The rows of a vehicle. A thruster's columns are shares; a fin's are deg, with its limit.
 * @param {Hello["source"]["vehicle"] | undefined} vehicle
 * @returns {Row[]}
 */
export function rowsOf(vehicle) {
  /** @type {Row[]} */
  const rows = (vehicle?.thrusters ?? []).map(({ name }) => ({
    label: shortName(name), initials: initials(name), actual: `thruster_${name}`, demand: `cmd_thruster_${name}`,
    limit: 1, unit: "%",
  }));
  for (const { name, limit_deg: limit } of vehicle?.surfaces ?? []) {
    rows.push({
      label: shortName(name), initials: initials(name), actual: `surface_${name}_deg`,
      demand: `cmd_surface_${name}_deg`,
      limit: limit > 0 ? limit : 30, unit: "\u00b0",
    });
  }
  return rows;
}

export class Actuators {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = new DialBox(parent, "actuators", "Thrusters", "bars-actuators");
    const document = parent.ownerDocument;
    for (const [name, text] of [["actual", "actual"], ["demand", "demand"]]) {
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
    const each = Math.ceil(this.rows.length / columns);
    const tall = Math.min(22, height / each);
    const wide = (width - 10 * (columns - 1)) / columns;
    pen.font = font(12);
    /** @param {"label" | "initials"} kind */
    const widest = (kind) => 4 + Math.max(...this.rows.map((row) => pen.measureText(row[kind]).width));
    const kind = widest("label") <= 0.5 * wide ? "label" : "initials";
    const label = widest(kind);
    this.rows.forEach((row, at) => {
      const x = Math.floor(at / each) * (wide + 10);
      const y = (at % each) * tall + (height - each * tall) / 2;
      drawRow(pen, row, sample, { x, y, wide, tall, label, text: row[kind] });
    });
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Row} row
 * @param {Sample} sample
 * @param {{x: number, y: number, wide: number, tall: number, label: number, text: string}} place
 */
function drawRow(pen, row, sample, { x, y, wide, tall, label, text }) {
  const actual = sample.get(row.actual);
  const demand = sample.get(row.demand);
  const figures = wide - label > 100 ? 46 : 0;
  const from = x + label + 2;
  const bar = wide - label - 2 - figures;
  const middle = y + tall / 2;
  const zero = from + bar / 2;
  const thick = Math.max(6, tall - 8);
  /** @param {number} value */
  const at = (value) => zero + (Math.min(1, Math.max(-1, value / row.limit)) * bar) / 2;
  pen.font = font(12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillStyle = QUIET;
  pen.fillText(text, x, middle + 0.5);
  pen.fillStyle = GROUND;
  pen.fillRect(from, middle - thick / 2, bar, thick);
  if (Number.isFinite(actual)) {
    pen.fillStyle = ACTUAL;
    pen.fillRect(Math.min(zero, at(actual)), middle - thick / 2 + 1, Math.abs(at(actual) - zero), thick - 2);
  }
  pen.fillStyle = EDGE;
  pen.fillRect(zero - 0.5, middle - thick / 2, 1, thick);
  if (Number.isFinite(demand)) {
    pen.fillStyle = DEMAND;
    pen.fillRect(at(demand) - 1.5, middle - thick / 2 - 1, 3, thick + 2);
  }
  if (figures > 0) {
    pen.fillStyle = TEXT;
    pen.textAlign = "right";
    pen.fillText(`${signed(row.unit === "%" ? 100 * actual : actual, 0)}${row.unit}`, x + wide, middle + 0.5);
  }
}
